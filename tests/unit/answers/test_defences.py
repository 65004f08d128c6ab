"""Who gets through to a public page, and who does not (rule N9)."""

from dataclasses import replace
from typing import Any

import pytest

from chalicelib.answers.defence_ports import Usage
from chalicelib.answers.defences import MAX_BODY, MAX_QUESTION, Visitor
from chalicelib.answers.ports import Spending
from chalicelib.domain.errors import (
    BodyTooLarge,
    CoolingDown,
    DailyLimitReached,
    DefencesUnavailable,
    KnownError,
    NotFound,
    OriginNotAllowed,
    QuestionMissing,
    QuestionTooLong,
    SessionRequired,
    StoreBusy,
    TooManyQuestions,
)
from chalicelib.domain.pages import PageLimits, PageStatus
from tests.factories import a_page
from tests.unit.answers.gatekeeping import NOON, OWN, VISITOR, Gatehouse, solved

pytestmark = pytest.mark.promise("N9")


@pytest.fixture
def gate() -> Gatehouse:
    return Gatehouse()


def test_a_visitor_of_the_site_with_a_session_gets_through(gate: Gatehouse) -> None:
    admitted = gate.admit(gate.page.id, gate.visitor(), "¿Hay piscina?", 100)
    assert admitted.page == gate.page
    assert len(admitted.session_id) == 43
    assert ("visitors_admitted", 1, {"what": "question"}) in gate.meter.counted


@pytest.mark.parametrize("origin", [None, "https://lola.example", "HTTPS://Lola.Example", OWN])
def test_the_pages_own_origins_and_programs_may_ask(gate: Gatehouse, origin: str | None) -> None:
    assert gate.ask(gate.visitor(origin=origin))
    assert gate.admit.origins(gate.page.id, replace(VISITOR, origin=origin)) == gate.page


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "https://evil.example",
        "http://lola.example",
        "https://lola.example.evil.example",
        "https://lola.example:8443",
        "https://sub.lola.example",
        "https://lola.example/",
        "lola.example",
        "*",
    ],
)
def test_other_origins_may_not_whatever_they_look_like(gate: Gatehouse, origin: str) -> None:
    with pytest.raises(OriginNotAllowed):
        gate.ask(gate.visitor(origin=origin))
    with pytest.raises(OriginNotAllowed):
        gate.admit.origins(gate.page.id, replace(VISITOR, origin=origin))
    with pytest.raises(OriginNotAllowed):
        gate.open_session.challenge(gate.page.id, replace(VISITOR, origin=origin))
    with pytest.raises(OriginNotAllowed):
        gate.open_session(gate.page.id, replace(VISITOR, origin=origin), "")
    assert not gate.defences.tokens, "nothing was counted for it"


def test_a_page_that_is_paused_or_unknown_does_not_exist(gate: Gatehouse) -> None:
    gate.pages.pages_[gate.page.id] = replace(gate.page, status=PageStatus.PAUSED)
    for page_id in (gate.page.id, "page_none"):
        with pytest.raises(NotFound):
            gate.admit(page_id, gate.visitor(), "¿Hay piscina?", 100)


@pytest.mark.parametrize(
    ("question", "size", "refusal"),
    [
        ("a" * (MAX_QUESTION + 1), 2000, QuestionTooLong),
        ("Hola", MAX_BODY + 1, BodyTooLarge),
        ("", 10, QuestionMissing),
        (" \n\t", 10, QuestionMissing),
        ("?!…\u200b\u202e", 10, QuestionMissing),
    ],
)
def test_what_is_too_long_or_empty_is_refused(
    gate: Gatehouse, question: str, size: int, refusal: type[KnownError]
) -> None:
    with pytest.raises(refusal):
        gate.ask(gate.visitor(), question, size)
    assert not gate.defences.tokens, "before anything is counted"


@pytest.mark.parametrize("question", ["ñ" * MAX_QUESTION, "宿", "7", "👩\u200d💻 ok"])
def test_what_fits_is_taken_in_any_script(gate: Gatehouse, question: str) -> None:
    assert gate.ask(gate.visitor(), question, MAX_BODY)


def test_an_address_has_a_bucket_whatever_session_it_shows(gate: Gatehouse) -> None:
    for _ in range(gate.page.limits.burst):
        gate.ask(gate.visitor())
    with pytest.raises(TooManyQuestions) as refusal:
        gate.ask(gate.visitor())
    interval = 60 / gate.page.limits.turns_per_minute
    assert refusal.value.retry_after == interval
    assert gate.ask(gate.visitor(peer="203.0.113.8"))
    gate.clock.pass_(seconds=interval)
    assert gate.ask(gate.visitor())


def test_the_bucket_is_asked_before_the_session_so_that_tokens_cannot_be_guessed(gate: Gatehouse) -> None:
    for _ in range(gate.page.limits.burst):
        with pytest.raises(SessionRequired):
            gate.ask(replace(VISITOR, session="acs_x"))
    with pytest.raises(TooManyQuestions):
        gate.ask(replace(VISITOR, session="acs_x"))


def test_pages_do_not_share_buckets(gate: Gatehouse) -> None:
    other = gate.pages.add_page(a_page(), None)
    for _ in range(gate.page.limits.burst):
        gate.ask(gate.visitor())
    token, _ = gate.tokens.new(other.id)
    assert gate.admit(other.id, replace(VISITOR, session=token), "Hola", 10).page == other


