"""What every store of conversations does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.answers.ports import Conversation, Exchange
from chalicelib.domain.errors import ConcurrentChange, NotFound
from tests.contract.conftest import Gates
from tests.fakes.machine import START

pytestmark = pytest.mark.promise("N7")

SAID = Exchange("¿Hay piscina?", "Sí, una.", ("text", "image"), ("img_1",), "es")
NEW = Conversation("conv_1", "page_1", "session", (SAID,), 0, START + timedelta(hours=24))


def test_a_conversation_comes_back_as_it_was_kept(gates: Gates) -> None:
    kept = gates.conversations.keep(NEW, NEW)
    assert kept == replace(NEW, version=1)
    assert gates.conversations.conversation("conv_1") == kept
    assert gates.conversations.conversation("conv_2") is None
    more = replace(kept, exchanges=(SAID, SAID), expires_at=START + timedelta(hours=30))
    assert gates.conversations.keep(kept, more) == replace(more, version=2)
    assert gates.conversations.conversation("conv_1") == replace(more, version=2)


def test_of_two_that_write_one_wins(gates: Gates) -> None:
    kept = gates.conversations.keep(NEW, NEW)
    with pytest.raises(ConcurrentChange):
        gates.conversations.keep(NEW, NEW)
    held = gates.conversations.hold(kept, START + timedelta(seconds=50))
    assert (held.version, held.held_until) == (2, START + timedelta(seconds=50))
    assert gates.conversations.conversation("conv_1") == held
    for late in (gates.conversations.release, lambda each: gates.conversations.keep(each, each)):
        with pytest.raises(ConcurrentChange):
            late(kept)
    with pytest.raises(ConcurrentChange):
        gates.conversations.hold(kept, START)


def test_a_hold_is_released_without_touching_what_was_said(gates: Gates) -> None:
    kept = gates.conversations.keep(NEW, NEW)
    held = gates.conversations.hold(kept, START + timedelta(seconds=50))
    gates.conversations.release(replace(held, exchanges=()))
    assert gates.conversations.conversation("conv_1") == replace(kept, version=3)
    with pytest.raises(NotFound):
        gates.conversations.hold(replace(kept, id="conv_2"), START)
