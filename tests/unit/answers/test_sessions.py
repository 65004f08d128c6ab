"""Sessions of visitors, and what a browser does to get one (rules N7, N9)."""

import base64
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.adapters.no_check import NoCheck
from chalicelib.domain.errors import ProofRejected, SessionRequired, TooManyQuestions
from tests.factories import a_page
from tests.fakes.machine import StillClock
from tests.unit.answers.gatekeeping import NOON, VISITOR, Gatehouse, solved

pytestmark = [pytest.mark.promise("N9"), pytest.mark.promise("N7")]


@pytest.fixture
def gate() -> Gatehouse:
    return Gatehouse()


def test_a_solved_challenge_opens_a_session_that_asks(gate: Gatehouse) -> None:
    challenge = gate.open_session.challenge(gate.page.id, VISITOR)
    assert challenge.kind == "altcha"
    session = gate.open_session(gate.page.id, VISITOR, solved(challenge))
    assert session.expires_at == NOON + timedelta(hours=24)
    assert gate.ask(replace(VISITOR, session=session.token))


def test_a_solution_is_good_once(gate: Gatehouse) -> None:
    proof = solved(gate.open_session.challenge(gate.page.id, VISITOR))
    gate.open_session(gate.page.id, VISITOR, proof)
    with pytest.raises(ProofRejected):
        gate.open_session(gate.page.id, VISITOR, proof)
    reworded = base64.b64encode(json.dumps(json.loads(base64.b64decode(proof)), indent=1).encode()).decode()
    with pytest.raises(ProofRejected):
        gate.open_session(gate.page.id, VISITOR, reworded)


def test_a_solution_of_another_page_is_none(gate: Gatehouse) -> None:
    other = gate.pages.add_page(a_page(), None)
    proof = solved(gate.open_session.challenge(other.id, VISITOR))
    with pytest.raises(ProofRejected):
        gate.open_session(gate.page.id, VISITOR, proof)


def test_a_challenge_expires(gate: Gatehouse) -> None:
    proof = solved(gate.open_session.challenge(gate.page.id, VISITOR))
    gate.clock.pass_(minutes=10)
    with pytest.raises(ProofRejected):
        gate.open_session(gate.page.id, VISITOR, proof)


def test_a_challenge_of_before_midnight_is_met_after_it() -> None:
    gate = Gatehouse(clock=StillClock(NOON.replace(hour=23, minute=59)))
    proof = solved(gate.open_session.challenge(gate.page.id, VISITOR))
    gate.clock.pass_(minutes=5)
    assert gate.open_session(gate.page.id, VISITOR, proof).token


@pytest.mark.parametrize("field", ["algorithm", "cost", "keyPrefix", "salt", "nonce", "expiresAt", "data", "keyLength"])
def test_a_challenge_that_was_made_easier_is_none(gate: Gatehouse, field: str) -> None:
    easier = {
        "algorithm": "SHA-256",
        "cost": 0,
        "keyPrefix": "",
        "salt": "00",
        "nonce": "00",
        "expiresAt": 4_000_000_000,
        "data": {"page": "page_other"},
        "keyLength": 1,
    }
    challenge = gate.open_session.challenge(gate.page.id, VISITOR)
    facts = {**challenge.facts, "parameters": {**challenge.facts["parameters"], field: easier[field]}}
    try:
        proof = solved(replace(challenge, facts=facts))
    except ValueError:
        return
    with pytest.raises(ProofRejected):
        gate.open_session(gate.page.id, VISITOR, proof)


@given(
    st.one_of(
        st.text(max_size=200),
        st.binary(max_size=200).map(lambda each: base64.b64encode(each).decode()),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["challenge", "solution", "parameters", "signature"]), inner)
            ),
        ).map(lambda each: base64.b64encode(json.dumps(each).encode()).decode()),
    )
)
def test_no_rubbish_opens_a_session_or_breaks_anything(rubbish: str) -> None:
    gate = Gatehouse()
    with pytest.raises(ProofRejected):
        gate.open_session(gate.page.id, VISITOR, rubbish)


def test_opening_sessions_is_counted_for_the_address(gate: Gatehouse) -> None:
    for _ in range(gate.page.limits.burst):
        with pytest.raises(ProofRejected):
            gate.open_session(gate.page.id, VISITOR, "wrong")
    with pytest.raises(TooManyQuestions):
        gate.open_session(gate.page.id, VISITOR, "wrong")


def test_where_nothing_is_to_be_proven_anything_opens() -> None:
    gate = Gatehouse(check=NoCheck())
    challenge = gate.open_session.challenge(gate.page.id, VISITOR)
    assert (challenge.kind, challenge.facts) == ("none", {})
    assert gate.open_session(gate.page.id, VISITOR, "").token != gate.open_session(gate.page.id, VISITOR, "").token


def test_a_token_is_good_for_its_page_alone_and_for_a_day(gate: Gatehouse) -> None:
    token, until = gate.tokens.new(gate.page.id)
    session = gate.tokens.session(token, gate.page.id)
    assert session in token
    with pytest.raises(SessionRequired):
        gate.tokens.session(token, "page_other")
    gate.clock.moment = until - timedelta(milliseconds=1)
    assert gate.tokens.session(token, gate.page.id) == session, "although another key signs by now"
    gate.clock.moment = until
    with pytest.raises(SessionRequired):
        gate.tokens.session(token, gate.page.id)


def test_keys_change_daily_and_old_ones_are_let_go(gate: Gatehouse) -> None:
    days = []
    for _ in range(4):
        token, _ = gate.tokens.new(gate.page.id)
        days.append(token[4:14])
        gate.clock.pass_(days=1)
    assert len(set(days)) == 4
    assert len(gate.tokens._known) <= 2


def test_a_process_that_starts_later_believes_the_tokens_of_others(gate: Gatehouse) -> None:
    token, _ = gate.tokens.new(gate.page.id)
    gate.clock.pass_(hours=20)
    fresh = replace(gate.tokens)
    assert not fresh._known
    assert fresh.session(token, gate.page.id)


@given(st.integers(0, 130), st.characters() | st.just("") | st.sampled_from("0123456789abcdef.-_Z"))
def test_no_changed_token_is_believed(place: int, other: str) -> None:
    gate = Gatehouse()
    token, _ = gate.tokens.new(gate.page.id)
    changed = token[:place] + other + token[place + 1 :]
    if changed != token:
        with pytest.raises(SessionRequired):
            gate.tokens.session(changed, gate.page.id)


@given(st.text(max_size=300) | st.none())
def test_no_made_up_token_is_believed(token: str | None) -> None:
    gate = Gatehouse()
    gate.tokens.new(gate.page.id)
    with pytest.raises(SessionRequired):
        gate.tokens.session(token, gate.page.id)


def test_a_token_that_names_a_day_far_off_does_not_make_a_key(gate: Gatehouse) -> None:
    token, _ = gate.tokens.new(gate.page.id)
    before = dict(gate.defences.keys)
    for day in ("2099-11-28", "2100-01-01", "9999-99-99"):
        with pytest.raises(SessionRequired):
            gate.tokens.session(f"acs_{day}{token[14:]}", gate.page.id)
    assert gate.defences.keys == before
