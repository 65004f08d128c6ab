"""The fixture server over HTTP, as the REST function's door has it, without tokens; on this machine only."""

import sys
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from chalicelib.api.mcp import door
from chalicelib.api.mcp.bridge import exchange
from chalicelib.domain.errors import ForeignOrigin
from tests.conformance.fixture import server


class Handler(BaseHTTPRequestHandler):
    """HTTP as the REST function's door has it, without tokens."""

    fixture = server()
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value.strip() for name, value in self.headers.items()}
        try:
            door.demand_near(headers, frozenset())
        except ForeignOrigin:
            self._answer(403, {}, b"{}")
            return
        malformed = door.malformed(body)
        if malformed is not None:
            self._answer(malformed.status, {"Content-Type": "application/json"}, malformed.body.encode())
            return
        found = exchange(self.fixture, "POST", door.passed_on(headers), body, {})
        kept = {name.title(): value for name, value in found.headers.items() if name in {"content-type", "allow"}}
        self._answer(found.status, kept, found.body)

    def do_GET(self) -> None:
        self._answer(405, {"Allow": "POST"}, b"")

    def do_DELETE(self) -> None:
        self.do_GET()

    def _answer(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Fixture(ThreadingHTTPServer):
    """The server; clients that hang up are no news."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that hung up; say everything else."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(*_)  # type: ignore[arg-type]


def serve(port: int = 0) -> Fixture:
    """The fixture server on a free port of this machine, not yet serving."""
    return Fixture(("127.0.0.1", port), Handler)
