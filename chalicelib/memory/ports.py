"""What the notebook needs from outside."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, Self

from chalicelib.domain.memory import Event, Memory, Project, State, Todo
from chalicelib.domain.spaces import Principal
from chalicelib.domain.writes import Once, Page


class MemoryStore(Protocol):
    """Where records are kept. All reads are strongly consistent; writes state what they expect."""

    def memory(self, memory_id: str) -> Memory | None:
        """The record, forgotten or not, or None."""
        ...

    def memories(self, memory_ids: Collection[str]) -> dict[str, Memory]:
        """Those of the records that exist, by id, in one batched read."""
        ...

    def listed(self, space_id: str, after: str | None, limit: int) -> Page[Memory]:
        """The records of a space, newest first, forgotten ones too."""
        ...

    def newest_of(self, user_id: str, limit: int) -> tuple[Memory, ...]:
        """What somebody remembered last, in whatever space, newest first."""
        ...

    def everything(self) -> Iterator[Memory]:
        """Every record, in no order. What changes while it runs may come as it was or as it is."""
        ...

    def add_memory(self, memory: Memory, once: Once | None) -> Memory:
        """Write a new record; a repeat returns the first one. Raises IdempotencyKeyReused, StoreBusy."""
        ...

    def change_memory(self, before: Memory, after: Memory) -> Memory:
        """Replace a record that still is at `before`'s version. Raises NotFound, ConcurrentChange."""
        ...

    def keep_until(self, memory: Memory, expires_at: datetime) -> None:
        """Let a record live longer, if it still is as seen; nothing happens if it is not."""
        ...


class NoteStore(Protocol):
    """Where to-dos, events, states and projects are kept. All reads are strongly consistent."""

    def todo(self, todo_id: str) -> Todo | None:
        """The to-do, or None."""
        ...

    def todos(self, space_id: str, after: str | None, limit: int) -> Page[Todo]:
        """The to-dos of a space, newest first."""
        ...

    def add_todo(self, todo: Todo, once: Once | None) -> Todo:
        """Write a new to-do; a repeat returns the first one. Raises IdempotencyKeyReused."""
        ...

    def finish_todo(self, todo: Todo) -> Todo:
        """Replace a to-do that is open; the one there is, if it is done already. Raises NotFound."""
        ...

    def add_event(self, event: Event, once: Once | None) -> Event:
        """Write a new event; a repeat returns the first one. Raises IdempotencyKeyReused."""
        ...

    def events(self, space_id: str, between: tuple[datetime | None, datetime | None], limit: int) -> tuple[Event, ...]:
        """The last events of a space from a moment (included) to another (excluded), latest first."""
        ...

    def state(self, space_id: str, key: str) -> State | None:
        """What was saved last under the key, or None."""
        ...

    def states(self, space_id: str) -> tuple[State, ...]:
        """All that was saved last, in no order that means something."""
        ...

    def save_state(self, state: State) -> None:
        """Save, instead of what is there."""
        ...

    def project(self, project_id: str) -> Project | None:
        """The project, or None."""
        ...

    def projects(self, space_id: str, after: str | None, limit: int) -> Page[Project]:
        """The projects of a space, newest first."""
        ...

    def add_project(self, project: Project, once: Once | None) -> Project:
        """Write a new project. Raises ProjectTaken, IdempotencyKeyReused."""
        ...

    def change_project(self, before: Project, after: Project) -> Project:
        """Replace a project that still is at `before`'s version. Raises NotFound, ConcurrentChange."""
        ...

    def remove_project(self, project: Project) -> None:
        """Remove a project that still is as seen; nothing that it groups or links to changes. Raises as above."""
        ...


@dataclass(frozen=True, slots=True)
class Lead:
    """A record that a search offers; not yet known to be visible."""

    memory_id: str
    score: float
    """0 to 1; of the best, 1."""


class MemorySearch(Protocol):
    """Finds records by words, within spaces. What it says of visibility is not believed."""

    def find(
        self, query: str, spaces: frozenset[str], limit: int, without: frozenset[str] = frozenset()
    ) -> tuple[Lead, ...]:
        """Records that match, best first, at most `limit`. Raises SearchUnavailable."""
        ...

    def match(self, query: str, records: Sequence[Memory]) -> tuple[Lead, ...]:
        """Those of the records that match, best first, without the index: for what it may not have yet."""
        ...


@dataclass(frozen=True, slots=True)
class KnowledgePassage:
    """A passage of knowledge that the caller may see."""

    id: str
    """Of its item."""
    title: str
    content: str
    reference: str
    score: float
    """0 to 1."""


class KnowledgeSearch(Protocol):
    """Knowledge, as far as recalling asks it."""

    def __call__(
        self, principal: Principal, query: str, space_id: str | None, limit: int
    ) -> tuple[KnowledgePassage, ...]:
        """The best passages, one per item. Raises KnowledgeRuntimeDisabled, NotFound, SearchUnavailable."""
        ...


class Fusion(Protocol):
    """Makes one ranking of two lists that share no entry, of ids with scores, each best first."""

    def __call__(
        self, memory: Sequence[tuple[str, float]], knowledge: Sequence[tuple[str, float]]
    ) -> list[tuple[str, float]]:
        """All entries, best first, with a common score of 0 to 1."""
        ...


class MemoryIndex(Protocol):
    """The index of records, as the worker that keeps it sees it."""

    def put(self, memory: Memory) -> bool:
        """Keep the record; False if a newer version is there already."""
        ...

    def withdraw(self, memory_id: str, version: int) -> bool:
        """Keep nothing of the record but its version; False if a newer version is there already."""
        ...

    def erase(self, memory_ids: Iterable[str]) -> int:
        """Forget the records entirely. Returns how many passages went."""
        ...

    def known(self) -> Iterator[str]:
        """The id of every record that it holds anything of, in no order."""
        ...

    def misfit(self) -> str:
        """Why the index has to be made anew; empty if it has not. Raises SearchUnavailable."""
        ...

    def beside(self) -> Self:
        """A new, empty index beside this one, for what `take_over` ends."""
        ...

    def take_over(self, new: Self) -> None:
        """From now on be the index that `beside` gave; what was held before goes."""
        ...
