"""A search index in memory: words weighed by how rare they are, as plainly as the contract allows."""

import math
import threading
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from chalicelib.search.analysis import Token, tokens
from chalicelib.search.ports import (
    Candidate,
    Card,
    Embedding,
    EmbeddingMismatch,
    EmbeddingModel,
    EmbeddingsUnavailable,
    Held,
    Leg,
    Legs,
    Outcome,
    Passage,
    Question,
    SearchIndex,
    Vector,
    Within,
)
from chalicelib.search.query import Query, parse
from chalicelib.search.stemming import languages_of, stems


class MemoryIndex:
    """The port `SearchIndex`."""

    def __init__(self, model: EmbeddingModel | None = None) -> None:
        self._lock = threading.RLock()
        self.model = model
        self.cards: dict[str, Card | int] = {}
        """The card of an item, or the version at which it was withdrawn."""
        self.vectors: dict[str, dict[int, Embedding]] = {}
        """Of each item, by position."""
        self.held_model: EmbeddingModel | None = None
        self.asked = 0

    def search(self, question: Question, within: Within, limit: int) -> Legs:
        self.asked += 1
        return Legs(
            Leg() if question.words is None else self.by_words(question.words, within, limit),
            Leg() if question.vector is None else self.by_meaning(question.vector, within, limit),
        )

    def by_words(self, query: str, within: Within, limit: int) -> Outcome:
        asked = parse(query)
        everything = self._entries()
        rarity = _rarity(asked, everything)
        found = [
            (entry.score(asked, rarity), entry)
            for entry in everything
            if entry.inside(within) and all(entry.holds(phrase) for phrase in asked.required)
        ]
        best = sorted((each for each in found if each[0]), key=lambda each: -each[0])
        unseen = math.log(1 + len(everything)) if everything else 0.0
        expected = sum(rarity.get(term, unseen) / 2.2 for term in asked.terms)
        return Leg(tuple(self._candidate(entry, score) for score, entry in best[:limit]), expected)

    def by_meaning(self, vector: Vector, within: Within, limit: int) -> Outcome:
        if self.held_model not in {None, self.model}:
            return EmbeddingMismatch("Another model.")
        found = []
        for entry in self._entries():
            own = self.vectors.get(entry.card.item_id, {}).get(entry.passage.position)
            if own is not None and entry.inside(within):
                found.append((sum(one * other for one, other in zip(own.vector, vector, strict=True)), entry))
        best = sorted(found, key=lambda each: -each[0])
        return Leg(tuple(self._candidate(entry, score) for score, entry in best[:limit]), 1.0)

    def put(self, card: Card, embeddings: Sequence[Embedding | None] = ()) -> bool:
        with self._lock:
            given = {position: each for position, each in enumerate(embeddings) if each is not None}
            if given and self.model not in {self.held_model or self.model} - {None}:
                raise EmbeddingMismatch("Another model.")
            if self._version(card.item_id) > card.version:
                return False
            kept = self.vectors.get(card.item_id, {}) if self.cards.get(card.item_id) == card else {}
            self.cards[card.item_id] = card
            self.vectors[card.item_id] = {**kept, **given}
            self.held_model = self.held_model or (self.model if given else None)
            return True

    def embeddings(self, item_id: str) -> Mapping[str, Vector]:
        if self.held_model not in {None, self.model}:
            raise EmbeddingMismatch("Another model.")
        return {each.digest: each.vector for each in self.vectors.get(item_id, {}).values()}

    def withdraw(self, item_id: str, version: int) -> bool:
        with self._lock:
            if self._version(item_id) > version:
                return False
            self.cards[item_id] = version
            self.vectors.pop(item_id, None)
            return True

    def count(self, item_ids: Collection[str]) -> int:
        with self._lock:
            cards = [self.cards.get(each) for each in item_ids]
        return sum(len(each.passages) for each in cards if isinstance(each, Card))

    def erase(self, item_ids: Collection[str]) -> int:
        with self._lock:
            gone = self.count(item_ids)
            for each in item_ids:
                self.cards.pop(each, None)
                self.vectors.pop(each, None)
            return gone

    def held(self, item_ids: Collection[str]) -> Mapping[str, Held]:
        with self._lock:
            return {
                each: Held(self._version(each), self.count([each]), len(self.vectors.get(each, {})))
                for each in item_ids
                if each in self.cards
            }

    def known(self) -> Iterator[str]:
        return iter(list(self.cards))

    def misfit(self) -> str:
        return "Another model." if self.model is not None and self.held_model not in {None, self.model} else ""

    def beside(self) -> "MemoryIndex":
        return MemoryIndex(self.model)

    def take_over(self, new: SearchIndex) -> None:
        assert isinstance(new, MemoryIndex)
        with self._lock:
            self.cards, self.vectors, self.held_model = new.cards, new.vectors, new.held_model

    def _entries(self) -> list["_Entry"]:
        with self._lock:
            cards = [each for each in self.cards.values() if isinstance(each, Card)]
        return [_Entry(card, passage) for card in cards for passage in card.passages]

    def _candidate(self, entry: "_Entry", score: float) -> Candidate:
        card, passage = entry.card, entry.passage
        embedded = passage.position in self.vectors.get(card.item_id, {})
        return Candidate(card.item_id, card.base_id, card.space_id, card.revision_id, passage, score, embedded)

    def _version(self, item_id: str) -> int:
        kept = self.cards.get(item_id, 0)
        return kept.version if isinstance(kept, Card) else kept


