"""What the passages of a turn say in figures, and which claims of a text do not stand in them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from chalicelib.answers.catalogue.fields import ImageId, LinkId
from chalicelib.answers.grounding.calendar import moments
from chalicelib.answers.grounding.figures import figures
from chalicelib.answers.grounding.numerals import with_digits
from chalicelib.answers.grounding.promises import promised
from chalicelib.answers.grounding.units import unit_named
from chalicelib.answers.languages import language_of
from chalicelib.answers.ports import Source

_NUMBERED = re.compile(r"^\s*\d{1,2}[.)]\s+(?=[^\W\d_])")
_STEP = re.compile(r"(?i)\b(?:step|paso|passo|étape|schritt|passo|fase|phase)\s+\d{1,2}\b(?=\s*[:.)–-]|\s*$)")
_LISTS = ("points", "steps", "questions", "rows", "items", "events", "images", "links", "columns")
_TITLED = frozenset({"title"})
_LONG = 40
"""Characters from which on a text tells its language by itself."""
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Grounds:
    """The figures, dates and promises of some passages, as keys."""

    facts: frozenset[str]
    language: str
    """Of the texts that are checked."""

    @classmethod
    def of(cls, passages: Iterable[Source], language: str) -> Self:
        """What these passages say."""
        facts: set[str] = set()
        for source in passages:
            own = language_of(source.content, "")
            for text in (source.title, *source.heading_path):
                facts.update(_facts(text, own))
            facts.update(_of_lines(source.content, own))
        return cls(frozenset(facts), language)

    def unsupported(self, text: str, counted: int | None = None) -> tuple[str, ...]:
        """The claims of a text that do not stand in the passages, as they are written.

        Args:
            text: as a visitor would read it.
            counted: how many things follow, so that a title may say so.
        """
        own = _STEP.sub(" ", _NUMBERED.sub("", text)) if not _is_dated(text) else text
        # A text may be in another language than the answer: quoted, or all that the knowledge has.
        language = language_of(text, self.language) if len(text) > _LONG else self.language
        loose = [surface for surface, ways in _claims(own, language) if not self._stands(ways, counted)]
        return tuple(dict.fromkeys(each[:_LONGEST] for each in loose))

    def unsupported_in(self, props: Mapping[str, Any]) -> tuple[str, ...]:
        """The claims in any text of a component's props that do not stand in the passages."""
        counted = next((len(props[each]) for each in _LISTS if isinstance(props.get(each), list)), None)
        loose = [
            each
            for name, text in _texts(props)
            for each in self.unsupported(text, counted if name in _TITLED else None)
        ]
        return tuple(dict.fromkeys(loose))

    def _stands(self, ways: tuple[frozenset[str], ...], counted: int | None) -> bool:
        if counted is not None and any(way & {f"n:{counted}", f"n:{counted}|*"} for way in ways):
            return True
        return any(way <= self.facts for way in ways)


def _claims(text: str, language: str) -> Iterator[tuple[str, tuple[frozenset[str], ...]]]:
    plain = with_digits(text, language, ones=False)
    dated, rest = moments(plain, facts=False)
    yield from ((each.surface, each.ways) for each in dated)
    yield from ((each.surface, each.ways()) for each in figures(rest, language))
    for key, word in promised(text):
        yield word, (frozenset({key}),)


def _facts(text: str, language: str, column: str = "") -> Iterator[str]:
    for plain in {text, with_digits(text, language or "en", ones=True)}:
        dated, rest = moments(plain, facts=True)
        for each in dated:
            yield from each.facts
        for figure in figures(rest, language):
            yield from figure.facts(column)
    yield from (key for key, _ in promised(text))


def _of_lines(content: str, language: str) -> Iterator[str]:
    """What the lines say; bare numbers of a table count what the head of their column names."""
    units: list[str] = []
    for line in content.split("\n"):
        if "|" not in line:
            units = []
            yield from _facts(line, language)
            continue
        cells = [each.strip() for each in line.strip().strip("|").split("|")]
        for number, cell in enumerate(cells):
            yield from _facts(cell, language, units[number] if number < len(units) else "")
        units = units or [unit_named(each) for each in cells]


def _is_dated(text: str) -> bool:
    """Whether what looks like the number of an item is the day of a date: `12. März`."""
    return any(each.start == 0 for each in moments(text, facts=False)[0])


def _texts(props: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in props.items():
        for each in value if isinstance(value, list) else (value,):
            if isinstance(each, Mapping):
                yield from _texts(each)
            elif isinstance(each, str) and not isinstance(each, ImageId | LinkId | StrEnum):
                yield name, each
