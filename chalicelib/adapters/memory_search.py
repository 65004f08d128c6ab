"""Memory's search on the search room's engines: the ports `MemorySearch` and `MemoryIndex` over a `SearchIndex`.

An index of its own, so that no passage of knowledge and no record of memory can be taken for one another.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from chalicelib.domain.errors import SearchUnavailable
from chalicelib.domain.memory import Memory
from chalicelib.domain.spaces import Principal
from chalicelib.memory.ports import KnowledgePassage, Lead
from chalicelib.search.analysis import tokens
from chalicelib.search.fusion import Key, Side, Sides, hybrid
from chalicelib.search.passages import passages
from chalicelib.search.ports import Candidate, Card, Leg, Passage, Question, SearchIndex, Within
from chalicelib.search.query import parse
from chalicelib.search.request import SearchRequest
from chalicelib.search.retrieve import Hit, Retrieve
from chalicelib.search.stemming import languages_for, stems

_NO_BASE = "memory"
"""What stands where an item has its base."""

_MOST = 50
"""Results of one search, at most."""

_ENOUGH = 0.1
"""Of the query's weight, what a record must have to be offered beside the index."""

_SOME = 10
"""Records from which on it means something how many of them hold a word."""


@dataclass(frozen=True, slots=True)
class IndexedMemory:
    """Both ports over one engine."""

    index: SearchIndex

    def find(
        self, query: str, spaces: frozenset[str], limit: int, without: frozenset[str] = frozenset()
    ) -> tuple[Lead, ...]:
        """Records that match, best first, at most `limit`."""
        leg = self.index.search(Question(query), Within(spaces, without=without), limit).lexical
        if not isinstance(leg, Leg):
            raise SearchUnavailable
        best: dict[Key, Candidate] = {}
        for each in leg.candidates:
            best.setdefault(each.item_id, each)
        ranked = hybrid(Sides(Side(best, leg.expected), None), alpha=1.0)
        return tuple(Lead(each.candidate.item_id, each.score) for each in ranked)

    def match(self, query: str, records: Sequence[Memory]) -> tuple[Lead, ...]:
        """Those of the records that match, best first, without the index."""
        languages = languages_for(query)
        counted = [_terms(f"{each.path} {each.content}", languages) for each in records]
        asked = {word: {word, *stems(word, *languages)} for word in parse(query).terms}
        rarity = {word: _rarity(sum(word in each for each in counted), len(counted)) for word in asked}
        scored = [(_share(each, asked, rarity), record.id) for each, record in zip(counted, records, strict=True)]
        good = sorted((each for each in scored if each[0] >= _ENOUGH), key=lambda each: (-each[0], each[1]))
        return tuple(Lead(memory_id, score) for score, memory_id in good)

    def put(self, memory: Memory) -> bool:
        """Keep the record; False if a newer version is there already."""
        return self.index.put(
            Card(
                item_id=memory.id,
                base_id=_NO_BASE,
                space_id=memory.space_id,
                revision_id=str(memory.version),
                version=memory.version,
                title="",
                locator=memory.path,
                passages=passages(memory.content) or (Passage(0, (), memory.content),),
            )
        )

    def withdraw(self, memory_id: str, version: int) -> bool:
        """Keep nothing of the record but its version; False if a newer version is there already."""
        return self.index.withdraw(memory_id, version)

    def erase(self, memory_ids: Iterable[str]) -> int:
        """Forget the records entirely."""
        return self.index.erase(list(memory_ids))

    def known(self) -> Iterator[str]:
        """The id of every record that it holds anything of."""
        return self.index.known()

    def misfit(self) -> str:
        """Why the index has to be made anew; empty if it has not."""
        return self.index.misfit()

    def beside(self) -> Self:
        """A new, empty index beside this one."""
        return replace(self, index=self.index.beside())

    def take_over(self, new: Self) -> None:
        """From now on be that index."""
        self.index.take_over(new.index)


def _terms(text: str, languages: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    for token in tokens(text):
        found.update(token.wholes, token.parts, token.folded)
        found.update(root for word in token.folded for root in stems(word, *languages))
    return found


def _rarity(holding: int, many: int) -> float:
    """A word that all records hold says little, once there are some."""
    return 1.0 / (1.0 + holding / max(many, _SOME))


def _share(held: set[str], asked: Mapping[str, set[str]], rarity: Mapping[str, float]) -> float:
    """Which share of the query's weight a text holds, each word exactly or by a stem."""
    whole = sum(rarity.values()) or 1.0
    return sum(rarity[word] for word, forms in asked.items() if held & forms) / whole


@dataclass(frozen=True, slots=True)
class RetrievedKnowledge:
    """The port `KnowledgeSearch` over the search room's use case."""

    retrieve: Retrieve

    def __call__(
        self, principal: Principal, query: str, space_id: str | None, limit: int
    ) -> tuple[KnowledgePassage, ...]:
        """The best passages, one per item."""
        request = SearchRequest(query, max_results=min(limit, _MOST), space_id=space_id)
        return tuple(map(_passage, self.retrieve(request, principal).hits))


def _passage(hit: Hit) -> KnowledgePassage:
    return KnowledgePassage(hit.item_id, hit.title, hit.passage.content, hit.reference, hit.score)


def by_worth(memory: Sequence[tuple[str, float]], knowledge: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """The port `Fusion`: by score, since the search room scores both by what a match is worth.

    Between equals the better rank decides, memory first. (Reciprocal ranks would put the best of a bad list beside the
    best of a good one: see decision record 0037.)
    """
    ranked = [
        (-score, rank, leg, key)
        for leg, entries in enumerate((memory, knowledge))
        for rank, (key, score) in enumerate(entries)
    ]
    return [(key, -negative) for negative, _, _, key in sorted(ranked)]
