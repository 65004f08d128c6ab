"""Leaving: the export of an account, and its deletion for good (rule A8)."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Self


class ExportStatus(StrEnum):
    """How far an export is."""

    RUNNING = "running"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Export:
    """One export of everything of an account."""

    id: str
    user_id: str
    status: ExportStatus
    requested_at: datetime
    size: int = 0
    """Bytes of the archive."""
    finished_at: datetime | None = None

    @property
    def key(self) -> str:
        """Where the archive lies."""
        return f"exports/{self.user_id}/{self.id}.zip"

    def done(self, size: int, now: datetime) -> Self:
        """The export, finished."""
        return replace(self, status=ExportStatus.DONE, size=size, finished_at=now)


class ClosureStatus(StrEnum):
    """How far the deletion of an account is."""

    RUNNING = "running"
    DONE = "done"
    """Everything that was there is gone."""
    SETTLED = "settled"
    """A second pass found nothing that a writer under way at the time might have left."""


@dataclass(frozen=True, slots=True)
class Gone:
    """What was removed with an account."""

    tokens: int = 0
    bases: int = 0
    """Each with a receipt of its own, named in `purges`."""
    memories: int = 0
    notes: int = 0
    """To-dos, events, states and projects."""
    exports: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.tokens + other.tokens,
            self.bases + other.bases,
            self.memories + other.memories,
            self.notes + other.notes,
            self.exports + other.exports,
        )


@dataclass(frozen=True, slots=True)
class Leftover:
    """One entry of a space or a person that is to go, with what it lists."""

    pk: str
    sk: str
    listed: str | None = None

    @property
    def kind(self) -> str:
        """What it is an entry of."""
        return self.sk.partition("#")[0]


@dataclass(frozen=True, slots=True)
class Closure:
    """The deletion of one account. Its record is the tombstone, written in the transaction that removes the account.

    It names ids and counts, never a word of content.
    """

    id: str
    user_id: str
    spaces: tuple[str, ...]
    """Those that go with the account: the personal one, and teams with nobody else in them."""
    status: ClosureStatus
    version: int
    """Counts the checkpoints; a worker that saw another one stops."""
    requested_at: datetime
    progressed_at: datetime
    removed: Gone = field(default_factory=Gone)
    counting: tuple[Leftover, ...] = ()
    """What `removed` already includes and is being removed."""
    purges: tuple[str, ...] = ()
    """Deletions of the account's bases, which go on by themselves."""
    finished_at: datetime | None = None

    def touched(self, now: datetime) -> Self:
        """The closure, written once more; the worker is told of every write."""
        return replace(self, version=self.version + 1, progressed_at=now)

    def checkpoint(self, leftovers: tuple[Leftover, ...], counts: Gone, now: datetime) -> Self:
        """The closure with some more counted, before anything of it is removed."""
        return replace(self.touched(now), counting=leftovers, removed=self.removed + counts)

    def moved(self, status: ClosureStatus, now: datetime) -> Self:
        """The closure, done or settled."""
        finished = now if status is ClosureStatus.DONE else self.finished_at
        return replace(self.touched(now), status=status, counting=(), finished_at=finished)
