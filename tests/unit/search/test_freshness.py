"""A change takes effect in the very next search."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.domain.items import Item, ItemStatus
from chalicelib.search.ports import Candidate, Standing
from tests.fakes.search import MemoryIndex
from tests.freshness import Hands, work

pytestmark = pytest.mark.promise("S10")


@given(st.integers(min_value=0), st.integers(1, 60))
def test_no_sequence_of_changes_shows_a_stale_result_and_none_is_lost_in_the_end(seed: int, steps: int) -> None:
    hands, random = Hands(MemoryIndex(), items=5), Random(seed)
    for _ in range(steps):
        hands.step(random)
        hands.search(random)
    assert hands.stale == []
    hands.settle()
    assert hands.missing() == []


def test_concurrent_writers_and_searchers_never_see_a_stale_result() -> None:
    hands = Hands(MemoryIndex())
    assert work(hands, workers=8, steps=60) == []
    assert hands.stale == []
    assert hands.hits > 0
    hands.settle()
    assert hands.missing() == []


def test_the_check_sees_what_a_shelf_shows_that_believes_the_index() -> None:
    hands, random = Hands(MemoryIndex()), Random(3)
    hands.desk.retrieve = replace(hands.desk.retrieve, shelf=Gullible(hands))
    for _ in range(300):
        hands.step(random)
    assert hands.stale


@dataclass
class Gullible:
    """A shelf that takes the index's word for everything."""

    hands: Hands

    def standing(self, user_id: str, candidates: Collection[Candidate]) -> Standing:
        shelves = self.hands.desk.shelves
        known = [each for each in candidates if each.item_id in shelves.items_]
        return Standing(
            items={each.item_id: _as_offered(shelves.items_[each.item_id], each) for each in known},
            bases={base.id: base for base in self.hands.bases},
            roles={each.space_id: role for each in candidates for role in self.hands.desk.roles.values()},
        )

    def item(self, item_id: str) -> Item | None:
        return self.hands.desk.shelves.item(item_id)


def _as_offered(item: Item, candidate: Candidate) -> Item:
    return replace(item, status=ItemStatus.PUBLISHED, current_revision_id=candidate.revision_id)
