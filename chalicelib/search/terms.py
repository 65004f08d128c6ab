"""What an engine is given of a text: terms with blanks between them, so that it has nothing left to decide.

Both engines index these, which is why they find the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Self

from chalicelib.search.analysis import tokens
from chalicelib.search.stemming import stems

WEIGHTS = {
    "title": 4.0,
    "headings": 2.0,
    "wholes": 1.0,
    "parts": 1.0,
    "folded": 0.5,
    "title_stems": 3.0,
    "stems": 0.75,
}
"""The columns of a passage and what one occurrence in each counts.

A word as it was written counts one. Its stem counts less, and so does its form without accents, so that the exact
form comes first; both are there only where they differ. Titles are short and say what all else is about, and who asks
for a name wants what is called so.
"""

BREAK = "\ue000"
"""A term that nothing else holds, between texts that do not follow each other."""

LONGEST = 1000
"""Characters of a title, locator or heading path that are searched."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of some texts, by kind."""

    wholes: str
    parts: str
    folded: str
    """Empty if the same as `parts`."""
    stems: str

    @classmethod
    def of(cls, texts: Iterable[str], language: str) -> Self:
        """The terms of texts that do not follow each other, stemmed as in this language."""
        groups = [list(tokens(text)) for text in texts]
        parts = joined(" ".join(part for token in group for part in token.parts) for group in groups)
        words = [[word for token in group for word in token.folded] for group in groups]
        folded = joined(" ".join(group) for group in words)
        return cls(
            wholes=joined(" ".join(whole for token in group for whole in token.wholes) for group in groups),
            parts=parts,
            folded="" if folded == parts else folded,
            stems=" ".join(root for word in chain.from_iterable(words) for root in stems(word, language)),
        )

    def all(self) -> str:
        """Everything but the stems, for one column."""
        return joined((self.wholes, self.parts, self.folded))


def joined(texts: Iterable[str]) -> str:
    """The texts in one, with breaks between them; empty ones are left out."""
    return f" {BREAK} ".join(text for text in texts if text)
