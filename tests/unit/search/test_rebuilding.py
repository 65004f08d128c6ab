"""Making the index anew, and mending it."""

from dataclasses import dataclass, field, replace

import pytest

from chalicelib.domain.errors import NotFound, SearchUnavailable
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.lifecycle import Move
from chalicelib.search.ports import EmbeddingModel, EmbeddingsUnavailable, Held
from chalicelib.search.rebuilding import Drift, Progress, Reconcile, Reindex
from chalicelib.search.request import Mode
from tests.factories import a_revision, an_item
from tests.fakes.machine import StillClock
from tests.fakes.search import MemoryEmbedder, MemoryIndex
from tests.unit.search.desk import Desk

TEXT = "\n".join(f"## Part {number}\n\nalpha{number}\n" for number in range(3))


@dataclass
class Office:
    """A desk whose index can be made anew and mended, an hour after the last change."""

    embedder: MemoryEmbedder = field(default_factory=MemoryEmbedder)

    def __post_init__(self) -> None:
        self.clock = StillClock()
        self.index = MemoryIndex(self.embedder.model)
        self.desk = Desk(self.index, self.embedder)
        self.base = self.desk.base()
        self.clock.pass_(hours=1)
        self.rewire()

    def rewire(self) -> None:
        desk = self.desk
        self.reconcile = Reconcile(
            desk.shelves, self.index, desk.index_item, self.embedder, desk.later.append, self.clock
        )
        self.reindex = Reindex(desk.shelves, desk.text, self.index, desk.index_item, self.embedder, self.clock)

    def item(self, text: str = TEXT, *, embedded: bool = True) -> Item:
        item = self.desk.item(self.base, text)
        if embedded:
            self.desk.embed_item(item.id)
        return item


@pytest.fixture
def office() -> Office:
    return Office()


@pytest.mark.promise("S11")
def test_where_nothing_drifted_nothing_is_found_or_done(office: Office) -> None:
    office.item()
    office.desk.move(withdrawn := office.item(), Move.WITHDRAW)
    office.desk.index_item(withdrawn.id)
    asked = list(office.desk.later)
    assert office.reconcile() == Drift(compared=2)
    assert office.desk.later == asked


@pytest.mark.promise("S11")
def test_every_kind_of_drift_is_found_and_mended(office: Office) -> None:
    desk = office.desk
    missing, outdated, shown, leftover, unembedded = (office.item() for _ in range(5))
    office.index.erase([missing.id])
    desk.edit(outdated, "beta")
    desk.move(shown, Move.WITHDRAW)
    desk.bury(leftover)
    office.index.vectors[unembedded.id].popitem()
    ahead = office.item()
    office.index.cards[ahead.id] = replace(office.index.cards[ahead.id], version=9)  # type: ignore[type-var]
    desk.later.clear()

    seen = office.reconcile(repair=False)
    assert seen.counts == {"missing": 1, "outdated": 2, "shown": 1, "leftover": 1, "unembedded": 1}
    assert (seen.missing, seen.shown, seen.leftover) == ([missing.id], [shown.id], [leftover.id])
    assert set(seen.outdated) == {outdated.id, ahead.id}
    assert desk.later == []

    assert office.reconcile() == seen
    assert unembedded.id in desk.later
    for item_id in desk.later:
        desk.embed_item(item_id)
    assert office.reconcile(repair=False) == Drift(compared=5)
    assert desk.found("beta") == [outdated.id]


@pytest.mark.promise("S11")
def test_what_changed_a_moment_ago_is_not_called_drift(office: Office) -> None:
    office.clock.moment = office.item().updated_at
    office.index.cards.clear()
    assert office.reconcile() == Drift(compared=0)


@pytest.mark.promise("S11")
def test_reconciling_stops_when_its_time_is_over_and_says_so(office: Office) -> None:
    office.item()
    office.index.cards.clear()
    drift = office.reconcile(lambda: False)
    assert (drift.finished, drift.compared) == (False, 0)
    assert list(office.index.known()) == []


