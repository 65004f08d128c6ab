"""The REST door as a WSGI application, for tools that speak WSGI: what API Gateway does, in a few lines."""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from wsgiref.types import StartResponse, WSGIEnvironment

from tests.web import Web


def application(web: Web) -> Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]]:
    """The application. Path parameters stay undecoded, as API Gateway leaves them."""

    def call(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        size = int(environ.get("CONTENT_LENGTH") or 0)
        raw = environ["wsgi.input"].read(size) if size else b""
        headers = {
            name[5:].replace("_", "-").lower(): value for name, value in environ.items() if name.startswith("HTTP_")
        }
        if environ.get("CONTENT_TYPE"):
            headers["content-type"] = environ["CONTENT_TYPE"]
        path = environ.get("REQUEST_URI") or environ["PATH_INFO"]
        query = environ.get("QUERY_STRING", "")
        address = path if not query or "?" in path else f"{path}?{query}"
        answer = web.raw(environ["REQUEST_METHOD"], address, headers, raw)
        status = HTTPStatus(answer.status)
        start(f"{status.value} {status.phrase}", [(name, str(each)) for name, each in answer.headers.items()])
        return [answer.text.encode()]

    return call
