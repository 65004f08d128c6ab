"""What browsers send and programs do not: the cookie of a session, and which page a request is of (CSRF)."""

import re
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import quote, urlsplit

from chalicelib.access.sessions import SignedIn
from chalicelib.domain.errors import CsrfFailed, ForeignOrigin, Unauthenticated
from chalicelib.wiring import Services

COOKIE = "acervo_session"
CSRF = "x-csrf-token"

_SAFE = frozenset({"GET", "HEAD"})
_MOST = 4
"""Cookies of one name that are looked up; more than one is odd already."""
_LOOPBACK = re.compile(r"(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?")


def has_key(headers: Mapping[str, str]) -> bool:
    """Whether a request brings a token in a header; its cookies are not looked at then."""
    return "authorization" in headers or "x-api-key" in headers


def signed_in(services: Services, method: str, headers: Mapping[str, str], base_url: str) -> SignedIn:
    """Who is at the browser that sent this.

    A neighbour under the same domain may have set a second cookie, to have somebody work in the wrong account: of
    several, exactly one has to be a session.

    Raises Unauthenticated; CsrfFailed: it changes something, and no page of ours sent it.
    """
    secrets = () if has_key(headers) else cookies(headers, COOKIE)
    found = []
    for secret in secrets[:_MOST]:
        with suppress(Unauthenticated):
            found.append(services.entrance.authenticate(secret))
    if len(found) != 1:
        raise Unauthenticated
    if method not in _SAFE and not (is_own_page(headers, base_url) and found[0].sent(headers.get(CSRF, ""))):
        raise CsrfFailed
    return found[0]


def cookies(headers: Mapping[str, str], name: str) -> tuple[str, ...]:
    """The values that cookies of that name have, each once, without quotes around them.

    Source: RFC 6265, section 4.2.1. The standard library's parser drops all cookies after one that it does not like,
    which any program on the same host may have set.
    """
    pairs = (each.partition("=") for each in headers.get("cookie", "").split(";"))
    return tuple(dict.fromkeys(_unquoted(value.strip()) for key, _, value in pairs if key.strip() == name))


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] == '"'
    return value[1:-1] if quoted else value


def cookie(base_url: str, name: str, value: str, seconds: int, same_site: str = "Strict") -> str:
    """A Set-Cookie header, for this deployment's addresses alone; 0 seconds remove the cookie."""
    base = urlsplit(base_url)
    parts = [f"{name}={value}", f"Path={quote(base.path) or '/'}", f"Max-Age={seconds}", "HttpOnly"]
    parts.append(f"SameSite={same_site}")
    if base.scheme != "http" or not _LOOPBACK.fullmatch(base.netloc):
        parts.append("Secure")
    return "; ".join(parts)


def is_own_page(headers: Mapping[str, str], base_url: str) -> bool:
    """Whether a page of ours sent this, as far as browsers say; programs say nothing, and pass."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site == "same-origin"
    return origin is None or origin in _own_origins(headers.get("host", ""), base_url)


def demand_own_page(headers: Mapping[str, str], base_url: str) -> None:
    """Let nothing pass that a page of another site sent. Raises ForeignOrigin."""
    if not is_own_page(headers, base_url):
        raise ForeignOrigin(origin=headers.get("origin", "another site")[:200])


def _own_origins(host: str, base_url: str) -> set[str]:
    base = urlsplit(base_url)
    own = {f"{base.scheme}://{base.netloc}", f"https://{host}"}
    return own | ({f"http://{host}"} if _LOOPBACK.fullmatch(host) else set())
