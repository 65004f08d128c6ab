"""What the search room needs from outside."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from chalicelib.domain.bases import Base
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


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that the engine offers; not yet known to be visible."""

    item_id: str
    base_id: str
    space_id: str
    revision_id: str
    passage: Passage
    score: float
    """Higher is better; its scale is the engine's own."""


class SearchIndex(Protocol):
    """An engine that keeps cards and finds passages in them."""

    def lexical(self, query: str, within: Within, limit: int) -> tuple[Candidate, ...]:
        """The best passages for the words of a query, best first, at most `limit`.

        Raises:
            SearchUnavailable: the engine does not answer.
        """
        ...

    def put(self, card: Card) -> bool:
        """Keep the card instead of what is there of the item; False if a newer version is there already."""
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
