"""Parts of an answer on the wire."""

import json
import math

import pytest

from chalicelib.answers.parts import Began, Failed, Finished, Part, Progress, Section, Sections, Spoken, Stage, Status
from chalicelib.api.stream import chunks

PARTS: list[Part] = [
    Began("conv_1", "turn_1"),
    Status(Stage.UNDERSTANDING),
    Progress("Un momento…"),
    Spoken("Abrimos "),
    Spoken("a las nueve."),
    Section("turn_1-1", "notice", "notice", {"tone": "advice", "text": "Con cita."}),
    Section("turn_1-2", "text", "body", {"paragraphs": ["a"]}, ("knowledge:item_1@rev_1",)),
    Sections(("turn_1-1", "turn_1-2"), final=True, language="es"),
    Finished(),
]


@pytest.mark.promise("N4")
def test_an_answer_is_told_in_the_protocols_words_and_order() -> None:
    assert list(chunks.chunks(PARTS)) == [
        {"type": "start", "messageId": "turn_1", "messageMetadata": {"conversationId": "conv_1"}},
        {"type": "data-conversation", "data": {"conversationId": "conv_1"}, "transient": True},
        {"type": "data-status", "data": {"stage": "understanding"}, "transient": True},
        {"type": "data-progress", "data": {"line": "Un momento…"}, "transient": True},
        {"type": "text-start", "id": "spoken"},
        {"type": "text-delta", "id": "spoken", "delta": "Abrimos "},
        {"type": "text-delta", "id": "spoken", "delta": "a las nueve."},
        {"type": "text-end", "id": "spoken"},
        {
            "type": "data-section",
            "id": "turn_1-1",
            "data": {"component": "notice", "slot": "notice", "props": {"tone": "advice", "text": "Con cita."}},
        },
        {
            "type": "data-section",
            "id": "turn_1-2",
            "data": {
                "component": "text",
                "slot": "body",
                "props": {"paragraphs": ["a"]},
                "sources": ["knowledge:item_1@rev_1"],
            },
        },
        {
            "type": "data-sections",
            "id": "sections",
            "data": {"ids": ["turn_1-1", "turn_1-2"], "final": True, "language": "es"},
        },
        {"type": "finish", "finishReason": "stop"},
    ]


@pytest.mark.promise("N4")
def test_a_turn_that_fails_ends_its_text_lists_what_arrived_and_says_so() -> None:
    parts: list[Part] = [
        Began("conv_1", "turn_1"),
        Spoken("Abrimos"),
        Sections((), final=False, language="es"),
        Failed("model_unavailable", "Ahora mismo no."),
    ]
    types = [each["type"] for each in chunks.chunks(parts)]
    assert types[2:] == ["text-start", "text-delta", "text-end", "data-sections", "error"]


@pytest.mark.promise("N4")
def test_an_event_is_one_line_whatever_is_in_it() -> None:
    event = chunks.event({"type": "text-delta", "id": "spoken", "delta": "a\n\ndata: [DONE]\r\n\u2028b"})
    assert event.endswith(b"\n\n")
    assert event.count(b"\n") == 2
    assert b"\r" not in event
    assert json.loads(event[6:])["delta"] == "a\n\ndata: [DONE]\r\n\u2028b"


@pytest.mark.promise("N4")
def test_no_event_holds_what_is_no_number() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        chunks.event({"type": "data-progress", "data": math.nan})


@pytest.mark.promise("N4")
def test_the_stream_ends_with_done() -> None:
    *_, last = chunks.events(PARTS)
    assert last == b"data: [DONE]\n\n"
