"""Routes of memory: records, to-dos, the timeline, states, projects."""

from chalicelib.access.scopes import Scope
from chalicelib.api import cursors
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.links import LinkedProjectAnswer
from chalicelib.api.wire.memory import (
    EventAnswer,
    EventsAnswer,
    ExplainQuery,
    ForgetBody,
    ForgottenAnswer,
    LinksBody,
    MemoriesAnswer,
    MemoryAnswer,
    MemoryListing,
    NewEventBody,
    NewProjectBody,
    NewTodoBody,
    PackAnswer,
    PeriodQuery,
    ProjectAnswer,
    ProjectsAnswer,
    RecallBody,
    RememberBody,
    SaveStateBody,
    StateAnswer,
    StateQuery,
    TeamListing,
    TodoAnswer,
    TodoListing,
    TodosAnswer,
    UpdateMemoryBody,
)
from chalicelib.domain.errors import (
    ConcurrentChange,
    Forgotten,
    NoState,
    NotAllowed,
    NotFound,
    ProjectTaken,
    SearchUnavailable,
    TokenLimited,
)
from chalicelib.memory.projects import Links, NewProject
from chalicelib.memory.records import Changes, NewMemory
from chalicelib.memory.timeline import NewEvent, Period
from chalicelib.memory.todos import NewTodo

_READ = (Scope.MEMORY_READ,)
_WRITE = (Scope.MEMORY_WRITE,)
_RESTORE = (Scope.MEMORY_RESTORE,)

_MEMORY = "/v1/memories/{memory_id}"
_PROJECT = "/v1/projects/{project_id}"

_ADDS = (NotFound, NotAllowed, TokenLimited)
_LISTS = (NotFound, TokenLimited)
_CHANGES = (NotFound, NotAllowed, ConcurrentChange)


def _remember(call: Call) -> Reply:
    body: RememberBody = call.body
    asked = NewMemory(
        content=body.content,
        type=body.memory_type,
        path=body.path,
        bucket=body.bucket,
        team_id=body.team_id,
        agent_id=body.agent_id,
        agent_instance_id=body.agent_instance_id,
    )
    return Reply(MemoryAnswer.of(call.services.notebook.remember(call.principal, asked, call.once)), 201)


def _list(call: Call) -> Reply:
    asked: MemoryListing = call.query
    listed = f"memories {asked.team_id} {asked.path}"
    after = cursors.take(listed, asked.cursor)
    page = call.services.notebook.list(call.principal, asked.team_id, asked.path, after, asked.limit)
    memories = [MemoryAnswer.of(each) for each in page.entries]
    return Reply(MemoriesAnswer(memories=memories, next_cursor=cursors.give(listed, page.after)))


def _explain(call: Call) -> Reply:
    return Reply(MemoryAnswer.of(call.services.notebook.explain(call.principal, call.path["memory_id"])))


def _update(call: Call) -> Reply:
    body: UpdateMemoryBody = call.body
    changes = Changes(body.content, body.memory_type, body.path, body.bucket)
    return Reply(MemoryAnswer.of(call.services.notebook.update(call.principal, call.path["memory_id"], changes)))


def _forget(call: Call) -> Reply:
    memory = call.services.notebook.forget(call.principal, call.path["memory_id"])
    return Reply(ForgottenAnswer(id=memory.id, forgotten=True))


def _recall(call: Call) -> Reply:
    return Reply(PackAnswer.of(call.services.notebook.recall(call.principal, call.body.request())))


def _create_todo(call: Call) -> Reply:
    body: NewTodoBody = call.body
    asked = NewTodo(body.content, body.path, body.due_at, body.team_id)
    return Reply(TodoAnswer.of(call.services.notebook.create_todo(call.principal, asked, call.once)), 201)


def _list_todos(call: Call) -> Reply:
    asked: TodoListing = call.query
    listed = f"todos {asked.team_id} {asked.status}"
    after = cursors.take(listed, asked.cursor)
    page = call.services.notebook.list_todos(call.principal, asked.team_id, asked.status, after, asked.limit)
    todos = [TodoAnswer.of(each) for each in page.entries]
    return Reply(TodosAnswer(todos=todos, next_cursor=cursors.give(listed, page.after)))


