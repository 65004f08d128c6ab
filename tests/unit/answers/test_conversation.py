"""Conversations: whose they are, that they end, and that nothing is lost silently (rules N7, N8)."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from chalicelib.answers.asking import Asked
from chalicelib.answers.conversation import KEPT, MOST, MOST_BYTES, Conversations
from chalicelib.answers.ports import Conversation, Exchange
from chalicelib.domain.errors import ConcurrentChange, NotFound, StoreBusy, TurnUnderway
from tests.factories import a_page
from tests.fakes.machine import START, CountingIds, StillClock
from tests.fakes.pages import MemoryConversations

pytestmark = [pytest.mark.promise("N7"), pytest.mark.promise("N8")]

PAGE = a_page()
SAID = Exchange("¿Hay piscina?", "Sí, una.", ("text",), ("img_1",), "es")


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def talks(clock: StillClock) -> Conversations:
    return Conversations(MemoryConversations(), CountingIds(), clock)


def asked(conversation_id: str | None = None, **changes: Any) -> Asked:
    first = Asked(PAGE, "session", "¿Y parking?", conversation_id, False, START + timedelta(seconds=45), lambda: False)  # noqa: FBT003
    return replace(first, **changes)


def opened(talks: Conversations, exchange: Exchange = SAID) -> Conversation:
    return talks.keep(talks.begin(asked()), exchange)


def test_what_was_said_is_there_in_the_next_turn(talks: Conversations) -> None:
    first = talks.begin(asked())
    assert (first.exchanges, first.page_id, first.session_id) == ((), PAGE.id, "session")
    kept = talks.keep(first, SAID)
    second = talks.begin(asked(kept.id))
    assert second.exchanges == (SAID,)
    talks.keep(second, replace(SAID, question="¿Y parking?"))
    assert [each.question for each in talks.begin(asked(kept.id)).exchanges] == ["¿Hay piscina?", "¿Y parking?"]


@pytest.mark.parametrize(
    "other",
    [
        asked(session_id="another"),
        asked(session_id=""),
        asked(page=a_page()),
        asked("conv_unknown"),
        asked("item_01jdyn5n000000000000000001"),
        asked(""),
    ],
)
def test_a_conversation_of_another_session_or_page_does_not_exist(talks: Conversations, other: Asked) -> None:
    kept = opened(talks)
    with pytest.raises(NotFound):
        talks.begin(replace(other, conversation_id=kept.id if other.conversation_id is None else other.conversation_id))


def test_it_expires_a_day_after_what_was_said_last_although_the_row_is_there(
    talks: Conversations, clock: StillClock
) -> None:
    kept = opened(talks)
    clock.pass_(hours=23)
    kept = talks.keep(talks.begin(asked(kept.id, deadline=clock.now())), SAID)
    assert kept.expires_at == clock.now() + KEPT
    clock.pass_(hours=23, minutes=59)
    held = talks.begin(asked(kept.id, deadline=clock.now()))
    talks.release(held)
    clock.pass_(minutes=1)
    with pytest.raises(NotFound):
        talks.begin(asked(kept.id))
    assert talks.store.conversation(kept.id) is not None


def test_to_regenerate_replaces_the_last_exchange_once_there_is_another(talks: Conversations) -> None:
    kept = opened(talks)
    again = talks.begin(asked(kept.id, regenerate=True))
    assert again.exchanges == ()
    stored = talks.store.conversation(kept.id)
    assert stored is not None
    assert stored.exchanges == (SAID,), "until then the old one stays"
    better = replace(SAID, spoken="Sí, dos.")
    talks.keep(again, better)
    assert talks.begin(asked(kept.id)).exchanges == (better,)


def test_a_regeneration_that_fails_loses_nothing(talks: Conversations) -> None:
    kept = opened(talks)
    talks.release(talks.begin(asked(kept.id, regenerate=True)))
    assert talks.begin(asked(kept.id)).exchanges == (SAID,)


def test_of_two_turns_at_once_one_is_told_to_wait(talks: Conversations, clock: StillClock) -> None:
    kept = opened(talks)
    first = talks.begin(asked(kept.id))
    with pytest.raises(TurnUnderway):
        talks.begin(asked(kept.id))
    talks.keep(first, SAID)
    second = talks.begin(asked(kept.id))
    clock.pass_(seconds=51)
    third = talks.begin(asked(kept.id, deadline=clock.now() + timedelta(seconds=45)))
    with pytest.raises(ConcurrentChange):
        talks.keep(second, SAID)
    assert len(talks.keep(third, SAID).exchanges) == 3


def test_of_64_turns_at_once_one_is_let_in(talks: Conversations) -> None:
    kept = opened(talks)
    barrier = threading.Barrier(64)

    def one(_: int) -> bool:
        barrier.wait()
        try:
            talks.begin(asked(kept.id))
        except TurnUnderway:
            return False
        return True

    with ThreadPoolExecutor(64) as pool:
        assert list(pool.map(one, range(64))).count(True) == 1


def test_a_turn_that_lost_the_race_for_the_hold_is_told_to_wait(talks: Conversations) -> None:
    kept = opened(talks)

    class Slow(MemoryConversations):
        """Another turn holds it between the look and the hold."""

        def hold(self, conversation: Conversation, until: datetime) -> Conversation:
            raise ConcurrentChange(expected=1, actual=2)

    slow = Slow()
    slow.conversations[kept.id] = kept
    with pytest.raises(TurnUnderway):
        replace(talks, store=slow).begin(asked(kept.id))


def test_it_is_bounded_in_exchanges_and_in_size(talks: Conversations) -> None:
    kept = opened(talks)
    for number in range(MOST + 5):
        kept = talks.keep(talks.begin(asked(kept.id)), replace(SAID, question=f"{number}"))
    assert len(kept.exchanges) == MOST
    assert kept.exchanges[-1].question == f"{MOST + 4}"
    long = Exchange("字" * 10_000, "\ud800" + "字" * 10_000, ("text",) * 1000, ("img",) * 1000, "zh")
    for _ in range(20):
        kept = talks.keep(talks.begin(asked(kept.id)), long)
    assert sum(len(f"{each}".encode()) for each in kept.exchanges) < MOST_BYTES * 1.2
    assert len(kept.exchanges) < 10
    kept.exchanges[-1].spoken.encode()


def test_to_release_never_fails(talks: Conversations) -> None:
    class Down(MemoryConversations):
        def release(self, conversation: Conversation) -> None:
            raise StoreBusy

    talks.release(talks.begin(asked()))
    talks.release(replace(talks.begin(asked()), version=4))
    replace(talks, store=Down()).release(replace(talks.begin(asked()), version=4))
