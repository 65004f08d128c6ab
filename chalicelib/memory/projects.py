"""Projects: they group records by path, and link to knowledge items and documents."""

from dataclasses import dataclass, replace

from chalicelib.domain.errors import NotFound
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.memory import Project
from chalicelib.domain.spaces import Action, Principal, demand
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once, Page
from chalicelib.memory.ports import NoteStore
from chalicelib.memory.reach import lists_from, source_of, writes_to


@dataclass(frozen=True, slots=True)
class NewProject:
    """What is asked of a new project."""

    name: str
    path: str
    description: str = ""
    team_id: str | None = None


@dataclass(frozen=True, slots=True)
class CreateProject:
    """Make a project."""

    notes: NoteStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, asked: NewProject, once: Once | None) -> Project:
        """The new project. Raises NotFound, NotAllowed, TokenLimited, ProjectTaken, IdempotencyKeyReused."""
        now = self.clock.now()
        project = Project(
            id=self.ids.new(Kind.PROJECT),
            space_id=writes_to(principal, asked.team_id),
            name=asked.name,
            description=asked.description,
            path=asked.path.strip("/"),
            version=1,
            source=source_of(principal),
            created_at=now,
            updated_at=now,
        )
        return self.notes.add_project(project, once)


@dataclass(frozen=True, slots=True)
class ListProjects:
    """List the projects of one space."""

    notes: NoteStore

    def __call__(self, principal: Principal, team_id: str | None, after: str | None, limit: int) -> Page[Project]:
        """A page, newest first. Raises NotFound, TokenLimited."""
        return self.notes.projects(lists_from(principal, team_id), after, limit)


@dataclass(frozen=True, slots=True)
class ReadProject:
    """Read one project."""

    notes: NoteStore

    def __call__(self, principal: Principal, project_id: str) -> Project:
        """The project with its links. Raises NotFound."""
        return _project(self.notes, principal, project_id, Action.READ)


@dataclass(frozen=True, slots=True)
class Links:
    """What is to be linked, or unlinked."""

    items: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LinkProject:
    """Link a project to knowledge items and documents, or take links away. Nothing that is linked changes (K17)."""

    notes: NoteStore
    clock: Clock

    def __call__(self, principal: Principal, project_id: str, add: Links, remove: Links) -> Project:
        """The project with its links. What is linked need not exist: deletion for good leaves links, which say so.

        Raises NotFound, NotAllowed, ConcurrentChange.
        """
        before = _project(self.notes, principal, project_id, Action.WRITE_MEMORY)
        items = (before.items | add.items) - remove.items
        documents = (before.documents | add.documents) - remove.documents
        if (items, documents) == (before.items, before.documents):
            return before
        now = self.clock.now()
        after = replace(before, items=items, documents=documents, version=before.version + 1, updated_at=now)
        return self.notes.change_project(before, after)


@dataclass(frozen=True, slots=True)
class DeleteProject:
    """Remove a project. Its records, items and documents stay."""

    notes: NoteStore

    def __call__(self, principal: Principal, project_id: str) -> None:
        """Nothing is left of it. Raises NotFound, NotAllowed, ConcurrentChange."""
        self.notes.remove_project(_project(self.notes, principal, project_id, Action.WRITE_MEMORY))


def _project(notes: NoteStore, principal: Principal, project_id: str, action: Action) -> Project:
    project = notes.project(project_id)
    if project is None:
        raise NotFound
    demand(principal, action, project.space_id)
    return project
