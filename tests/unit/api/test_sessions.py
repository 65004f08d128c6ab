"""Signing in with a browser: what a cookie opens, and all that it must not."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from http.cookies import SimpleCookie

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.access.ports import Account
from chalicelib.api.browsers import cookie, cookies, is_own_page
from chalicelib.api.rest.table import RAW_ROUTES, ROUTES
from chalicelib.domain.errors import Unauthenticated, UnknownUser
from tests.fakes.keys import MemoryKeys
from tests.unit.api.browser import HOST, ORIGIN, SESSION, Browser, at_browser
from tests.unit.api.world import KNOWLEDGE, Person, World

pytestmark = pytest.mark.promise("A1")


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def ana(world: World) -> Person:
    return world.person("Ana")


@pytest.fixture
def browser(world: World, ana: Person) -> Browser:
    return at_browser(world, ana)


def _token(world: World, person: Person, **more: object) -> tuple[str, str]:
    made = world.ok(person, "POST", "/api/v1/tokens", {"name": "t", "scopes": ["tokens:admin"], **more})
    return made["token"], made["details"]["id"]


def test_a_token_becomes_a_session_that_says_whose_it_is(world: World, ana: Person) -> None:
    browser = Browser(world)
    told = browser.sign_in(token=ana.token)
    assert told == browser("GET", SESSION).json
    me = world.ok(ana, "GET", "/api/v1/me")
    assert {name: told[name] for name in me} == me
    assert set(told) == {*me, "csrf_token", "expires_at"}


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(world: World, ana: Person) -> None:
    answer = Browser(world)("POST", SESSION, {"token": ana.token})
    header = answer.headers["Set-Cookie"]
    morsel = SimpleCookie(header)["acervo_session"]
    assert (morsel["httponly"], morsel["secure"], morsel["samesite"]) == (True, True, "Strict")
    assert morsel["path"] == "/"
    assert morsel["max-age"] == str(30 * 86_400)
    assert len(morsel.value) == 43
    assert morsel.value not in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("base_url", "path", "secure"),
    [
        ("https://acervo.example", "/", True),
        ("https://x.execute-api.eu-west-1.amazonaws.com/api", "/api", True),
        ("http://127.0.0.1:4566/_aws/execute-api/abc/api", "/_aws/execute-api/abc/api", False),
        ("http://localhost:8000", "/", False),
        ("http://[::1]:8000/x", "/x", False),
        ("http://acervo.lan/x", "/x", True),
        ("http://127.0.0.1.evil.example/x", "/x", True),
        ("https://127.0.0.1/x", "/x", True),
        ("https://acervo.example/a;b c", "/a%3Bb%20c", True),
    ],
)
def test_a_cookie_is_for_this_deployment_and_secure_outside_the_machine(
    base_url: str, path: str, *, secure: bool
) -> None:
    morsel = SimpleCookie(cookie(base_url, "acervo_session", "x", 1))["acervo_session"]
    assert (morsel["path"], bool(morsel["secure"])) == (path, secure)


def test_a_cookie_reads_and_writes_and_the_revision_says_so(world: World, ana: Person, browser: Browser) -> None:
    base = browser("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.account.personal_space_id, "name": "B"}).json["id"]
    item = browser("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "T", "content": "c"}).json
    path = f"{KNOWLEDGE}/items/{item['id']}/revisions/{item['current_revision_id']}"
    provenance = browser("GET", path).json["revision"]["provenance"]
    assert (provenance["door"], provenance["token_id"]) == ("console", ana.token_id)
    memory = browser("POST", "/v1/memories", {"content": "We deploy on Tuesdays"}).json
    assert memory["source"]["door"] == "console"


@pytest.mark.parametrize(
    "headers",
    [
        {"x_csrf_token": ""},
        {"x_csrf_token": "0" * 64},
        {"x_csrf_token": "ñ"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "none"},
    ],
)
def test_a_change_that_no_page_of_ours_sent_is_refused(
    world: World, ana: Person, browser: Browser, headers: dict[str, str]
) -> None:
    body = {"space_id": ana.account.personal_space_id, "name": "B"}
    answer = browser("POST", f"{KNOWLEDGE}/bases", body, **headers)
    assert (answer.status, answer.json["code"]) == (403, "csrf_failed")
    assert browser("DELETE", SESSION, **headers).status == 403
    assert world.ok(ana, "GET", f"{KNOWLEDGE}/bases")["bases"] == []
    assert browser("GET", f"{KNOWLEDGE}/bases", **headers).status == 200


def test_every_route_that_changes_something_asks_for_the_csrf_token(world: World, browser: Browser) -> None:
    for route in ROUTES:
        path = route.path.replace("{", "").replace("}", "")
        answer = browser(route.method, path, {}, x_csrf_token="")
        assert (answer.status == 403 and answer.json["code"] == "csrf_failed") == (route.method != "GET"), route.name


def test_an_older_browser_is_believed_by_its_origin(world: World, ana: Person, browser: Browser) -> None:
    for sends, status in (({"origin": ORIGIN}, 201), ({"origin": "https://evil.example"}, 403), ({}, 201)):
        browser.sends = {"host": HOST, **sends}
        body = {"space_id": ana.account.personal_space_id, "name": "B"}
        assert browser("POST", f"{KNOWLEDGE}/bases", body).status == status
    browser.sends = {"host": HOST, "origin": "null"}
    assert browser("POST", f"{KNOWLEDGE}/bases", {}).status == 403


@pytest.mark.parametrize(
    ("host", "origin", "own"),
    [
        ("127.0.0.1:4566", "http://127.0.0.1:4566", True),
        ("localhost:4566", "http://localhost:4566", True),
        ("acervo.example", "http://acervo.example", False),
        ("inner.example", "https://front.example", True),
        ("", "https://front.example.evil", False),
        ("[", "http://[", False),
    ],
)
def test_which_origins_are_ours(host: str, origin: str, *, own: bool) -> None:
    assert is_own_page({"host": host, "origin": origin}, "https://front.example/api") is own


def test_the_csrf_token_of_another_session_will_not_do(world: World, ana: Person, browser: Browser) -> None:
    other = at_browser(world, ana)
    assert other.csrf != browser.csrf
    assert browser("DELETE", SESSION, x_csrf_token=other.csrf).status == 403


def test_signing_out_leaves_nothing(world: World, browser: Browser) -> None:
    secret, csrf = browser.cookie, browser.csrf
    answer = browser("DELETE", SESSION)
    assert answer.json == {"signed_out": True}
    assert SimpleCookie(answer.headers["Set-Cookie"])["acervo_session"]["max-age"] == "0"
    assert browser.cookie == ""
    assert world.keys.sessions == {}
    stolen = Browser(world, secret, csrf)
    assert stolen("GET", SESSION).status == 401
    assert stolen("DELETE", SESSION).status == 401


def test_where_a_token_is_sent_the_cookie_is_not_looked_at(world: World, ana: Person, browser: Browser) -> None:
    for headers in ({"authorization": "Bearer acv_nonsense"}, {"authorization": "Basic x"}, {"x_api_key": "nonsense"}):
        assert browser("GET", "/api/v1/me", **headers).status == 401
        assert browser("GET", SESSION, **headers).status == 401
    ben = world.person("Ben")
    answer = browser("GET", "/api/v1/me", authorization=f"Bearer {ben.token}")
    assert answer.json["user_id"] == ben.account.user_id
    team = browser("POST", "/api/v1/teams", {"name": "x"}, authorization=f"Bearer {ben.token}", x_csrf_token="")
    assert team.status == 201


def test_protocols_of_programs_take_no_cookie(world: World, browser: Browser) -> None:
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert browser("POST", "/mcp", initialize, accept="application/json, text/event-stream").status == 401
    assert browser("GET", "/v1/auth/token/validate").status == 401
    assert browser("POST", "/v1/auth/token/revoke-self").status == 401
    doctor = browser("POST", "/v1/skill/operations", {"operation": "doctor", "arguments": {}})
    assert doctor.json["result"]["auth_valid"] is False
    assert {each.path for each in RAW_ROUTES} >= {"/mcp", "/v1/skill/operations"}


def test_a_session_has_the_scopes_and_spaces_of_its_token(world: World, ana: Person) -> None:
    space = ana.account.personal_space_id
    team = world.team(ana)
    token, _ = _token(world, ana, scopes=["knowledge:read"], spaces=[space])
    browser = Browser(world)
    assert browser.sign_in(token=token)["scopes"] == ["knowledge:read"]
    assert [each["id"] for each in browser("GET", "/api/v1/spaces").json["spaces"]] == [space]
    assert browser("GET", f"{KNOWLEDGE}/bases?space={team}").status == 404
    refused = browser("GET", "/api/v1/tokens")
    assert (refused.status, refused.json["code"]) == (403, "insufficient_scope")


def test_a_session_dies_with_its_token_in_the_next_request(world: World, ana: Person) -> None:
    token, token_id = _token(world, ana)
    browser = Browser(world)
    browser.sign_in(token=token)
    world.ok(ana, "DELETE", f"/api/v1/tokens/{token_id}")
    assert browser("GET", SESSION).status == 401
    assert browser("GET", "/api/v1/me").status == 401


def test_a_session_does_not_outlive_its_token(world: World, ana: Person) -> None:
    token, _ = _token(world, ana, expires_in_days=1)
    browser = Browser(world)
    told = browser.sign_in(token=token)
    assert told["expires_at"] == "2026-12-01T00:00:00Z"
    world.clock.pass_(hours=11)
    assert browser("GET", SESSION).json["expires_at"] == "2026-12-01T11:00:00Z"
    world.clock.pass_(hours=2)
    assert browser("GET", SESSION).json["expires_at"] == "2026-12-01T12:00:00Z"
    world.clock.pass_(hours=11)
    assert browser("GET", SESSION).status == 401


def test_a_session_lives_twelve_hours_from_its_last_use_and_thirty_days_at_most(world: World, ana: Person) -> None:
    browser = at_browser(world, ana)
    for _ in range(65):
        world.clock.pass_(hours=11)
        assert browser("GET", SESSION).status == 200
    world.clock.pass_(hours=11)  # 30 days and 6 hours
    assert browser("GET", SESSION).status == 401
    unused = at_browser(world, ana)
    world.clock.pass_(hours=12)
    assert unused("GET", SESSION).status == 401


def test_use_is_noted_seldom(world: World, ana: Person) -> None:
    browser = at_browser(world, ana)
    begun = next(iter(world.keys.sessions.values()))
    world.clock.pass_(minutes=9)
    browser("GET", SESSION)
    assert list(world.keys.sessions.values()) == [begun]
    world.clock.pass_(minutes=1)
    browser("GET", SESSION)
    noted = next(iter(world.keys.sessions.values()))
    assert noted == replace(begun, used_at=begun.used_at + timedelta(minutes=10))


def test_a_token_that_is_gone_by_then_gives_no_session(world: World, ana: Person) -> None:
    by_token = world.services.entrance.by_token
    with pytest.raises(Unauthenticated):
        replace(by_token, keys=MemoryKeys())(ana.token, "192.0.2.1")
    assert world.keys.sessions == {}


def test_a_session_ends_with_its_account(world: World, ana: Person) -> None:
    browser, linked = at_browser(world, ana), Browser(world)
    linked.sign_in(link=world.services.entrance.make_link(ana.account.user_id))
    del world.keys.accounts[ana.account.user_id]
    assert browser("GET", SESSION).status == 401
    assert linked("GET", SESSION).status == 401


def test_roles_are_read_with_every_request(world: World, ana: Person) -> None:
    ben = world.person("Ben")
    team = world.team(ana, viewer=ben)
    browser = at_browser(world, ben)
    assert team in {each["id"] for each in browser("GET", "/api/v1/spaces").json["spaces"]}
    world.ok(ana, "DELETE", f"/api/v1/teams/{team}/members/{ben.account.user_id}")
    assert team not in {each["id"] for each in browser("GET", "/api/v1/spaces").json["spaces"]}


@pytest.mark.parametrize("token", ["nonsense", "acv_x", "a.b.c", "acv_" + "0" * 26 + "_" + "x" * 43])
def test_what_is_no_token_signs_nobody_in(world: World, token: str) -> None:
    answer = Browser(world)("POST", SESSION, {"token": token})
    assert (answer.status, answer.json["code"]) == (401, "unauthenticated")
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("body", [{}, {"token": "x", "link": "y"}, {"token": None}, {"token": ""}, {"link": 7}, []])
def test_exactly_one_thing_shows_who_somebody_is(world: World, body: object) -> None:
    answer = Browser(world)("POST", SESSION, body)
    assert (answer.status, answer.json["code"]) == (400, "invalid_request")


@pytest.mark.parametrize(
    "raw", ['{"link": "\\ud800"}', '{"token": "\\udfff"}', '{"link": "\u00f1"}', '{"link": "' + "x" * 3000 + '"}']
)
def test_what_no_secret_looks_like_is_not_looked_up(world: World, raw: str) -> None:
    assert world.web("POST", SESSION, raw=raw.encode()).status in {400, 401, 404}
    for value in ("\ud800", "ñ" * 43, "x" * 44, "x" * 42, "", "a b"):
        assert world.web("GET", SESSION, headers={"cookie": f"acervo_session={value}"}).status == 401


def test_another_site_signs_nobody_in(world: World, ana: Person) -> None:
    for headers in ({"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site", "origin": "https://x.example"}):
        answer = Browser(world)("POST", SESSION, {"token": ana.token}, **headers)
        assert (answer.status, answer.json["code"]) == (403, "foreign_origin")
    assert world.keys.sessions == {}


def test_programs_may_sign_in_too(world: World, ana: Person) -> None:
    assert world.web("POST", SESSION, {"token": ana.token}).status == 200


def test_a_link_signs_in_once_with_every_scope(world: World, ana: Person) -> None:
    secret = world.services.entrance.make_link(ana.account.user_id)
    browser = Browser(world)
    told = browser.sign_in(link=secret)
    assert (told["user_id"], len(told["scopes"])) == (ana.account.user_id, 8)
    provenance = browser("POST", "/v1/memories", {"content": "x"}).json["source"]
    assert (provenance["door"], provenance["token_name"]) == ("console", None)
    again = Browser(world)("POST", SESSION, {"link": secret})
    assert (again.status, again.json["code"]) == (404, "unknown_link")


def test_a_whole_link_may_be_pasted(world: World, ana: Person) -> None:
    secret = world.services.entrance.make_link(ana.account.user_id)
    assert Browser(world).sign_in(link=f" https://acervo.example/me#sign-in={secret} ")


def test_a_link_is_good_for_ten_minutes_or_as_long_as_was_said(world: World, ana: Person) -> None:
    short = world.services.entrance.make_link(ana.account.user_id)
    long = world.services.entrance.make_link(ana.account.user_id, life=timedelta(hours=24))
    world.clock.pass_(minutes=10)
    assert Browser(world)("POST", SESSION, {"link": short}).status == 404
    assert Browser(world).sign_in(link=long)
    assert Browser(world)("POST", SESSION, {"link": "nonsense"}).status == 404
    with pytest.raises(UnknownUser):
        world.services.entrance.make_link("user_nobody")


def test_two_who_use_a_link_at_once_get_one_session(world: World, ana: Person) -> None:
    secret = world.services.entrance.make_link(ana.account.user_id)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: world.services.entrance.by_link, range(8)))
        tried = list(pool.map(lambda use: _worked(use, secret), found))
    assert sum(tried) == 1
    assert len(world.keys.sessions) == 1


def _worked(use: object, secret: str) -> bool:
    try:
        use(secret, "192.0.2.1")  # type: ignore[operator]
    except Exception:  # noqa: BLE001 - whatever it is, nobody was signed in
        return False
    return True


def test_neither_secret_is_kept_as_it_is_nor_is_an_address(world: World, ana: Person, browser: Browser) -> None:
    secret = world.services.entrance.make_link(ana.account.user_id)
    kept = f"{world.keys.sessions} {world.keys.links} {world.keys.hits}"
    for each in (secret, browser.cookie, browser.csrf, ana.token, "127.0.0.1"):
        assert each not in kept


def test_an_address_may_try_twenty_times_in_ten_minutes_whatever_comes_of_it(world: World, ana: Person) -> None:
    bodies = [{"token": ana.token}, {"token": "acv_nonsense"}, {"link": "nonsense"}, {"link": "x"}]
    tried = [Browser(world)("POST", SESSION, bodies[n % 4]).status for n in range(20)]
    assert tried == [200, 401, 404, 404] * 5
    limited = Browser(world)("POST", SESSION, {"token": ana.token})
    assert (limited.status, limited.json["code"]) == (429, "rate_limited")
    assert 0 < int(limited.headers["Retry-After"]) <= 600
    world.clock.pass_(minutes=10)
    assert Browser(world)("POST", SESSION, {"token": ana.token}).status == 200


def test_of_several_cookies_exactly_one_has_to_be_a_session(world: World, ana: Person, browser: Browser) -> None:
    stale = f"acervo_session={'x' * 43}"
    own = f"acervo_session={browser.cookie}"
    for header in (f"{stale}; {own}", f'a="b; {own}', f"{own}; {own}", f'acervo_session="{browser.cookie}"'):
        assert browser("GET", SESSION, cookie=header).status == 200, header
    eve = at_browser(world, world.person("Eve"))
    assert browser("GET", SESSION, cookie=f"{own}; acervo_session={eve.cookie}").status == 401
    assert browser("GET", SESSION, cookie=f"Acervo_Session={browser.cookie}").status == 401
    flood = "; ".join(f"acervo_session={n:043d}" for n in range(900, 1900))
    assert browser("GET", SESSION, cookie=f"{flood}; {own}").status == 401


_OCTETS = st.text("abcXYZ019-_.~!#$%&'()*+/:<=>?@[]^`{|}", max_size=20)
_NAMES = st.text("abcXYZ019-_", min_size=1, max_size=10)


@given(st.lists(st.tuples(_NAMES, _OCTETS, st.booleans())), st.sampled_from(["; ", ";", " ;  "]))
def test_cookies_are_read_as_the_standard_writes_them(pairs: list[tuple[str, str, bool]], between: str) -> None:
    header = between.join(f'{name}="{value}"' if quoted else f"{name}={value}" for name, value, quoted in pairs)
    for name in {name for name, _, _ in pairs}:
        expected = list(dict.fromkeys(value for key, value, _ in pairs if key == name))
        assert list(cookies({"cookie": header}, name)) == expected


@given(st.text(max_size=200))
def test_whatever_stands_in_the_header_is_taken_apart(header: str) -> None:
    assert all(";" not in each for each in cookies({"cookie": header}, "acervo_session"))


def test_anybody_learns_where_things_are(world: World) -> None:
    told = Browser(world)("GET", "/api/v1/console").json
    base = f"https://{HOST}"
    assert told == {"oidc": False, "answers_url": None, "base_url": base, "mcp_url": f"{base}/mcp"}
    world.web.services = replace(world.services, public_url=f"{base}/x/", answers_url="https://answers.example")
    told = Browser(world)("GET", "/api/v1/console").json
    assert (told["base_url"], told["answers_url"]) == (f"{base}/x", "https://answers.example")
    assert Browser(world)("GET", "/api/v1/console?x=1").status == 400


def test_the_name_of_an_account_comes_as_it_is(world: World) -> None:
    eve = world.person("<img src=x onerror=alert(1)>")
    assert isinstance(eve.account, Account)
    answer = Browser(world)("POST", SESSION, {"token": eve.token})
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
