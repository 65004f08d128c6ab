"""A small client of the REST API."""

import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any

import httpx

_TRIES = 4
_AGAIN = frozenset({429, 502, 503, 504})


class Refused(Exception):
    """The server said no, and why."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code", status))
        self.problem = problem
        super().__init__(str(problem.get("detail") or f"The server answered {status}."))

    def lines(self) -> Iterator[str]:
        """The sentence, and every single mistake if there are several."""
        yield str(self)
        for each in self.problem.get("errors", []):
            yield f"  {each.get('where')}: {each.get('problem')}"


class Unreachable(Exception):
    """Nothing answers at that address."""


class Client:
    """Calls of one server with one token."""

    def __init__(self, url: str, token: str) -> None:
        self._http = httpx.Client(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {token}", "User-Agent": "acervo-cli"},
            timeout=httpx.Timeout(40, connect=5),
        )

    def close(self) -> None:
        """Let the connections go."""
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        query: Mapping[str, str | int] | None = None,
        accept: str = "application/json",
    ) -> Any:  # noqa: ANN401 - JSON
        """One request, sent again under the same key if it may not have arrived.

        Raises Refused, Unreachable.
        """
        headers = {"Accept": accept}
        if method != "GET":
            headers["Idempotency-Key"] = secrets.token_hex(16)
        for attempt in range(_TRIES):
            last = attempt == _TRIES - 1
            try:
                answer = self._http.request(method, path, json=body, params=query, headers=headers)
            except httpx.TransportError as fault:
                if last:
                    message = f"Nothing answers at {self._http.base_url}. Is it running?"
                    raise Unreachable(message) from fault
            else:
                if answer.status_code not in _AGAIN or last:
                    return _content(answer)
            time.sleep(0.2 * 2**attempt)
        raise AssertionError

    def upload(self, url: str, fields: Mapping[str, str], content: bytes) -> None:
        """Send a file by the form that the server gave for it, without the token. Raises Refused, Unreachable."""
        try:
            answer = httpx.post(url, data=dict(fields), files={"file": content}, timeout=httpx.Timeout(600, connect=5))
        except httpx.TransportError as fault:
            message = f"Nothing takes the upload at {url}."
            raise Unreachable(message) from fault
        if not answer.is_success:
            raise Refused(answer.status_code, {"detail": f"The upload was refused with {answer.status_code}."})

    def pages(self, path: str, name: str, query: Mapping[str, str | int] | None = None) -> Iterator[dict[str, Any]]:
        """All entries of a list."""
        asked = dict(query or {})
        while True:
            page = self.call("GET", path, query={"limit": 100, **asked})
            yield from page[name]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]


def _content(answer: httpx.Response) -> Any:  # noqa: ANN401 - JSON
    if answer.is_success:
        kind = answer.headers.get("content-type", "")
        return answer.json() if "json" in kind else answer.text
    try:
        problem = answer.json()
    except ValueError:
        problem = {}
    raise Refused(answer.status_code, problem if isinstance(problem, dict) else {})
