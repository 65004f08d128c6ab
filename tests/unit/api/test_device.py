"""Device login: from the terminal to the browser and back, and all that must not work."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.access.device import canonical, shown
from tests.unit.api.browser import HOST, Browser
from tests.unit.api.world import Person, World
from tests.web import Answered

pytestmark = pytest.mark.promise("A1", "A10")

PAGE = "/v1/auth/device"
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def ana(world: World) -> Person:
    return world.person("Ana")


def _start(world: World, **body: object) -> Any:
    asked = {"client_id": "xmemo-skill", "scopes": ["memory:read", "memory:write", "ledger:read"], **body}
    answer = world.web("POST", f"{PAGE}/start", asked)
    assert answer.status == 200, answer
    return answer.json


def _poll(world: World, code: str) -> Answered:
    grant = "urn:ietf:params:oauth:grant-type:device_code"
    return world.web("POST", f"{PAGE}/token", {"device_code": code, "grant_type": grant})


def _review(world: World, token: str, code: str) -> Answered:
    return world.web("POST", "/api/v1/device-logins/review", {"user_code": code}, token=token)


def _decide(world: World, token: str, review: Answered, decision: str = "approve", **other: str) -> Answered:
    body = {name: review.json[name] for name in ("user_code", "secret")}
    return world.web("POST", "/api/v1/device-logins/decide", {**body, "decision": decision, **other}, token=token)


def _approve(world: World, person: Person, code: str, decision: str = "approve") -> str:
    review = _review(world, person.token, code)
    assert review.status == 200, review.text
    decided = _decide(world, person.token, review, decision)
    assert decided.status == 200, decided.text
    return str(decided.json["status"])


def test_a_device_is_let_in(world: World, ana: Person) -> None:
    started = _start(world)
    assert set(started) >= {
        "device_code",
        "user_code",
        "verification_uri",
        "verification_uri_complete",
        "expires_in",
        "interval",
    }
    assert re.fullmatch(r"[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}", started["user_code"])
    assert started["verification_uri_complete"] == f"{started['verification_uri']}?user_code={started['user_code']}"
    pending = _poll(world, started["device_code"])
    assert (pending.status, pending.json["error"], pending.json["code"]) == (
        400,
        "authorization_pending",
        "authorization_pending",
    )
    assert _approve(world, ana, started["user_code"]) == "approved"
    world.clock.pass_(seconds=6)
    token = _poll(world, started["device_code"]).json
    assert token["token_type"] == "Bearer"
    assert token["scopes"] == ["memory:read", "memory:write"]
    validated = world.web("GET", "/v1/auth/token/validate", token=token["access_token"]).json
    assert (validated["user_id"], validated["scopes"]) == (ana.account.user_id, token["scopes"])
    assert validated["token_name"] == "xmemo-skill (device login)"
    assert _poll(world, started["device_code"]).json["error"] == "expired_token"


def test_a_token_revokes_itself(world: World, ana: Person) -> None:
    started = _start(world)
    _approve(world, ana, started["user_code"])
    token = _poll(world, started["device_code"]).json["access_token"]
    assert world.web("POST", "/v1/auth/token/revoke-self", {}, token=token).json == {"ok": True, "revoked": True}
    assert world.web("GET", "/v1/auth/token/validate", token=token).status == 401


@pytest.mark.parametrize(
    "typed", [str.lower, lambda each: each.replace("-", ""), lambda each: f" {each[:2]} {each[2:]} "]
)
def test_a_code_is_taken_as_people_type_it(world: World, ana: Person, typed: Any) -> None:
    started = _start(world)
    assert _review(world, ana.token, typed(started["user_code"])).status == 200


@given(st.text(max_size=20))
def test_any_text_has_one_canonical_code(text: str) -> None:
    assert canonical(canonical(text)) == canonical(text)
    assert canonical(shown(canonical(text))) == canonical(text)


def test_a_denied_device_gets_nothing_and_is_told(world: World, ana: Person) -> None:
    started = _start(world)
    assert _approve(world, ana, started["user_code"], "deny") == "denied"
    assert _poll(world, started["device_code"]).json["error"] == "access_denied"


def test_a_hasty_device_is_slowed_down_more_each_time(world: World) -> None:
    started = _start(world)
    assert _poll(world, started["device_code"]).json["error"] == "authorization_pending"
    for expected in (10, 15):
        slowed = _poll(world, started["device_code"]).json
        assert (slowed["error"], slowed["interval"]) == ("slow_down", expected)
    world.clock.pass_(seconds=16)
    assert _poll(world, started["device_code"]).json["error"] == "authorization_pending"


def test_a_code_is_good_for_ten_minutes(world: World, ana: Person) -> None:
    started = _start(world)
    world.clock.pass_(minutes=10)
    assert _poll(world, started["device_code"]).json["error"] == "expired_token"
    assert _review(world, ana.token, started["user_code"]).status == 404


def test_an_unknown_device_code_is_expired(world: World) -> None:
    assert _poll(world, "nonsense").json["error"] == "expired_token"


def test_a_review_tells_what_is_asked_and_by_whom(world: World, ana: Person) -> None:
    started = _start(world, client_id="evil.client")
    told = _review(world, ana.token, started["user_code"]).json
    assert told.pop("secret")
    assert told == {
        "user_code": started["user_code"],
        "client_id": "evil.client",
        "scopes": ["memory:read", "memory:write"],
        "requested_at": "2026-11-30T12:00:00Z",
        "expires_at": "2026-11-30T12:10:00Z",
        "name": "Ana",
        "token_days": 90,
    }
    assert world.web("POST", f"{PAGE}/start", {"client_id": "<b>"}).status == 400


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("?user_code=BCDF-GHJK", "#device=BCDF-GHJK"),
        ("?user_code=bcdfghjk", "#device=BCDF-GHJK"),
        ("", "#device"),
        ("?user_code=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "#device=SCRI-PTAL"),
        ("?user_code=%0d%0aSet-Cookie:%20x=y", "#device=SETC-OOKI"),
        ("?user_code=https://evil.example", "#device=HTTP-SEVI"),
    ],
)
def test_the_short_address_leads_to_the_console_and_nowhere_else(world: World, typed: str, place: str) -> None:
    answer = world.web("GET", f"{PAGE}{typed}", headers={"host": HOST})
    assert (answer.status, answer.headers["Location"]) == (302, f"https://{HOST}/me{place}")
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_old_form_is_gone(world: World, ana: Person) -> None:
    assert world.web("POST", PAGE, raw=b"user_code=x", headers=FORM).status == 405


def test_a_browser_that_came_by_a_link_lets_a_device_in(world: World, ana: Person) -> None:
    started = _start(world)
    browser = Browser(world)
    browser.sign_in(link=world.services.entrance.make_link(ana.account.user_id))
    review = browser("POST", "/api/v1/device-logins/review", {"user_code": started["user_code"]}).json
    body = {"user_code": started["user_code"], "secret": review["secret"], "decision": "approve"}
    assert browser("POST", "/api/v1/device-logins/decide", body, x_csrf_token="").status == 403
    assert browser("POST", "/api/v1/device-logins/decide", body).json == {"status": "approved"}
    token = _poll(world, started["device_code"]).json
    assert token["scopes"] == ["memory:read", "memory:write"]
    assert world.web("GET", "/v1/auth/token/validate", token=token["access_token"]).status == 200


def test_a_decision_without_the_secret_of_the_review_decides_nothing(world: World, ana: Person) -> None:
    started = _start(world)
    review = _review(world, ana.token, started["user_code"])
    assert _decide(world, ana.token, review, secret="x").status == 404
    assert _decide(world, world.person("Eve").token, review).status == 404
    assert _poll(world, started["device_code"]).json["error"] == "authorization_pending"
    # The device's question is a version of its own; the secret of the review stays good.
    assert _decide(world, ana.token, review).json == {"status": "approved"}
    assert _decide(world, ana.token, review, "deny").status == 404


def test_a_later_review_outdates_an_earlier_one(world: World, ana: Person) -> None:
    started = _start(world)
    first = _review(world, ana.token, started["user_code"])
    second = _review(world, ana.token, started["user_code"])
    assert _decide(world, ana.token, first).status == 404
    assert _decide(world, ana.token, second).status == 200


@pytest.mark.promise("A2")
def test_a_device_gets_no_more_than_who_lets_it_in_has(world: World, ana: Person) -> None:
    space = ana.account.personal_space_id
    body = {"name": "narrow", "scopes": ["tokens:admin", "memory:read"], "spaces": [space], "expires_in_days": 2}
    narrow = world.ok(ana, "POST", "/api/v1/tokens", body)["token"]
    started = _start(world, scopes=["memory:read", "memory:write", "tokens:admin", "knowledge:write"])
    _decide(world, narrow, _review(world, narrow, started["user_code"]))
    token = _poll(world, started["device_code"]).json
    assert token["scopes"] == ["memory:read"]
    assert token["expires_in"] == 2 * 86_400
    listed = {each["name"]: each for each in world.ok(ana, "GET", "/api/v1/tokens")["tokens"]}
    assert listed["xmemo-skill (device login)"]["spaces"] == [space]


def test_nobody_is_let_in_by_a_token_that_may_not_make_tokens(world: World, ana: Person) -> None:
    weak = world.ok(ana, "POST", "/api/v1/tokens", {"name": "w", "scopes": ["memory:read"]})["token"]
    started = _start(world)
    answer = _review(world, weak, started["user_code"])
    assert (answer.status, answer.json["required"]) == (403, ["tokens:admin"])
    assert _decide(world, weak, _review(world, ana.token, started["user_code"])).status == 403
    assert _review(world, "acv_nonsense", started["user_code"]).status == 401


def test_a_token_that_is_revoked_meanwhile_lets_nobody_in(world: World, ana: Person) -> None:
    made = world.ok(ana, "POST", "/api/v1/tokens", {"name": "w", "scopes": ["memory:read", "tokens:admin"]})
    first, second = _start(world), _start(world)
    reviews = [_review(world, made["token"], each["user_code"]) for each in (first, second)]
    _decide(world, made["token"], reviews[0])
    world.ok(ana, "DELETE", f"/api/v1/tokens/{made['details']['id']}")
    assert _decide(world, made["token"], reviews[1]).status == 401
    assert _decide(world, ana.token, reviews[1]).status == 401
    assert _poll(world, first["device_code"]).json["error"] == "access_denied"


def test_a_login_that_could_get_nothing_is_denied(world: World, ana: Person) -> None:
    made = world.ok(ana, "POST", "/api/v1/tokens", {"name": "w", "scopes": ["tokens:admin"]})
    started = _start(world)
    review = _review(world, made["token"], started["user_code"])
    assert review.json["scopes"] == []
    assert _decide(world, made["token"], review).json == {"status": "denied"}


def test_codes_cannot_be_guessed_at_leisure(world: World, ana: Person) -> None:
    for _ in range(10):
        assert _review(world, ana.token, "BBBB-BBBB").status == 404
    limited = _review(world, ana.token, "BBBB-BBBB")
    assert (limited.status, int(limited.headers["Retry-After"]) <= 600) == (429, True)
    world.clock.pass_(minutes=10)
    assert _review(world, ana.token, "BBBB-BBBB").status == 404


def test_one_address_cannot_start_logins_without_end(world: World) -> None:
    answers = [world.web("POST", f"{PAGE}/start", {"client_id": "x"}) for _ in range(31)]
    assert [each.status for each in answers] == [200] * 30 + [429]
    assert answers[-1].json["retry_after"] <= 600
    assert int(answers[-1].headers["Retry-After"]) <= 600


@pytest.mark.promise("H4")
def test_neither_code_is_kept_as_it_is_nor_is_an_address(world: World, ana: Person) -> None:
    started = _start(world)
    review = _review(world, ana.token, started["user_code"])
    kept = f"{world.keys.logins} {world.keys.hits}"
    assert started["device_code"] not in kept
    assert review.json["secret"] not in kept
    assert "127.0.0.1" not in kept
    assert ana.token not in kept


def test_a_form_will_do_where_the_standard_has_one(world: World) -> None:
    asked = urlencode({"client_id": "cli", "scope": "memory:read knowledge:read"}).encode()
    started = world.web("POST", f"{PAGE}/start", raw=asked, headers=FORM).json
    assert started["scopes"] == ["knowledge:read", "memory:read"]
    polled = world.web(
        "POST", f"{PAGE}/token", raw=urlencode({"device_code": started["device_code"]}).encode(), headers=FORM
    )
    assert polled.json["error"] == "authorization_pending"


def test_a_client_that_asks_for_nothing_gets_memory(world: World) -> None:
    assert _start(world, scopes=[])["scopes"] == ["memory:read", "memory:restore", "memory:write"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"client_id": 7}', b'{"client_id": "x", "scopes": "y"}', b"\xff"])
def test_what_cannot_be_started_is_refused(world: World, raw: bytes) -> None:
    assert world.web("POST", f"{PAGE}/start", raw=raw).status == 400


def test_a_form_without_end_is_no_form(world: World) -> None:
    assert world.web("POST", f"{PAGE}/start", raw=b"&".join([b"a=1"] * 50), headers=FORM).status == 400


def test_an_api_key_header_is_a_bearer_token(world: World, ana: Person) -> None:
    answer = world.web("GET", "/v1/auth/token/validate", headers={"x-api-key": ana.token})
    assert answer.json["user_id"] == ana.account.user_id