def _complete_todo(call: Call) -> Reply:
    return Reply(TodoAnswer.of(call.services.notebook.complete_todo(call.principal, call.path["todo_id"])))


def _record_event(call: Call) -> Reply:
    body: NewEventBody = call.body
    asked = NewEvent(body.content, body.occurred_at, body.path, body.team_id)
    return Reply(EventAnswer.of(call.services.notebook.record_event(call.principal, asked, call.once)), 201)


def _timeline(call: Call) -> Reply:
    asked: PeriodQuery = call.query
    period = Period(asked.since, asked.until, asked.path, asked.team_id, asked.limit)
    found = call.services.notebook.read_timeline(call.principal, period)
    return Reply(EventsAnswer(events=[EventAnswer.of(each) for each in found]))


def _save_state(call: Call) -> Reply:
    body: SaveStateBody = call.body
    saved = call.services.notebook.save_state(call.principal, body.state_key, body.content, body.team_id)
    return Reply(StateAnswer.of(saved))


def _restore_state(call: Call) -> Reply:
    asked: StateQuery = call.query
    return Reply(StateAnswer.of(call.services.notebook.restore_state(call.principal, asked.state_key, asked.team_id)))


def _create_project(call: Call) -> Reply:
    body: NewProjectBody = call.body
    asked = NewProject(body.name, body.path, body.description, body.team_id)
    return Reply(ProjectAnswer.of(call.services.notebook.projects.create(call.principal, asked, call.once)), 201)


def _list_projects(call: Call) -> Reply:
    asked: TeamListing = call.query
    listed = f"projects {asked.team_id}"
    after = cursors.take(listed, asked.cursor)
    page = call.services.notebook.projects.list(call.principal, asked.team_id, after, asked.limit)
    projects = [ProjectAnswer.of(each) for each in page.entries]
    return Reply(ProjectsAnswer(projects=projects, next_cursor=cursors.give(listed, page.after)))


def _read_project(call: Call) -> Reply:
    who, services = call.principal, call.services
    project = services.notebook.projects.read(who, call.path["project_id"])
    # Titles are knowledge: a token for memory alone, or an account without knowledge, is told none.
    if not who.knowledge_enabled or Scope.KNOWLEDGE_READ not in who.scopes:
        return Reply(LinkedProjectAnswer.linking(project, {}, {}))
    items, documents = services.name_items(who, project.items), services.name_documents(who, project.documents)
    return Reply(LinkedProjectAnswer.linking(project, items, documents))


def _link(call: Call) -> Reply:
    found = call.services.notebook.projects.link(call.principal, call.path["project_id"], call.body.links(), Links())
    return Reply(ProjectAnswer.of(found))


def _unlink(call: Call) -> Reply:
    found = call.services.notebook.projects.link(call.principal, call.path["project_id"], Links(), call.body.links())
    return Reply(ProjectAnswer.of(found))


def _delete_project(call: Call) -> Reply:
    call.services.notebook.projects.delete(call.principal, call.path["project_id"])
    return Reply(ProjectsAnswer(projects=[], next_cursor=None))


