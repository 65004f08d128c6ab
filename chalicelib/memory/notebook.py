"""The use cases on memory, wired together."""

from dataclasses import dataclass

from chalicelib.domain.ids import Ids
from chalicelib.domain.quoting import fenced
from chalicelib.domain.time import Clock
from chalicelib.memory.ports import Fusion, KnowledgeSearch, MemoryIndex, MemorySearch, MemoryStore, NoteStore
from chalicelib.memory.projects import CreateProject, DeleteProject, LinkProject, ListProjects, ReadProject
from chalicelib.memory.rebuilding import ReindexMemory
from chalicelib.memory.recall import Recall
from chalicelib.memory.records import ExplainMemory, Forget, IndexMemory, ListMemories, Remember, UpdateMemory
from chalicelib.memory.searching import SearchMemory
from chalicelib.memory.timeline import ReadTimeline, RecordEvent, RestoreState, SaveState
from chalicelib.memory.todos import CompleteTodo, CreateTodo, ListTodos


@dataclass(frozen=True, slots=True)
class Projects:
    """The use cases on projects."""

    create: CreateProject
    list: ListProjects
    read: ReadProject
    link: LinkProject
    delete: DeleteProject


@dataclass(frozen=True, slots=True)
class Notebook:
    """All of them."""

    remember: Remember
    explain: ExplainMemory
    list: ListMemories
    update: UpdateMemory
    forget: Forget
    search: SearchMemory
    recall: Recall
    index: IndexMemory
    reindex: ReindexMemory
    create_todo: CreateTodo
    list_todos: ListTodos
    complete_todo: CompleteTodo
    record_event: RecordEvent
    read_timeline: ReadTimeline
    save_state: SaveState
    restore_state: RestoreState
    projects: Projects


@dataclass(frozen=True, slots=True)
class Desk:
    """What the notebook stands on."""

    store: MemoryStore
    notes: NoteStore
    search: MemorySearch
    index: MemoryIndex
    knowledge: KnowledgeSearch
    fusion: Fusion
    ids: Ids
    clock: Clock


def notebook(desk: Desk) -> Notebook:
    """All use cases over the same stores."""
    store, notes, ids, clock = desk.store, desk.notes, desk.ids, desk.clock
    search = SearchMemory(store, desk.search, clock)
    index = IndexMemory(store, desk.index, clock)
    return Notebook(
        remember=Remember(store, ids, clock),
        explain=ExplainMemory(store),
        list=ListMemories(store, clock),
        update=UpdateMemory(store, clock),
        forget=Forget(store, clock),
        search=search,
        recall=Recall(search, desk.knowledge, desk.fusion, fenced),
        index=index,
        reindex=ReindexMemory(store, desk.index, index, clock),
        create_todo=CreateTodo(notes, ids, clock),
        list_todos=ListTodos(notes),
        complete_todo=CompleteTodo(notes, clock),
        record_event=RecordEvent(notes, ids, clock),
        read_timeline=ReadTimeline(notes),
        save_state=SaveState(notes, clock),
        restore_state=RestoreState(notes),
        projects=Projects(
            create=CreateProject(notes, ids, clock),
            list=ListProjects(notes),
            read=ReadProject(notes),
            link=LinkProject(notes, clock),
            delete=DeleteProject(notes),
        ),
    )
