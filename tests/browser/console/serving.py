"""A whole house over fakes behind a real HTTP server, for a browser to come to."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import StartResponse, WSGIEnvironment

from tests.unit.api.world import World
from tests.wsgi import application


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


@contextmanager
def served(world: World) -> Iterator[str]:
    """The address of a world's front door. One request at a time: its fakes know no threads."""
    answer, turn = application(world.web), threading.Lock()

    def app(environ: WSGIEnvironment, start: StartResponse) -> Any:
        with turn:
            return answer(environ, start)

    server = make_server("127.0.0.1", 0, app, server_class=_Server, handler_class=_Quiet)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
