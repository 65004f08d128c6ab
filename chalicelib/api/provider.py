"""Signing in with an identity provider: a browser is sent there, and comes back. The console tells what goes wrong."""

from chalicelib.access.provider_sign_in import LIFE, Returned
from chalicelib.access.sessions import LIFE as SESSION_LIFE
from chalicelib.api.browsers import COOKIE, cookie, cookies
from chalicelib.api.errors import STATUS, InternalError, NoSuchRoute
from chalicelib.api.raw import Asked, Raw
from chalicelib.domain.errors import KnownError
from chalicelib.wiring.entrance import Provider

_KEPT = "acervo_sign_in"
"""Holds what ties the answer to this browser. Lax, since the way back begins on the provider's site."""

_LONGEST = 4000


def depart(asked: Asked) -> Raw:
    """To the provider."""
    provider = _provider(asked)
    try:
        going = provider.depart(asked.query.get("then", ""), _back(asked), asked.address)
    except KnownError as error:
        return _failed(asked, error)
    kept = cookie(asked.base_url, _KEPT, going.secret, int(LIFE.total_seconds()), "Lax")
    return _to(going.url, {"Set-Cookie": kept})


def come_back(asked: Asked) -> Raw:
    """To where in the console somebody wanted to go, signed in; or to where it is told why not."""
    provider = _provider(asked)
    kept = cookies(asked.headers, _KEPT)
    state, code, error = (asked.query.get(each, "")[:_LONGEST] for each in ("state", "code", "error"))
    returned = Returned(state, code, error, kept[0] if len(kept) == 1 else "")
    try:
        signed_in, then = provider.come_back(returned, _back(asked), asked.address)
    except KnownError as failure:
        return _failed(asked, failure)
    session = cookie(asked.base_url, COOKIE, signed_in.secret, int(SESSION_LIFE.total_seconds()))
    return _to(f"{asked.base_url}{then}", {"Set-Cookie": session})


def _provider(asked: Asked) -> Provider:
    provider = asked.services.entrance.provider
    if provider is None:
        raise NoSuchRoute
    return provider


def _back(asked: Asked) -> str:
    return f"{asked.base_url}/sign-in/callback"


def _failed(asked: Asked, error: KnownError) -> Raw:
    """The code of an error of ours; nothing that came from outside."""
    fault = error if STATUS[type(error)] >= STATUS[InternalError] else None
    return _to(f"{asked.base_url}/me#sign-in-failed={error.code}", {}, fault)


def _to(url: str, headers: dict[str, str], fault: KnownError | None = None) -> Raw:
    told = {"Location": url, "Referrer-Policy": "no-referrer", **headers}
    return Raw("", 302, told, "text/plain; charset=utf-8", fault)
