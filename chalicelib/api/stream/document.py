"""Answers as one JSON document, and what both doors share: a turn that breaks ends in order (rules N4, N6)."""

from collections.abc import Iterable, Iterator
from typing import Any

from chalicelib.answers.catalogue.components import VERSION
from chalicelib.answers.collecting import Answer
from chalicelib.answers.parts import Failed, Part, Section, Sections
from chalicelib.answers.phrases import phrases
from chalicelib.api.errors import STATUS, InternalError
from chalicelib.api.stream.chunks import section
from chalicelib.domain.errors import KnownError
from chalicelib.domain.pages import Page
from chalicelib.domain.watching import Outcome

_STATUS = {error.code: status for error, status in STATUS.items()}


def about(page: Page) -> dict[str, Any]:
    """What a visitor's browser is told of a page."""
    return {"id": page.id, "name": page.name, "language": page.language, "catalogueVersion": VERSION}


def document(answer: Answer) -> tuple[int, dict[str, Any]]:
    """Status and body of a whole answer: what the stream holds, without what is on its way only."""
    failure = answer.failure
    told = {
        "conversationId": answer.conversation_id,
        "messageId": answer.turn_id,
        "text": answer.spoken,
        "sections": [{"id": each.id, **section(each)} for each in answer.sections],
        "language": answer.language,
        "final": failure is None and answer.complete,
    }
    if failure is None:
        return 200, told
    return _STATUS.get(failure.code, 500), {**told, "error": {"code": failure.code, "detail": failure.sentence}}


def closing(parts: Iterable[Part], language: str, outcome: Outcome) -> Iterator[Part]:
    """The parts; if what makes them breaks, what the protocol wants at the end all the same."""
    arrived: list[str] = []
    begun = False
    outcome.status = 200  # it is sent with the first part, whatever comes of the rest
    try:
        for part in parts:
            if isinstance(part, Section):
                arrived.append(part.id)
            if isinstance(part, Failed):
                outcome.failed(part.code, part.fault)
            begun = True
            yield part
    except Exception as fault:
        if not begun:
            raise
        code = fault.code if isinstance(fault, KnownError) else InternalError.code
        outcome.failed(code, fault)
        yield Sections(tuple(arrived), final=False, language=language)
        yield Failed(code, phrases(language).failed(code))
