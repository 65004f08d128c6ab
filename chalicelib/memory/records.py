"""Records: remember, read, update, forget; and keeping the index in step."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from chalicelib.domain.errors import Forgotten, NotFound
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.memory import WORKING_LIFE, Memory, MemoryStatus, MemoryType, under
from chalicelib.domain.spaces import Action, Principal
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import KEPT, Once, Page
from chalicelib.memory.ports import MemoryIndex, MemoryStore
from chalicelib.memory.reach import lists_from, memory_for, source_of, writes_to

DEFAULT_BUCKET = "default"


@dataclass(frozen=True, slots=True)
class NewMemory:
    """What is to be remembered; lengths are checked at the doors."""

    content: str
    type: MemoryType = MemoryType.SEMANTIC
    path: str = ""
    bucket: str = DEFAULT_BUCKET
    team_id: str | None = None
    agent_id: str | None = None
    agent_instance_id: str | None = None


@dataclass(frozen=True, slots=True)
class Remember:
    """Keep something in mind."""

    store: MemoryStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, asked: NewMemory, once: Once | None = None) -> Memory:
        """The new record; the first one, if the very same was remembered within a day and still is.

        A model that is not sure whether its call went well calls again, and has no key to say so.

        Raises NotFound, NotAllowed, TokenLimited, IdempotencyKeyReused.
        """
        space = writes_to(principal, asked.team_id)
        now = self.clock.now()
        memory = Memory(
            id=self.ids.new(Kind.MEMORY),
            space_id=space,
            content=asked.content,
            type=asked.type,
            path=asked.path.strip("/"),
            bucket=asked.bucket,
            status=MemoryStatus.ACTIVE,
            source=source_of(principal, asked.agent_id, asked.agent_instance_id),
            version=1,
            created_at=now,
            updated_at=now,
            expires_at=now + WORKING_LIFE if asked.type is MemoryType.WORKING else None,
        )
        kept = self.store.add_memory(memory, once or _same(principal, memory, now))
        if once is None and _outlived(kept, memory, now):
            return self.store.add_memory(memory, None)
        return kept


def _same(principal: Principal, memory: Memory, now: datetime) -> Once:
    """A retry key for those who have none: what is remembered, by whom, where."""
    facts = [memory.space_id, memory.content, memory.type, memory.path, memory.bucket]
    digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
    return Once(f"{principal.user_id}/memory/{digest}", digest, now + KEPT)


def _outlived(kept: Memory, memory: Memory, now: datetime) -> bool:
    """Whether the first record is not there any more, or says something else by now."""
    same = (kept.content, kept.type, kept.path, kept.bucket) == (
        memory.content,
        memory.type,
        memory.path,
        memory.bucket,
    )
    return not (same and kept.live(now))


@dataclass(frozen=True, slots=True)
class ExplainMemory:
    """Read one record with all that is known of it: where it came from, who changed it, when it expires."""

    store: MemoryStore

    def __call__(self, principal: Principal, memory_id: str) -> Memory:
        """The record, forgotten or not. Raises NotFound."""
        return memory_for(self.store, principal, memory_id)


@dataclass(frozen=True, slots=True)
class ListMemories:
    """List the records of one space."""

    store: MemoryStore
    clock: Clock

    def __call__(
        self, principal: Principal, team_id: str | None, path: str, after: str | None, limit: int
    ) -> Page[Memory]:
        """A page of what is live, newest first; some pages may be short of what the path leaves out.

        Raises NotFound, TokenLimited.
        """
        page = self.store.listed(lists_from(principal, team_id), after, limit)
        now = self.clock.now()
        return Page(tuple(each for each in page.entries if each.live(now) and under(each.path, path)), page.after)


@dataclass(frozen=True, slots=True)
class Changes:
    """What is to change of a record; None keeps it."""

    content: str | None = None
    type: MemoryType | None = None
    path: str | None = None
    bucket: str | None = None

    def given(self) -> dict[str, object]:
        """The facts that are to change."""
        path = None if self.path is None else self.path.strip("/")
        facts = {"content": self.content, "type": self.type, "path": path, "bucket": self.bucket}
        return {name: each for name, each in facts.items() if each is not None}


@dataclass(frozen=True, slots=True)
class UpdateMemory:
    """Change a record."""

    store: MemoryStore
    clock: Clock

    def __call__(self, principal: Principal, memory_id: str, changes: Changes) -> Memory:
        """The record after the change; as it is, if nothing changes.

        Raises NotFound, NotAllowed, Forgotten, ConcurrentChange.
        """
        memory = memory_for(self.store, principal, memory_id, Action.WRITE_MEMORY)
        now = self.clock.now()
        if memory.status is MemoryStatus.DELETED:
            raise Forgotten(memory_id=memory.id)
        if not memory.live(now):
            raise NotFound
        given = changes.given()
        if all(getattr(memory, name) == each for name, each in given.items()):
            return memory
        return self.store.change_memory(memory, memory.changed(source_of(principal), now, **given))


@dataclass(frozen=True, slots=True)
class Forget:
    """Forget a record. It is found by nothing from the next request on, and gone for good after thirty days."""

    store: MemoryStore
    clock: Clock

    def __call__(self, principal: Principal, memory_id: str) -> Memory:
        """The record, forgotten; the same if it was already. Raises NotFound, NotAllowed, ConcurrentChange."""
        memory = memory_for(self.store, principal, memory_id, Action.WRITE_MEMORY)
        if memory.status is MemoryStatus.DELETED:
            return memory
        return self.store.change_memory(memory, memory.forgotten(source_of(principal), self.clock.now()))


@dataclass(frozen=True, slots=True)
class IndexMemory:
    """Makes the index hold of a record what the table says that it should, however late or often it is asked."""

    store: MemoryStore
    index: MemoryIndex
    clock: Clock

    def __call__(self, memory_id: str) -> None:
        """Index the record as it is now. Raises what kept it from being indexed; the queue delivers it again."""
        memory = self.store.memory(memory_id)
        if memory is None:
            self.index.erase([memory_id])
            return
        fresh = (
            self.index.put(memory) if memory.live(self.clock.now()) else self.index.withdraw(memory.id, memory.version)
        )
        if not fresh and self.store.memory(memory_id) == memory:
            # The index is ahead of a table that was set back. The table's word counts.
            self.index.erase([memory_id])
            self.index.put(memory)
        if self.store.memory(memory_id) is None:
            self.index.erase([memory_id])
