"""Routes of signing in and out with a browser."""

from chalicelib.access.sessions import LIFE, SignedIn
from chalicelib.api.browsers import COOKIE, cookie, demand_own_page, signed_in
from chalicelib.api.rest.routes import Reply, Visit, VisitRoute
from chalicelib.api.wire.sessions import ConsoleAnswer, SessionAnswer, SignedOutAnswer, SignInBody
from chalicelib.domain.errors import CsrfFailed, ForeignOrigin, NotFound, RateLimited, UnknownLink

_PATH = "/api/v1/session"


def _sign_in(visit: Visit) -> Reply:
    demand_own_page(visit.headers, visit.base_url)
    services, body = visit.services, visit.body
    if body.token is not None:
        found = services.entrance.by_token(body.token, visit.address)
    else:
        found = services.entrance.by_link(body.link_secret, visit.address)
    kept = cookie(visit.base_url, COOKIE, found.secret, int(LIFE.total_seconds()))
    return _told(visit, found, {"Set-Cookie": kept})


def _read(visit: Visit) -> Reply:
    return _told(visit, _signed_in(visit), {})


def _sign_out(visit: Visit) -> Reply:
    visit.services.entrance.end(_signed_in(visit))
    return Reply(SignedOutAnswer(signed_out=True), headers={"Set-Cookie": cookie(visit.base_url, COOKIE, "", 0)})


def _signed_in(visit: Visit) -> SignedIn:
    return signed_in(visit.services, visit.method, visit.headers, visit.base_url)


def _told(visit: Visit, found: SignedIn, headers: dict[str, str]) -> Reply:
    return Reply(SessionAnswer.signed(found, visit.services.read_account(found.principal)), headers=headers)


def _console(visit: Visit) -> Reply:
    answers = visit.services.answers_url or None
    mcp = f"{visit.base_url}/mcp"
    return Reply(
        ConsoleAnswer(
            oidc=visit.services.entrance.provider is not None, answers_url=answers, base_url=visit.base_url, mcp_url=mcp
        )
    )


ROUTES = (
    VisitRoute("GET", "/api/v1/console", "readConsole", "Read where things are", _console, ConsoleAnswer),
    VisitRoute(
        "POST",
        _PATH,
        "signIn",
        "Sign in with a browser: the session is a cookie",
        _sign_in,
        SessionAnswer,
        body=SignInBody,
        errors=(ForeignOrigin, RateLimited, UnknownLink, NotFound),
    ),
    VisitRoute(
        "GET", _PATH, "readSession", "Read who is signed in", _read, SessionAnswer, cookie=True, errors=(NotFound,)
    ),
    VisitRoute("DELETE", _PATH, "signOut", "Sign out", _sign_out, SignedOutAnswer, cookie=True, errors=(CsrfFailed,)),
)
