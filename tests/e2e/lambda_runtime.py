"""A double of Lambda's Runtime API: what the adapter asks for work and streams its answers to.

Source: AWS Lambda's Runtime API 2018-06-01 and Extensions API 2020-01-01; a streamed answer is chunked: a JSON prelude
with status and headers, eight zero bytes, the body as it comes.
"""

import json
import queue
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SEPARATOR = b"\0" * 8
ARN = "arn:aws:lambda:eu-west-1:123456789012:function:answers"


@dataclass
class Invocation:
    """One request to the function, and what came back."""

    event: Mapping[str, Any]
    deadline_s: float
    id: str
    raw: bytes = b""
    arrived: list[tuple[float, bytes]] = field(default_factory=list)
    """Pieces of the body, with the moment each came (monotonic seconds)."""
    ended: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)
    """Set by the test: the reader of the answer goes away."""
    error: str | None = None

    @property
    def prelude(self) -> dict[str, Any]:
        """Status and headers."""
        prelude: dict[str, Any] = json.loads(self.raw.partition(SEPARATOR)[0])
        return prelude

    @property
    def status(self) -> int:
        """The status that the visitor sees."""
        return int(self.prelude["statusCode"])

    @property
    def body(self) -> bytes:
        """All that came."""
        return self.raw.partition(SEPARATOR)[2]

    def take(self, piece: bytes) -> None:
        """One piece of the answer came."""
        before = len(self.body)
        self.raw += piece
        if len(self.body) > before:
            self.arrived.append((time.monotonic(), self.body[before:]))


class Runtime:
    """Hands requests out and takes answers."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Invocation] = queue.Queue()
        self.underway: dict[str, Invocation] = {}
        self.registered = threading.Event()
        self.asked = threading.Event()
        """Set once the adapter asks for work: the app is ready."""
        self.ending = threading.Event()
        self._count = 0

    def invoke(self, event: Mapping[str, Any], deadline_s: float = 60) -> Invocation:
        """Put a request in line."""
        self._count += 1
        invocation = Invocation(event, deadline_s, f"req-{self._count}")
        self.underway[invocation.id] = invocation
        self._waiting.put(invocation)
        return invocation

    def next(self) -> Invocation | None:
        """The next request; None when the double ends."""
        self.asked.set()
        while not self.ending.is_set():
            try:
                return self._waiting.get(timeout=0.1)
            except queue.Empty:
                continue
        return None

    @contextmanager
    def serving(self) -> Iterator[str]:
        """The address of the double, as host and port."""
        server = _Server(self)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            self.ending.set()
            server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.runtime = runtime


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        runtime = self.server.runtime
        if self.path.endswith("/extension/event/next"):
            runtime.ending.wait()
            return
        invocation = runtime.next()
        if invocation is None:
            return
        headers = {
            "Lambda-Runtime-Aws-Request-Id": invocation.id,
            "Lambda-Runtime-Deadline-Ms": str(int((time.time() + invocation.deadline_s) * 1000)),
            "Lambda-Runtime-Invoked-Function-Arn": ARN,
            "Lambda-Runtime-Trace-Id": "Root=1-00000000-000000000000000000000000",
        }
        self._answer(200, json.dumps(invocation.event).encode(), headers)

    def do_POST(self) -> None:
        if self.path.endswith("/extension/register"):
            self._whole()
            self.server.runtime.registered.set()
            self._answer(200, b"{}", {"Lambda-Extension-Identifier": "adapter"})
            return
        *_, request_id, what = self.path.split("/")
        invocation = self.server.runtime.underway[request_id]
        if what == "error":
            invocation.error = self._whole().decode()
        elif not self._streamed(invocation):
            self.close_connection = True
            self.connection.close()
            return
        invocation.ended.set()
        self._answer(202, b"{}", {})

    def _streamed(self, invocation: Invocation) -> bool:
        """Take the answer as it comes; False if its reader goes away."""
        for piece in self._pieces():
            invocation.take(piece)
            if invocation.gone.is_set():
                return False
        return True

    def _pieces(self) -> Iterator[bytes]:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            yield self._whole()
            return
        while size := int(self.rfile.readline().split(b";")[0], 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass  # trailers

    def _whole(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _answer(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Type": "application/json", "Content-Length": len(body)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def url_event(
    method: str, path: str, body: str = "", headers: Mapping[str, str] | None = None, address: str = "192.0.2.7"
) -> dict[str, Any]:
    """An event as a function URL makes it (payload format 2.0)."""
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {
            "host": "abc.lambda-url.eu-west-1.on.aws",
            "content-type": "application/json",
            "x-forwarded-for": address,
            **(headers or {}),
        },
        "requestContext": {
            "accountId": "anonymous",
            "apiId": "abc",
            "domainName": "abc.lambda-url.eu-west-1.on.aws",
            "domainPrefix": "abc",
            "http": {
                "method": method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": address,
                "userAgent": "test",
            },
            "requestId": "00000000-0000-0000-0000-000000000000",
            "routeKey": "$default",
            "stage": "$default",
            "time": "01/Dec/2026:00:00:00 +0000",
            "timeEpoch": 1796083200000,
        },
        "body": body,
        "isBase64Encoded": False,
    }
