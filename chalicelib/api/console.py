"""The files of the console (rules W3, W6).

Scripts and styles lie under a name that changes with their content and may be kept for ever; the page itself is asked
for each time and is small. Comments and blanks are left out on the way, so that sources can be written for people
without a build step; API Gateway compresses.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from chalicelib.api.errors import NoSuchRoute
from chalicelib.api.raw import Asked, Raw

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_PAGE = "index.html"
_FOREVER = "public, max-age=31536000, immutable"
_NEVER = "no-store"


@cache
def _assets() -> dict[str, str]:
    """What may be asked for, by name; there is nothing to traverse."""
    from rcssmin import cssmin
    from rjsmin import jsmin

    smaller: dict[str, Callable[[str], str]] = {"css": cssmin, "js": jsmin}
    folder = files("chalicelib.web").joinpath("console")
    return {
        each.name: smaller.get(_kind(each.name), str)(each.read_text(encoding="utf-8"))
        for each in sorted(folder.iterdir(), key=lambda each: each.name)
        if _kind(each.name) in _TYPES
    }


def _kind(name: str) -> str:
    return name.rpartition(".")[2]


@cache
def version() -> str:
    """Changes with any of the files."""
    return hashlib.sha256("\0".join(_assets().values()).encode()).hexdigest()[:16]


def page(asked: Asked) -> Raw:
    """The page of the console, the same for everybody: who is here is asked by its scripts."""
    shell = files("chalicelib.web").joinpath("console", _PAGE).read_text(encoding="utf-8")
    assets = f"{urlsplit(asked.base_url).path}/assets/{version()}"
    headers = {"Cache-Control": _NEVER, "Content-Security-Policy": policy(asked), "Referrer-Policy": "no-referrer"}
    return Raw(shell.replace("{{assets}}", assets), headers=headers, media_type="text/html; charset=utf-8")


def asset(asked: Asked) -> Raw:
    """A script, style or picture of the console. Raises NoSuchRoute."""
    name = asked.path["name"]
    content = _assets().get(name)
    if content is None:
        raise NoSuchRoute
    kept = _FOREVER if asked.path["version"] == version() else _NEVER
    media_type = f"{_TYPES[_kind(name)]}; charset=utf-8"
    return Raw(content, headers={"Cache-Control": kept}, media_type=media_type)


def policy(asked: Asked) -> str:
    """The page's own files and its own API, the bucket that files go to, the answer pages that owners look at."""
    answers, bucket = urlsplit(asked.services.answers_url), asked.services.upload_origin()
    rules = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": f"'self' {bucket}",
        "connect-src": f"'self' {bucket}",
        "frame-src": f"{answers.scheme}://{answers.netloc}" if answers.netloc else "'none'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "acervo-rendered",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())
