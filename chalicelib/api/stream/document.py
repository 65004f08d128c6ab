"""Answers as one JSON document, and what both doors share: a turn that breaks ends in order (rules N4, N6)."""

from collections.abc import Iterable, Iterator
from typing import Any

from chalicelib.answers.catalogue import CATALOGUE_VERSION
from chalicelib.answers.parts import Began, Failed, Part, Section, Sections, Spoken
from chalicelib.answers.texts import text
from chalicelib.api.errors import InternalError
from chalicelib.api.stream.chunks import section
from chalicelib.domain.errors import KnownError
from chalicelib.domain.pages import Page
from chalicelib.domain.watching import Outcome


def about(page: Page) -> dict[str, Any]:
    """What a visitor's browser is told of a page."""
    return {"id": page.id, "name": page.name, "language": page.language, "catalogueVersion": CATALOGUE_VERSION}


def document(parts: Iterable[Part]) -> dict[str, Any]:
    """The same answer as the stream's, once it is whole."""
    answer: dict[str, Any] = {"text": "", "sections": []}
    for part in parts:
        match part:
            case Began():
                answer |= {"conversationId": part.conversation_id, "messageId": part.turn_id}
            case Spoken():
                answer["text"] += part.text
            case Section():
                answer["sections"].append({"id": part.id, **section(part)})
            case Sections():
                answer |= {"final": part.final, "language": part.language}
            case Failed():
                answer |= {"error": {"code": part.code, "detail": part.sentence}}
            case _:
                pass
    return answer


def closing(parts: Iterable[Part], language: str, outcome: Outcome) -> Iterator[Part]:
    """The parts; if what makes them breaks, what the protocol wants at the end all the same."""
    arrived: list[str] = []
    begun = False
    try:
        for part in parts:
            if isinstance(part, Section):
                arrived.append(part.id)
            if isinstance(part, Failed):
                outcome.failed(part.code, None)
            begun = True
            yield part
    except Exception as fault:
        if not begun:
            raise
        code = fault.code if isinstance(fault, KnownError) else InternalError.code
        outcome.failed(code, fault)
        yield Sections(tuple(arrived), final=False, language=language)
        yield Failed(code, text("broke", language))
