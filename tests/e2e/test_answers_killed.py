"""The app dies in the middle of a slow turn: what visitors see, what is left, and that the next turn works."""

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local import answering
from infra.local.laptop import Laptop
from infra.local.places import Places
from infra.local.stack import Stack
from tests.e2e.model_server import ModelServer, model_server
from tests.e2e.people import until
from tests.e2e.visitors import Visited, visited

TURN_S = 3
"""A turn's time, so that a conversation whose turn was killed is free soon: five seconds after it."""
GRACE_S = 5


class Tab:
    """A visitor who outlives servers."""

    def __init__(self, page: Visited) -> None:
        self.page = page
        self.session = ""
        self.conversation: str | None = None

    def ask(self, url: str, question: str) -> Iterator[dict[str, Any]]:
        """The chunks of the answer, as far as they come."""
        at = f"{url}/pages/{self.page.id}"
        with httpx.Client(timeout=30) as http:
            self.session = self.session or http.post(f"{at}/sessions", json={"proof": ""}).json()["session"]
            body = {"question": question} | ({"conversationId": self.conversation} if self.conversation else {})
            headers = {"x-acervo-session": self.session}
            with http.stream("POST", f"{at}/turns", json=body, headers=headers) as response:
                if response.status_code != 200:
                    yield json.loads(response.read())
                    return
                for line in response.iter_lines():
                    if line.startswith("data: {"):
                        yield json.loads(line.removeprefix("data: "))

    def broken(self, app: answering.Answering, model: ModelServer, how: signal.Signals) -> list[dict[str, Any]]:
        """What comes of a turn whose server is killed in the middle of a call of the model."""
        came: list[dict[str, Any]] = []

        def read() -> None:
            try:
                for chunk in self.ask(app.url, "When is the clinic open?"):
                    came.append(chunk)  # noqa: PERF402 - what came before it broke counts
            except httpx.TransportError as fault:
                came.append({"type": "broken", "fault": type(fault).__name__})

        reading = threading.Thread(target=read)
        reading.start()
        assert model.begun.wait(20)
        assert until(lambda: len(came) > 1)
        app.process.send_signal(how)
        app.process.wait(20)
        reading.join(30)
        assert not reading.is_alive()
        return came


@pytest.fixture(scope="module")
def page(running: Laptop) -> Iterator[Visited]:
    with visited(running) as made:
        yield made


@contextmanager
def app(places: Places, stack: Stack, folder: Path, **settings: str) -> Iterator[answering.Answering]:
    """The app as a process of its own."""
    folder.mkdir(exist_ok=True)
    environment = {**places.environment, "ACERVO_PROOF": "none", "ACERVO_TRUSTED_PROXIES": "1", **settings}
    started = answering.start(replace(places, home=folder, environment=environment), stack)
    try:
        yield started
    finally:
        started.stop()


def _by(model: ModelServer) -> dict[str, str]:
    return {
        "ACERVO_ANSWERS_MODEL": "openai",
        "ACERVO_ANSWERS_MODEL_NAME": "slow",
        "ACERVO_ANSWERS_URL": model.url,
        "ACERVO_ANSWERS_TURN_SECONDS": str(TURN_S),
    }


def _transcript(stack: Stack, conversation: str) -> dict[str, Any] | None:
    table, key = stack.outputs["EphemeralTable"], {"pk": {"S": f"conversation#{conversation}"}}
    found: dict[str, Any] = stack.admin_session().client("dynamodb").get_item(TableName=table, Key=key)
    return found.get("Item")


def _conversation(chunks: list[dict[str, Any]]) -> str:
    return str(next(each["data"]["conversationId"] for each in chunks if each["type"] == "data-conversation"))


@pytest.mark.promise("N4", "N7")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_an_app_that_dies_in_the_middle_of_a_turn_leaves_nothing_half_done(
    places: Places, stack: Stack, page: Visited, tmp_path: Path, how: signal.Signals
) -> None:
    tab = Tab(page)
    with app(places, stack, tmp_path / "a") as quick:
        first = list(tab.ask(quick.url, page.question))
    assert first[-1]["type"] == "finish"
    tab.conversation = _conversation(first)
    before = _transcript(stack, tab.conversation)
    assert before is not None

    with model_server(2.5) as model, app(places, stack, tmp_path / "b", **_by(model)) as dying:
        came = tab.broken(dying, model, how)
    # The page goes by this: a stream without its final list was interrupted.
    assert came[0]["type"] == "start"
    assert not {"finish", "data-section", "text-delta"} & {each["type"] for each in came}
    assert not any(each["type"] == "data-sections" and each["data"]["final"] for each in came)
    after = _transcript(stack, tab.conversation)
    assert after is not None
    assert after["exchanges"] == before["exchanges"]

    with app(places, stack, tmp_path / "c") as restarted:
        elsewhere = list(Tab(page).ask(restarted.url, page.question))
        assert elsewhere[-1]["type"] == "finish"
        # Another turn of the same conversation: at once, or as soon as the dead one's hold ends by itself.
        answered = until(lambda: _whole(tab, restarted.url), seconds=TURN_S + GRACE_S + 10)
    assert answered
    last = _transcript(stack, tab.conversation)
    assert last is not None
    assert len(last["exchanges"]["L"]) == len(before["exchanges"]["L"]) + 1


def _whole(tab: Tab, url: str) -> bool:
    chunks = list(tab.ask(url, "How much is a first visit?"))
    assert chunks[-1].get("type") == "finish" or chunks[-1]["code"] == "turn_underway", chunks[-1]
    return chunks[-1].get("type") == "finish"


@pytest.mark.promise("N7")
def test_an_opening_turn_that_dies_is_nowhere(places: Places, stack: Stack, page: Visited, tmp_path: Path) -> None:
    tab = Tab(page)
    with model_server(2.5) as model, app(places, stack, tmp_path / "a", **_by(model)) as dying:
        came = tab.broken(dying, model, signal.SIGKILL)
    begun = _conversation(came)
    assert came[-1] == {"type": "broken", "fault": "RemoteProtocolError"}
    assert _transcript(stack, begun) is None
    with app(places, stack, tmp_path / "b") as restarted:
        assert list(tab.ask(restarted.url, page.question))[-1]["type"] == "finish"
        tab.conversation = begun
        (refused,) = tab.ask(restarted.url, page.question)
    assert (refused["status"], refused["code"]) == (404, "not_found")
