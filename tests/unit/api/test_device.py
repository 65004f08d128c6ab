"""Device login: from the terminal to the browser and back, and all that must not work."""

import html
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.access.device import canonical, shown
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


def _send(world: World, headers: dict[str, str] | None = None, **fields: str) -> Answered:
    return world.web("POST", PAGE, raw=urlencode(fields).encode(), headers={**FORM, **(headers or {})})


def _fields(page: Answered) -> dict[str, Any]:
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text)
    return {name: html.unescape(value) for name, value in found}


def _approve(world: World, person: Person, code: str, decision: str = "approve") -> Answered:
    review = _send(world, user_code=code, token=person.token)
    assert review.status == 200, review.text
    return _send(world, **_fields(review), decision=decision)


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
    assert "is let in" in _approve(world, ana, started["user_code"]).text
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
    assert _send(world, user_code=typed(started["user_code"]), token=ana.token).status == 200


@given(st.text(max_size=20))
def test_any_text_has_one_canonical_code(text: str) -> None:
    assert canonical(canonical(text)) == canonical(text)
    assert canonical(shown(canonical(text))) == canonical(text)


def test_a_denied_device_gets_nothing_and_is_told(world: World, ana: Person) -> None:
    started = _start(world)
    assert "is not let in" in _approve(world, ana, started["user_code"], "deny").text
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
    assert _send(world, user_code=started["user_code"], token=ana.token).status == 404


def test_an_unknown_device_code_is_expired(world: World) -> None:
    assert _poll(world, "nonsense").json["error"] == "expired_token"


def test_the_page_shows_what_is_asked_and_no_script_can_run_in_it(world: World, ana: Person) -> None:
    started = _start(world, client_id="evil.client")
    page = _send(world, user_code=started["user_code"], token=ana.token)
    for told in ("evil.client", "Ana", started["user_code"], "read your memory", "for 90 days", "Nobody has checked"):
        assert told in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script" not in policy
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert ana.token not in page.text
    assert "<script" not in page.text


def test_what_is_typed_or_linked_is_escaped(world: World) -> None:
    page = world.web("GET", f"{PAGE}?user_code=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
    assert page.status == 200
    assert "<script" not in page.text
    assert world.web("POST", f"{PAGE}/start", {"client_id": "<b>"}).status == 400


def test_a_name_of_an_account_is_escaped(world: World) -> None:
    eve = world.person("<img src=x onerror=alert(1)>")
    started = _start(world)
    page = _send(world, user_code=started["user_code"], token=eve.token)
    assert "<img" not in page.text


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "https://evil.example"}],
)
def test_forms_of_other_sites_are_refused(world: World, ana: Person, headers: dict[str, str]) -> None:
    started = _start(world)
    answer = _send(world, {"host": "acervo.example", **headers}, user_code=started["user_code"], token=ana.token)
    assert (answer.status, answer.json["code"]) == (403, "foreign_origin")


def test_a_decision_without_the_secret_of_the_page_decides_nothing(world: World, ana: Person) -> None:
    started = _start(world)
    bare = _send(world, user_code=started["user_code"], decision="approve")
    assert bare.status == 404
    review = _fields(_send(world, user_code=started["user_code"], token=ana.token))
    assert _send(world, **{**review, "secret": "x"}, decision="approve").status == 404
    assert _poll(world, started["device_code"]).json["error"] == "authorization_pending"
    assert "is let in" in _send(world, **review, decision="approve").text
    assert _send(world, **review, decision="deny").status == 404


def test_a_later_page_outdates_an_earlier_one(world: World, ana: Person) -> None:
    started = _start(world)
    first = _fields(_send(world, user_code=started["user_code"], token=ana.token))
    second = _fields(_send(world, user_code=started["user_code"], token=ana.token))
    assert _send(world, **first, decision="approve").status == 404
    assert _send(world, **second, decision="approve").status == 200