def test_forwarded_addresses_are_believed_only_behind_a_proxy() -> None:
    open_gate, behind = Gatehouse(), Gatehouse(proxies=1)
    for number in range(20):
        visitor = open_gate.visitor(forwarded=f"198.51.100.{number}")
        if number < open_gate.page.limits.burst:
            open_gate.ask(visitor)
        else:
            with pytest.raises(TooManyQuestions):
                open_gate.ask(visitor)
        behind.ask(behind.visitor(forwarded=f"10.0.0.{number}, 198.51.100.{number}"))
    for number in range(20):
        visitor = behind.visitor(forwarded=f"10.9.9.{number}, 192.0.2.1")
        if number < behind.page.limits.burst:
            behind.ask(visitor)
        else:
            with pytest.raises(TooManyQuestions):
                behind.ask(visitor)


def test_a_session_cools_down(gate: Gatehouse) -> None:
    visitor = gate.visitor()
    gate.ask(visitor)
    with pytest.raises(CoolingDown) as refusal:
        gate.ask(visitor)
    assert refusal.value.retry_after == 2
    assert gate.ask(gate.visitor()), "another session does not wait for it"
    gate.clock.pass_(seconds=2)
    assert gate.ask(visitor)


def test_a_page_may_do_without_a_cool_down(gate: Gatehouse) -> None:
    gate.pages.pages_[gate.page.id] = replace(gate.page, limits=PageLimits(cooldown_s=0))
    visitor = gate.visitor()
    assert gate.ask(visitor) == gate.ask(visitor)


class Broken:
    """A store that fails, in some way or other."""

    def __init__(self, fault: Exception) -> None:
        self.fault = fault

    def __getattr__(self, name: str) -> Any:
        def call(*_: object) -> None:
            raise self.fault

        return call


@pytest.mark.parametrize("fault", [StoreBusy(), RuntimeError("AccessDenied"), NotFound()])
@pytest.mark.parametrize("what", ["pages", "buckets", "keys", "session keys", "replays"])
def test_a_store_that_fails_closes_the_page(gate: Gatehouse, what: str, fault: Exception) -> None:
    visitor = gate.visitor()
    threshold, broken = gate.admit.threshold, Broken(fault)
    tokens = gate.tokens
    if what == "session keys":
        tokens = replace(tokens, keys=broken)
    pseudonyms = replace(threshold.pseudonyms, keys=broken) if what == "keys" else threshold.pseudonyms
    threshold = replace(threshold, pseudonyms=pseudonyms)
    if what in {"pages", "buckets"}:
        threshold = replace(threshold, **{what: broken})  # type: ignore[arg-type]
    if what == "replays":
        opened = replace(gate.open_session, replays=broken)
        proof = solved(opened.challenge(gate.page.id, VISITOR))
        with pytest.raises(DefencesUnavailable):
            opened(gate.page.id, VISITOR, proof)
        return
    with pytest.raises(DefencesUnavailable):
        replace(gate.admit, threshold=threshold, tokens=tokens)(gate.page.id, visitor, "Hola", 10)
    assert gate.refusals() == [("question", "defences_unavailable")]


def test_every_refusal_is_counted_under_its_own_code(gate: Gatehouse) -> None:
    refused: list[tuple[Visitor, str, int]] = [
        (gate.visitor(origin="null"), "Hola", 10),
        (gate.visitor(), "Hola", MAX_BODY + 1),
        (gate.visitor(), "a" * 1001, 10),
        (gate.visitor(), "", 10),
        (gate.visitor(session=None), "Hola", 10),
    ]
    codes = []
    for visitor, question, size in refused:
        with pytest.raises(KnownError) as refusal:
            gate.ask(visitor, question, size)
        codes.append(refusal.value.code)
    assert [code for _, code in gate.refusals()] == codes
    assert len(set(codes)) == len(codes)


def test_the_fuse_lets_exactly_the_allowance_through(gate: Gatehouse) -> None:
    for _ in range(10):
        gate.spend()
        gate.spend.spent(gate.page.id, Spending())
    with pytest.raises(DailyLimitReached) as refusal:
        gate.spend()
    assert refusal.value.retry_after == 12 * 3600
    assert gate.refusals() == [("turn", "daily_limit_reached")]
    assert gate.fuses.page_days(gate.page.id, [NOON.date()])[NOON.date()] == Usage(10, 0)
    gate.clock.pass_(hours=12)
    gate.spend()


def test_tokens_blow_the_fuse_for_the_next_turn(gate: Gatehouse) -> None:
    gate.spend()
    gate.spend.spent(gate.page.id, Spending(900, 99))
    gate.spend()
    gate.spend.spent(gate.page.id, Spending(0, 1))
    with pytest.raises(DailyLimitReached):
        gate.spend()
    assert gate.fuses.page_days(gate.page.id, [NOON.date()])[NOON.date()] == Usage(2, 1000)


def test_a_fuse_that_cannot_be_counted_is_closed_and_one_that_cannot_be_told_tokens_says_so(gate: Gatehouse) -> None:
    spend = replace(gate.spend, fuses=Broken(StoreBusy()))
    with pytest.raises(DefencesUnavailable):
        spend()
    spend.spent(gate.page.id, Spending(5, 5))
    assert ("tokens_uncounted", 10, {}) in gate.meter.counted
