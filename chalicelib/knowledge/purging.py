"""Deletion for good: asking for it, and the worker that does it (rule K16)."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from chalicelib.domain.bases import Base
from chalicelib.domain.errors import ConcurrentChange, ConfirmationMismatch, NotFound
from chalicelib.domain.ids import Ids, Kind, is_id
from chalicelib.domain.items import Item
from chalicelib.domain.purges import Counts, Purge, PurgeStatus
from chalicelib.domain.spaces import Action, Principal, demand
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once
from chalicelib.knowledge.content import folder, folders, maps_folder
from chalicelib.knowledge.ports import Blobs, KnowledgeStore, PurgeStore, Traces
from chalicelib.knowledge.visibility import base_for, demand_active, item_for

STUCK = timedelta(minutes=2)
"""A running purge without progress for this long has lost its worker."""

SETTLING = timedelta(minutes=15)
"""No writer lives longer than a Lambda may, so after this long a second pass finds whatever one left."""


@dataclass(frozen=True, slots=True)
class DeleteBase:
    """Delete a base and everything in it, for good."""

    store: KnowledgeStore
    graves: PurgeStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, base_id: str, confirm: str, once: Once | None) -> Purge:
        """The purge under way; from now on the base does not exist for anyone.

        Raises NotFound, NotAllowed, ConfirmationMismatch, ConcurrentChange, IdempotencyKeyReused.
        """
        if once and (seen := self.graves.replayed_purge(once)):
            demand(principal, Action.DELETE_ITEMS, seen.space_id)
            return seen
        base = base_for(self.store, principal, base_id, Action.ADMIN_BASES)
        if confirm != base.name:
            raise ConfirmationMismatch(field="name")
        purge = _purge(self.ids.new(Kind.PURGE), base, None, principal, self.clock)
        return self.graves.bury_base(base, purge, once)


@dataclass(frozen=True, slots=True)
class DeleteItem:
    """Delete an item with all its revisions, for good."""

    store: KnowledgeStore
    graves: PurgeStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, item_id: str, confirm: str, once: Once | None) -> Purge:
        """The purge under way; from now on the item does not exist for anyone.

        Raises NotFound, NotAllowed, KnowledgeArchived, ConfirmationMismatch, ConcurrentChange, IdempotencyKeyReused.
        """
        if once and (seen := self.graves.replayed_purge(once)):
            demand(principal, Action.DELETE_ITEMS, seen.space_id)
            return seen
        item, base = item_for(self.store, principal, item_id, Action.DELETE_ITEMS)
        demand_active(base)
        if confirm != item.title:
            raise ConfirmationMismatch(field="title")
        purge = _purge(self.ids.new(Kind.PURGE), base, item, principal, self.clock)
        return self.graves.bury_item(item, purge, once)


def _purge(purge_id: str, base: Base, item: Item | None, principal: Principal, clock: Clock) -> Purge:
    now = clock.now()
    return Purge(
        id=purge_id,
        space_id=base.space_id,
        base_id=base.id,
        item_id=item.id if item else None,
        status=PurgeStatus.RUNNING,
        version=1,
        requested_by=principal.user_id,
        requested_at=now,
        progressed_at=now,
    )


@dataclass(frozen=True, slots=True)
class ReadPurge:
    """Read how far a deletion is, and its receipt."""

    graves: PurgeStore

    def __call__(self, principal: Principal, purge_id: str) -> Purge:
        """The purge. Raises NotFound, NotAllowed."""
        purge = self.graves.purge(purge_id)
        if purge is None:
            raise NotFound
        demand(principal, Action.DELETE_ITEMS, purge.space_id)
        return purge


TOGETHER = 25
"""Items that are counted, and then removed, in one step."""


@dataclass(frozen=True, slots=True)
class RunPurge:
    """The worker: removes what a purge names, some items at a time, and can be killed anywhere.

    Items are counted, the counts are written down, and only then are the items removed, their places in the list of
    their base last. So a worker that takes over finds an item either not counted and whole, or counted and partly
    gone, which it goes on removing without counting again. Two workers at once do no harm: removing twice is
    removing, and of two checkpoints on the same version one fails.
    """

    graves: PurgeStore
    blobs: Blobs
    traces: Traces
    clock: Clock
    together: int = TOGETHER

    def __call__(self, purge_id: str, has_time: Callable[[], bool]) -> Purge:
        """The purge as far as it came before `has_time` said no, which is one step at least.

        Raises:
            NotFound: there is no such purge.
            ConcurrentChange: another worker is on it.
        """
        purge = self.graves.purge(purge_id)
        if purge is None:
            raise NotFound
        if purge.status is PurgeStatus.DONE:
            return self._settle(purge, purge.finished_at or purge.requested_at)
        self._remove(purge, purge.counting)
        while purge.status is PurgeStatus.RUNNING:
            purge = self._step(purge)
            if not has_time():
                break
        return purge

    def _step(self, purge: Purge) -> Purge:
        ids = self._next(purge) or self._strays(purge)
        if not ids:
            self._remove_rest(purge)
            return self.graves.advance(purge, purge.moved(PurgeStatus.DONE, self.clock.now()))
        item_ids, document_ids = self._of_both_kinds(ids)
        files = {found for each in document_ids if (found := self.graves.document_object(each))}
        counts = Counts(
            items=len(item_ids),
            revisions=sum(map(self.graves.count_revisions, item_ids)),
            objects=sum(self.blobs.count(folder(purge.base_id, each)) for each in item_ids)
            + sum(self.blobs.count_object(*each) for each in files),
            passages=self.traces.count(item_ids) if item_ids else 0,
            documents=len(document_ids),
        )
        purge = self.graves.advance(purge, purge.checkpoint(ids, counts, self.clock.now()))
        self._remove(purge, ids)
        return purge

    def _strays(self, purge: Purge) -> tuple[str, ...]:
        """Documents of a base that became no item."""
        return self.graves.document_ids(purge.base_id, self.together) if purge.item_id is None else ()

    def _of_both_kinds(self, ids: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The items among the ids; and the documents, those of the items too."""
        item_ids = tuple(each for each in ids if is_id(each, Kind.ITEM))
        of_items = {found for each in item_ids for found in self.graves.document_ids(each, None)}
        return item_ids, tuple(sorted(of_items | {each for each in ids if each not in item_ids}))

    def _next(self, purge: Purge) -> tuple[str, ...]:
        if purge.item_id is not None:
            return () if purge.counting else (purge.item_id,)
        return self.graves.item_ids(purge.base_id, self.together)

    def _remove(self, purge: Purge, ids: tuple[str, ...]) -> None:
        item_ids, document_ids = self._of_both_kinds(ids)
        for each in document_ids:
            if found := self.graves.document_object(each):
                self.blobs.erase_object(*found)
            self.graves.erase_document(purge.base_id, each)
        for each in item_ids:
            self.graves.erase_revisions(each)
            self.blobs.erase(folder(purge.base_id, each))
        # Records before index documents: an indexer that is at work on an item reads its record again after
        # writing, finds it gone, and takes its documents out by itself. The items stay in the list of their base
        # until the index has forgotten them, since that list is what a worker that takes over goes by.
        for each in item_ids:
            self.graves.erase_item(each)
        if item_ids:
            self.traces.erase(item_ids)
        for each in item_ids:
            self.graves.unlist_item(purge.base_id, each)

    def _remove_rest(self, purge: Purge) -> None:
        self.blobs.erase(maps_folder(purge.base_id))
        if purge.item_id is not None:
            self.blobs.erase(folder(purge.base_id, purge.item_id))
            return
        for each in folders(purge.base_id):
            self.blobs.erase(each)
        self.graves.erase_base(purge.base_id)

    def _settle(self, purge: Purge, finished_at: datetime) -> Purge:
        """Once more over the objects: a writer under way at the time may have put one after we looked."""
        if self.clock.now() - finished_at < SETTLING:
            return purge
        self._remove_rest(purge)
        if purge.item_id is not None:
            self.traces.erase([purge.item_id])
        return self.graves.advance(purge, purge.moved(PurgeStatus.SETTLED, self.clock.now()))


