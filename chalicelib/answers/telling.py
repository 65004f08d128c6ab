"""Saying an answer: pieces of the spoken line, then sections, each once, with data in the place of ids."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from chalicelib.answers.parts import Failed, Part, Section, Spoken
from chalicelib.answers.phrases import phrases
from chalicelib.answers.ports import Exchange, KeptAnswer, KeptSection
from chalicelib.domain.errors import KnownError
from chalicelib.domain.pages import Page

_PIECE = 24
"""Characters of a piece of the spoken answer, about."""
_WORD = re.compile(r"\s*\S+\s*|\s+")


@dataclass(frozen=True, slots=True)
class Shown:
    """A component that may be shown: as it was built, and as it is rendered."""

    component: str
    slot: str
    built: Mapping[str, Any]
    """Sanitised, with ids."""
    rendered: Mapping[str, Any]
    image_ids: tuple[str, ...]
    sources: tuple[str, ...]


@dataclass(slots=True)
class Telling:
    """What has been told so far, for the list of the sections, the transcript and the cache."""

    otherwise: str = "en"
    """Language of what the desk itself says where it has no words in the visitor's."""
    language: str = ""
    spoken: str = ""
    shown: list[Shown] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    failure: Failed | None = None
    worth_keeping: bool = False
    """Whether it is a whole answer out of the knowledge, of all topics that were to be read."""
    degraded: bool = False
    """Whether less was searched than should be."""

    def failed(self, known: KnownError, fault: BaseException | None = None) -> Failed:
        """The last part of a turn that fails so; `fault` is what really happened, for the journal."""
        return Failed(known.code, phrases(self.language, self.otherwise).failed(known.code), fault)

    def exchange(self, question: str) -> Exchange:
        """The turn, for the transcript."""
        components = tuple(each.component for each in self.shown)
        images = tuple(image for each in self.shown for image in each.image_ids)
        return Exchange(question, self.spoken, components, images, self.language)

    def answer(self, knowledge: str) -> KeptAnswer:
        """The turn, for the cache: out of that version of the knowledge."""
        sections = tuple(KeptSection(each.component, each.built, each.sources) for each in self.shown)
        return KeptAnswer(self.language, self.spoken, sections, knowledge)


def tell(spoken: str, shown: Iterable[Shown], page: Page, turn_id: str, telling: Telling) -> Iterator[Part]:
    """The parts that carry an answer. Everything in it has been checked as a whole before the first piece goes out."""
    for piece in pieces(spoken):
        telling.spoken += piece
        yield Spoken(piece)
    for each in shown:
        section_id = f"{turn_id}.{len(telling.ids) + 1}"
        telling.shown.append(each)
        telling.ids.append(section_id)
        sources = each.sources if page.shows_sources else ()
        yield Section(section_id, each.component, each.slot, each.rendered, sources)


def pieces(text: str) -> Iterator[str]:
    """The text in pieces that end at blanks; together they are the text."""
    piece = ""
    for word in _WORD.findall(text):
        piece += word
        if len(piece) >= _PIECE:
            yield piece
            piece = ""
    if piece:
        yield piece
