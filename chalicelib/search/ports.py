"""What the search room needs from outside."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from chalicelib.domain.bases import Base
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.domain.items import Item
from chalicelib.domain.spaces import Role


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a revision that is found as one."""

    position: int
    """0, 1, 2 … within the revision."""
    heading_path: tuple[str, ...]
    content: str


@dataclass(frozen=True, slots=True)
class Card:
    """Everything the index keeps of one published item."""

    item_id: str
    base_id: str
    space_id: str
    revision_id: str
    version: int
    """Of the item's record: an older one never replaces a newer one."""
    title: str
    locator: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """Where a search may look (rule S9). The engine itself filters by it."""

    spaces: frozenset[str]
    base_id: str | None = None
    without: frozenset[str] = frozenset()
    """Ids of bases and items that are left out."""
    only: frozenset[str] = frozenset()
    """Ids of bases and items, besides which nothing is looked at; all if there are none."""


type Vector = Sequence[float]
"""Of length 1, so that a product of two is their cosine."""


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """What decides what a vector means: vectors of different models mean nothing beside each other."""

    name: str
    dimension: int
    query_prefix: str = ""
    passage_prefix: str = ""


class EmbeddingsUnavailable(Exception):
    """There are no vectors now; the message says why, and holds nothing of the texts (rule H4)."""


class EmbeddingMismatch(EmbeddingsUnavailable):
    """The vectors that are there are of another model; `reindex` makes new ones."""


class Embedder(Protocol):
    """Makes vectors of texts."""

    @property
    def model(self) -> EmbeddingModel | None:
        """Whose vectors they are; None if it makes none."""
        ...

    def query(self, text: str) -> Vector:
        """The vector of what somebody looks for. Raises EmbeddingsUnavailable."""
        ...

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vectors of texts that are to be found, one each, in order. Raises EmbeddingsUnavailable."""
        ...


@dataclass(frozen=True, slots=True)
class Embedding:
    """The vector of a passage, and of what it was made."""

    digest: str
    """Of the text that was embedded: the same text has the same vector."""
    vector: Vector


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: by words, by meaning, or by both at once."""

    words: str | None
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that the engine offers; not yet known to be visible."""

    item_id: str
    base_id: str
    space_id: str
    revision_id: str
    passage: Passage
    score: float
    """Higher is better. Of words, on the engine's own scale; of meaning, the cosine."""
    embedded: bool = False
    """Whether it has a vector, so that a search by meaning could find it."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One half of an answer."""

    candidates: tuple[Candidate, ...] = ()
    """Best first."""
    expected: float = 0.0
    """About what a passage scores that has every word of the query once; 0 where that means nothing."""


type Outcome = Leg | SearchUnavailable | EmbeddingsUnavailable
"""What became of one half of a search."""


@dataclass(frozen=True, slots=True)
class Legs:
    """The answer to a question. A half that was not asked for is empty."""

    lexical: Outcome = Leg()
    semantic: Outcome = Leg()


@dataclass(frozen=True, slots=True)
class Held:
    """What an index holds of an item."""

    version: int
    passages: int
    """0 for an item that was withdrawn."""
    embedded: int
    """How many of the passages have a vector."""


class SearchIndex(Protocol):
    """An engine that keeps cards and finds passages in them.

    Every call raises SearchUnavailable if the engine does not answer.
    """

    def search(self, question: Question, within: Within, limit: int) -> Legs:
        """The best passages for the words and for the vector, at most `limit` of each, in one round trip.

        A half that fails does not keep the other from answering: it comes as the fault that it is, which is
        EmbeddingMismatch if the index holds vectors of another model.
        """
        ...

    def put(self, card: Card, embeddings: Sequence[Embedding | None] = ()) -> bool:
        """Keep the card instead of what is there of the item; False if a newer version is there already.

        `embeddings` has one for each passage, or None for those that have none yet; or there are none at all. They
        may come later, with the same card; a card of the same version that comes with fewer takes none away.
        Raises EmbeddingMismatch if the index holds vectors of another model.
        """
        ...

    def embeddings(self, item_id: str) -> Mapping[str, Vector]:
        """The vectors that are held of the item, by digest.

        Raises EmbeddingMismatch if the index holds vectors of another model.
        """
        ...

    def withdraw(self, item_id: str, version: int) -> bool:
        """Keep nothing of the item but its version; False if a newer version is there already."""
        ...

    def count(self, item_ids: Collection[str]) -> int:
        """How many passages it holds of the items."""
        ...

    def erase(self, item_ids: Collection[str]) -> int:
        """Forget the items entirely (rule K16). Returns how many passages went."""
        ...

    def held(self, item_ids: Collection[str]) -> Mapping[str, Held]:
        """What is held of the items, by item id; those that it does not know are left out."""
        ...

    def known(self) -> Iterator[str]:
        """The id of every item that it holds anything of, in no order."""
        ...

    def misfit(self) -> str:
        """Why the index has to be made anew: by another version, or for another model; empty if it has not."""
        ...

    def beside(self) -> "SearchIndex":
        """A new, empty index beside this one, for what `take_over` ends; one that was left unfinished goes."""
        ...

    def take_over(self, new: "SearchIndex") -> None:
        """From now on be the index that `beside` gave, for every process; what was held before goes."""
        ...


@dataclass(frozen=True, slots=True)
class Standing:
    """What the table says of some candidates, from one strongly consistent read (rule S8)."""

    items: Mapping[str, Item]
    bases: Mapping[str, Base]
    roles: Mapping[str, Role]
    """The asking user's role, by space id."""


class Shelf(Protocol):
    """The table, as far as search asks it."""

    def standing(self, user_id: str, candidates: Collection[Candidate]) -> Standing:
        """The records that decide about these candidates; what does not exist is left out."""
        ...

    def item(self, item_id: str) -> Item | None:
        """The item as it is now, strongly consistent; None if it is gone."""
        ...


class Bases(Protocol):
    """Where a base that a search names is looked up; every knowledge store is one."""

    def base(self, base_id: str) -> Base | None:
        """The base as it is now, strongly consistent; None if there is none."""
        ...


class RevisionText(Protocol):
    """Reads the canonical text of a revision."""

    def __call__(self, item_id: str, revision_id: str) -> str:
        """The text. Raises NotFound if the revision is gone."""
        ...


class Catalogue(Protocol):
    """All items that there are."""

    def everything(self) -> Iterator[Item]:
        """Every item, in no order. What changes while it runs may come as it was or as it is."""
        ...

    def existing(self, item_ids: Collection[str]) -> set[str]:
        """Which of the items there are, strongly consistent."""
        ...


class Later(Protocol):
    """Has what is slow to make made soon, by a worker that may take its time."""

    def __call__(self, key: str, /) -> None:
        """Ask for the vectors of an item, or the topic maps of a base or page. To ask twice does no harm."""
        ...


class SearchState(StrEnum):
    """How far the index is with an item (rule S11)."""

    PENDING = "pending"
    INDEXED = "indexed"
    FAILED = "failed"


class SearchStates(Protocol):
    """Where the indexer notes how far it is."""

    def mark(self, item: Item, state: SearchState) -> None:
        """Note the state for the item's current revision; an older version never replaces a newer one."""
        ...

    def states(self, items: Sequence[Item]) -> dict[str, SearchState]:
        """How far the index is with each item as it is, by item id; PENDING until it is marked."""
        ...
