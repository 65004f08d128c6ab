"""A server that answers what a test tells it to, for faults that a real one does not show on demand."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    lines: list[Any]
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent back."""

    body: object
    status: int = 200
    cut: bool = False
    """Whether the connection breaks off in the middle."""
    after: threading.Event | None = None
    """What has to happen first."""


type Script = Callable[[int, Asked], Reply]


@dataclass
class Double:
    """The server, and what it was asked."""

    script: Script
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    connections: set[tuple[str, int]] = field(default_factory=set)


@contextmanager
def double(script: Script) -> Iterator[Double]:
    """A running double; the script is told how many requests came before."""
    state = Double(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def _answer(self) -> None:
            text = self.rfile.read(int(self.headers.get("content-length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, [json.loads(line) for line in text.splitlines()], headers)
            state.connections.add(self.client_address)
            state.asked.append(asked)
            reply = state.script(len(state.asked) - 1, asked)
            if reply.after is not None:
                reply.after.wait(20)
            self._send(reply)

        def _send(self, reply: Reply) -> None:
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body) + reply.cut))
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = reply.cut

        do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815 - the library's names

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
