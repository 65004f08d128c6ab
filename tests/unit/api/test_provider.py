"""Signing in with an identity provider: there and back, and everybody who tries to come back instead."""

from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.access.identities import AuthenticateIdentity
from chalicelib.access.provider_sign_in import place
from chalicelib.adapters.oidc.provider import OidcProvider
from chalicelib.adapters.oidc.tokens import IssuerKeys, OidcTokens
from chalicelib.domain.spaces import Door
from tests.fakes.machine import StillClock
from tests.issuer import CLIENT, ISSUER, StrictIssuer
from tests.unit.api.browser import HOST, SESSION, Browser
from tests.unit.api.world import World
from tests.web import Answered

pytestmark = pytest.mark.promise("A1")

BASE = f"https://{HOST}"
FAILED = f"{BASE}/me#sign-in-failed="


class Traveller:
    """A browser that goes to the provider and comes back."""

    def __init__(self, world: World, then: str = "/me%23knowledge") -> None:
        self.world = world
        self.left = self.get(f"/sign-in/oidc?then={then}")
        assert self.left.status == 302
        self.url = self.left.headers["Location"]
        self.query = {name: value for name, (value,) in parse_qs(urlsplit(self.url).query).items()}
        self.cookie = SimpleCookie(self.left.headers.get("Set-Cookie", ""))

    def get(self, path: str, **headers: str) -> Answered:
        return self.world.web("GET", path, headers={"host": HOST, **headers})

    def back(self, query: str, kept: str | None = None) -> str:
        """Where the browser is sent then."""
        secret = self.cookie["acervo_sign_in"].value if kept is None else kept
        self.answer = self.get(f"/sign-in/callback?{query}", cookie=f"acervo_sign_in={secret}")
        assert self.answer.status == 302
        return self.answer.headers["Location"]

    def browser(self) -> Browser:
        """The browser, signed in."""
        return Browser(self.world, SimpleCookie(self.answer.headers["Set-Cookie"])["acervo_session"].value)


@pytest.fixture(scope="module")
def _issuer() -> StrictIssuer:
    return StrictIssuer()


@pytest.fixture
def issuer(_issuer: StrictIssuer) -> StrictIssuer:
    return StrictIssuer(_issuer.key)


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def tokens(issuer: StrictIssuer, clock: StillClock) -> OidcTokens:
    audience = frozenset({"api", CLIENT})
    return OidcTokens(ISSUER, audience, frozenset({"memory:read", "no:such"}), IssuerKeys(issuer.keys, clock))


@pytest.fixture
def world(issuer: StrictIssuer, tokens: OidcTokens, clock: StillClock) -> World:
    provider = OidcProvider(ISSUER, CLIENT, "acervo/knowledge:read", tokens, clock, issuer.ask)
    return World(provider=provider, clock=clock)


def test_somebody_goes_there_and_comes_back_signed_in(world: World, issuer: StrictIssuer, tokens: OidcTokens) -> None:
    traveller = Traveller(world)
    assert traveller.query["scope"] == "openid profile acervo/knowledge:read"
    assert traveller.query["redirect_uri"] == f"{BASE}/sign-in/callback"
    kept = traveller.cookie["acervo_sign_in"]
    assert (kept["httponly"], kept["secure"], kept["samesite"], kept["max-age"]) == (True, True, "Lax", "600")
    landed = traveller.back(f"code={issuer.approve(traveller.url)}&state={traveller.query['state']}")
    assert landed == f"{BASE}/me#knowledge"
    told = traveller.browser()("GET", SESSION).json
    assert (told["name"], told["scopes"]) == ("Ana", ["memory:read"])
    assert told["expires_at"] == "2026-12-01T00:00:00Z"
    by_token = AuthenticateIdentity(world.keys, tokens, world.ids, world.clock)(
        issuer.token("ana", aud="api", scope="memory:write"), Door.MCP
    )
    assert by_token.user_id == told["user_id"]
    assert len(world.keys.accounts) == 1


def test_the_access_token_says_what_the_session_may_do(world: World, issuer: StrictIssuer) -> None:
    for access, scopes in (
        (issuer.token("ana", aud="api", scope="openid acervo/knowledge:read other:x"), ["knowledge:read"]),
        (issuer.token("ana", aud="another", scope="knowledge:write"), ["memory:read"]),
        (issuer.token("eve", aud="api", scope="knowledge:write"), ["memory:read"]),
        ("opaque", ["memory:read"]),
    ):
        issuer.access = access
        traveller = Traveller(world)
        traveller.back(f"code={issuer.approve(traveller.url)}&state={traveller.query['state']}")
        assert traveller.browser()("GET", SESSION).json["scopes"] == scopes


