"""A page over real use cases of knowledge and search, on fakes."""

from dataclasses import dataclass, field, replace
from typing import Any

from chalicelib.adapters.no_embeddings import NoEmbeddings
from chalicelib.answers.mapping import TopicMaps
from chalicelib.answers.retrieval import ReadTopic
from chalicelib.domain.bases import Base
from chalicelib.domain.ids import Kind
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.pages import Page
from chalicelib.domain.spaces import Role
from chalicelib.knowledge.content import ReadText
from chalicelib.search.embedding import EmbedItem
from chalicelib.search.indexing import IndexItem
from chalicelib.search.ports import Embedder
from tests.factories import a_base, a_page, a_revision, a_topic, an_item, new_id
from tests.fakes.pages import MemoryMaps
from tests.fakes.search import MemoryIndex
from tests.fakes.shelves import MemoryBlobs, MemoryKnowledgeState, MemoryShelves


@dataclass
class Shelf:
    """A base with items, a page with a topic of it, and who reads it."""

    embedder: Embedder = field(default_factory=NoEmbeddings)

    def __post_init__(self) -> None:
        self.shelves = MemoryShelves(lambda _space, _user: Role.OWNER)
        self.state = MemoryKnowledgeState(self.shelves)
        self.kept = MemoryMaps()
        self.index = MemoryIndex(self.embedder.model)
        self.text = ReadText(self.shelves, MemoryBlobs())
        self.base: Base = self.shelves.add_base(a_base(), None)
        self.topic = a_topic(self.base)
        self.page: Page = a_page(self.base.space_id, topics=(self.topic,))
        self.read = self.reader()

    def reader(self, **others: Any) -> ReadTopic:
        """Who reads: a process that just started."""
        maps = TopicMaps(self.shelves, self.text, self.state, self.kept)
        return replace(ReadTopic(maps, self.index, self.embedder, self.state), **others)

    def item(self, text: str, base: Base | None = None, **facts: Any) -> Item:
        """A published item, indexed."""
        item = an_item(base or self.base, **{"status": ItemStatus.PUBLISHED, "title": "About", **facts})
        self.shelves.add_item(item, a_revision(item, text), None)
        self.follow(item.id)
        return item

    def edit(self, item: Item, text: str) -> Item:
        """Another revision, not yet indexed."""
        after = replace(
            item,
            version=item.version + 1,
            current_revision_id=new_id(Kind.REVISION),
            current_number=item.current_number + 1,
        )
        return self.shelves.add_revision(item, after, a_revision(after, text), None)

    def move(self, item: Item, status: ItemStatus) -> Item:
        """Another status, not yet in the index."""
        return self.shelves.change_item(item, replace(item, version=item.version + 1, status=status), None)

    def follow(self, item_id: str) -> None:
        """What the index's workers do."""
        later: list[str] = []
        IndexItem(self.shelves, self.text, self.index, self.shelves, self.embedder, later.append)(item_id)
        if self.embedder.model is not None:
            EmbedItem(self.shelves, self.text, self.index, self.embedder, later.append)(item_id)

    def found(self, query: str) -> list[str]:
        """What is found, best first."""
        return [each.content for each in self.read(self.page, self.topic, query).passages]
