"""What of a card goes into which column of the full-text table.

Texts go in as terms with blanks between them, so SQLite's tokeniser has nothing left to decide.
"""

from collections.abc import Iterator

from chalicelib.search import terms
from chalicelib.search.analysis import CONNECTORS
from chalicelib.search.ports import Card
from chalicelib.search.stemming import languages_of
from chalicelib.search.terms import LONGEST, Terms

TERM_CHARACTERS = f"_{CONNECTORS}"
"""The ASCII characters of terms besides letters and digits. The tokeniser takes all others as letters."""

WEIGHTS = {"scope": 0.0, **terms.WEIGHTS}
"""The columns and what one occurrence in each counts."""

PHRASES = "{title headings parts folded}"
"""Where quoted phrases are looked for."""
SEQUENCES = "{parts folded}"
"""Where sequences are looked for that are worth more in order."""


def space_term(space_id: str) -> str:
    """The term by which passages of a space are found."""
    return f"s:{_plain(space_id)}"


def base_term(base_id: str) -> str:
    """The term by which passages of a base are found."""
    return f"b:{_plain(base_id)}"


def rows(card: Card) -> Iterator[tuple[str, ...]]:
    """The columns of each passage of a card, in the order of `WEIGHTS`."""
    scope = f"{space_term(card.space_id)} {base_term(card.base_id)}"
    locator = card.locator[:LONGEST]
    spoken = languages_of([each.content for each in card.passages])
    for passage, language in zip(card.passages, spoken, strict=True):
        title = Terms.of([card.title[:LONGEST]], language)
        headings = Terms.of([*passage.heading_path, locator], language)
        body = Terms.of([passage.content], language)
        stems = f"{headings.stems} {body.stems}"
        yield scope, title.all(), headings.all(), body.wholes, body.parts, body.folded, title.stems, stems


def _plain(identifier: str) -> str:
    """An id as one term, also if it is none of ours."""
    plain = identifier.isascii() and identifier.isidentifier() and identifier.islower()
    return identifier if plain else f"x{identifier.encode().hex()}"
