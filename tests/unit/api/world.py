"""A world over fakes: a team with everyone in it, a foreign one, and what lies in both."""

from dataclasses import dataclass, field
from typing import Any

from chalicelib.access.accounts import operator_for
from chalicelib.access.ports import Account
from chalicelib.access.provider_ports import IdentityProvider
from chalicelib.access.scopes import Scope
from chalicelib.access.tokens import NewToken
from chalicelib.adapters.memory_search import IndexedMemory
from chalicelib.adapters.no_embeddings import NoEmbeddings
from chalicelib.answers.defence_ports import Allowance
from chalicelib.domain.spaces import Membership, Role
from chalicelib.ingest.limits import Limits
from chalicelib.search.ports import Embedder
from chalicelib.wiring import Pipes, Services, assemble
from tests.fakes.files import MemoryQueue, OpenSandbox
from tests.fakes.keys import MemoryKeys
from tests.fakes.leaving import MemoryLeaving
from tests.fakes.machine import CountingIds, CountingSecrets, StillClock, Tally
from tests.fakes.memory import MemoryNotes, MemoryRecords
from tests.fakes.pages import MemoryDefences, MemoryFuses, MemoryMaps, MemoryPages, MemoryPictures
from tests.fakes.search import MemoryIndex
from tests.fakes.shelves import MemoryBlobs, MemoryDocuments, MemoryKnowledgeState, MemoryShelves
from tests.pictures import png
from tests.web import Answered, Pages, Web

KNOWLEDGE = "/api/v1/knowledge"


@dataclass
class Person:
    """An account with a token of every scope."""

    account: Account
    token: str
    token_id: str


@dataclass
class Content:
    """What lies in one space; ids by what they are."""

    space: str
    base: str
    archived_base: str
    published: dict[str, Any]
    draft: dict[str, Any]
    archived: dict[str, Any]
    in_archived: dict[str, Any]
    purge: str
    memory: str
    todo: str
    project: str
    document: str
    page: str
    topic: str
    image: str
    link: str


