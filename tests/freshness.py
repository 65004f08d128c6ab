"""Many hands on one search desk, and whether anybody ever saw what they should not (rule S10).

Every change of the table is written down with a tick of a clock. A hit is stale unless there was a moment between
the beginning and the end of its search at which the table called it visible.
"""

import threading
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from random import Random

from chalicelib.adapters.no_embeddings import NoEmbeddings
from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.errors import ConcurrentChange, IllegalMove, KnowledgeArchived, NotFound, StaleRevision
from chalicelib.domain.ids import Kind
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.spaces import Role
from chalicelib.search.ports import Embedder, SearchIndex
from chalicelib.search.request import Mode, SearchRequest
from chalicelib.search.retrieve import Hit
from tests.factories import a_revision, an_item, new_id
from tests.unit.search.desk import READER, Desk

_SPACES = ("space_one", "space_two")
_BASES = 4
_FEW = 4
_REFUSED = (ConcurrentChange, StaleRevision, IllegalMove, NotFound, KnowledgeArchived)
"""What a writer is told who came second."""


class Hands:
    """A desk with items, and random changes and searches of it."""

    def __init__(self, index: SearchIndex, items: int = 20, embedder: Embedder | None = None) -> None:
        self.desk = Desk(index, embedder or NoEmbeddings(), roles={(space, READER): Role.VIEWER for space in _SPACES})
        self.lock = threading.RLock()
        self.tick = 0
        self.histories: dict[str, tuple[list[int], list[object]]] = {}
        self.words: dict[str, str] = {}
        """The word that only one revision holds, by its id."""
        self.stale: list[str] = []
        self.searches = 0
        self.hits = 0
        self.bases = [self._new_base(number) for number in range(_BASES)]
        for space in _SPACES:
            self._note(space, value=True)
        for number in range(items):
            self.add(Random(number))

    def step(self, random: Random) -> None:
        """One change, indexed or not, or one search."""
        changes: tuple[Callable[[Random], None], ...] = (
            *(self.search,) * 8,
            *(self.edit,) * 4,
            *(self.move,) * 4,
            *(self.index_some,) * 3,
            *(self.add,) * 2,
            *(self.embed,) * 2,
            self.delete,
            self.toggle_base,
            self.toggle_role,
        )
        random.choice(changes)(random)

    def search(self, random: Random) -> None:
        with self.lock:
            begin = self.tick
            word = random.choice(["alpha", "alpha", *list(self.words.values())[-40:]])
            principal = self.desk.principal()
        found = self.desk.retrieve(SearchRequest(word, random.choice(list(Mode)), max_results=50), principal)
        with self.lock:
            end = self.tick
            self.searches += 1
            self.hits += len(found.hits)
            self.stale += [f"{word}: {hit}" for hit in found.hits if not self._was_visible(hit, begin, end)]

    def edit(self, random: Random) -> None:
        item = self._any(random)
        revision_id = new_id(Kind.REVISION)
        after = item.following(revision_id, item.updated_at)
        with self.lock, suppress(*_REFUSED):
            self.desk.shelves.add_revision(item, after, a_revision(after, self._text(revision_id)), None)
            self._note_item(after)

    def move(self, random: Random) -> None:
        item = self._any(random)
        with self.lock, suppress(*_REFUSED):
            self._note_item(self.desk.move(item, random.choice(list(Move))))
        if random.random() < 0.7:
            self.desk.index_item(item.id)

    def index_some(self, random: Random) -> None:
        self.desk.index_item(self._any(random).id)

    def embed(self, random: Random) -> None:
        self.desk.embed_item(self._any(random).id)

    def add(self, random: Random) -> None:
        item = an_item(random.choice(self.bases), status=ItemStatus.PUBLISHED)
        with self.lock, suppress(*_REFUSED):
            revision = a_revision(item, self._text(item.current_revision_id))
            self.desk.shelves.add_item(item, revision, None)
            self._note_item(item)
        self.desk.index_item(item.id)

    def delete(self, random: Random) -> None:
        item = self._any(random)
        with self.lock:
            if len(self.desk.shelves.items_) <= _FEW:
                return
            self.desk.bury(item)
            self._note(item.id, value=None)
        self.desk.index.erase([item.id])

    def toggle_base(self, random: Random) -> None:
        with self.lock:
            base = self.desk.shelves.bases_[random.choice(self.bases).id]
            status = BaseStatus.ACTIVE if base.status is BaseStatus.ARCHIVED else BaseStatus.ARCHIVED
            self.desk.put_base(base, status=status)
            self._note(base.id, value=status is BaseStatus.ACTIVE)

    def toggle_role(self, random: Random) -> None:
        with self.lock:
            space = random.choice(_SPACES)
            if self.desk.roles.pop((space, READER), None) is None:
                self.desk.roles[space, READER] = Role.VIEWER
            self._note(space, value=(space, READER) in self.desk.roles)

    def settle(self) -> None:
        """Index what is left to index, and let everything be seen."""
        for base in self.bases:
            self.desk.put_base(base)
        for space in _SPACES:
            self.desk.roles[space, READER] = Role.VIEWER
        for item_id in list(self.desk.shelves.items_):
            self.desk.index_item(item_id)

    def missing(self) -> list[str]:
        """Published items that are not found by the word of their current revision."""
        items = [each for each in self.desk.shelves.items_.values() if each.status is ItemStatus.PUBLISHED]
        return [each.id for each in items if each.id not in self.desk.found(self.words[each.current_revision_id])]

    def _any(self, random: Random) -> Item:
        with self.lock:
            return random.choice(list(self.desk.shelves.items_.values()))

    def _text(self, revision_id: str) -> str:
        self.words[revision_id] = f"word{len(self.words)}"
        return f"alpha {self.words[revision_id]}\n"

    def _new_base(self, number: int) -> Base:
        base = self.desk.base(_SPACES[number % len(_SPACES)])
        self._note(base.id, value=True)
        return base

    def _note_item(self, item: Item) -> None:
        self._note(item.id, value=item.current_revision_id if item.status is ItemStatus.PUBLISHED else None)

    def _note(self, key: str, *, value: object) -> None:
        self.tick += 1
        ticks, values = self.histories.setdefault(key, ([], []))
        ticks.append(self.tick)
        values.append(value)

    def _at(self, key: str, tick: int) -> object:
        ticks, values = self.histories[key]
        return values[bisect_right(ticks, tick) - 1]

    def _was_visible(self, hit: Hit, begin: int, end: int) -> bool:
        said = self.words[hit.revision_id] in hit.passage.content
        return said and any(
            self._at(hit.item_id, tick) == hit.revision_id
            and self._at(hit.base_id, tick) is True
            and self._at(hit.space_id, tick) is True
            for tick in range(begin, end + 1)
        )


def work(hands: Hands, workers: int, steps: int) -> list[BaseException]:
    """Let that many threads make that many steps each. Returns what went wrong."""
    faults: list[BaseException] = []

    def run(seed: int) -> None:
        random = Random(seed)
        try:
            for _ in range(steps):
                hands.step(random)
        except BaseException as fault:  # noqa: BLE001 - reported by whoever called
            faults.append(fault)

    threads = [threading.Thread(target=run, args=[seed]) for seed in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults
