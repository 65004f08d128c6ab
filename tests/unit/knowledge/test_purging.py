"""Deletion for good, and a worker killed at every step of it."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from chalicelib.domain.bases import Base
from chalicelib.domain.documents import Target
from chalicelib.domain.errors import (
    ConcurrentChange,
    ConfirmationMismatch,
    KnowledgeArchived,
    LocatorTaken,
    NotAllowed,
    NotFound,
    StoreBusy,
)
from chalicelib.domain.items import Item
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.purges import Counts, Purge, PurgeStatus
from chalicelib.domain.revisions import Intent
from chalicelib.knowledge.content import INLINE_BYTES
from chalicelib.knowledge.drafts import CreateItem, NewItem
from chalicelib.knowledge.purging import (
    SETTLING,
    STUCK,
    DeleteBase,
    DeleteItem,
    ReadPurge,
    RunPurge,
    SweepObjects,
    SweepPurges,
)
from tests.factories import PROVENANCE, a_document, once
from tests.fakes.machine import START
from tests.fakes.mortal import Killed, Life, Mortal
from tests.fakes.shelves import MemoryBlobs, MemoryDocuments
from tests.unit.knowledge.conftest import Desk

pytestmark = pytest.mark.promise("K16")


class MemoryTraces:
    """The port `Traces`: passages by item id."""

    def __init__(self) -> None:
        self.passages: dict[str, int] = {}

    def count(self, item_ids: Collection[str]) -> int:
        return sum(self.passages.get(each, 0) for each in item_ids)

    def erase(self, item_ids: Collection[str]) -> int:
        return sum(self.passages.pop(each, 0) for each in item_ids)


def _forever() -> bool:
    return True


def _full(desk: Desk, traces: MemoryTraces) -> tuple[Base, list[Item]]:
    """A base with three items: five revisions, one of them big, and seven passages."""
    base = desk.base()
    items = [
        desk.published(base, "One.", "a"),
        desk.item(base, "b" * (INLINE_BYTES + 1), "b"),
        desk.move(desk.edit(desk.edit(desk.item(base, "c", "c"), "cc"), "ccc"), Move.PUBLISH),
    ]
    traces.passages = {items[0].id: 3, items[2].id: 4}
    documents = MemoryDocuments(desk.shelves)
    for number, item in enumerate([items[1], items[1], None]):
        key = f"inbox/{base.id}/{number % 2}.pdf"
        made = a_document(base, key=key, object_version=desk.blobs.drop(key, b"file"))
        documents.add(replace(made, target=Target(item.id, "rev_x", None)) if item else made, None)
    return base, items


def _worker(desk: Desk, traces: MemoryTraces) -> RunPurge:
    return RunPurge(desk.shelves, desk.blobs, traces, desk.clock, together=2)


def _delete_base(desk: Desk) -> DeleteBase:
    return DeleteBase(desk.shelves, desk.shelves, desk.ids, desk.clock)


def _delete_item(desk: Desk) -> DeleteItem:
    return DeleteItem(desk.shelves, desk.shelves, desk.ids, desk.clock)


def _nothing_left(desk: Desk, traces: MemoryTraces) -> bool:
    shelves = desk.shelves
    return not any(
        (
            shelves.bases_,
            shelves.items_,
            shelves.listed,
            shelves.revisions_,
            shelves.marks,
            shelves.documents_,
            shelves.filed,
            desk.blobs.objects,
            desk.blobs.files,
            traces.passages,
        )
    )


RECEIPT = Counts(items=3, revisions=5, objects=4, passages=7, documents=3)


def test_a_base_goes_with_everything_in_it_and_the_receipt_counts_it(desk: Desk) -> None:
    traces = MemoryTraces()
    base, items = _full(desk, traces)
    purge = _delete_base(desk)(desk.owner, base.id, "Runbooks", None)
    with pytest.raises(NotFound):
        desk.bases.read(desk.owner, base.id)
    with pytest.raises(NotFound):
        desk.read_item(desk.owner, items[0].id)
    done = _worker(desk, traces)(purge.id, _forever)
    assert (done.status, done.removed, done.finished_at) == (PurgeStatus.DONE, RECEIPT, START)
    assert _nothing_left(desk, traces)


def test_an_item_goes_alone(desk: Desk) -> None:
    traces = MemoryTraces()
    base, items = _full(desk, traces)
    purge = _delete_item(desk)(desk.admin, items[2].id, "Restarting", None)
    done = _worker(desk, traces)(purge.id, _forever)
    assert (done.status, done.removed) == (PurgeStatus.DONE, Counts(1, 3, 0, 4))
    assert set(desk.shelves.items_) == {items[0].id, items[1].id}
    assert desk.bases.read(desk.owner, base.id) == base


@pytest.mark.parametrize("whole", [True, False])
def test_a_worker_killed_at_every_step_is_taken_over_and_the_receipt_is_right(whole: bool) -> None:  # noqa: FBT001
    killed, life = 0, Life(0)
    for steps in range(200):
        desk, traces = Desk(), MemoryTraces()
        base, items = _full(desk, traces)
        if whole:
            purge = _delete_base(desk)(desk.owner, base.id, "Runbooks", None)
        else:
            purge = _delete_item(desk)(desk.owner, items[1].id, "Restarting", None)
        life = Life(steps)
        mortal: Any = RunPurge(
            Mortal(desk.shelves, life), Mortal(desk.blobs, life), Mortal(traces, life), desk.clock, together=2
        )
        try:
            mortal(purge.id, _forever)
        except Killed:
            killed += 1
        done = _worker(desk, traces)(purge.id, _forever)
        assert done.status is PurgeStatus.DONE
        assert done.removed == (RECEIPT if whole else Counts(1, 1, 3, 0, 2)), steps
        assert _nothing_left(desk, traces) == whole
        if life.left >= 0:
            break
    assert killed > 20
    assert life.left >= 0


def test_a_worker_out_of_time_takes_one_step_and_another_goes_on(desk: Desk) -> None:
    traces = MemoryTraces()
    base, _ = _full(desk, traces)
    purge = _delete_base(desk)(desk.owner, base.id, "Runbooks", None)
    rounds = 0
    while purge.status is PurgeStatus.RUNNING:
        purge = _worker(desk, traces)(purge.id, lambda: False)
        rounds += 1
    assert (rounds, purge.removed) == (4, RECEIPT)


def test_two_workers_at_once_do_no_harm(desk: Desk) -> None:
    traces = MemoryTraces()
    base, _ = _full(desk, traces)
    purge = _delete_base(desk)(desk.owner, base.id, "Runbooks", None)
    worker = _worker(desk, traces)

    class Interrupting(MemoryTraces):
        """Another worker finishes the purge while this one counts."""

        def count(self, item_ids: Collection[str]) -> int:
            worker(purge.id, _forever)
            return traces.count(item_ids)

    with pytest.raises(ConcurrentChange):
        RunPurge(desk.shelves, desk.blobs, Interrupting(), desk.clock)(purge.id, _forever)
    finished = desk.shelves.purge(purge.id)
    assert finished is not None
    assert finished.removed == RECEIPT
    assert _nothing_left(desk, traces)


def test_it_asks_for_the_name_and_for_the_role(desk: Desk) -> None:
    base = desk.base()
    item = desk.item(base)
    for name in ("", "runbooks", "Runbooks "):
        with pytest.raises(ConfirmationMismatch):
            _delete_base(desk)(desk.owner, base.id, name, None)
    with pytest.raises(ConfirmationMismatch):
        _delete_item(desk)(desk.owner, item.id, "Runbooks", None)
    with pytest.raises(NotAllowed):
        _delete_base(desk)(desk.member, base.id, "Runbooks", None)
    with pytest.raises(NotAllowed):
        _delete_item(desk)(desk.member, item.id, "Restarting", None)
    with pytest.raises(NotFound):
        _delete_item(desk)(desk.stranger, item.id, "Restarting", None)
    desk.bases.archive(desk.owner, base.id, None)
    with pytest.raises(KnowledgeArchived):
        _delete_item(desk)(desk.owner, item.id, "Restarting", None)
    assert desk.shelves.purges_ == {}


def test_the_index_is_asked_to_forget_many_items_at_once(desk: Desk) -> None:
    base = desk.base()
    for number in range(60):
        desk.item(base, locator=str(number))
    purge = _delete_base(desk)(desk.owner, base.id, "Runbooks", None)
    asked: list[int] = []

    class Counting(MemoryTraces):
        def erase(self, item_ids: Collection[str]) -> int:
            asked.append(len(item_ids))
            return super().erase(item_ids)

    done = RunPurge(desk.shelves, desk.blobs, Counting(), desk.clock)(purge.id, _forever)
    assert (done.removed.items, asked) == (60, [25, 25, 10])


@pytest.mark.promise("K11")
def test_a_repeat_answers_only_those_who_may_still_see_it(desk: Desk) -> None:
    base = desk.base()
    _delete_base(desk)(desk.admin, base.id, "Runbooks", once("base"))
    gone = replace(desk.admin, roles={})
    with pytest.raises(NotFound):
        _delete_base(desk)(gone, base.id, "Runbooks", once("base"))


@pytest.mark.promise("K7")
def test_a_deletion_sent_again_answers_the_same_purge(desk: Desk) -> None:
    base = desk.base()
    item = desk.item(base)
    first = _delete_item(desk)(desk.owner, item.id, "Restarting", once("item"))
    assert _delete_item(desk)(desk.owner, item.id, "Restarting", once("item")) == first
    purge = _delete_base(desk)(desk.owner, base.id, "Runbooks", once("base"))
    assert _delete_base(desk)(desk.owner, base.id, "Runbooks", once("base")) == purge


def test_the_receipt_is_for_owners_and_admins(desk: Desk) -> None:
    purge = _delete_base(desk)(desk.owner, desk.base().id, "Runbooks", None)
    read = ReadPurge(desk.shelves)
    assert read(desk.admin, purge.id) == purge
    with pytest.raises(NotAllowed):
        read(desk.member, purge.id)
    for who, purge_id in ((desk.stranger, purge.id), (desk.owner, "purge_none")):
        with pytest.raises(NotFound):
            read(who, purge_id)
    with pytest.raises(NotFound):
        _worker(desk, MemoryTraces())("purge_none", _forever)


def test_what_a_writer_left_behind_is_found_by_a_second_pass(desk: Desk) -> None:
    traces = MemoryTraces()
    base, items = _full(desk, traces)
    worker, sweep = _worker(desk, traces), SweepPurges(desk.shelves, desk.clock)
    purges = [
        _delete_item(desk)(desk.owner, items[1].id, "Restarting", None),
        _delete_base(desk)(desk.owner, base.id, "Runbooks", None),
    ]
    for each in purges:
        worker(each.id, _forever)
    late = f"content/{base.id}/{items[1].id}/late"
    desk.blobs.put(late, b"a writer was slow")
    assert sweep() == ()
    assert worker(purges[0].id, _forever).status is PurgeStatus.DONE
    assert late in desk.blobs.objects
    desk.clock.pass_(seconds=SETTLING.total_seconds())
    assert {each.id for each in sweep()} == {each.id for each in purges}
    assert [worker(each.id, _forever).status for each in purges] == [PurgeStatus.SETTLED] * 2
    assert _nothing_left(desk, traces)
    assert [worker(each.id, _forever).status for each in purges] == [PurgeStatus.SETTLED] * 2
    assert sweep() == ()


def test_a_purge_without_progress_is_woken(desk: Desk) -> None:
    purge = _delete_base(desk)(desk.owner, desk.base().id, "Runbooks", None)
    sweep = SweepPurges(desk.shelves, desk.clock)
    assert sweep() == ()
    desk.clock.pass_(seconds=STUCK.total_seconds())
    assert [each.id for each in sweep()] == [purge.id]
    assert sweep() == ()


def test_a_purge_that_someone_is_at_work_on_is_left_alone(desk: Desk) -> None:
    purge = _delete_base(desk)(desk.owner, desk.base().id, "Runbooks", None)
    desk.clock.pass_(seconds=STUCK.total_seconds())

    class Racing:
        """Another worker writes between the look and the waking."""

        def unsettled(self) -> tuple[Purge, ...]:
            return (purge,)

        def advance(self, before: Purge, after: Purge) -> Purge:
            raise ConcurrentChange(expected=before.version, actual=after.version)

    assert SweepPurges(Racing(), desk.clock)() == ()  # type: ignore[arg-type]


@pytest.mark.promise("K8")
def test_an_object_whose_revision_never_came_is_swept_and_one_that_is_used_stays(desk: Desk) -> None:
    base = desk.base()
    big = "b" * (INLINE_BYTES + 1)
    kept = desk.item(base, big, "kept")
    with pytest.raises(LocatorTaken):
        desk.item(base, big, "kept")
    assert len(desk.blobs.objects) == 2
    sweep = SweepObjects(desk.shelves, desk.shelves, desk.blobs, desk.clock)
    assert sweep() == 0
    desk.clock.pass_(seconds=SETTLING.total_seconds() + 1)
    assert sweep() == 1
    assert len(desk.blobs.objects) == 1
    assert desk.read_revision(desk.member, kept.id, kept.current_revision_id)[2] == big + "\n"
    assert sweep() == 0


@pytest.mark.promise("K8")
def test_a_writer_whose_object_may_have_been_swept_is_refused(desk: Desk) -> None:
    base = desk.base()

    class Sweeping(MemoryBlobs):
        """The sweep comes between the writing of an object and its transaction."""

        def put(self, key: str, content: bytes) -> None:
            super().put(key, content)
            desk.clock.pass_(seconds=SETTLING.total_seconds() + 1)
            SweepObjects(desk.shelves, desk.shelves, self, desk.clock)()

    blobs = Sweeping()
    create = CreateItem(desk.shelves, blobs, desk.ids, desk.clock)
    with pytest.raises(StoreBusy):
        create(desk.member, base.id, NewItem("T", "l", "b" * (INLINE_BYTES + 1)), PROVENANCE, None)
    assert (desk.shelves.items_, blobs.objects) == ({}, {})


def test_a_note_whose_revision_is_there_is_dropped_and_the_object_stays(desk: Desk) -> None:
    item = desk.item(desk.base(), "b" * (INLINE_BYTES + 1))
    (key,) = desk.blobs.objects
    desk.shelves.intend(Intent(key, item.id, item.current_revision_id, desk.clock.now()))
    desk.clock.pass_(seconds=SETTLING.total_seconds() + 1)
    assert SweepObjects(desk.shelves, desk.shelves, desk.blobs, desk.clock)() == 0
    assert (list(desk.blobs.objects), desk.shelves.intents_) == ([key], {})
