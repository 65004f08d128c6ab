"""One address for all a command-line skill does, on the wire as XMemo's public client has it (rule A10).

`{operation, arguments}` in, `{ok, operation, result}` or `{ok: false, error}` out. Flags arrive as text.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, StringConstraints, ValidationError

from chalicelib.access.scopes import Scope, demand_scopes
from chalicelib.api.auth import bearer
from chalicelib.api.errors import InvalidRequest, problem
from chalicelib.api.mistakes import mistakes
from chalicelib.api.raw import Asked, Raw
from chalicelib.api.wire.memory import (
    AnyBucket,
    AnyStatus,
    AnyType,
    Lenient,
    MemoryText,
    Moment,
    Path,
    RememberBody,
    SearchText,
    StateKey,
    StateText,
    TeamId,
    UpdateMemoryBody,
)
from chalicelib.api.wire.words import Id
from chalicelib.domain.errors import KnownError, Unauthenticated
from chalicelib.domain.memory import Memory, State, Todo, TodoStatus
from chalicelib.domain.spaces import Door, Principal
from chalicelib.memory.records import Changes, NewMemory
from chalicelib.memory.searching import MemoryQuery
from chalicelib.memory.todos import NewTodo
from chalicelib.wiring import Services


class Envelope(Lenient):
    """Which operation, with which flags."""

    operation: Annotated[str, StringConstraints(max_length=40)]
    arguments: dict[str, Any] = Field(default_factory=dict)


class FindFlags(Lenient):
    """What to look for."""

    query: SearchText
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    path: Path = ""
    bucket: AnyBucket = None
    memory_type: AnyType = None
    team_id: TeamId = None


class TodoFlags(Lenient):
    """What is to be done."""

    content: MemoryText
    path: Path = ""
    due_at: Moment | None = None
    team_id: TeamId = None


class TodoListFlags(Lenient):
    """Which to-dos."""

    status: AnyStatus = TodoStatus.OPEN
    limit: Annotated[int, Field(ge=1, le=100)] = 50
    team_id: TeamId = None


class OneFlags(Lenient):
    """Which record or to-do."""

    id: Id | None = None
    todo_id: Id | None = None

    def named(self) -> str:
        """The id, under either name. Raises InvalidRequest."""
        found = self.id or self.todo_id
        if found is None:
            raise InvalidRequest(errors=({"where": "arguments.id", "problem": "is required"},))
        return found


class StateFlags(Lenient):
    """Which state; `key` is another name of `state_key`."""

    key: StateKey | None = None
    state_key: StateKey | None = None
    content: StateText | None = None
    current_task: StateText | None = None
    next_action: StateText | None = None
    blocked_reason: StateText | None = None
    team_id: TeamId = None

    @property
    def named(self) -> str:
        """The key, under either name."""
        return self.state_key or self.key or "current"

    def written(self) -> str:
        """The content, or one made of its parts. Raises InvalidRequest."""
        parts = {
            "Current task": self.current_task,
            "Next action": self.next_action,
            "Blocked by": self.blocked_reason,
        }
        told = [each for each in [self.content, *(f"{name}: {each}" for name, each in parts.items() if each)] if each]
        if not told:
            raise InvalidRequest(errors=({"where": "arguments.content", "problem": "is required"},))
        return "\n".join(told)


class UpdateFlags(UpdateMemoryBody):
    """What is to change of which record."""

    id: Id


class NoFlags(Lenient):
    """Nothing is needed."""


@dataclass(frozen=True, slots=True)
class Job:
    """One operation under way."""

    services: Services
    principal: Principal
    flags: Any


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation."""

    scope: Scope
    flags: type[Lenient]
    run: Callable[[Job], Any]


def _remember(job: Job) -> str:
    flags: RememberBody = job.flags
    asked = NewMemory(
        content=flags.content,
        type=flags.memory_type,
        path=flags.path,
        bucket=flags.bucket,
        team_id=flags.team_id,
        agent_id=flags.agent_id,
        agent_instance_id=flags.agent_instance_id,
    )
    return job.services.notebook.remember(job.principal, asked).id


def _find(job: Job) -> list[dict[str, Any]]:
    flags: FindFlags = job.flags
    asked = MemoryQuery(flags.query, flags.limit, flags.team_id, flags.path, flags.bucket, flags.memory_type)
    found = job.services.notebook.search(job.principal, asked)
    return [{**_memory(each.memory), "score": round(each.score, 4)} for each in found]


def _update(job: Job) -> dict[str, Any]:
    flags: UpdateFlags = job.flags
    changes = Changes(flags.content, flags.memory_type, flags.path, flags.bucket)
    return _memory(job.services.notebook.update(job.principal, flags.id, changes))


def _read(job: Job) -> dict[str, Any]:
    return _memory(job.services.notebook.explain(job.principal, job.flags.named()))


def _forget(job: Job) -> dict[str, Any]:
    return {"id": job.services.notebook.forget(job.principal, job.flags.named()).id, "forgotten": True}