def test_such_a_session_ends_after_a_day_however_much_it_is_used(world: World, issuer: StrictIssuer) -> None:
    traveller = Traveller(world)
    traveller.back(f"code={issuer.approve(traveller.url)}&state={traveller.query['state']}")
    browser = traveller.browser()
    for _ in range(2):
        world.clock.pass_(hours=11)
        assert browser("GET", SESSION).status == 200
    world.clock.pass_(hours=2)
    assert browser("GET", SESSION).status == 401


def test_who_comes_back_twice_too_late_or_with_another_browser_is_not_signed_in(
    world: World, issuer: StrictIssuer
) -> None:
    traveller = Traveller(world)
    query = f"code={issuer.approve(traveller.url)}&state={traveller.query['state']}"
    traveller.back(query)
    assert traveller.back(query) == f"{FAILED}sign_in_expired"
    late = Traveller(world)
    world.clock.pass_(minutes=10)
    assert late.back(f"code={issuer.approve(late.url)}&state={late.query['state']}") == f"{FAILED}sign_in_expired"
    other = Traveller(world)
    stolen = f"code={issuer.approve(other.url)}&state={other.query['state']}"
    for kept in ("", "x" * 43, traveller.cookie["acervo_sign_in"].value):
        assert other.back(stolen, kept) == f"{FAILED}sign_in_expired"
    two = Traveller(world)
    kept = two.cookie["acervo_sign_in"].value
    planted = f"x; acervo_sign_in={kept}"
    assert two.back(f"code=x&state={two.query['state']}", planted) == f"{FAILED}sign_in_expired"
    assert len(world.keys.sessions) == 1


def test_a_code_that_was_given_to_another_browser_is_worth_nothing(world: World, issuer: StrictIssuer) -> None:
    victim, thief = Traveller(world), Traveller(world)
    code = issuer.approve(victim.url)
    assert thief.back(f"code={code}&state={thief.query['state']}") == f"{FAILED}unauthenticated"


@pytest.mark.parametrize("query", ["", "code=x", "state=", "state=x&code=y", "error=access_denied", "state=%00&code=x"])
def test_who_was_never_sent_there_is_not_signed_in(world: World, query: str) -> None:
    assert Traveller(world).back(query) == f"{FAILED}sign_in_expired"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("access_denied", "access_denied"),
        ("temporarily_unavailable", "identity_unavailable"),
        ("invalid_scope", "unauthenticated"),
        ("%3Cscript%3Ealert(1)%3C/script%3E", "unauthenticated"),
    ],
)
def test_a_refusal_is_told_in_words_of_ours(world: World, error: str, code: str) -> None:
    traveller = Traveller(world)
    query = f"state={traveller.query['state']}&error={error}&error_description=%3Cb%3Eevil"
    assert traveller.back(query) == f"{FAILED}{code}"
    assert "evil" not in f"{traveller.answer.headers}{traveller.answer.text}"


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"aud": "another"},
        {"aud": None},
        {"aud": [CLIENT, "another"]},
        {"aud": [CLIENT, 7], "azp": "another"},
        {"azp": "another"},
        {"nonce": "another"},
        {"nonce": None},
        {"token_use": "access"},
        {"exp": 1},
        {"sub": None},
    ],
)
def test_an_id_token_that_is_not_the_answer_to_our_question_signs_nobody_in(
    world: World, issuer: StrictIssuer, claims: dict[str, object]
) -> None:
    issuer.claims = claims
    traveller = Traveller(world)
    code = issuer.approve(traveller.url)
    assert traveller.back(f"code={code}&state={traveller.query['state']}") == f"{FAILED}unauthenticated"
    assert world.keys.accounts == {}


def test_several_audiences_will_do_if_the_token_was_made_for_us(world: World, issuer: StrictIssuer) -> None:
    issuer.claims = {"aud": [CLIENT, "another"], "azp": CLIENT}
    traveller = Traveller(world)
    landed = traveller.back(f"code={issuer.approve(traveller.url)}&state={traveller.query['state']}")
    assert landed == f"{BASE}/me#knowledge"


