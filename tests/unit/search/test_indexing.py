"""Keeping the index in step with the table."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from chalicelib.domain.errors import NotFound, SearchUnavailable
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.lifecycle import Move
from chalicelib.search.indexing import Indexed
from chalicelib.search.ports import Card, Embedding, SearchState
from tests.factories import a_revision, an_item
from tests.fakes.search import MemoryIndex
from tests.unit.search.desk import Desk


class Interrupted(MemoryIndex):
    """An index during whose writing something else happens."""

    def __init__(self) -> None:
        super().__init__()
        self.before: Callable[[], None] = _nothing
        self.fault: Exception | None = None

    def put(self, card: Card, embeddings: Sequence[Embedding | None] = ()) -> bool:
        self.before()
        if self.fault:
            raise self.fault
        return super().put(card, embeddings)


def _nothing() -> None:
    pass


@pytest.fixture
def index() -> Interrupted:
    return Interrupted()


@pytest.fixture
def desk(index: Interrupted) -> Desk:
    return Desk(index)


def state(desk: Desk, item: Item) -> SearchState:
    return desk.shelves.states([item])[item.id]


def added(desk: Desk, **changes: object) -> Item:
    item = an_item(desk.base(), **changes)
    return desk.shelves.add_item(item, a_revision(item, "# Greek\n\nalpha\n"), None)


@pytest.mark.promise("S11")
def test_a_published_item_is_put_with_all_that_is_searched_and_marked(desk: Desk, index: Interrupted) -> None:
    item = added(desk, status=ItemStatus.PUBLISHED, version=3)
    assert state(desk, item) is SearchState.PENDING
    assert desk.index_item(item.id) is Indexed.PUT
    assert state(desk, item) is SearchState.INDEXED
    card = index.cards[item.id]
    assert isinstance(card, Card)
    assert replace(card, passages=()) == Card(
        item.id, item.base_id, item.space_id, item.current_revision_id, 3, item.title, item.locator, ()
    )
    assert [(each.heading_path, each.content) for each in card.passages] == [(("Greek",), "# Greek\n\nalpha")]


@pytest.mark.promise("S11")
def test_an_item_without_text_is_found_by_its_title(desk: Desk) -> None:
    item = desk.item(desk.base(), "\n", title="Tungsten")
    assert desk.found("tungsten") == [item.id]


@pytest.mark.promise("S11")
def test_indexing_again_changes_nothing(desk: Desk, index: Interrupted) -> None:
    item = desk.item(desk.base())
    before = dict(index.cards)
    assert desk.index_item(item.id) is Indexed.PUT
    assert index.cards == before


@pytest.mark.promise("S11")
@pytest.mark.parametrize("asked", [Move.WITHDRAW, Move.ARCHIVE])
def test_an_item_that_is_no_longer_published_is_withdrawn(desk: Desk, index: Interrupted, asked: Move) -> None:
    item = desk.item(desk.base())
    moved = desk.move(item, asked)
    assert desk.index_item(item.id) is Indexed.WITHDRAWN
    assert index.cards == {item.id: moved.version}


@pytest.mark.promise("S11")
def test_an_edit_is_indexed_by_its_new_text_only(desk: Desk) -> None:
    item = desk.item(desk.base())
    desk.edit(item, "beta")
    desk.index_item(item.id)
    assert (desk.found("alpha"), desk.found("beta")) == ([], [item.id])


@pytest.mark.promise("S10")
def test_a_worker_that_was_overtaken_neither_replaces_nor_marks(desk: Desk, index: Interrupted) -> None:
    item = added(desk, status=ItemStatus.PUBLISHED)

    def overtake() -> None:
        index.before = lambda: None
        desk.index_item(desk.move(item, Move.WITHDRAW).id)

    index.before = overtake
    assert desk.index_item(item.id) is Indexed.OUTRUN
    assert index.cards == {item.id: 2}
    assert state(desk, item) is SearchState.INDEXED


@pytest.mark.promise("S11")
@pytest.mark.parametrize("status", [ItemStatus.PUBLISHED, ItemStatus.DRAFT])
def test_where_the_index_is_ahead_of_a_table_that_was_set_back_the_table_counts(
    desk: Desk, index: Interrupted, status: ItemStatus
) -> None:
    item = added(desk, status=status)
    index.withdraw(item.id, 7)
    assert desk.index_item(item.id) is (Indexed.PUT if status is ItemStatus.PUBLISHED else Indexed.WITHDRAWN)
    assert state(desk, item) is SearchState.INDEXED
    assert desk.found("alpha") == ([item.id] if status is ItemStatus.PUBLISHED else [])


@pytest.mark.promise("K16")
def test_an_item_that_is_gone_is_erased(desk: Desk, index: Interrupted) -> None:
    item = desk.item(desk.base())
    desk.bury(item)
    assert desk.index_item(item.id) is Indexed.ERASED
    assert index.cards == {}
    assert desk.index_item("item_unknown") is Indexed.ERASED


@pytest.mark.promise("K16")
def test_an_item_that_is_deleted_while_it_is_indexed_leaves_nothing(desk: Desk, index: Interrupted) -> None:
    item = added(desk, status=ItemStatus.PUBLISHED)

    def purge() -> None:
        desk.bury(item)
        index.erase([item.id])

    index.before = purge
    assert desk.index_item(item.id) is Indexed.ERASED
    assert index.cards == {}
    assert desk.shelves.marks == {}


@pytest.mark.promise("K16")
def test_an_item_whose_text_is_deleted_while_it_is_read_is_no_failure(desk: Desk, index: Interrupted) -> None:
    item = added(desk, status=ItemStatus.PUBLISHED)

    def text(item_id: str, revision_id: str) -> str:
        desk.bury(item)
        raise NotFound

    desk.index_item = replace(desk.index_item, text=text)
    assert desk.index_item(item.id) is Indexed.ERASED
    assert index.cards == {}


@pytest.mark.promise("S11")
def test_a_failure_is_marked_and_raised_and_the_next_attempt_mends_it(desk: Desk, index: Interrupted) -> None:
    item = added(desk, status=ItemStatus.PUBLISHED)
    index.fault = SearchUnavailable()
    with pytest.raises(SearchUnavailable):
        desk.index_item(item.id)
    assert state(desk, item) is SearchState.FAILED
    index.fault = None
    desk.index_item(item.id)
    assert state(desk, item) is SearchState.INDEXED
