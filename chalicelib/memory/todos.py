"""To-dos."""

from dataclasses import dataclass, replace
from datetime import datetime

from chalicelib.domain.errors import NotFound
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.memory import Todo, TodoStatus
from chalicelib.domain.spaces import Action, Principal, demand
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once, Page
from chalicelib.memory.ports import NoteStore
from chalicelib.memory.reach import lists_from, source_of, writes_to

_PAGES = 20
"""Stretches of the list that are looked through for enough entries of one status."""


@dataclass(frozen=True, slots=True)
class NewTodo:
    """What is to be done."""

    content: str
    path: str = ""
    due_at: datetime | None = None
    team_id: str | None = None


@dataclass(frozen=True, slots=True)
class CreateTodo:
    """Note something that is to be done."""

    notes: NoteStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, asked: NewTodo, once: Once | None = None) -> Todo:
        """The new to-do. Raises NotFound, NotAllowed, TokenLimited, IdempotencyKeyReused."""
        todo = Todo(
            id=self.ids.new(Kind.TODO),
            space_id=writes_to(principal, asked.team_id),
            content=asked.content,
            path=asked.path.strip("/"),
            status=TodoStatus.OPEN,
            source=source_of(principal),
            created_at=self.clock.now(),
            due_at=asked.due_at,
        )
        return self.notes.add_todo(todo, once)


@dataclass(frozen=True, slots=True)
class ListTodos:
    """List to-dos of one space."""

    notes: NoteStore

    def __call__(
        self, principal: Principal, team_id: str | None, status: TodoStatus | None, after: str | None, limit: int
    ) -> Page[Todo]:
        """A page, newest first. Raises NotFound, TokenLimited."""
        space = lists_from(principal, team_id)
        found: list[Todo] = []
        for _ in range(_PAGES):
            page = self.notes.todos(space, after, limit - len(found))
            found += [each for each in page.entries if status in {None, each.status}]
            after = page.after
            if after is None or len(found) >= limit:
                break
        return Page(tuple(found), after)


@dataclass(frozen=True, slots=True)
class CompleteTodo:
    """Note that something is done."""

    notes: NoteStore
    clock: Clock

    def __call__(self, principal: Principal, todo_id: str) -> Todo:
        """The to-do, done; as it was, if it was done already. Raises NotFound, NotAllowed."""
        todo = self.notes.todo(todo_id)
        if todo is None:
            raise NotFound
        demand(principal, Action.WRITE_MEMORY, todo.space_id)
        if todo.status is TodoStatus.DONE:
            return todo
        done = replace(todo, status=TodoStatus.DONE, done_at=self.clock.now(), done_by=source_of(principal))
        return self.notes.finish_todo(done)