def test_a_provider_that_fails_is_told(world: World, issuer: StrictIssuer) -> None:
    for status, body in ((500, b""), (200, b"nonsense"), (200, b"[]"), (302, b""), (404, b"{}")):
        issuer.status, issuer.body = status, body
        assert Traveller(world).url == f"{FAILED}identity_unavailable"
    issuer.status, issuer.body, issuer.discovered = 200, None, {"issuer": "https://evil.example"}
    assert Traveller(world).url == f"{FAILED}identity_unavailable"
    issuer.discovered = {}
    traveller = Traveller(world)
    for status, body, code in ((503, b"", "identity_unavailable"), (200, b"{}", "unauthenticated")):
        issuer.status, issuer.body = status, body
        assert traveller.back(f"code=x&state={traveller.query['state']}") == f"{FAILED}{code}"
        issuer.status, issuer.body = 200, None
        traveller = Traveller(world)


def test_what_cannot_be_reached_is_told(world: World, issuer: StrictIssuer, tokens: OidcTokens) -> None:
    def down(*_: object) -> tuple[int, bytes]:
        raise OSError

    provider = OidcProvider(ISSUER, CLIENT, "", tokens, world.clock, down)
    assert Traveller(World(provider=provider)).url == f"{FAILED}identity_unavailable"


def test_the_discovery_document_is_kept_for_an_hour(world: World, issuer: StrictIssuer) -> None:
    for _ in range(3):
        Traveller(world)
    assert len(issuer.asked) == 1
    world.clock.pass_(hours=1)
    Traveller(world)
    assert len(issuer.asked) == 2


def test_an_endpoint_may_have_a_query_of_its_own(world: World, issuer: StrictIssuer) -> None:
    issuer.discovered = {"authorization_endpoint": f"{ISSUER}/authorize?tenant=x"}
    assert Traveller(world).url.startswith(f"{ISSUER}/authorize?tenant=x&response_type=code")


def test_an_account_that_was_deleted_stays_deleted(world: World, issuer: StrictIssuer) -> None:
    traveller = Traveller(world)
    traveller.back(f"code={issuer.approve(traveller.url)}&state={traveller.query['state']}")
    world.keys.accounts.clear()
    again = Traveller(world)
    landed = again.back(f"code={issuer.approve(again.url)}&state={again.query['state']}")
    assert landed == f"{FAILED}unauthenticated"


def test_an_address_may_come_back_twenty_times_in_ten_minutes(world: World) -> None:
    landed = [Traveller(world).back("state=x") for _ in range(21)]
    assert landed == [f"{FAILED}sign_in_expired"] * 20 + [f"{FAILED}rate_limited"]
    assert Browser(world)("POST", SESSION, {"token": "x"}).status == 429
    gone = [Traveller(world).url for _ in range(40)]
    assert gone[-1] == f"{FAILED}rate_limited"
    assert gone[0].startswith(ISSUER)


def test_nothing_that_is_kept_meanwhile_lets_anybody_in(world: World) -> None:
    traveller = Traveller(world)
    kept = f"{world.keys.attempts} {world.keys.hits}"
    for secret in (traveller.query["state"], traveller.query["nonce"], traveller.cookie["acervo_sign_in"].value):
        assert secret not in kept


@pytest.mark.parametrize(
    "then",
    [
        "/me",
        "/me#knowledge/item_1@rev_2",
        "/?space=space_01#search",
        "/",
    ],
)
def test_places_of_the_console_are_gone_to(then: str) -> None:
    assert place(then) == then


@pytest.mark.parametrize(
    "then",
    [
        "",
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/me/../../evil",
        "/me?x=y",
        "/api/v1/session",
        "/me#<script>",
        "/me#a\r\nSet-Cookie: x=y",
        "/me\n",
        "me",
        "/%2f%2fevil.example",
        ".evil.example",
        "@evil.example",
    ],
)
def test_nowhere_else_is_gone_to(then: str) -> None:
    assert place(then) == "/me"


@given(st.text(max_size=50))
def test_wherever_somebody_wants_to_go_it_is_below_our_own_address(then: str) -> None:
    landed = urlsplit(f"{BASE}/stage{place(then)}")
    assert (landed.scheme, landed.netloc) == ("https", HOST)
    assert landed.path in {"/stage/", "/stage/me"}


def test_without_a_provider_nothing_answers(world: World) -> None:
    bare = World()
    for path in ("/sign-in/oidc", "/sign-in/callback?state=x"):
        assert bare.web("GET", path).json["code"] == "no_such_route"
    assert Browser(bare)("GET", "/api/v1/console").json["oidc"] is False
    assert Browser(world)("GET", "/api/v1/console").json["oidc"] is True
