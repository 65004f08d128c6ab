"""Documents: files on their way to an item, and how far they are (rules I2, I3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Self


class DocumentStatus(StrEnum):
    """How far a document is."""

    PENDING_UPLOAD = "pending_upload"
    QUEUED = "queued"
    EXTRACTING = "extracting"
    READY = "ready"
    FAILED = "failed"


SETTLED = frozenset({DocumentStatus.READY, DocumentStatus.FAILED})
"""Statuses in which nobody is at work on a document."""


class Origin(StrEnum):
    """How a document came."""

    UPLOAD = "upload"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a document became no item."""

    code: str
    message: str
    retryable: bool


@dataclass(frozen=True, slots=True)
class Target:
    """What a document's extraction is about to write, decided before it writes: so that it is written once."""

    item_id: str
    revision_id: str
    expected: str | None
    """The revision that the new one follows; None for a new item."""


@dataclass(frozen=True, slots=True)
class Document:
    """One uploaded or dropped file."""

    id: str
    base_id: str
    space_id: str
    origin: Origin
    filename: str
    """With the folders it had, if any."""
    size: int
    """Bytes; as declared until the file is there."""
    key: str
    """Of the object that holds the file."""
    status: DocumentStatus
    version: int
    """Counts the writes of this record; a write states the one it saw."""
    created_by: str
    """A user; for a drop, the space itself."""
    created_at: datetime
    updated_at: datetime
    object_version: str | None = None
    title: str | None = None
    """What its uploader calls it."""
    locator: str | None = None
    """Where its uploader wants it: in the item there, if there is one."""
    attached_to: str | None = None
    """The item whose next revision it is to be."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What came with the object."""
    attempts: int = 0
    """How often extraction was begun since it was asked for."""
    done: int = 0
    total: int = 0
    """Pages, slides or sheets; 0 if that is not known."""
    failure: Failure | None = None
    target: Target | None = None
    revision_id: str | None = None
    """What it became, once it is ready."""

    @property
    def item_id(self) -> str | None:
        """The item that it becomes, or became, a revision of."""
        return self.target.item_id if self.target else self.attached_to

    def uploaded(self, object_version: str | None, size: int, now: datetime) -> Self:
        """The document, whose file is there."""
        return replace(
            self._touched(now, DocumentStatus.QUEUED), object_version=object_version, size=size, failure=None
        )

    def claimed(self, now: datetime) -> Self:
        """The document, with a worker on it."""
        return replace(
            self._touched(now, DocumentStatus.EXTRACTING), attempts=self.attempts + 1, done=0, total=0, failure=None
        )

    def released(self, now: datetime) -> Self:
        """The document, whose worker could not go on for a reason that passes."""
        return self._touched(now, DocumentStatus.QUEUED)

    def progressed(self, done: int, total: int, now: datetime) -> Self:
        """The document, so far read."""
        return replace(self._touched(now, self.status), done=done, total=total)

    def aimed(self, target: Target, now: datetime) -> Self:
        """The document, with what is about to be written."""
        return replace(self._touched(now, self.status), target=target)

    def ready(self, revision_id: str, now: datetime) -> Self:
        """The document, become a revision."""
        return replace(self._touched(now, DocumentStatus.READY), revision_id=revision_id, failure=None)

    def failed(self, failure: Failure, now: datetime) -> Self:
        """The document that became nothing."""
        return replace(self._touched(now, DocumentStatus.FAILED), failure=failure)

    def retried(self, now: datetime) -> Self:
        """The failed document, asked for once more."""
        return replace(self._touched(now, DocumentStatus.QUEUED), attempts=0, failure=None)

    def _touched(self, now: datetime, status: DocumentStatus) -> Self:
        return replace(self, status=status, version=self.version + 1, updated_at=now)
