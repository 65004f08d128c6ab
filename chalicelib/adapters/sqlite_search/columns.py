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
    "title": 2.0,
    "headings": 1.0,
    "wholes": 0.5,
    "parts": 0.5,
    "title_stems": 1.5,
    "stems": 0.75,
}
"""The columns and what one occurrence in each counts.

A word of the text is in two of them, as written and folded, and counts one together; its stem, if it is another word,
is in a third and counts less, so that the exact form comes first. Titles are short and say what all else is about:
they count double, and four times for words, since who asks for a name wants what is called so.
"""

PHRASES = "{title headings parts}"
"""Where quoted phrases and sequences are looked for: the columns with folded parts in order."""

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
    title = _Terms.of([card.title])
    for passage in card.passages:
        headings = _Terms.of([*passage.heading_path, card.locator])
        body = _Terms.of([passage.content])
        yield (
            scope,
            f"{title.wholes} {_BREAK} {title.parts}",
            f"{headings.wholes} {_BREAK} {headings.parts}",
            body.wholes,
            body.parts,
            title.stems,
            f"{headings.stems} {body.stems}",
        )


@dataclass(frozen=True, slots=True)
class _Terms:
    wholes: str
    parts: str
    stems: str

    @classmethod
    def of(cls, texts: Iterable[str]) -> "_Terms":
        groups = [list(tokens(text)) for text in texts]
        parts = [[part for token in group for part in token.parts] for group in groups]
        return cls(
            wholes=_joined([whole for token in group for whole in token.wholes] for group in groups),
            parts=_joined(parts),
            stems=" ".join(root for part in chain.from_iterable(parts) if (root := stem(part)) != part),
        )


def _joined(groups: Iterable[list[str]]) -> str:
    return f" {_BREAK} ".join(" ".join(group) for group in groups)


def _plain(identifier: str) -> str:
    """An id as one term, also if it is none of ours."""
    plain = identifier.isascii() and identifier.isidentifier() and identifier.islower()
    return identifier if plain else f"x{identifier.encode().hex()}"