def _add_todo(job: Job) -> dict[str, Any]:
    flags: TodoFlags = job.flags
    asked = NewTodo(flags.content, flags.path, flags.due_at, flags.team_id)
    return _todo(job.services.notebook.create_todo(job.principal, asked))


def _list_todos(job: Job) -> list[dict[str, Any]]:
    flags: TodoListFlags = job.flags
    page = job.services.notebook.list_todos(job.principal, flags.team_id, flags.status, None, flags.limit)
    return [_todo(each) for each in page.entries]


def _finish_todo(job: Job) -> dict[str, Any]:
    return _todo(job.services.notebook.complete_todo(job.principal, job.flags.named()))


def _save(job: Job) -> dict[str, Any]:
    flags: StateFlags = job.flags
    return _state(job.services.notebook.save_state(job.principal, flags.named, flags.written(), flags.team_id))


def _restore(job: Job) -> dict[str, Any]:
    flags: StateFlags = job.flags
    return _state(job.services.notebook.restore_state(job.principal, flags.named, flags.team_id))


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "path": memory.path,
        "content": memory.content,
        "memory_type": memory.type,
        "status": memory.status,
        "version": memory.version,
    }


def _todo(todo: Todo) -> dict[str, Any]:
    due = todo.due_at.isoformat() if todo.due_at else None
    return {"id": todo.id, "content": todo.content, "status": todo.status, "path": todo.path, "due_at": due}


def _state(state: State) -> dict[str, Any]:
    return {"state_key": state.key, "content": state.content, "saved_at": state.saved_at.isoformat()}


_FIND = Operation(Scope.MEMORY_READ, FindFlags, _find)
_SAVE = Operation(Scope.MEMORY_WRITE, StateFlags, _save)
_RESTORE = Operation(Scope.MEMORY_RESTORE, StateFlags, _restore)

OPERATIONS: Mapping[str, Operation] = {
    "remember": Operation(Scope.MEMORY_WRITE, RememberBody, _remember),
    "recall": _FIND,
    "search": _FIND,
    "read": Operation(Scope.MEMORY_READ, OneFlags, _read),
    "update": Operation(Scope.MEMORY_WRITE, UpdateFlags, _update),
    "forget": Operation(Scope.MEMORY_WRITE, OneFlags, _forget),
    "todo-add": Operation(Scope.MEMORY_WRITE, TodoFlags, _add_todo),
    "todo-list": Operation(Scope.MEMORY_READ, TodoListFlags, _list_todos),
    "todo-done": Operation(Scope.MEMORY_WRITE, OneFlags, _finish_todo),
    "state-save": _SAVE,
    "save-state": _SAVE,
    "state-restore": _RESTORE,
    "restore-state": _RESTORE,
}


def serve(asked: Asked) -> Raw:
    """Run one operation; whatever is known to go wrong is told in the envelope."""
    try:
        envelope = _parsed(lambda: Envelope.model_validate_json(asked.body), "body")
        result = _doctor(asked) if envelope.operation == "doctor" else _run(asked, envelope)
    except KnownError as error:
        return _refused(error, asked.request_id)
    return Raw(json.dumps({"ok": True, "operation": envelope.operation, "result": result}, ensure_ascii=False))


def _doctor(asked: Asked) -> dict[str, Any]:
    """That the service is there, and what the token is good for; without one, that too is an answer."""
    try:
        principal = asked.services.authenticate(bearer(asked.headers), Door.REST)
    except Unauthenticated:
        return {"status": "ok", "auth_valid": False, "scopes": []}
    return {"status": "ok", "auth_valid": True, "scopes": sorted(principal.scopes)}


def _run(asked: Asked, envelope: Envelope) -> Any:  # noqa: ANN401 - each operation has its own result
    principal = asked.services.authenticate(bearer(asked.headers), Door.REST)
    operation = OPERATIONS.get(envelope.operation)
    if operation is None:
        known = ", ".join(["doctor", *OPERATIONS])
        raise InvalidRequest(errors=({"where": "operation", "problem": f"has to be one of: {known}"},))
    demand_scopes(principal, (operation.scope,))
    flags = _parsed(lambda: operation.flags.model_validate(envelope.arguments), "arguments")
    return operation.run(Job(asked.services, principal, flags))


def _parsed[M: Lenient](parse: Callable[[], M], where: str) -> M:
    try:
        return parse()
    except ValidationError as fault:
        raise mistakes(fault, where) from None


def _refused(error: KnownError, request_id: str) -> Raw:
    status, body, headers = problem(error, request_id)
    facts = {name: each for name, each in body.items() if name not in {"type", "title", "status", "detail"}}
    message = body["detail"]
    if isinstance(error, InvalidRequest):
        message = "; ".join(f"{each['where']}: {each['problem']}" for each in error.errors)
    told = {"ok": False, "error": {**facts, "message": message}}
    return Raw(json.dumps(told, ensure_ascii=False), status, {**headers, "Content-Type": "application/json"})