ROUTES = (
    Route(
        "POST",
        "/v1/recall/context",
        "recallContext",
        "Recall what memory and knowledge say about a question, within a budget",
        _recall,
        PackAnswer,
        _READ,
        body=RecallBody,
        errors=(NotFound, SearchUnavailable),
    ),
    Route(
        "POST",
        "/v1/memories",
        "remember",
        "Keep something in mind",
        _remember,
        MemoryAnswer,
        _WRITE,
        body=RememberBody,
        status=201,
        repeatable=True,
        errors=_ADDS,
    ),
    Route(
        "GET",
        "/v1/memories",
        "listMemories",
        "List the records of a space, newest first",
        _list,
        MemoriesAnswer,
        _READ,
        query=MemoryListing,
        errors=_LISTS,
    ),
    Route(
        "GET",
        f"{_MEMORY}/explain",
        "explainMemory",
        "Read a record with where it came from",
        _explain,
        MemoryAnswer,
        _READ,
        query=ExplainQuery,
        errors=(NotFound,),
    ),
    Route(
        "PATCH",
        _MEMORY,
        "updateMemory",
        "Change a record",
        _update,
        MemoryAnswer,
        _WRITE,
        body=UpdateMemoryBody,
        errors=(*_CHANGES, Forgotten),
    ),
    Route(
        "POST",
        f"{_MEMORY}/forget",
        "forgetMemory",
        "Forget a record",
        _forget,
        ForgottenAnswer,
        _WRITE,
        body=ForgetBody,
        errors=_CHANGES,
    ),
    Route(
        "POST",
        "/v1/todos",
        "createTodo",
        "Note something to be done",
        _create_todo,
        TodoAnswer,
        _WRITE,
        body=NewTodoBody,
        status=201,
        repeatable=True,
        errors=_ADDS,
    ),
    Route(
        "GET",
        "/v1/todos",
        "listTodos",
        "List to-dos, newest first",
        _list_todos,
        TodosAnswer,
        _READ,
        query=TodoListing,
        errors=_LISTS,
    ),
    Route(
        "POST",
        "/v1/todos/{todo_id}/complete",
        "completeTodo",
        "Note that something is done",
        _complete_todo,
        TodoAnswer,
        _WRITE,
        errors=(NotFound, NotAllowed),
    ),
    Route(
        "POST",
        "/v1/timeline/events",
        "recordEvent",
        "Note something that happened",
        _record_event,
        EventAnswer,
        _WRITE,
        body=NewEventBody,
        status=201,
        repeatable=True,
        errors=_ADDS,
    ),
    Route(
        "GET",
        "/v1/timeline/events",
        "readTimeline",
        "Read what happened in a period, latest first",
        _timeline,
        EventsAnswer,
        _READ,
        query=PeriodQuery,
        errors=_LISTS,
    ),
    Route(
        "PUT",
        "/v1/state",
        "saveState",
        "Save what has to be known to go on with a task",
        _save_state,
        StateAnswer,
        _WRITE,
        body=SaveStateBody,
        errors=_ADDS,
    ),
    Route(
        "GET",
        "/v1/state",
        "restoreState",
        "Read what was saved last under a key",
        _restore_state,
        StateAnswer,
        _RESTORE,
        query=StateQuery,
        errors=(NoState, *_LISTS),
    ),
    Route(
        "POST",
        "/v1/projects",
        "createProject",
        "Make a project",
        _create_project,
        ProjectAnswer,
        _WRITE,
        body=NewProjectBody,
        status=201,
        repeatable=True,
        errors=(*_ADDS, ProjectTaken),
    ),
    Route(
        "GET",
        "/v1/projects",
        "listProjects",
        "List the projects of a space",
        _list_projects,
        ProjectsAnswer,
        _READ,
        query=TeamListing,
        errors=_LISTS,
    ),
    Route(
        "GET",
        _PROJECT,
        "readProject",
        "Read a project with its links",
        _read_project,
        LinkedProjectAnswer,
        _READ,
        errors=(NotFound,),
    ),
    Route(
        "POST",
        f"{_PROJECT}/links",
        "linkProject",
        "Link a project to knowledge items and documents",
        _link,
        ProjectAnswer,
        _WRITE,
        body=LinksBody,
        errors=_CHANGES,
    ),
    Route(
        "POST",
        f"{_PROJECT}/unlink",
        "unlinkProject",
        "Take links of a project away",
        _unlink,
        ProjectAnswer,
        _WRITE,
        body=LinksBody,
        errors=_CHANGES,
    ),
    Route(
        "DELETE",
        _PROJECT,
        "deleteProject",
        "Remove a project; what it groups and links to stays",
        _delete_project,
        ProjectsAnswer,
        _WRITE,
        errors=_CHANGES,
    ),
)
