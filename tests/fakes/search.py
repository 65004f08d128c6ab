"""A search index in memory: words weighed by how rare they are, as plainly as the contract allows."""

import math
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from chalicelib.search.analysis import Token, stem, tokens
from chalicelib.search.ports import Candidate, Card, Passage, Within
from chalicelib.search.query import Query, parse


class MemoryIndex:
    """The port `SearchIndex`."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.cards: dict[str, Card | int] = {}
        """The card of an item, or the version at which it was withdrawn."""
        self.asked = 0

    def lexical(self, query: str, within: Within, limit: int) -> tuple[Candidate, ...]:
        with self._lock:
            self.asked += 1
            cards = [each for each in self.cards.values() if isinstance(each, Card)]
        asked = parse(query)
        entries = [_Entry(card, passage) for card in cards for passage in card.passages]
        rarity = _rarity(asked, entries)
        found = [
            (entry.score(asked, rarity), entry)
            for entry in entries
            if entry.card.space_id in within.spaces
            and within.base_id in {None, entry.card.base_id}
            and within.without.isdisjoint({entry.card.item_id, entry.card.base_id})
            and all(entry.holds(phrase) for phrase in asked.required)
        ]
        best = sorted((each for each in found if each[0]), key=lambda each: -each[0])
        return tuple(entry.candidate(score) for score, entry in best[:limit])

    def put(self, card: Card) -> bool:
        with self._lock:
            if self._version(card.item_id) > card.version:
                return False
            self.cards[card.item_id] = card
            return True

    def withdraw(self, item_id: str, version: int) -> bool:
        with self._lock:
            if self._version(item_id) > version:
                return False
            self.cards[item_id] = version
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
            return gone

    def _version(self, item_id: str) -> int:
        kept = self.cards.get(item_id, 0)
        return kept.version if isinstance(kept, Card) else kept


class _Entry:
    """A passage with what is looked for in it."""

    def __init__(self, card: Card, passage: Passage) -> None:
        self.card, self.passage = card, passage
        texts = [(4.0, card.title), (2.0, card.locator), (1.0, passage.content)]
        texts += [(2.0, heading) for heading in passage.heading_path]
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
            if stem(word) != word:
                self.weights[stem(word)] += weight / 2  # type: ignore[assignment]

    def holds(self, sequence: Sequence[str]) -> bool:
        wanted = tuple(sequence)
        size = len(wanted)
        return any(text[at : at + size] == wanted for text in self.texts for at in range(len(text) - size + 1))

    def score(self, query: Query, rarity: dict[str, float]) -> float:
        words = {each: self.weights[each] for each in (*query.terms, *query.stems) if self.weights[each]}
        sequences = sum(self.holds(each) for each in (*query.chains, *query.pairs))
        return sum(rarity[word] * weight / (weight + 1.2) for word, weight in words.items()) + sequences

    def candidate(self, score: float) -> Candidate:
        card = self.card
        return Candidate(card.item_id, card.base_id, card.space_id, card.revision_id, self.passage, score)


def _rarity(query: Query, entries: Sequence[_Entry]) -> dict[str, float]:
    words: Iterable[str] = (*query.terms, *query.stems)
    holding = {word: sum(word in entry.weights for entry in entries) for word in words}
    return {word: math.log(1 + len(entries) / number) for word, number in holding.items() if number}
