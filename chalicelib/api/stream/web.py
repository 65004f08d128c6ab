"""The files of the answer page.

Scripts and styles lie under a name that changes with their content and may be kept for ever: a browser never has to ask
whether one is fresh, and an answer without a body, which never ends behind a function URL that streams, never comes up.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from chalicelib.domain.pages import Page
from chalicelib.wiring.front import Front

_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_ASSETS = ("page.css", "page.js", "stream.js", "components.js", "texts.js", "proof.js", "worker.js", "icon.svg")
"""What may be asked for; there is nothing to traverse."""
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_NOW = {"Cache-Control": "no-store"}
_TURNSTILE = "https://challenges.cloudflare.com"


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    packed: bytes
    media_type: str


def _read(name: str) -> bytes:
    return files("chalicelib.web").joinpath("answer", name).read_bytes()


@cache
def version() -> str:
    """Changes with any of the files."""
    return hashlib.sha256(b"\0".join(map(_read, _ASSETS))).hexdigest()[:16]


@cache
def _file(name: str) -> _File:
    content = _read(name).replace(b"{{version}}", version().encode())
    return _File(content, gzip.compress(content, 9, mtime=0), _TYPES[name.rpartition(".")[2]])


async def asset(request: Request) -> Response:
    """A script, style or picture of the page."""
    name = request.path_params["name"]
    if name not in _ASSETS:
        return Response("There is no such file.\n", 404, media_type="text/plain")
    asked = request.path_params["version"]
    return _sent(request, name, _FOREVER if asked == version() else _NOW)


def page(request: Request, shown: Page | None, front: Front) -> Response:
    """The page itself, which other sites may frame if they may ask it (rule W3); None if there is no such page."""
    origins = () if shown is None else shown.origins
    headers = {**_NOW, "Content-Security-Policy": _policy(origins, front)}
    return _sent(request, "page.html", headers, 404 if shown is None else 200)


def _policy(origins: tuple[str, ...], front: Front) -> str:
    """The page's own files, its own door, pictures of the project's bucket, the check if one is made; nothing else."""
    check = f" {_TURNSTILE}" if front.robot_check == "turnstile" else ""
    rules = {
        "default-src": "'none'",
        "script-src": f"'self'{check}",
        "frame-src": check.strip() or "'none'",
        "worker-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": f"'self' {front.image_origin}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": " ".join(filter(None, ("'self'", front.console_origin, *origins))),
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _sent(request: Request, name: str, headers: dict[str, str], status: int = 200) -> Response:
    file = _file(name)
    headers = {
        **headers,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Vary": "Accept-Encoding",
    }
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, status, {**headers, "Content-Encoding": "gzip"}, file.media_type)
    return Response(file.content, status, headers, file.media_type)
