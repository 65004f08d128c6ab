"""What every purge store and every store of content does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.errors import ConcurrentChange, NotFound, StoreBusy
from chalicelib.domain.purges import Counts, PurgeStatus
from chalicelib.domain.revisions import Intent
from tests.factories import a_base, a_purge, a_revision, an_item, once
from tests.fakes.machine import START
from tests.stores import Stores

pytestmark = pytest.mark.promise("K16")


def test_a_buried_base_is_gone_at_once_and_its_items_are_left_for_the_worker(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    item = an_item(base)
    stores.knowledge.add_item(item, a_revision(item), None)
    purge = stores.graves.bury_base(base, a_purge(base), None)
    assert stores.knowledge.base(base.id) is None
    assert stores.knowledge.bases(base.space_id, None, 10).entries == ()
    assert stores.graves.purge(purge.id) == purge
    assert stores.graves.item_ids(base.id, 10) == (item.id,)
    with pytest.raises(NotFound):
        stores.graves.bury_base(base, a_purge(base), None)


def test_nobody_writes_into_a_buried_base(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    item = an_item(base)
    stores.graves.bury_base(base, a_purge(base), None)
    with pytest.raises(NotFound):
        stores.knowledge.add_item(item, a_revision(item), None)


def test_a_buried_item_is_gone_at_once_and_its_locator_free(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    item = an_item(base, locator="here")
    stores.knowledge.add_item(item, a_revision(item), None)
    stores.graves.bury_item(item, a_purge(base, item), None)
    assert stores.knowledge.item(item.id) is None
    assert stores.knowledge.items(base.id, None, 10).entries == ()
    other = an_item(base, locator="here")
    assert stores.knowledge.add_item(other, a_revision(other), None) == other


def test_burying_what_changed_meanwhile_is_refused(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    item = an_item(base)
    stores.knowledge.add_item(item, a_revision(item), None)
    renamed = stores.knowledge.change_item(item, item.renamed("Other", None, START), None)
    with pytest.raises(ConcurrentChange):
        stores.graves.bury_item(item, a_purge(base, item), None)
    assert stores.knowledge.item(item.id) == renamed


@pytest.mark.promise("K7")
def test_a_repeated_deletion_answers_the_same_purge(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    purge = stores.graves.bury_base(base, a_purge(base), once())
    assert stores.graves.replayed_purge(once()) == purge
    assert stores.graves.bury_base(base, a_purge(base), once()) == purge


def test_of_two_checkpoints_on_the_same_version_one_fails(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    purge = stores.graves.bury_base(base, a_purge(base), None)
    next_ = stores.graves.advance(purge, purge.checkpoint(("item_x",), Counts(1, 2, 3, 4), START))
    assert stores.graves.purge(purge.id) == next_
    with pytest.raises(ConcurrentChange):
        stores.graves.advance(purge, purge.checkpoint(("item_y",), Counts(1, 2, 3, 4), START))


def test_unsettled_purges_are_found_until_they_are_settled(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    purge = stores.graves.bury_base(base, a_purge(base), None)
    done = stores.graves.advance(purge, purge.moved(PurgeStatus.DONE, START))
    assert stores.graves.unsettled() == (done,)
    stores.graves.advance(done, done.moved(PurgeStatus.SETTLED, START))
    assert stores.graves.unsettled() == ()


def test_revisions_are_counted_and_erased(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    item, other = an_item(base), an_item(base)
    for each in (item, other):
        stores.knowledge.add_item(each, a_revision(each), None)
    assert stores.graves.count_revisions(item.id) == 1
    stores.graves.erase_revisions(item.id)
    stores.graves.erase_item(item.id)
    assert set(stores.graves.item_ids(base.id, 10)) == {item.id, other.id}
    stores.graves.unlist_item(base.id, item.id)
    assert stores.graves.count_revisions(item.id) == 0
    assert stores.graves.item_ids(base.id, 10) == (other.id,)
    assert stores.graves.count_revisions(other.id) == 1
    stores.graves.erase_base(base.id)
    assert stores.knowledge.base(base.id) is None


@pytest.mark.promise("K8")
def test_content_is_kept_counted_and_erased_by_prefix_in_all_versions(stores: Stores) -> None:
    stores.blobs.put("content/a/1", b"one")
    stores.blobs.put("content/a/2", "dos año".encode())
    stores.blobs.put("content/b/1", b"other")
    assert stores.blobs.get("content/a/2") == "dos año".encode()
    assert stores.blobs.count("content/a/") == 2
    stores.blobs.erase("content/a/")
    assert stores.blobs.count("content/a/") == 0
    assert stores.blobs.get("content/b/1") == b"other"
    with pytest.raises(NotFound):
        stores.blobs.get("content/a/1")


@pytest.mark.promise("K8")
def test_a_note_of_an_object_goes_with_the_revision_that_refers_to_it_and_is_needed_for_it(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    item, other = an_item(base), an_item(base)
    intents = [Intent(f"content/{each.id}", each.id, each.current_revision_id, START) for each in (item, other)]
    for each in intents:
        stores.knowledge.intend(each)
    assert set(stores.graves.intents(START + timedelta(seconds=1))) == set(intents)
    assert stores.graves.intents(START) == ()
    stores.knowledge.add_item(item, replace(a_revision(item), inline=None, blob=intents[0].key), None)
    assert stores.graves.intents(START + timedelta(seconds=1)) == (intents[1],)
    stores.graves.drop_intent(intents[1])
    with pytest.raises(StoreBusy):
        stores.knowledge.add_item(other, replace(a_revision(other), inline=None, blob=intents[1].key), None)
    assert stores.knowledge.item(other.id) is None
