"""A visitor of a public page: meets its check, asks, reads the stream."""

import json
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import httpx

from infra.cli.client import Refused, Unreachable


class Visitor:
    """One tab of a browser, as far as the server can tell."""

    def __init__(self, page_url: str) -> None:
        """`page_url` is what people open: it ends in `/p/<page id>`."""
        answers, _, page_id = page_url.rstrip("/").rpartition("/p/")
        if not answers:
            message = f"{page_url} is no address of a public page; those end in /p/<page id>."
            raise Unreachable(message)
        self._page = f"{answers}/pages/{page_id}"
        self._http = httpx.Client(timeout=httpx.Timeout(60, connect=5))
        self._session: str | None = None
        self.conversation_id: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    @property
    def session(self) -> str:
        """The token of the tab's session, opened when it is first needed."""
        if self._session is None:
            challenge = self._call("GET", "challenge")
            self._session = str(self._call("POST", "sessions", {"proof": proof(challenge)})["session"])
        return self._session

    def ask(self, question: str, *, regenerate: bool = False) -> Iterator[dict[str, Any]]:
        """The chunks of the answer, as they come. Raises Refused, Unreachable."""
        body: dict[str, Any] = {"question": question, "regenerate": regenerate}
        if self.conversation_id is not None:
            body["conversationId"] = self.conversation_id
        headers = {"x-acervo-session": self.session, "accept": "text/event-stream"}
        try:
            with self._http.stream("POST", f"{self._page}/turns", json=body, headers=headers) as response:
                if response.is_error:
                    response.read()
                    raise _refused(response)
                begun = ""
                for line in response.iter_lines():
                    if line.startswith("data: ") and line != "data: [DONE]":
                        chunk: dict[str, Any] = json.loads(line.removeprefix("data: "))
                        if chunk["type"] == "data-conversation":
                            begun = chunk["data"]["conversationId"]
                        if chunk["type"] == "finish":  # a conversation is written with its first whole answer
                            self.conversation_id = begun
                        yield chunk
        except httpx.TransportError as fault:
            message = f"Nothing answers at {self._page}."
            raise Unreachable(message) from fault

    def _call(self, method: str, what: str, body: object = None) -> dict[str, Any]:
        try:
            response = self._http.request(method, f"{self._page}/{what}", json=body)
        except httpx.TransportError as fault:
            message = f"Nothing answers at {self._page}."
            raise Unreachable(message) from fault
        if response.is_error:
            raise _refused(response)
        answer: dict[str, Any] = response.json()
        return answer


def proof(challenge: dict[str, Any]) -> str:
    """What a challenge asks for. Raises Refused for a check that only a browser can meet."""
    if challenge["kind"] == "none":
        return ""
    if challenge["kind"] != "altcha":
        raise Refused(403, {"detail": f"This page checks visitors by {challenge['kind']}; ask it in a browser."})
    import altcha

    posed = altcha.Challenge.from_dict(challenge)
    solution = altcha.solve_challenge(posed)
    if solution is None:
        raise Refused(403, {"detail": "The page's check took too long."})
    return altcha.Payload(posed, solution).to_base64()


def _refused(response: httpx.Response) -> Refused:
    try:
        problem = response.json()
    except ValueError:
        problem = {"detail": f"The server answered {response.status_code}."}
    return Refused(response.status_code, problem)
