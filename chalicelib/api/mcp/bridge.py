"""One request through the SDK's transport and back, without a server: the SDK speaks ASGI, a Lambda does not.

A manager serves one run of an event loop, so each request has its own; the server behind it is the process's.
Source: the SDK's `StreamableHTTPSessionManager`, stateless and with JSON answers.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def exchange(
    server: "Server[Any]", method: str, headers: Mapping[str, str], body: bytes, state: dict[str, Any]
) -> Exchange:
    """Let the server answer one HTTP request.

    Args:
        server: whose tools they are.
        method: the HTTP method.
        headers: names in lower case.
        body: as it came.
        state: put into the request's scope, where handlers find and leave things.
    """
    return asyncio.run(_exchange(server, method, headers, body, state))


async def _exchange(
    server: "Server[Any]", method: str, headers: Mapping[str, str], body: bytes, state: dict[str, Any]
) -> Exchange:
    scope: dict[str, Any] = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": "/mcp",
        "raw_path": b"/mcp",
        "root_path": "",
        "scheme": "https",
        "query_string": b"",
        "headers": [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()],
        "state": {},
    }
    # The scope is copied on its way; what is in it is not.
    scope |= state
    answer = _Answer(body)
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    async with manager.run():
        await manager.handle_request(scope, answer.receive, answer.send)
    return Exchange(answer.status, answer.headers, b"".join(answer.chunks))


class _Answer:
    """The two ends of an ASGI exchange."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self.status = 500
        self.headers: dict[str, str] = {}
        self.chunks: list[bytes] = []

    async def receive(self) -> dict[str, Any]:
        if self._body is None:
            await asyncio.sleep(3600)  # the client stays until it has its answer
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Any) -> None:  # noqa: ANN401 - ASGI's own shape
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in message["headers"]}
        else:
            self.chunks.append(message.get("body", b""))
