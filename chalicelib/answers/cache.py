"""Under what an answer is kept: everything that it depends on but the knowledge, hashed (rule N9)."""

import hashlib
import json
import unicodedata

from chalicelib.answers.catalogue.components import VERSION
from chalicelib.answers.languages import language_of
from chalicelib.domain.pages import Page


def cache_key(page: Page, question: str, flavour: str, catalogue: str = VERSION) -> str:
    """The key of the answer to an opening question; nobody can read the question out of it.

    The version of the knowledge stands in what is kept, so that both are read at once.

    Args:
        page: with its version, which changes with its texts, topics, images and links.
        question: as it was asked; case, blanks and the punctuation around it make no difference.
        flavour: of the model that answers.
        catalogue: version of the components that it is made of.
    """
    language = language_of(question, page.language)
    facts = [page.id, page.version, catalogue, language, normalised(question), flavour]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def normalised(question: str) -> str:
    """The question as it is compared."""
    text = unicodedata.normalize("NFKC", question).casefold()
    return " ".join(text.split()).strip("¿¡?!. ")