@dataclass
class World:
    """Services over fakes, a server, and people."""

    keys: MemoryKeys = field(default_factory=MemoryKeys)
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    clock: StillClock = field(default_factory=StillClock)
    ids: CountingIds = field(default_factory=CountingIds)
    index: MemoryIndex = field(default_factory=MemoryIndex)
    embedder: Embedder = field(default_factory=NoEmbeddings)
    later: list[str] = field(default_factory=list)
    """Items that are to be embedded."""
    memories: MemoryRecords = field(default_factory=MemoryRecords)
    notes: MemoryNotes = field(default_factory=MemoryNotes)
    memory_search: IndexedMemory = field(default_factory=lambda: IndexedMemory(MemoryIndex()))
    meter: Tally = field(default_factory=Tally)
    journal: Pages = field(default_factory=Pages)
    queue: MemoryQueue = field(default_factory=MemoryQueue)
    pages: MemoryPages = field(default_factory=MemoryPages)
    pictures: MemoryPictures = field(default_factory=MemoryPictures)
    fuses: MemoryFuses = field(default_factory=MemoryFuses)
    defences: MemoryDefences = field(default_factory=MemoryDefences)
    provider: IdentityProvider | None = None

    def __post_init__(self) -> None:
        self.shelves = MemoryShelves(self.keys.role_of)
        self.documents = MemoryDocuments(self.shelves)
        self.leaving = MemoryLeaving(self.keys, self.shelves, self.memories, self.notes, self.blobs)
        self.services: Services = assemble(
            Pipes(
                store=self.shelves,
                graves=self.shelves,
                blobs=self.blobs,
                keys=self.keys,
                teams=self.keys,
                devices=self.keys,
                sessions=self.keys,
                attempts=self.keys,
                provider=self.provider,
                rates=self.keys,
                shelf=self.shelves,
                states=self.shelves,
                catalogue=self.shelves,
                index=self.index,
                embedder=self.embedder,
                later=self.later.append,
                memories=self.memories,
                notes=self.notes,
                memory_search=self.memory_search,
                memory_index=self.memory_search,
                exports=self.leaving,
                parcels=self.leaving,
                closures=self.leaving,
                clock=self.clock,
                ids=self.ids,
                secrets=CountingSecrets(),
                meter=self.meter,
                sandbox=OpenSandbox(),
                limits=Limits(),
                documents=self.documents,
                originals=self.blobs,
                queue=self.queue,
                pages=self.pages,
                pictures=self.pictures,
                addresses=self.pictures,
                knowledge_state=MemoryKnowledgeState(self.shelves),
                maps=MemoryMaps(),
                fuses=self.fuses,
                day_keys=self.defences,
                allowance=Allowance(1000, 1_000_000),
            )
        )
        self.web = Web(self.services, self.journal)

    def person(self, name: str) -> Person:
        account = self.services.create_account(name)
        issued = self.services.issue_token(operator_for(account), NewToken("all", frozenset(Scope)))
        return Person(account, issued.bearer, issued.token.id)

    def team(self, owner: Person, **members: Person) -> str:
        space = self.ok(owner, "POST", "/api/v1/teams", {"name": "Ops"})["id"]
        for role, person in members.items():
            member = Membership(space, person.account.user_id, Role(role), self.clock.now())
            self.keys.put_member(None, member)
        return str(space)

    def ok(self, person: Person, method: str, path: str, body: object = None) -> Any:
        answer = self.web(method, path, body, token=person.token)
        assert answer.status in {200, 201, 202}, answer
        return answer.json

    def base(self, person: Person, space: str, name: str = "Runbooks") -> str:
        return str(self.ok(person, "POST", f"{KNOWLEDGE}/bases", {"space_id": space, "name": name})["id"])

    def item(self, person: Person, base: str, *moves: str, title: str = "Restarting", content: str = "One.") -> Any:
        body = {"title": title, "locator": self.ids.new("item"), "content": content}  # type: ignore[arg-type]
        item = self.ok(person, "POST", f"{KNOWLEDGE}/bases/{base}/items", body)
        for move in moves:
            item = self.ok(person, "POST", f"{KNOWLEDGE}/items/{item['id']}/{move}")
        self.index_all()
        return item

    def index_all(self) -> None:
        """What the stream's worker would do by now."""
        for item_id in list(self.shelves.items_):
            self.services.index_item(item_id)
        for memory_id in list(self.memories.records):
            self.services.notebook.index(memory_id)

    def content(self, owner: Person, space: str) -> Content:
        """A base of each kind with an item of each kind."""
        page = self.page(owner, space)
        base, other, doomed = (self.base(owner, space, name) for name in ("Runbooks", "Old", "Doomed"))
        in_archived = self.item(owner, other, "publish")
        place = {"team_id": space}
        state = {"state_key": "current", "content": "Half way", **place}
        self.ok(owner, "PUT", "/v1/state", state)
        self.ok(owner, "POST", f"{KNOWLEDGE}/bases/{other}/archive")
        return Content(
            space=space,
            base=base,
            archived_base=other,
            published=self.item(owner, base, "publish"),
            draft=self.item(owner, base),
            archived=self.item(owner, base, "archive"),
            in_archived=in_archived,
            purge=str(self.ok(owner, "DELETE", f"{KNOWLEDGE}/bases/{doomed}", {"confirm": "Doomed"})["id"]),
            memory=self.ok(owner, "POST", "/v1/memories", {"content": "We deploy on Tuesdays", **place})["id"],
            todo=self.ok(owner, "POST", "/v1/todos", {"content": "Write it down", **place})["id"],
            project=self.ok(owner, "POST", "/v1/projects", {"name": "X", "path": "projects/x", **place})["id"],
            document=self.document(owner, base),
            **page,
        )

    def page(self, person: Person, space: str) -> dict[str, str]:
        """A live page with one of everything; ids by what they are."""
        asked = {"space_id": space, "name": "Casa Lola", "about": "A small hotel.", "language": "es"}
        page = f"/api/v1/pages/{self.ok(person, 'POST', '/api/v1/pages', asked)['id']}"
        base = self.base(person, space, "Rooms")
        topic = {"title": "Rooms", "description": "What they cost", "knowledge_base_ids": [base]}
        self.ok(person, "POST", f"{page}/topics", topic)
        self.ok(person, "POST", f"{page}/links", {"kind": "action", "label": "Book", "url": "https://lola.example/"})
        announced = self.ok(person, "POST", f"{page}/images", {"media_type": "image/png"})
        image = f"{page}/images/{announced['image_id']}"
        self.pictures.put(announced["upload"]["fields"]["key"], "image/png", png())
        self.ok(person, "PUT", image, {"kind": "photo", "shows": "A room"})
        self.ok(person, "PATCH", image, {"approved": True})
        made = self.ok(person, "POST", f"{page}/go-live")
        parts = {"topic": made["topics"], "image": made["images"], "link": made["links"]}
        return {"page": made["id"], **{name: found[0]["id"] for name, found in parts.items()}}

    def document(self, person: Person, base: str) -> str:
        """A document that waits for its file."""
        body = {"filename": "report.pdf", "size": 10, "knowledge_base_id": base}
        return str(self.ok(person, "POST", "/api/v1/documents", body)["document_id"])

    def search(self, person: Person, query: str, **more: object) -> Answered:
        return self.web("POST", f"{KNOWLEDGE}/search", {"query": query, **more}, token=person.token)
