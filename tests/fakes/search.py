"""A search index in memory: the words of a query, counted."""

import threading
from collections.abc import Collection

from chalicelib.search.analysis import tokens
from chalicelib.search.ports import Candidate, Card, Within


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
        words = set(_words(query))
        found = []
        for card in cards:
            if card.space_id not in within.spaces or within.base_id not in {None, card.base_id}:
                continue
            for passage in card.passages:
                held = _words(" ".join([card.title, *passage.heading_path, passage.content]))
                score = sum(held.count(word) for word in words) / (len(held) + 10)
                if score:
                    found.append(Candidate(card.item_id, card.base_id, card.space_id, card.revision_id, passage, score))
        return tuple(sorted(found, key=lambda each: -each.score)[:limit])

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


def _words(text: str) -> list[str]:
    return [part for token in tokens(text) for part in token.parts]
