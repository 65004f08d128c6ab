"""Deletion for good: the job that does it and the receipt it ends with (rule K16)."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Self


class PurgeStatus(StrEnum):
    """How far a purge is."""

    RUNNING = "running"
    DONE = "done"
    """Everything that was there is gone."""
    SETTLED = "settled"
    """A second pass found nothing that a writer under way at the time might have left."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What was removed."""

    items: int = 0
    revisions: int = 0
    objects: int = 0
    """Stored objects, each version counted."""
    passages: int = 0
    """Index documents."""
    documents: int = 0
    """Uploaded and dropped files; the files themselves count as objects."""

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            items=self.items + other.items,
            revisions=self.revisions + other.revisions,
            objects=self.objects + other.objects,
            passages=self.passages + other.passages,
            documents=self.documents + other.documents,
        )


@dataclass(frozen=True, slots=True)
class Purge:
    """One deletion for good, of a base or of a single item. It names ids and counts, never a word of content.

    Its record is the tombstone: written in the transaction that removes the record of the base or item, so
    from that moment neither exists for anyone.
    """

    id: str
    space_id: str
    base_id: str
    item_id: str | None
    """The one item that goes; None where the whole base does."""
    status: PurgeStatus
    version: int
    """Counts the checkpoints; a worker that saw another one stops."""
    requested_by: str
    requested_at: datetime
    progressed_at: datetime
    removed: Counts = field(default_factory=Counts)
    counting: tuple[str, ...] = ()
    """The items and documents that `removed` already includes and that are being removed."""
    finished_at: datetime | None = None

    def checkpoint(self, item_ids: tuple[str, ...], counts: Counts, now: datetime) -> Self:
        """The purge with some more items counted, before anything of them is removed."""
        return replace(self.touched(now), counting=item_ids, removed=self.removed + counts)

    def moved(self, status: PurgeStatus, now: datetime) -> Self:
        """The purge, done or settled."""
        finished = now if status is PurgeStatus.DONE else self.finished_at
        return replace(self.touched(now), status=status, counting=(), finished_at=finished)

    def touched(self, now: datetime) -> Self:
        """The purge, written once more; the worker is told of every write."""
        return replace(self, version=self.version + 1, progressed_at=now)
