"""The npm package `ai` over every kind of stream: recorded from the deployed page, and live."""

import base64
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from chalicelib.answers.parts import Began, Failed, Part, Progress, Section, Sections, Spoken
from chalicelib.api.stream import chunks
from infra.local.laptop import Laptop
from tests.clients.chat import chat
from tests.e2e.people import until
from tests.e2e.visitors import Visited, visited

QUESTIONS = {
    "opening": "When is the clinic open in winter?",
    "apertura": "¿A qué hora abre la clínica?",
    "figure": "How much is a first visit?",
    "steps": "How do I get an appointment?",
    "off topic": "Who won the football world cup?",
    "unsupported": "Does the clinic have an underwater treadmill?",
}
BROKEN: tuple[Part, ...] = (
    Began("conv_1", "turn_1"),
    Progress("Un momento…"),
    Spoken("Abrimos"),
    Section("turn_1-1", "text", "body", {"paragraphs": ["a"]}),
    Sections(("turn_1-1",), final=False, language="es"),
    Failed("model_unavailable", "Ahora mismo no puedo responder."),
)


@pytest.fixture(scope="module")
def page(running: Laptop) -> Iterator[Visited]:
    """A page that has found its knowledge."""
    with visited(running) as made:
        until(lambda: "data-section" in str(_record(made, "When is the clinic open?")), seconds=30)
        yield made


def _record(page: Visited, question: str, conversation: str | None = None) -> dict[str, Any]:
    """A turn as it comes over the wire."""
    with page.visitor() as visitor:
        session = visitor.session
    body: dict[str, Any] = {"question": question}
    if conversation:
        body["conversationId"] = conversation
    url = page.url.replace("/p/", "/pages/") + "/turns"
    response = httpx.post(url, json=body, headers={"x-acervo-session": session}, timeout=60)
    return {"status": response.status_code, "headers": dict(response.headers), "body": response.content.decode()}


def _client_of(recorded: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    given = [
        {**each, "name": name, "body": base64.b64encode(each["body"].encode()).decode()}
        for name, each in recorded.items()
    ]
    return {each["name"]: each for each in chat(given)}


def _told(message: dict[str, Any], kind: str) -> Iterator[Any]:
    yield from (each.get("data", each) for each in message["parts"] if each["type"] == kind)


@pytest.mark.promise("N4")
def test_the_real_client_takes_every_recorded_stream(page: Visited) -> None:
    recorded = {name: _record(page, question) for name, question in QUESTIONS.items()}
    for name, told in _client_of(recorded).items():
        assert told["failure"] is None, name
        assert told["status"] == "ready", name
        assert told["finish"]["finishReason"] == "stop", name
        message = told["message"]
        assert message["id"].startswith("turn_"), name
        (listed,) = _told(message, "data-sections")
        assert listed["final"] is True, name
        assert listed["ids"] == [each["id"] for each in message["parts"] if each["type"] == "data-section"], name
        (text,) = _told(message, "text")
        assert text["state"] == "done", name
        assert {each["type"] for each in told["data"]} >= {"data-conversation", "data-status", "data-progress"}, name


@pytest.mark.promise("N4")
def test_the_real_client_learns_of_every_error(page: Visited) -> None:
    stream = b"".join(chunks.events(BROKEN)).decode()
    cut = stream[: stream.index("data-sections")].rpartition("\n\n")[0] + "\n\n"
    headers = {"content-type": "text/event-stream"}
    told = _client_of(
        {
            "broken": {"status": 200, "headers": headers, "body": stream},
            "interrupted": {"status": 200, "headers": headers, "body": cut},
            "foreign": {**_record(page, "Any?", "conv_00000000000000000000000000")},
        }
    )
    broken = told["broken"]
    assert broken["failure"] == "Ahora mismo no puedo responder."
    assert [each["type"] for each in broken["message"]["parts"]] == ["text", "data-section", "data-sections"]
    # A clean end without the list looks like success to the client: the missing list tells a page that it is none.
    assert not list(_told(told["interrupted"]["message"], "data-sections"))
    assert "not_found" in told["foreign"]["failure"]


@pytest.mark.promise("N4", "N7")
def test_the_real_client_talks_to_the_deployed_page(page: Visited) -> None:
    with page.visitor() as visitor:
        session = visitor.session
    url = page.url.replace("/p/", "/pages/") + "/turns"
    questions = ["When is the clinic open?", "And in August?", None]
    first, second, regenerated = chat({"url": url, "session": session, "questions": questions})
    conversations = {each["message"]["metadata"]["conversationId"] for each in (first, second, regenerated)}
    assert len(conversations) == 1
    assert len({each["message"]["id"] for each in (first, second, regenerated)}) == 3
    assert all(each["failure"] is None for each in (first, second, regenerated))
