"""The search room over one engine, filled with a judged set: the whole use case, but for the table behind it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from chalicelib.domain.bases import Base
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.spaces import Principal, Role
from chalicelib.domain.text import canonical
from chalicelib.search.embedding import embedded_texts
from chalicelib.search.passages import passages
from chalicelib.search.ports import (
    Candidate,
    Card,
    Embedding,
    EmbeddingModel,
    SearchIndex,
    Standing,
    Vector,
)
from chalicelib.search.request import Mode, SearchRequest
from chalicelib.search.retrieve import Found, Retrieve
from tests.bench.judged import Document, Judged
from tests.factories import a_base, a_principal, an_item

SPACE = "space_bench"
MODEL = EmbeddingModel("multilingual-e5-small-q4", 384, "query: ", "passage: ")


@dataclass
class Everything:
    """The port `Shelf` by which all may be seen.

    It makes each item once: what the table takes is no part of what is measured.
    """

    base_: Base = field(default_factory=lambda: a_base(SPACE))
    reads: int = 0
    made: dict[str, Item] = field(default_factory=dict)

    def standing(self, user_id: str, candidates: Collection[Candidate]) -> Standing:
        self.reads += 1
        items = {each.item_id: self.made.get(each.item_id) or self._item(each) for each in candidates}
        return Standing(items, {self.base_.id: self.base_}, {SPACE: Role.VIEWER})

    def item(self, item_id: str) -> Item | None:
        raise NotImplementedError

    def base(self, base_id: str) -> Base | None:
        return self.base_

    def _item(self, candidate: Candidate) -> Item:
        item = an_item(
            self.base_,
            id=candidate.item_id,
            status=ItemStatus.PUBLISHED,
            current_revision_id=candidate.revision_id,
        )
        self.made[item.id] = item
        return item


@dataclass
class Given:
    """The port `Embedder` with the vectors of a set."""

    vectors: dict[str, Vector]
    model: EmbeddingModel = MODEL

    @classmethod
    def of(cls, judged: Judged) -> "Given":
        """By the text of each query."""
        pairs = zip(judged.queries, judged.query_vectors, strict=True)
        return cls({text: vector.tolist() for (text, _), vector in pairs})

    def query(self, text: str) -> Vector:
        return self.vectors[text]

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        raise NotImplementedError


@dataclass
class Ours:
    """Searches of a filled engine."""

    index: SearchIndex
    retrieve: Retrieve
    principal: Principal
    passages: int

    def asked(self, judged: Judged) -> "Ours":
        """The same, for the queries of another set about the same documents."""
        return replace(self, retrieve=replace(self.retrieve, embedder=Given.of(judged)))

    def found(self, query: str, mode: Mode, **asked: object) -> Found:
        return self.retrieve(SearchRequest(query, mode, **asked), self.principal)  # type: ignore[arg-type]

    def ids(self, query: str, mode: Mode, **asked: object) -> list[str]:
        return [each.item_id for each in self.found(query, mode, **asked).hits]


def ours(index: SearchIndex, judged: Judged) -> Ours:
    """Put all documents into the engine, each passage with the vector of its document."""
    shelf = Everything()
    count = 0
    for document, vector in zip(judged.documents, judged.document_vectors, strict=True):
        card = a_card(document, shelf.base_)
        count += len(card.passages)
        index.put(card, [Embedding(str(number), vector.tolist()) for number in range(len(embedded_texts(card)))])
    index.count([])  # a cluster makes all of it searchable now
    retrieve = Retrieve(index, Given.of(judged), shelf, shelf)
    return Ours(index, retrieve, a_principal({SPACE: Role.VIEWER}), count)


def a_card(document: Document, base: Base) -> Card:
    """A document as an item: cut into passages."""
    found = passages(canonical(document.text))
    return Card(document.id, base.id, SPACE, "rev_1", 1, document.title, "page", found)
