"""A search desk over fakes: a table, an index that follows it when told, and someone who searches."""

from dataclasses import dataclass, field, replace

from chalicelib.adapters.no_embeddings import NoEmbeddings
from chalicelib.domain.bases import Base
from chalicelib.domain.errors import NotFound
from chalicelib.domain.ids import Kind
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.lifecycle import Move, move
from chalicelib.domain.spaces import Principal, Role
from chalicelib.search.embedding import EmbedItem
from chalicelib.search.indexing import Indexed, IndexItem
from chalicelib.search.ports import Embedder, SearchIndex
from chalicelib.search.request import Mode, SearchRequest
from chalicelib.search.retrieve import Found, Retrieve
from tests.factories import a_base, a_principal, a_revision, an_item, new_id
from tests.fakes.machine import START
from tests.fakes.search import MemoryIndex
from tests.fakes.shelves import MemoryShelves

SPACE = "space_here"
READER = "user_reader"


@dataclass
class Desk:
    index: SearchIndex = field(default_factory=MemoryIndex)
    embedder: Embedder = field(default_factory=NoEmbeddings)
    roles: dict[tuple[str, str], Role] = field(default_factory=lambda: {(SPACE, READER): Role.VIEWER})

    def __post_init__(self) -> None:
        self.shelves = MemoryShelves(lambda space, user: self.roles.get((space, user)))
        self.retrieve = Retrieve(self.index, self.embedder, self.shelves, self.shelves)
        self.later: list[str] = []
        needs = (self.embedder, self.later.append)
        self.index_item = IndexItem(self.shelves, self.text, self.index, self.shelves, *needs)
        self.embed_item = EmbedItem(self.shelves, self.text, self.index, *needs)

    def text(self, item_id: str, revision_id: str) -> str:
        revision = self.shelves.revision(item_id, revision_id)
        if revision is None or revision.inline is None:
            raise NotFound
        return revision.inline

    def principal(self, user_id: str = READER) -> Principal:
        """The user with the roles of this moment."""
        return a_principal({space: role for (space, user), role in self.roles.items() if user == user_id}, user_id)

    def search(self, query: str = "alpha", user_id: str = READER, **changes: object) -> Found:
        """By words, if nothing else is said."""
        request = SearchRequest(query, **{"mode": Mode.LEXICAL, **changes})  # type: ignore[arg-type]
        return self.retrieve(request, self.principal(user_id))

    def found(self, query: str = "alpha", user_id: str = READER, **changes: object) -> list[str]:
        return [hit.item_id for hit in self.search(query, user_id, **changes).hits]

    def base(self, space: str = SPACE) -> Base:
        return self.shelves.add_base(a_base(space), None)

    def item(self, base: Base, text: str = "alpha", **changes: object) -> Item:
        """A published item, indexed."""
        item = an_item(base, status=ItemStatus.PUBLISHED, **changes)
        self.shelves.add_item(item, a_revision(item, text), None)
        assert self.index_item(item.id) is Indexed.PUT
        return item

    def edit(self, item: Item, text: str) -> Item:
        """A new revision, which the index does not know yet."""
        after = item.following(new_id(Kind.REVISION), START)
        return self.shelves.add_revision(item, after, a_revision(after, text), None)

    def move(self, item: Item, asked: Move) -> Item:
        return self.shelves.change_item(item, move(item, asked, START), None)

    def bury(self, item: Item) -> None:
        """What a purge does to the table."""
        self.shelves.erase_revisions(item.id)
        self.shelves.erase_item(item.id)
        self.shelves.unlist_item(item.base_id, item.id)

    def put_base(self, base: Base, **changes: object) -> None:
        self.shelves.bases_[base.id] = replace(base, **changes)  # type: ignore[arg-type]