@pytest.mark.promise("S11")
def test_without_an_embedder_nothing_lacks_vectors() -> None:
    office = Office()
    office.embedder.model = None
    office.item(embedded=False)
    assert office.reconcile() == Drift(compared=1)
    assert office.reindex() == Progress(items=1, passages=3, embedded=0)
    assert office.desk.found("alpha1")


@pytest.mark.promise("S11")
def test_a_new_index_has_what_is_published_with_the_vectors_there_were(office: Office) -> None:
    item = office.item()
    office.desk.move(withdrawn := office.item(), Move.WITHDRAW)
    office.index.cards["item_leftover"] = 3
    office.embedder.embedded.clear()
    told: list[int] = []
    assert office.reindex(lambda progress: told.append(progress.items)) == Progress(items=1, passages=3, embedded=0)
    assert office.embedder.embedded == []
    assert sorted(told) == [told[0], 1] or told == [1, 1]
    assert office.index.held([item.id, withdrawn.id, "item_leftover"]) == {
        item.id: Held(item.version, 3, 3),
        withdrawn.id: Held(withdrawn.version + 1, 0, 0),
    }


@pytest.mark.promise("S4", "S11")
def test_a_new_index_for_another_model_has_its_vectors(office: Office) -> None:
    item = office.item()
    other = MemoryEmbedder(dimension=32)
    office.embedder, office.index.model = other, other.model
    office.desk.embedder = other
    office.rewire()
    assert office.reindex().embedded == 3
    assert office.index.held([item.id])[item.id].embedded == 3
    assert office.index.held_model == EmbeddingModel("memory", 32)


@pytest.mark.promise("S11")
def test_the_old_index_stays_until_the_new_one_is_whole(office: Office) -> None:
    item = office.item()
    office.embedder.failing = True
    office.index.vectors.clear()
    with pytest.raises(EmbeddingsUnavailable):
        office.reindex()
    assert office.desk.found("alpha1") == [item.id]


@pytest.mark.promise("S10", "S11")
def test_what_changes_while_a_new_index_is_made_is_in_it(office: Office) -> None:
    first, gone, edited = office.item(), office.item(), office.item("alpha")
    late: list[Item] = []

    def change(progress: Progress) -> None:
        if progress.items == 1 and not late:
            late.append(new := an_item(office.base, status=ItemStatus.PUBLISHED, updated_at=office.clock.now()))
            office.desk.shelves.add_item(new, a_revision(new, "alpha late"), None)
            office.desk.bury(gone)
            after = replace(office.desk.edit(edited, "beta"), updated_at=office.clock.now())
            office.desk.shelves.items_[after.id] = after

    office.reindex(change)
    assert office.desk.found("late") == [late[0].id]
    assert office.desk.found("beta") == [edited.id]
    found = office.desk.found("alpha1", mode=Mode.LEXICAL)
    assert found[0] == first.id
    assert gone.id not in found


@pytest.mark.promise("S11")
def test_an_old_index_that_cannot_be_read_is_made_anew_all_the_same(office: Office) -> None:
    item = office.item()

    def unreadable(item_id: str) -> dict[str, list[float]]:
        raise SearchUnavailable

    office.index.embeddings = unreadable  # type: ignore[method-assign]
    assert Reindex(
        office.desk.shelves,
        office.desk.text,
        office.index,
        replace(office.desk.index_item, index=MemoryIndex(office.embedder.model)),
        office.embedder,
        office.clock,
    )() == Progress(items=1, passages=3, embedded=3)
    assert office.index.held([item.id])[item.id].embedded == 3


@pytest.mark.promise("S11")
def test_a_text_that_goes_while_a_new_index_is_made_is_left_out(office: Office) -> None:
    office.item()

    def gone(item_id: str, revision_id: str) -> str:
        raise NotFound

    assert replace(office.reindex, text=gone)() == Progress()


@pytest.mark.promise("S4")
def test_it_says_why_an_index_has_to_be_made_anew(office: Office) -> None:
    office.item()
    assert office.reindex.reason() == ""
    office.index.model = EmbeddingModel("another", 64)
    assert office.reindex.reason()
