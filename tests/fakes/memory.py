"""Memory's stores, in memory; safe to use from many threads."""

import threading
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.errors import ConcurrentChange, IdempotencyKeyReused, NotFound, ProjectTaken
from chalicelib.domain.memory import Event, Memory, Project, State, Todo, TodoStatus
from chalicelib.domain.writes import KEPT, Once, Page


class _Kept:
    """What writes answered that are to happen once."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.once: dict[str, tuple[Once, str]] = {}

    def seen(self, once: Once | None) -> str | None:
        if once is None or once.key not in self.once:
            return None
        first, key = self.once[once.key]
        if first.expires_at <= once.expires_at - KEPT:
            return None
        if first.fingerprint != once.fingerprint:
            raise IdempotencyKeyReused
        return key

    def note(self, once: Once | None, key: str) -> None:
        if once is not None:
            self.once[once.key] = (once, key)


class MemoryRecords(_Kept):
    """The port `MemoryStore`."""

    def __init__(self) -> None:
        super().__init__()
        self.records: dict[str, Memory] = {}

    def memory(self, memory_id: str) -> Memory | None:
        return self.records.get(memory_id)

    def memories(self, memory_ids: Collection[str]) -> dict[str, Memory]:
        return {each: self.records[each] for each in memory_ids if each in self.records}

    def listed(self, space_id: str, after: str | None, limit: int) -> Page[Memory]:
        return _page([each for each in self.records.values() if each.space_id == space_id], after, limit)

    def newest_of(self, user_id: str, limit: int) -> tuple[Memory, ...]:
        return _page([each for each in self.records.values() if each.source.user_id == user_id], None, limit).entries

    def everything(self) -> Iterator[Memory]:
        return iter([*self.records.values()])

    def add_memory(self, memory: Memory, once: Once | None) -> Memory:
        with self.lock:
            if seen := self.seen(once):
                return self.records[seen]
            self.records[memory.id] = memory
            self.note(once, memory.id)
            return memory

    def change_memory(self, before: Memory, after: Memory) -> Memory:
        with self.lock:
            _expect(self.records.get(before.id), before.version)
            self.records[after.id] = after
            return after

    def keep_until(self, memory: Memory, expires_at: datetime) -> None:
        with self.lock:
            found = self.records.get(memory.id)
            if found is not None and found.version == memory.version:
                self.records[memory.id] = replace(memory, expires_at=expires_at)


class MemoryNotes(_Kept):
    """The port `NoteStore`."""

    def __init__(self) -> None:
        super().__init__()
        self.todos_: dict[str, Todo] = {}
        self.events_: dict[str, Event] = {}
        self.states_: dict[tuple[str, str], State] = {}
        self.projects_: dict[str, Project] = {}

    def todo(self, todo_id: str) -> Todo | None:
        return self.todos_.get(todo_id)

    def todos(self, space_id: str, after: str | None, limit: int) -> Page[Todo]:
        return _page([each for each in self.todos_.values() if each.space_id == space_id], after, limit)

    def add_todo(self, todo: Todo, once: Once | None) -> Todo:
        with self.lock:
            if seen := self.seen(once):
                return self.todos_[seen]
            self.todos_[todo.id] = todo
            self.note(once, todo.id)
            return todo

    def finish_todo(self, todo: Todo) -> Todo:
        with self.lock:
            before = self.todos_.get(todo.id)
            if before is None:
                raise NotFound
            if before.status is TodoStatus.OPEN:
                self.todos_[todo.id] = todo
            return self.todos_[todo.id]

    def add_event(self, event: Event, once: Once | None) -> Event:
        with self.lock:
            if seen := self.seen(once):
                return self.events_[seen]
            self.events_[event.id] = event
            self.note(once, event.id)
            return event

    def events(self, space_id: str, between: tuple[datetime | None, datetime | None], limit: int) -> tuple[Event, ...]:
        since, until = between
        found = [
            each
            for each in self.events_.values()
            if each.space_id == space_id
            and (since is None or since <= each.occurred_at)
            and (until is None or each.occurred_at < until)
        ]
        return tuple(sorted(found, key=lambda each: (each.occurred_at, each.id), reverse=True)[:limit])

    def state(self, space_id: str, key: str) -> State | None:
        return self.states_.get((space_id, key))

    def states(self, space_id: str) -> tuple[State, ...]:
        return tuple(each for (space, _), each in self.states_.items() if space == space_id)

    def save_state(self, state: State) -> None:
        self.states_[state.space_id, state.key] = state

    def project(self, project_id: str) -> Project | None:
        return self.projects_.get(project_id)

    def projects(self, space_id: str, after: str | None, limit: int) -> Page[Project]:
        return _page([each for each in self.projects_.values() if each.space_id == space_id], after, limit)

    def add_project(self, project: Project, once: Once | None) -> Project:
        with self.lock:
            if seen := self.seen(once):
                return self.projects_[seen]
            for each in self.projects_.values():
                if (each.space_id, each.path) == (project.space_id, project.path):
                    raise ProjectTaken(path=project.path, project_id=each.id)
            self.projects_[project.id] = project
            self.note(once, project.id)
            return project

    def change_project(self, before: Project, after: Project) -> Project:
        with self.lock:
            _expect(self.projects_.get(before.id), before.version)
            self.projects_[after.id] = after
            return after

    def remove_project(self, project: Project) -> None:
        with self.lock:
            _expect(self.projects_.get(project.id), project.version)
            del self.projects_[project.id]


def _expect(actual: Memory | Project | None, version: int) -> None:
    if actual is None:
        raise NotFound
    if actual.version != version:
        raise ConcurrentChange(expected=version, actual=actual.version)


def _page[R: Memory | Todo | Project](found: list[R], after: str | None, limit: int) -> Page[R]:
    ordered = sorted(found, key=lambda each: each.id, reverse=True)
    rest = [each for each in ordered if after is None or each.id < after]
    return Page(tuple(rest[:limit]), rest[limit - 1].id if len(rest) > limit else None)