class MemoryEmbedder:
    """The port `Embedder`: a vector for each text, by its words, so that texts with words in common are near.

    Words that are told to mean the same share a direction.
    """

    def __init__(self, dimension: int = 64, same: Mapping[str, str] | None = None) -> None:
        self.model: EmbeddingModel | None = EmbeddingModel("memory", dimension)
        self.dimension = dimension
        self.same = same or {}
        self.failing = False
        self.embedded: list[str] = []

    def query(self, text: str) -> Vector:
        if self.failing:
            raise EmbeddingsUnavailable("Told to fail.")
        return self._vector(text)

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        if self.failing:
            raise EmbeddingsUnavailable("Told to fail.")
        self.embedded += texts
        return [self._vector(each) for each in texts]

    def _vector(self, text: str) -> Vector:
        sums = [0.1] * self.dimension
        for token in tokens(text):
            for word in token.folded:
                sums[zlib.crc32(self.same.get(word, word).encode()) % self.dimension] += 1.0
        length = math.sqrt(sum(each * each for each in sums))
        return [each / length for each in sums]


class _Entry:
    """A passage with what is looked for in it."""

    def __init__(self, card: Card, passage: Passage) -> None:
        self.card, self.passage = card, passage
        texts = [(4.0, card.title), (2.0, card.locator), (1.0, passage.content)]
        texts += [(2.0, heading) for heading in passage.heading_path]
        self.language = languages_of([passage.content])[0]
        self.weights: Counter[str] = Counter()
        self.texts: list[tuple[str, ...]] = []
        for weight, text in texts:
            found = list(tokens(text))
            self.texts.append(tuple(word for token in found for word in token.folded))
            for token in found:
                self._weigh(token, weight)

    def _weigh(self, token: Token, weight: float) -> None:
        for term in (*token.wholes, *token.parts):
            self.weights[term] += weight  # type: ignore[assignment]
        for word in set(token.folded) - set(token.parts):
            self.weights[word] += weight / 2  # type: ignore[assignment]
        for word in token.folded:
            for root in stems(word, self.language):
                self.weights[root] += weight / 2  # type: ignore[assignment]

    def holds(self, sequence: Sequence[str]) -> bool:
        wanted = tuple(sequence)
        size = len(wanted)
        return any(text[at : at + size] == wanted for text in self.texts for at in range(len(text) - size + 1))

    def score(self, query: Query, rarity: dict[str, float]) -> float:
        words = {each: self.weights[each] for each in (*query.terms, *query.stems) if self.weights[each]}
        sequences = sum(self.holds(each) for each in (*query.chains, *query.pairs))
        return sum(rarity[word] * weight / (weight + 1.2) for word, weight in words.items()) + sequences

    def inside(self, within: Within) -> bool:
        card = self.card
        return (
            card.space_id in within.spaces
            and within.base_id in {None, card.base_id}
            and within.without.isdisjoint({card.item_id, card.base_id})
            and not (within.only and within.only.isdisjoint({card.item_id, card.base_id}))
        )


def _rarity(query: Query, entries: Sequence[_Entry]) -> dict[str, float]:
    words: Iterable[str] = (*query.terms, *query.stems)
    holding = {word: sum(word in entry.weights for entry in entries) for word in words}
    return {word: math.log(1 + len(entries) / number) for word, number in holding.items() if number}
