"""The tools over to-dos, the timeline and states."""

from typing import Annotated

from pydantic import Field

from chalicelib.access.scopes import Scope
from chalicelib.api.mcp.tools import Arguments, Call, Tool
from chalicelib.api.wire.memory import (
    AnyStatus,
    EventAnswer,
    EventsAnswer,
    MemoryText,
    Moment,
    Path,
    StateAnswer,
    StateKey,
    StateText,
    TeamId,
    TodoAnswer,
)
from chalicelib.api.wire.words import Answer, Id
from chalicelib.domain.memory import TodoStatus
from chalicelib.memory.timeline import NewEvent, Period
from chalicelib.memory.todos import NewTodo

_WHEN = "ISO 8601, such as 2026-11-30T15:00:00Z."


class NewTodoArguments(Arguments):
    """Something to be done."""

    content: Annotated[MemoryText, Field(description="What is to be done.")]
    path: Path = ""
    due_at: Annotated[Moment | None, Field(description=f"When it is due; {_WHEN}")] = None
    team_id: TeamId = None


class ListTodosArguments(Arguments):
    """Which to-dos."""

    status: Annotated[AnyStatus, Field(description="open, done, or all.")] = TodoStatus.OPEN
    limit: Annotated[int, Field(ge=1, le=100, description="At most so many.")] = 50
    team_id: TeamId = None


class OneTodo(Arguments):
    """Which to-do."""

    id: Annotated[Id, Field(description="The to-do's id, todo_…")]


class TodoList(Answer):
    """To-dos, newest first."""

    todos: list[TodoAnswer]


class NewEventArguments(Arguments):
    """Something that happened."""

    content: Annotated[MemoryText, Field(description="What happened.")]
    occurred_at: Annotated[Moment | None, Field(description=f"When; now, if left out. {_WHEN}")] = None
    path: Path = ""
    team_id: TeamId = None


class TimelineArguments(Arguments):
    """Which period."""

    since: Annotated[Moment | None, Field(description=f"From this moment on. {_WHEN}")] = None
    until: Annotated[Moment | None, Field(description=f"Before this moment. {_WHEN}")] = None
    path: Annotated[Path, Field(description="Only at this path or below it.")] = ""
    limit: Annotated[int, Field(ge=1, le=100, description="At most so many.")] = 50
    team_id: TeamId = None


class SaveStateArguments(Arguments):
    """What has to be known to go on."""

    content: Annotated[StateText, Field(description="Where the task stands, what was decided, what comes next.")]
    state_key: Annotated[StateKey, Field(description="Which task, if there are several.")] = "current"
    team_id: TeamId = None


class RestoreStateArguments(Arguments):
    """Which state."""

    state_key: Annotated[StateKey, Field(description="Which task, if there are several.")] = "current"
    team_id: TeamId = None


def _create(call: Call) -> TodoAnswer:
    given: NewTodoArguments = call.arguments
    asked = NewTodo(given.content, given.path, given.due_at, given.team_id)
    return TodoAnswer.of(call.services.notebook.create_todo(call.principal, asked))


def _list(call: Call) -> TodoList:
    given: ListTodosArguments = call.arguments
    page = call.services.notebook.list_todos(call.principal, given.team_id, given.status, None, given.limit)
    return TodoList(todos=[TodoAnswer.of(each) for each in page.entries])


def _complete(call: Call) -> TodoAnswer:
    return TodoAnswer.of(call.services.notebook.complete_todo(call.principal, call.arguments.id))


def _record(call: Call) -> EventAnswer:
    given: NewEventArguments = call.arguments
    asked = NewEvent(given.content, given.occurred_at, given.path, given.team_id)
    return EventAnswer.of(call.services.notebook.record_event(call.principal, asked))


def _timeline(call: Call) -> EventsAnswer:
    given: TimelineArguments = call.arguments
    period = Period(given.since, given.until, given.path, given.team_id, given.limit)
    found = call.services.notebook.read_timeline(call.principal, period)
    return EventsAnswer(events=[EventAnswer.of(each) for each in found])


def _save(call: Call) -> StateAnswer:
    given: SaveStateArguments = call.arguments
    return StateAnswer.of(
        call.services.notebook.save_state(call.principal, given.state_key, given.content, given.team_id)
    )


def _restore(call: Call) -> StateAnswer:
    given: RestoreStateArguments = call.arguments
    return StateAnswer.of(call.services.notebook.restore_state(call.principal, given.state_key, given.team_id))


TOOLS = (
    Tool(
        name="create_memory_todo",
        title="Create a to-do",
        description="Note something that is to be done later, so that a later conversation can pick it up.",
        scope=Scope.MEMORY_WRITE,
        arguments=NewTodoArguments,
        answer=TodoAnswer,
        run=_create,
    ),
    Tool(
        name="list_memory_todos",
        title="List to-dos",
        description="List what is to be done, newest first; with status done or all, also what is done already.",
        scope=Scope.MEMORY_READ,
        arguments=ListTodosArguments,
        answer=TodoList,
        run=_list,
        read_only=True,
    ),
    Tool(
        name="complete_memory_todo",
        title="Complete a to-do",
        description="Note that something is done. Doing so twice changes nothing.",
        scope=Scope.MEMORY_WRITE,
        arguments=OneTodo,
        answer=TodoAnswer,
        run=_complete,
        idempotent=True,
    ),
    Tool(
        name="record_event",
        title="Record an event",
        description="Note something that happened at a time: a release, an incident, a meeting, a decision.",
        scope=Scope.MEMORY_WRITE,
        arguments=NewEventArguments,
        answer=EventAnswer,
        run=_record,
    ),
    Tool(
        name="get_timeline",
        title="Read the timeline",
        description="Read what happened in a period, latest first; without one, the last events there are.",
        scope=Scope.MEMORY_READ,
        arguments=TimelineArguments,
        answer=EventsAnswer,
        run=_timeline,
        read_only=True,
    ),
    Tool(
        name="save_state",
        title="Save the state of the task",
        description=(
            "Save where the current task stands, so that another conversation, client or machine can go on from "
            "there. What was saved before under the same key is replaced."
        ),
        scope=Scope.MEMORY_WRITE,
        arguments=SaveStateArguments,
        answer=StateAnswer,
        run=_save,
        destructive=True,
        idempotent=True,
    ),
    Tool(
        name="restore_state",
        title="Restore the state of a task",
        description="Read where a task stands that was saved with save_state, to go on from there.",
        scope=Scope.MEMORY_RESTORE,
        arguments=RestoreStateArguments,
        answer=StateAnswer,
        run=_restore,
        read_only=True,
    ),
)
