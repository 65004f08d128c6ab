"""What of a card goes into which column of the full-text table.

Texts go in as terms with blanks between them, so SQLite's tokeniser has nothing left to decide.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from chalicelib.search.analysis import CONNECTORS, stem, tokens
from chalicelib.search.ports import Card

TERM_CHARACTERS = f"_{CONNECTORS}"
"""The ASCII characters of terms besides letters and digits. The tokeniser takes all others as letters."""

WEIGHTS = {
    "scope": 0.0,
    "title": 4.0,
    "headings": 2.0,
    "wholes": 1.0,
    "parts": 1.0,
    "folded": 0.5,
    "title_stems": 3.0,
    "stems": 0.75,
}
"""The columns and what one occurrence in each counts.

A word as it was written counts one. Its stem counts less, and so does its form without accents, so that the exact
form comes first; both are there only where they differ. Titles are short and say what all else is about, and who asks
for a name wants what is called so.
"""

PHRASES = "{title headings parts folded}"
"""Where quoted phrases are looked for."""
SEQUENCES = "{parts folded}"
"""Where sequences are looked for that are worth more in order."""

_BREAK = "\ue000"
"""A term that nothing else holds, between texts that do not follow each other."""
_LONGEST = 1000
"""Characters of a title, locator or heading path that are searched."""


def space_term(space_id: str) -> str:
    """The term by which passages of a space are found."""
    return f"s:{_plain(space_id)}"


def base_term(base_id: str) -> str:
    """The term by which passages of a base are found."""
    return f"b:{_plain(base_id)}"


def rows(card: Card) -> Iterator[tuple[str, ...]]:
    """The columns of each passage of a card, in the order of `WEIGHTS`."""
    scope = f"{space_term(card.space_id)} {base_term(card.base_id)}"
    title = _Terms.of([card.title[:_LONGEST]])
    locator = card.locator[:_LONGEST]
    for passage in card.passages:
        headings = _Terms.of([*passage.heading_path, locator])
        body = _Terms.of([passage.content])
        stems = f"{headings.stems} {body.stems}"
        yield scope, title.all(), headings.all(), body.wholes, body.parts, body.folded, title.stems, stems


@dataclass(frozen=True, slots=True)
class _Terms:
    wholes: str
    parts: str
    folded: str
    """Empty if the same as `parts`."""
    stems: str

    @classmethod
    def of(cls, texts: Iterable[str]) -> "_Terms":
        groups = [list(tokens(text)) for text in texts]
        parts = _joined([part for token in group for part in token.parts] for group in groups)
        words = [[word for token in group for word in token.folded] for group in groups]
        folded = _joined(words)
        return cls(
            wholes=_joined([whole for token in group for whole in token.wholes] for group in groups),
            parts=parts,
            folded="" if folded == parts else folded,
            stems=" ".join(root for word in chain.from_iterable(words) if (root := stem(word)) != word),
        )

    def all(self) -> str:
        """Everything but the stems, for one column."""
        return _joined([each] for each in (self.wholes, self.parts, self.folded) if each)


def _joined(groups: Iterable[list[str]]) -> str:
    return f" {_BREAK} ".join(" ".join(group) for group in groups)


def _plain(identifier: str) -> str:
    """An id as one term, also if it is none of ours."""
    plain = identifier.isascii() and identifier.isidentifier() and identifier.islower()
    return identifier if plain else f"x{identifier.encode().hex()}"
