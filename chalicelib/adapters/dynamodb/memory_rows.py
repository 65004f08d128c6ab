"""How memory lies in rows."""

import hashlib
from dataclasses import asdict

from chalicelib.adapters.dynamodb.rows import maybe, moment, stamp
from chalicelib.adapters.dynamodb.tables import Key, Row
from chalicelib.domain.memory import Event, Memory, MemoryStatus, MemoryType, Project, Source, State, Todo, TodoStatus


def memory_key(memory_id: str) -> Key:
    """Where a record lies."""
    return {"pk": memory_id, "sk": "memory"}


def memory_entry(space_id: str, memory_id: str) -> Key:
    """A record's place in the list of its space."""
    return {"pk": space_id, "sk": f"memory#{memory_id}"}


def author_entry(user_id: str, memory_id: str) -> Key:
    """A record's place in the list of who remembered it."""
    return {"pk": user_id, "sk": f"remembered#{memory_id}"}


def memory_row(memory: Memory) -> Row:
    """A record as a row. `ttl` is when the table may drop it."""
    return {
        **memory_key(memory.id),
        "space_id": memory.space_id,
        "content": memory.content,
        "type": memory.type,
        "path": memory.path,
        "bucket": memory.bucket,
        "status": memory.status,
        "source": source_row(memory.source),
        "version": memory.version,
        "created_at": stamp(memory.created_at),
        "updated_at": stamp(memory.updated_at),
        "updated_by": source_row(memory.updated_by) if memory.updated_by else None,
        **life(memory),
    }


def life(memory: Memory) -> Row:
    """When a record expires, and when its rows may go."""
    if memory.expires_at is None:
        return {"expires_at": None, "ttl": None}
    return {"expires_at": stamp(memory.expires_at), "ttl": int(memory.expires_at.timestamp())}


def memory_of(row: Row) -> Memory:
    """The record in a row."""
    updated_by = row.get("updated_by")
    return Memory(
        id=row["pk"],
        space_id=row["space_id"],
        content=row["content"],
        type=MemoryType(row["type"]),
        path=row["path"],
        bucket=row["bucket"],
        status=MemoryStatus(row["status"]),
        source=Source(**row["source"]),
        version=row["version"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        updated_by=Source(**updated_by) if updated_by else None,
        expires_at=maybe(row.get("expires_at")),
    )


def source_row(source: Source) -> Row:
    """Who something came from, without what is not known."""
    return {name: each for name, each in asdict(source).items() if each is not None}


def todo_key(todo_id: str) -> Key:
    """Where a to-do lies."""
    return {"pk": todo_id, "sk": "todo"}


def todo_entry(space_id: str, todo_id: str) -> Key:
    """A to-do's place in the list of its space."""
    return {"pk": space_id, "sk": f"todo#{todo_id}"}


def todo_row(todo: Todo) -> Row:
    """A to-do as a row."""
    return {
        **todo_key(todo.id),
        "space_id": todo.space_id,
        "content": todo.content,
        "path": todo.path,
        "status": todo.status,
        "source": source_row(todo.source),
        "created_at": stamp(todo.created_at),
        "due_at": stamp(todo.due_at) if todo.due_at else None,
        "done_at": stamp(todo.done_at) if todo.done_at else None,
        "done_by": source_row(todo.done_by) if todo.done_by else None,
    }


def todo_of(row: Row) -> Todo:
    """The to-do in a row."""
    done_by = row.get("done_by")
    return Todo(
        id=row["pk"],
        space_id=row["space_id"],
        content=row["content"],
        path=row["path"],
        status=TodoStatus(row["status"]),
        source=Source(**row["source"]),
        created_at=moment(row["created_at"]),
        due_at=maybe(row.get("due_at")),
        done_at=maybe(row.get("done_at")),
        done_by=Source(**done_by) if done_by else None,
    )


def event_row(event: Event) -> Row:
    """An event as a row of its space, sorted by when it happened."""
    return {
        "pk": event.space_id,
        "sk": f"event#{stamp(event.occurred_at)}#{event.id}",
        "event_id": event.id,
        "content": event.content,
        "path": event.path,
        "occurred_at": stamp(event.occurred_at),
        "source": source_row(event.source),
        "created_at": stamp(event.created_at),
    }


def event_of(row: Row) -> Event:
    """The event in a row."""
    return Event(
        id=row["event_id"],
        space_id=row["pk"],
        content=row["content"],
        path=row["path"],
        occurred_at=moment(row["occurred_at"]),
        source=Source(**row["source"]),
        created_at=moment(row["created_at"]),
    )


def state_key(space_id: str, key: str) -> Key:
    """Where a state lies. Hashed, since sort keys end at 1,024 bytes."""
    return {"pk": space_id, "sk": f"state#{hashlib.sha256(key.encode()).hexdigest()}"}


def state_row(state: State) -> Row:
    """A state as a row."""
    return {
        **state_key(state.space_id, state.key),
        "state_key": state.key,
        "content": state.content,
        "source": source_row(state.source),
        "saved_at": stamp(state.saved_at),
    }


def state_of(row: Row) -> State:
    """The state in a row."""
    return State(row["pk"], row["state_key"], row["content"], Source(**row["source"]), moment(row["saved_at"]))


def project_key(project_id: str) -> Key:
    """Where a project lies."""
    return {"pk": project_id, "sk": "project"}


def project_entry(space_id: str, project_id: str) -> Key:
    """A project's place in the list of its space."""
    return {"pk": space_id, "sk": f"project#{project_id}"}


def project_path_key(space_id: str, path: str) -> Key:
    """Where a space keeps which project has a path."""
    return {"pk": space_id, "sk": f"projectpath#{hashlib.sha256(path.encode()).hexdigest()}"}


def project_row(project: Project) -> Row:
    """A project as a row."""
    return {
        **project_key(project.id),
        "space_id": project.space_id,
        "name": project.name,
        "description": project.description,
        "path": project.path,
        "version": project.version,
        "source": source_row(project.source),
        "created_at": stamp(project.created_at),
        "updated_at": stamp(project.updated_at),
        "items": sorted(project.items),
        "documents": sorted(project.documents),
    }


def project_of(row: Row) -> Project:
    """The project in a row."""
    return Project(
        id=row["pk"],
        space_id=row["space_id"],
        name=row["name"],
        description=row["description"],
        path=row["path"],
        version=row["version"],
        source=Source(**row["source"]),
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        items=frozenset(row["items"]),
        documents=frozenset(row["documents"]),
    )
