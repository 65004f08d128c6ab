"""What every knowledge store does, on DynamoDB and in memory."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain import bases
from chalicelib.domain.bases import Base
from chalicelib.domain.errors import (
    ConcurrentChange,
    IdempotencyKeyReused,
    KnowledgeArchived,
    LocatorTaken,
    NotFound,
    StaleRevision,
    StoreBusy,
)
from chalicelib.domain.ids import Kind
from chalicelib.domain.items import Item, ItemStatus, PublicMark
from chalicelib.domain.lifecycle import Move, move
from chalicelib.domain.writes import KEPT
from tests.factories import a_base, a_document, a_purge, a_revision, an_item, new_id, once
from tests.fakes.machine import START
from tests.stores import Stores

pytestmark = pytest.mark.promise("K2")


def _stored(stores: Stores, **changes: object) -> tuple[Base, Item]:
    base = stores.knowledge.add_base(a_base(), None)
    item = an_item(base, **changes)
    return base, stores.knowledge.add_item(item, a_revision(item), None)


def _edited(item: Item) -> Item:
    return item.following(new_id(Kind.REVISION), START + timedelta(minutes=1))


def test_what_is_written_is_read_back_whole(stores: Stores) -> None:
    base, item = _stored(stores, public=PublicMark(((1, 1), (3, 4))), archived_from=ItemStatus.DRAFT)
    revision = replace(a_revision(item), id=new_id(Kind.REVISION), source_metadata={"lang": "es"})
    edited = replace(item, current_revision_id=revision.id, version=2)
    stores.knowledge.add_revision(item, edited, revision, None)
    assert stores.knowledge.base(base.id) == base
    assert stores.knowledge.item(item.id) == edited
    assert stores.knowledge.revision(item.id, revision.id) == revision


def test_what_is_not_there_is_none(stores: Stores) -> None:
    assert stores.knowledge.base(new_id(Kind.BASE)) is None
    assert stores.knowledge.item(new_id(Kind.ITEM)) is None
    assert stores.knowledge.revision(new_id(Kind.ITEM), new_id(Kind.REVISION)) is None
    assert stores.knowledge.item_at(new_id(Kind.BASE), "x") is None


def test_an_edit_moves_the_pointer_and_keeps_the_old_revision(stores: Stores) -> None:
    _, item = _stored(stores)
    after = _edited(item)
    stores.knowledge.add_revision(item, after, a_revision(after, "Two.\n"), None)
    assert stores.knowledge.item(item.id) == after
    first = stores.knowledge.revision(item.id, item.current_revision_id)
    assert first is not None
    assert first.inline == "Turn it off and on.\n"


def test_an_edit_on_another_revision_is_refused_with_both_sides_and_writes_nothing(stores: Stores) -> None:
    _, item = _stored(stores)
    winner, loser = _edited(item), _edited(item)
    stores.knowledge.add_revision(item, winner, a_revision(winner), None)
    with pytest.raises(StaleRevision) as refused:
        stores.knowledge.add_revision(item, loser, a_revision(loser), None)
    assert refused.value.facts() == {
        "expected": item.current_revision_id,
        "actual": winner.current_revision_id,
        "number": 2,
    }
    assert stores.knowledge.revision(item.id, loser.current_revision_id) is None
    assert stores.knowledge.item(item.id) == winner


def test_an_edit_that_raced_a_move_is_refused_and_writes_nothing(stores: Stores) -> None:
    _, item = _stored(stores)
    published = move(item, Move.PUBLISH, START)
    stores.knowledge.change_item(item, published, None)
    loser = _edited(item)
    with pytest.raises(ConcurrentChange):
        stores.knowledge.add_revision(item, loser, a_revision(loser), None)
    assert stores.knowledge.revision(item.id, loser.current_revision_id) is None


@pytest.mark.promise("K1")
def test_a_revision_is_never_written_over(stores: Stores) -> None:
    _, item = _stored(stores)
    again = replace(item, version=2)
    with pytest.raises(StoreBusy):
        stores.knowledge.add_revision(item, again, a_revision(item, "Other.\n"), None)
    kept = stores.knowledge.revision(item.id, item.current_revision_id)
    assert kept is not None
    assert kept.inline == "Turn it off and on.\n"


def test_a_locator_is_unique_in_its_base_and_free_again_after_a_change(stores: Stores) -> None:
    base, item = _stored(stores, locator="a")
    other = an_item(base, locator="a")
    with pytest.raises(LocatorTaken) as refused:
        stores.knowledge.add_item(other, a_revision(other), None)
    assert refused.value.knowledge_item_id == item.id
    assert stores.knowledge.item(other.id) is None
    renamed = item.renamed(None, "b", START)
    stores.knowledge.change_item(item, renamed, None)
    assert stores.knowledge.item_at(base.id, "a") is None
    assert stores.knowledge.item_at(base.id, "b") == renamed
    assert stores.knowledge.add_item(other, a_revision(other), None) == other


def test_two_bases_share_a_locator_without_trouble(stores: Stores) -> None:
    _, item = _stored(stores, locator="same")
    _, other = _stored(stores, locator="same")
    assert item.id != other.id


@pytest.mark.promise("K15")
def test_an_archived_base_takes_no_writes_of_its_items(stores: Stores) -> None:
    base, item = _stored(stores)
    stores.knowledge.change_base(base, bases.archive(base, START), None)
    after, other = _edited(item), an_item(base)
    with pytest.raises(KnowledgeArchived):
        stores.knowledge.add_revision(item, after, a_revision(after), None)
    with pytest.raises(KnowledgeArchived):
        stores.knowledge.change_item(item, move(item, Move.PUBLISH, START), None)
    with pytest.raises(KnowledgeArchived):
        stores.knowledge.add_item(other, a_revision(other), None)
    assert stores.knowledge.item(item.id) == item


def test_a_base_that_changed_meanwhile_is_not_replaced(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    archived = bases.archive(base, START)
    stores.knowledge.change_base(base, archived, None)
    with pytest.raises(ConcurrentChange) as refused:
        stores.knowledge.change_base(base, replace(base, name="Other", version=2), None)
    assert (refused.value.expected, refused.value.actual) == (1, 2)
    ghost = a_base()
    with pytest.raises(NotFound):
        stores.knowledge.change_base(ghost, bases.archive(ghost, START), None)


@pytest.mark.promise("K11")
def test_lists_are_paged_newest_first_and_stable_under_inserts(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    items = []
    for _ in range(7):
        item = an_item(base)
        items.append(stores.knowledge.add_item(item, a_revision(item), None))
    first = stores.knowledge.items(base.id, None, 3)
    late = an_item(base)
    stores.knowledge.add_item(late, a_revision(late), None)
    second = stores.knowledge.items(base.id, first.after, 3)
    third = stores.knowledge.items(base.id, second.after, 3)
    assert [*first.entries, *second.entries, *third.entries] == items[::-1]
    assert third.after is None


def test_bases_of_a_space_are_listed(stores: Stores) -> None:
    space = new_id(Kind.SPACE)
    made = [stores.knowledge.add_base(a_base(space), None) for _ in range(3)]
    stores.knowledge.add_base(a_base(), None)
    page = stores.knowledge.bases(space, None, 2)
    rest = stores.knowledge.bases(space, page.after, 2)
    assert [*page.entries, *rest.entries] == made[::-1]


@pytest.mark.promise("K3")
def test_revisions_are_listed_newest_first_without_their_content(stores: Stores) -> None:
    _, item = _stored(stores)
    for _ in range(4):
        after = _edited(item)
        item = stores.knowledge.add_revision(item, after, a_revision(after), None)
    first = stores.knowledge.revisions(item.id, None, 3)
    second = stores.knowledge.revisions(item.id, first.after, 3)
    assert [each.number for each in (*first.entries, *second.entries)] == [5, 4, 3, 2, 1]
    assert all(each.inline is None for each in first.entries)
    assert second.after is None


@pytest.mark.promise("K7")
def test_the_same_key_does_a_write_once_and_answers_the_same(stores: Stores) -> None:
    base, again = a_base(), a_base()
    assert stores.knowledge.add_base(base, once()) == base
    assert stores.knowledge.add_base(again, once()) == base
    assert stores.knowledge.replayed_base(once()) == base
    assert stores.knowledge.base(again.id) is None


@pytest.mark.promise("K7")
def test_a_repeat_answers_the_state_of_then(stores: Stores) -> None:
    _, item = _stored(stores)
    published = stores.knowledge.change_item(item, move(item, Move.PUBLISH, START), once())
    archived = stores.knowledge.change_item(published, move(published, Move.ARCHIVE, START), None)
    assert archived.archived_from is ItemStatus.PUBLISHED
    assert stores.knowledge.replayed_item(once()) == published
    assert stores.knowledge.change_item(item, published, once()) == published
    assert stores.knowledge.item(item.id) == archived


@pytest.mark.promise("K7")
def test_a_key_with_another_request_is_refused(stores: Stores) -> None:
    stores.knowledge.add_base(a_base(), once())
    with pytest.raises(IdempotencyKeyReused):
        stores.knowledge.add_base(a_base(), once(asked="something else"))


@pytest.mark.promise("K7")
def test_a_key_is_free_again_after_a_day(stores: Stores) -> None:
    stores.knowledge.add_base(a_base(), once())
    later, second = once(asked="something else", later=KEPT), a_base()
    assert stores.knowledge.replayed_base(later) is None
    assert stores.knowledge.add_base(second, later) == second


@pytest.mark.promise("K7")
def test_a_repeat_of_what_was_deleted_since_finds_nothing(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), once("base"))
    item = an_item(base)
    stores.knowledge.add_item(item, a_revision(item), once("item"))
    stores.graves.bury_item(item, a_purge(base, item), None)
    stores.graves.bury_base(base, a_purge(base), None)
    with pytest.raises(NotFound):
        stores.knowledge.replayed_item(once("item"))
    with pytest.raises(NotFound):
        stores.knowledge.replayed_base(once("base"))


@pytest.mark.promise("K7")
def test_a_write_that_changed_nothing_is_remembered_as_well(stores: Stores) -> None:
    _, item = _stored(stores)
    assert stores.knowledge.settle(item, once()) == item
    assert stores.knowledge.settle(item, once()) == item
    assert stores.knowledge.settle(item, None) == item
    assert stores.knowledge.replayed_item(once()) == item
    with pytest.raises(IdempotencyKeyReused):
        stores.knowledge.change_item(item, move(item, Move.PUBLISH, START), once(asked="something else"))


@pytest.mark.promise("K11")
def test_records_are_read_by_their_ids_in_one_batch(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    first, second = an_item(base, locator="a"), an_item(base, locator="b")
    for each in (first, second):
        stores.knowledge.add_item(each, a_revision(each), None)
    document = stores.documents.add(a_document(base), None)
    asked = [first.id, second.id, first.id, new_id(Kind.ITEM)]
    assert sorted(stores.knowledge.named_items(asked), key=lambda each: each.id) == [first, second]
    assert stores.knowledge.named_bases([base.id, new_id(Kind.BASE)]) == (base,)
    assert stores.documents.named_documents([document.id, new_id(Kind.DOCUMENT)]) == (document,)
    assert stores.knowledge.named_items([]) == ()
