"""Topic maps: terms to passages, for each base that pages draw on, held in the process (no model, no index).

A map is compiled from the published items of its base, by the tokens, stems and passages of the search room, and ranked
by BM25 as the engines rank. What is compiled of an item is used again as long as the item stays at its version.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from chalicelib.search.ports import Candidate, Card, Leg, Passage
from chalicelib.search.query import parse
from chalicelib.search.stemming import languages_of
from chalicelib.search.terms import BREAK, LONGEST, WEIGHTS, Terms

K1 = 1.2
B = 0.75
MOST = 64
"""Words of a long question that are looked for, the rarest."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a map keeps of one item."""

    item_id: str
    version: int
    revision_id: str
    passages: tuple[Passage, ...]
    counts: tuple[Mapping[str, float], ...]
    """Of each passage: its terms, and how much each counts."""


def mapped(card: Card) -> Mapped:
    """What a map keeps of a published item."""
    spoken = languages_of([each.content for each in card.passages])
    counts = tuple(_counted(card, passage, language) for passage, language in zip(card.passages, spoken, strict=True))
    return Mapped(card.item_id, card.version, card.revision_id, card.passages, counts)


def _counted(card: Card, passage: Passage, language: str) -> Mapping[str, float]:
    title = Terms.of([card.title[:LONGEST]], language)
    headings = Terms.of([*passage.heading_path, card.locator[:LONGEST]], language)
    body = Terms.of([passage.content], language)
    columns = {
        "title": title.all(),
        "headings": headings.all(),
        "wholes": body.wholes,
        "parts": body.parts,
        "folded": body.folded,
        "title_stems": title.stems,
        "stems": f"{headings.stems} {body.stems}",
    }
    counts: dict[str, float] = defaultdict(float)
    for name, terms in columns.items():
        for term, times in Counter(terms.split()).items():
            counts[term] += WEIGHTS[name] * times
    counts.pop(BREAK, None)
    return dict(counts)


class BaseMap:
    """The map of one base, as it was when so many changes had been made to what is public in it."""

    def __init__(
        self, base_id: str, space_id: str, changes: int, items: Iterable[Mapped], *, too_large: bool = False
    ) -> None:
        self.base_id, self.space_id, self.changes, self.too_large = base_id, space_id, changes, too_large
        self.items = {each.item_id: each for each in items}

    @cached_property
    def passages(self) -> int:
        """How many there are."""
        return sum(len(each.passages) for each in self.items.values())

    @cached_property
    def lengths(self) -> Mapping[tuple[str, int], float]:
        """How long each passage is, in what its terms count, by item and position."""
        return {
            (each.item_id, number): sum(counts.values())
            for each in self.items.values()
            for number, counts in enumerate(each.counts)
        }

    @cached_property
    def total(self) -> float:
        """How long they are together."""
        return sum(self.lengths.values())

    @cached_property
    def postings(self) -> Mapping[str, tuple[tuple[str, int, float], ...]]:
        """For each term the passages that hold it: item, position, and how much it counts there."""
        found: dict[str, list[tuple[str, int, float]]] = defaultdict(list)
        for each in self.items.values():
            for number, counts in enumerate(each.counts):
                for term, count in counts.items():
                    found[term].append((each.item_id, number, count))
        return {term: tuple(places) for term, places in found.items()}

    def candidate(self, item_id: str, number: int, score: float) -> Candidate:
        """A passage as something that is offered."""
        item = self.items[item_id]
        passage = item.passages[number]
        return Candidate(item_id, self.base_id, self.space_id, item.revision_id, passage, score, embedded=True)


@dataclass(frozen=True, slots=True)
class Found:
    """A passage in one of several maps."""

    map: BaseMap
    item_id: str
    number: int


def look_up(maps: Iterable[BaseMap], draws_on: Callable[[str, str], bool], question: str, limit: int) -> Leg:
    """The passages that fit the question best, at most `limit`, of the items that are drawn on.

    Scores are on the scale that the fusion of searches expects (`search/fusion.py`).
    """
    asked = parse(question)
    scope = _Scope.of(tuple(maps), draws_on)
    if not scope.passages or not asked.terms:
        return Leg()
    words = sorted(
        {term: scope.rarity(term) for term in (*asked.terms, *asked.stems)}.items(), key=lambda each: -each[1]
    )
    scores: dict[tuple[int, str, int], float] = defaultdict(float)
    for term, rarity in words[:MOST]:
        for place, count, length in scope.holding(term):
            scores[place] += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * length / scope.usual))
    best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))[:limit]
    candidates = tuple(scope.maps[number].candidate(item_id, at, score) for (number, item_id, at), score in best)
    return Leg(candidates, sum(sorted((scope.rarity(each) for each in asked.terms), reverse=True)[:MOST]))


@dataclass(frozen=True, slots=True)
class _Scope:
    """Some maps, and which of their items count."""

    maps: tuple[BaseMap, ...]
    counting: tuple[frozenset[str] | None, ...]
    """Of each map: its items that count; None if all do."""
    passages: int
    usual: float
    """Length of a passage, on average."""

    @classmethod
    def of(cls, maps: tuple[BaseMap, ...], draws_on: Callable[[str, str], bool]) -> "_Scope":
        counting: list[frozenset[str] | None] = []
        passages, total = 0, 0.0
        for each in maps:
            some = frozenset(item_id for item_id in each.items if draws_on(each.base_id, item_id))
            if len(some) == len(each.items):
                counting.append(None)
                passages, total = passages + each.passages, total + each.total
                continue
            lengths = [length for (item_id, _), length in each.lengths.items() if item_id in some]
            counting.append(some)
            passages, total = passages + len(lengths), total + sum(lengths)
        return cls(maps, tuple(counting), passages, max(1.0, total / max(1, passages)))

    def holding(self, term: str) -> Iterator[tuple[tuple[int, str, int], float, float]]:
        """Place, count and length of the passages that hold the term."""
        for number, (each, some) in enumerate(zip(self.maps, self.counting, strict=True)):
            for item_id, at, count in each.postings.get(term, ()):
                if some is None or item_id in some:
                    yield (number, item_id, at), count, each.lengths[item_id, at]

    def rarity(self, term: str) -> float:
        """What a word counts by how rare it is (Lucene: `BM25Similarity`)."""
        holding = sum(
            len(places) if some is None else sum(place[0] in some for place in places)
            for each, some in zip(self.maps, self.counting, strict=True)
            if (places := each.postings.get(term, ()))
        )
        return math.log(1 + (self.passages - holding + 0.5) / (holding + 0.5))
