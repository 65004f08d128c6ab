"""Parts of an answer as chunks of the AI SDK's UI message stream (rule N4).

Source: the AI SDK's stream protocol, version 1, and the chunk schema of the npm package `ai` 6. Its client ends in an
error on an unknown type, on null for an optional field and on NaN, so every chunk is made here and nowhere else.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from chalicelib.answers.parts import Began, Failed, Finished, Part, Progress, Section, Sections, Spoken, Status

type Chunk = Mapping[str, Any]

HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
    "X-Vercel-Ai-Ui-Message-Stream": "v1",
}
KEEP_ALIVE = b": still here\n\n"
"""A comment, which clients ignore and proxies take for a sign of life."""
DONE = b"data: [DONE]\n\n"

_TEXT = "spoken"
"""Id of the one text of a message."""


def chunks(parts: Iterable[Part]) -> Iterator[Chunk]:
    """The chunks of an answer, as its parts come."""
    speaking = False
    for part in parts:
        if isinstance(part, Spoken):
            if not speaking:
                yield {"type": "text-start", "id": _TEXT}
            speaking = True
            yield {"type": "text-delta", "id": _TEXT, "delta": part.text}
            continue
        if speaking:
            yield {"type": "text-end", "id": _TEXT}
        speaking = False
        yield from _MADE[type(part)](part)


def _began(part: Began) -> list[Chunk]:
    conversation = {"conversationId": part.conversation_id}
    return [
        {"type": "start", "messageId": part.turn_id, "messageMetadata": conversation},
        {"type": "data-conversation", "data": conversation, "transient": True},
    ]


def _sections(part: Sections) -> list[Chunk]:
    listed = {"ids": list(part.ids), "final": part.final, "language": part.language}
    return [{"type": "data-sections", "id": "sections", "data": listed}]


_MADE: Mapping[type, Callable[[Any], list[Chunk]]] = {
    Began: _began,
    Status: lambda part: [{"type": "data-status", "data": {"stage": part.stage.value}, "transient": True}],
    Progress: lambda part: [{"type": "data-progress", "data": {"line": part.line}, "transient": True}],
    Section: lambda part: [{"type": "data-section", "id": part.id, "data": section(part)}],
    Sections: _sections,
    Failed: lambda part: [{"type": "error", "errorText": part.sentence}],
    Finished: lambda _: [{"type": "finish", "finishReason": "stop"}],
}


def section(part: Section) -> dict[str, Any]:
    """A section as every door gives it; without sources unless the page shows them."""
    shown = {"component": part.component, "slot": part.slot, "props": dict(part.props)}
    return {**shown, "sources": list(part.sources)} if part.sources else shown


def event(chunk: Chunk) -> bytes:
    """A chunk as a server-sent event. Raises ValueError for NaN, which no client reads."""
    # JSON escapes every line break, so one line holds it all.
    return f"data: {json.dumps(chunk, ensure_ascii=False, allow_nan=False, separators=(',', ':'))}\n\n".encode()


def events(parts: Iterable[Part]) -> Iterator[bytes]:
    """The whole stream."""
    yield from map(event, chunks(parts))
    yield DONE
