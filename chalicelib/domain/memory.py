"""Memory: records, to-dos, events, states and projects, and who they came from."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

WORKING_LIFE = timedelta(days=14)
"""How long working memory is kept since it was last written or found."""

FORGOTTEN_KEPT = timedelta(days=30)
"""How long a forgotten record is kept before the table drops it."""


class MemoryType(StrEnum):
    """What kind of thing is remembered."""

    EPISODIC = "episodic"
    """What happened."""
    SEMANTIC = "semantic"
    """What is so."""
    PROCEDURAL = "procedural"
    """How something is done."""
    IDENTITY = "identity"
    """Who somebody is and what they prefer."""
    WORKING = "working"
    """What matters to the task at hand; it expires."""


class MemoryStatus(StrEnum):
    """A forgotten record is kept for a while and found by nothing."""

    ACTIVE = "active"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Source:
    """Who something came from, and by which client (rule A6)."""

    user_id: str
    door: str
    client: str
    """The client profile of the token, or the client that logged in."""
    token_name: str | None = None
    agent_id: str | None = None
    agent_instance_id: str | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """One record."""

    id: str
    space_id: str
    content: str
    type: MemoryType
    path: str
    """Where it belongs, like `projects/x/conventions`; empty for nowhere."""
    bucket: str
    status: MemoryStatus
    source: Source
    version: int
    """Counts the writes of this record; a write states the one it saw."""
    created_at: datetime
    updated_at: datetime
    updated_by: Source | None = None
    expires_at: datetime | None = None

    def live(self, now: datetime) -> bool:
        """Whether it is there to be found: neither forgotten nor expired."""
        return self.status is MemoryStatus.ACTIVE and (self.expires_at is None or now < self.expires_at)

    def changed(self, source: Source, now: datetime, **facts: object) -> Self:
        """The record with other facts, as the next version; working memory lives on from here."""
        after: Self = replace(self, version=self.version + 1, updated_at=now, updated_by=source, **facts)  # type: ignore[arg-type]
        return replace(after, expires_at=now + WORKING_LIFE if after.type is MemoryType.WORKING else None)

    def forgotten(self, source: Source, now: datetime) -> Self:
        """The record, forgotten."""
        return replace(
            self,
            status=MemoryStatus.DELETED,
            version=self.version + 1,
            updated_at=now,
            updated_by=source,
            expires_at=now + FORGOTTEN_KEPT,
        )


class TodoStatus(StrEnum):
    """Whether something is still to be done."""

    OPEN = "open"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Todo:
    """Something to be done."""

    id: str
    space_id: str
    content: str
    path: str
    status: TodoStatus
    source: Source
    created_at: datetime
    due_at: datetime | None = None
    done_at: datetime | None = None
    done_by: Source | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a time."""

    id: str
    space_id: str
    content: str
    path: str
    occurred_at: datetime
    source: Source
    created_at: datetime


@dataclass(frozen=True, slots=True)
class State:
    """What has to be known to go on with a task somewhere else. The last one saved counts."""

    space_id: str
    key: str
    content: str
    source: Source
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class Project:
    """What groups records: those whose path is, or begins with, the project's. It links to knowledge and documents."""

    id: str
    space_id: str
    name: str
    description: str
    path: str
    version: int
    source: Source
    created_at: datetime
    updated_at: datetime
    items: frozenset[str] = field(default_factory=frozenset)
    """Ids of linked knowledge items; a link changes no item (rule K17)."""
    documents: frozenset[str] = field(default_factory=frozenset)


def under(path: str, prefix: str) -> bool:
    """Whether a path is that one or lies below it; `projects/x` is not above `projects/xy`."""
    bare = prefix.rstrip("/")
    return not bare or path == bare or path.startswith(f"{bare}/")