@dataclass(frozen=True, slots=True)
class SweepPurges:
    """Wake purges that got stuck, and finished ones that are due for their second pass."""

    graves: PurgeStore
    clock: Clock

    def __call__(self) -> tuple[Purge, ...]:
        """The purges that were woken: written once more, of which the worker is told."""
        now = self.clock.now()
        woken = []
        for purge in self.graves.unsettled():
            patience = STUCK if purge.status is PurgeStatus.RUNNING else SETTLING
            if now - purge.progressed_at < patience:
                continue
            with suppress(ConcurrentChange):  # Then someone is at work on it, which is what we wanted.
                woken.append(self.graves.advance(purge, purge.touched(now)))
        return tuple(woken)


@dataclass(frozen=True, slots=True)
class SweepObjects:
    """Remove objects whose revision never came: its writer was refused, came second, or died in between."""

    store: KnowledgeStore
    graves: PurgeStore
    blobs: Blobs
    clock: Clock

    def __call__(self) -> int:
        """How many objects were removed."""
        removed = 0
        for intent in self.graves.intents(self.clock.now() - SETTLING):
            # The note goes first: a writer that is still alive then finds it missing, and is refused.
            self.graves.drop_intent(intent)
            if self.store.revision(intent.item_id, intent.revision_id) is None:
                removed += self.blobs.count(intent.key)
                self.blobs.erase(intent.key)
        return removed
