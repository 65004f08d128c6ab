"""Finding what a page's knowledge says: by map and by meaning, and only what is public this very moment (rule N3)."""

import hashlib
from dataclasses import dataclass

from chalicelib.answers.mapping import MapTooLarge, TopicMaps
from chalicelib.answers.ports import KnowledgeState, Source, Sources
from chalicelib.answers.topicmap import look_up
from chalicelib.domain.bases import BaseStatus
from chalicelib.domain.errors import KnownError, SearchUnavailable
from chalicelib.domain.items import ItemStatus
from chalicelib.domain.pages import Page, Topic
from chalicelib.search.asking import Degraded
from chalicelib.search.fusion import Key, Side, Sides, hybrid
from chalicelib.search.ports import (
    Candidate,
    Embedder,
    EmbeddingMismatch,
    EmbeddingsUnavailable,
    Leg,
    Legs,
    Outcome,
    Question,
    SearchIndex,
    Standing,
    Vector,
    Within,
)

BEST = 8
"""Passages of one topic."""
_OFFERED = 40
"""Passages that each half offers, of which some may not be seen; both together are read at once."""
MAP_UNAVAILABLE = "map_unavailable"
"""The map could not be had, and the index searched by words instead."""


@dataclass(frozen=True, slots=True)
class ReadTopic:
    """The port `TopicReader`: both halves, fused as searches are, the table's word last."""

    maps: TopicMaps
    index: SearchIndex
    embedder: Embedder
    state: KnowledgeState

    def __call__(self, page: Page, topic: Topic, query: str) -> Sources:
        """The best passages of the topic.

        Raises:
            SearchUnavailable: neither map nor index can be had.
            StoreBusy: the table does not answer, so nothing is known to be public.
        """
        half = _Half(self, page, topic, query)
        lexical = half.by_map()
        semantic = half.by_meaning(words=lexical is None)
        if lexical is None:
            lexical = half.words
        if lexical is None and semantic is None:
            raise SearchUnavailable from half.fault
        offered = [each for leg in (lexical, semantic) if leg is not None for each in leg.candidates]
        standing = self.state.standing(offered) if offered else Standing({}, {}, {})
        titles = {item.id: item.title for item in standing.items.values()}
        sides = Sides(_side(lexical, standing, page, topic), _side(semantic, standing, page, topic))
        ranked = hybrid(sides, 0.5)[:BEST]
        return Sources(
            tuple(_source(each.candidate, each.score, titles) for each in ranked if each.score > 0), half.degraded
        )

    def knowledge_version(self, page: Page) -> str:
        """Changes whenever what the page may draw on does: one strongly consistent read of a counter of each base."""
        base_ids = tuple(sorted({each for topic in page.topics for each in topic.drawn_base_ids}))
        counted = self.state.changes(base_ids) if base_ids else {}
        text = "\n".join(f"{each} {counted.get(each, 0)}" for each in base_ids)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(slots=True)
class _Half:
    """One search for one topic, half by half."""

    reader: ReadTopic
    page: Page
    topic: Topic
    query: str
    degraded: str | None = None
    words: Leg | None = None
    """What the index found by words, if it was asked for want of a map."""
    fault: Exception | None = None

    def by_map(self) -> Leg | None:
        """What the map offers; None if it cannot be had."""
        try:
            maps = self.reader.maps.of(self.topic.drawn_base_ids, self.page.space_id)
        except (KnownError, MapTooLarge) as fault:
            self.degraded, self.fault = MAP_UNAVAILABLE, fault
            return None
        return look_up(maps, self.topic.draws_on, self.query, _OFFERED)

    def by_meaning(self, *, words: bool) -> Leg | None:
        """What the index offers by meaning; None if it cannot. Asked by words too, in the same round trip, if told."""
        vector = self._vector()
        if vector is None and not words:
            return None
        only = frozenset((*self.topic.base_ids, *self.topic.item_ids))
        within = Within(frozenset({self.page.space_id}), only=only)
        try:
            legs = self.reader.index.search(Question(self.query if words else None, vector), within, _OFFERED)
        except SearchUnavailable as fault:
            legs = Legs(fault, fault)
        if words:
            self.words = self._taken(legs.lexical, Degraded.LEXICAL_UNAVAILABLE)
        semantic = None if vector is None else self._taken(legs.semantic, Degraded.SEMANTIC_UNAVAILABLE)
        # No vector at all of this topic: they are still being made.
        return semantic if semantic is not None and semantic.candidates else None

    def _vector(self) -> Vector | None:
        try:
            return self.reader.embedder.query(self.query)
        except EmbeddingsUnavailable as fault:
            self._missed(Degraded.EMBEDDINGS_UNAVAILABLE, fault)
            return None

    def _taken(self, outcome: Outcome, otherwise: Degraded) -> Leg | None:
        if isinstance(outcome, Leg):
            return outcome
        self._missed(Degraded.EMBEDDING_MISMATCH if isinstance(outcome, EmbeddingMismatch) else otherwise, outcome)
        return None

    def _missed(self, why: Degraded, fault: Exception) -> None:
        self.degraded, self.fault = self.degraded or why, fault


def _side(leg: Leg | None, standing: Standing, page: Page, topic: Topic) -> Side | None:
    """What may be seen of a half."""
    if leg is None:
        return None
    seen: dict[Key, Candidate] = {}
    for each in leg.candidates:
        if is_public(each, standing, page, topic):
            seen.setdefault((each.item_id, each.passage.position), each)
    return Side(seen, leg.expected, len(leg.candidates) < _OFFERED)


def is_public(candidate: Candidate, standing: Standing, page: Page, topic: Topic) -> bool:
    """Whether a passage is of the published, current revision of an item in an active base that the topic names."""
    item, base = standing.items.get(candidate.item_id), standing.bases.get(candidate.base_id)
    if item is None or base is None or base.status is not BaseStatus.ACTIVE or item.status is not ItemStatus.PUBLISHED:
        return False
    if {item.space_id, base.space_id} != {page.space_id} or not topic.draws_on(item.base_id, item.id):
        return False
    return (candidate.base_id, candidate.revision_id) == (item.base_id, item.current_revision_id)


def _source(candidate: Candidate, score: float, titles: dict[str, str]) -> Source:
    return Source(
        item_id=candidate.item_id,
        base_id=candidate.base_id,
        revision_id=candidate.revision_id,
        title=titles[candidate.item_id],
        heading_path=candidate.passage.heading_path,
        content=candidate.passage.content,
        score=score,
    )