@pytest.mark.promise("A2")
def test_a_device_gets_no_more_than_who_lets_it_in_has(world: World, ana: Person) -> None:
    space = ana.account.personal_space_id
    body = {"name": "narrow", "scopes": ["tokens:admin", "memory:read"], "spaces": [space], "expires_in_days": 2}
    narrow = world.ok(ana, "POST", "/api/v1/tokens", body)["token"]
    started = _start(world, scopes=["memory:read", "memory:write", "tokens:admin", "knowledge:write"])
    review = _send(world, user_code=started["user_code"], token=narrow)
    _send(world, **_fields(review), decision="approve")
    token = _poll(world, started["device_code"]).json
    assert token["scopes"] == ["memory:read"]
    assert token["expires_in"] == 2 * 86_400
    listed = {each["name"]: each for each in world.ok(ana, "GET", "/api/v1/tokens")["tokens"]}
    assert listed["xmemo-skill (device login)"]["spaces"] == [space]


def test_nobody_is_let_in_by_a_token_that_may_not_make_tokens(world: World, ana: Person) -> None:
    weak = world.ok(ana, "POST", "/api/v1/tokens", {"name": "w", "scopes": ["memory:read"]})["token"]
    started = _start(world)
    answer = _send(world, user_code=started["user_code"], token=weak)
    assert (answer.status, "tokens:admin" in answer.text) == (403, True)
    assert _send(world, user_code=started["user_code"], token="").status == 401
    assert _send(world, user_code=started["user_code"], token="acv_nonsense").status == 401


def test_a_token_that_is_revoked_meanwhile_lets_nobody_in(world: World, ana: Person) -> None:
    made = world.ok(ana, "POST", "/api/v1/tokens", {"name": "w", "scopes": ["memory:read", "tokens:admin"]})
    first, second = _start(world), _start(world)
    reviews = [_fields(_send(world, user_code=each["user_code"], token=made["token"])) for each in (first, second)]
    _send(world, **reviews[0], decision="approve")
    world.ok(ana, "DELETE", f"/api/v1/tokens/{made['details']['id']}")
    assert _send(world, **reviews[1], decision="approve").status == 401
    assert _poll(world, first["device_code"]).json["error"] == "access_denied"


def test_a_login_that_could_get_nothing_is_denied(world: World, ana: Person) -> None:
    made = world.ok(ana, "POST", "/api/v1/tokens", {"name": "w", "scopes": ["tokens:admin"]})
    started = _start(world)
    review = _send(world, user_code=started["user_code"], token=made["token"])
    assert "would get nothing" in review.text
    assert "is not let in" in _send(world, **_fields(review), decision="approve").text


def test_codes_cannot_be_guessed_at_leisure(world: World, ana: Person) -> None:
    for _ in range(10):
        assert _send(world, user_code="BBBB-BBBB", token=ana.token).status == 404
    limited = _send(world, user_code="BBBB-BBBB", token=ana.token)
    assert (limited.status, int(limited.headers["Retry-After"]) <= 600) == (429, True)
    world.clock.pass_(minutes=10)
    assert _send(world, user_code="BBBB-BBBB", token=ana.token).status == 404


def test_one_address_cannot_start_logins_without_end(world: World) -> None:
    answers = [world.web("POST", f"{PAGE}/start", {"client_id": "x"}) for _ in range(31)]
    assert [each.status for each in answers] == [200] * 30 + [429]
    assert answers[-1].json["retry_after"] <= 600
    assert int(answers[-1].headers["Retry-After"]) <= 600


@pytest.mark.promise("H4")
def test_neither_code_is_kept_as_it_is_nor_is_an_address(world: World, ana: Person) -> None:
    started = _start(world)
    _send(world, user_code=started["user_code"], token=ana.token)
    kept = f"{world.keys.logins} {world.keys.hits}"
    assert started["device_code"] not in kept
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


def test_the_page_takes_forms_only(world: World) -> None:
    assert world.web("POST", PAGE, {"user_code": "x"}).status == 415
    assert world.web("POST", PAGE, raw=b"&".join([b"a=1"] * 50), headers=FORM).status == 400


def test_an_api_key_header_is_a_bearer_token(world: World, ana: Person) -> None:
    answer = world.web("GET", "/v1/auth/token/validate", headers={"x-api-key": ana.token})
    assert answer.json["user_id"] == ana.account.user_id
