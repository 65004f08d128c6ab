"""To-dos, events, states and projects in DynamoDB."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from chalicelib.adapters.dynamodb import lists
from chalicelib.adapters.dynamodb import memory_rows as rows
from chalicelib.adapters.dynamodb.knowledge import UNCHANGED, changed, clash, gone
from chalicelib.adapters.dynamodb.once import Outcome, recall, transact_once
from chalicelib.adapters.dynamodb.rows import stamp
from chalicelib.adapters.dynamodb.tables import Row, Tables, Write, delete, encode, new, put
from chalicelib.domain.errors import NotFound, ProjectTaken
from chalicelib.domain.memory import Event, Project, State, Todo, TodoStatus
from chalicelib.domain.writes import Once, Page

_EVER = datetime(9999, 12, 31, tzinfo=UTC)


class _DoneAlready(Exception):
    """Somebody was faster."""


@dataclass(frozen=True, slots=True)
class DynamoNotes:
    """The port `NoteStore` over the table `records`."""

    tables: Tables

    def todo(self, todo_id: str) -> Todo | None:
        """The to-do, or None."""
        row = self.tables.get(self.tables.records, rows.todo_key(todo_id))
        return rows.todo_of(row) if row else None

    def todos(self, space_id: str, after: str | None, limit: int) -> Page[Todo]:
        """The to-dos of a space, newest first."""
        return lists.page(self.tables, (space_id, "todo#"), (after, limit), rows.todo_key, rows.todo_of)

    def add_todo(self, todo: Todo, once: Once | None) -> Todo:
        """Write a new to-do; a repeat returns the first one."""
        entry = {**rows.todo_entry(todo.space_id, todo.id), "listed": todo.id}
        writes = [new(self.tables.records, each, clash) for each in (rows.todo_row(todo), entry)]
        return self._once(writes, once, todo, self.todo)

    def finish_todo(self, todo: Todo) -> Todo:
        """Replace a to-do that is open; the one there is, if it is done already."""

        def refusal(old: Row | None) -> Exception:
            return NotFound() if old is None else _DoneAlready()

        open_ = {":open": TodoStatus.OPEN}
        try:
            self.tables.transact([put(self.tables.records, rows.todo_row(todo), "#status = :open", open_, refusal)])
        except _DoneAlready:
            found = self.todo(todo.id)
            if found is None:
                raise NotFound from None
            return found
        return todo

    def add_event(self, event: Event, once: Once | None) -> Event:
        """Write a new event; a repeat returns the first one."""
        row = rows.event_row(event)

        def first(_: str) -> Event | None:
            found = recall(self.tables, once) if once else None
            key = {"pk": event.space_id, "sk": str(found.state["sk"])} if found else None
            there = self.tables.get(self.tables.records, key) if key else None
            return rows.event_of(there) if there else None

        return self._once([new(self.tables.records, row, clash)], once, event, first, {"sk": row["sk"]})

    def events(self, space_id: str, between: tuple[datetime | None, datetime | None], limit: int) -> tuple[Event, ...]:
        """The last events of a space from a moment (included) to another (excluded), latest first."""
        since, until = between
        first = f"event#{stamp(since)}" if since else "event#"
        last = f"event#{stamp(until or _EVER)}"
        found = self.tables.query(
            self.tables.records,
            space_id,
            KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
            ExpressionAttributeValues=encode({":pk": space_id, ":first": first, ":last": last}),
            ScanIndexForward=False,
            Limit=limit,
        )
        return tuple(rows.event_of(row) for _, row in zip(range(limit), found, strict=False))

    def state(self, space_id: str, key: str) -> State | None:
        """What was saved last under the key, or None."""
        row = self.tables.get(self.tables.records, rows.state_key(space_id, key))
        return rows.state_of(row) if row else None

    def states(self, space_id: str) -> tuple[State, ...]:
        """All that was saved last."""
        return tuple(map(rows.state_of, self.tables.query(self.tables.records, space_id, "state#")))

    def save_state(self, state: State) -> None:
        """Save, instead of what is there."""
        self.tables.put(self.tables.records, rows.state_row(state))

    def project(self, project_id: str) -> Project | None:
        """The project, or None."""
        row = self.tables.get(self.tables.records, rows.project_key(project_id))
        return rows.project_of(row) if row else None

    def projects(self, space_id: str, after: str | None, limit: int) -> Page[Project]:
        """The projects of a space, newest first."""
        return lists.page(self.tables, (space_id, "project#"), (after, limit), rows.project_key, rows.project_of)

    def add_project(self, project: Project, once: Once | None) -> Project:
        """Write a new project."""

        def taken(old: Row | None) -> Exception:
            return ProjectTaken(path=project.path, project_id=str((old or {}).get("listed")))

        records, listed = self.tables.records, {"listed": project.id}
        writes = [
            new(records, rows.project_row(project), clash),
            new(records, {**rows.project_entry(project.space_id, project.id), **listed}, clash),
            new(records, {**rows.project_path_key(project.space_id, project.path), **listed}, taken),
        ]
        return self._once(writes, once, project, self.project)

    def change_project(self, before: Project, after: Project) -> Project:
        """Replace a project that still is at `before`'s version."""
        seen = {":version": before.version}
        self.tables.transact(
            [put(self.tables.records, rows.project_row(after), UNCHANGED, seen, changed(before.version))]
        )
        return after

    def remove_project(self, project: Project) -> None:
        """Remove a project that still is as seen."""
        records, seen = self.tables.records, {":version": project.version}
        entry = rows.project_entry(project.space_id, project.id)
        path = rows.project_path_key(project.space_id, project.path)
        self.tables.transact(
            [
                delete(records, rows.project_key(project.id), UNCHANGED, seen, changed(project.version)),
                delete(records, entry, "attribute_exists(pk)", {}, gone),
                delete(records, path, "attribute_exists(pk)", {}, gone),
            ]
        )

    def _once[R: Todo | Event | Project](
        self,
        writes: Sequence[Write],
        once: Once | None,
        result: R,
        read: Callable[[str], R | None],
        state: Row | None = None,
    ) -> R:
        def replayed(key: Once) -> R | None:
            outcome = recall(self.tables, key)
            return read(outcome.record_id) if outcome else None

        return transact_once(self.tables, writes, (once, Outcome(result.id, state or {})), result, replayed)
