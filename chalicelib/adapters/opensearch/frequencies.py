"""How frequent the words of a query are, which tells what they are worth together.

The server counts by looking at every passage that holds one of the words, so the frequent ones are what counting takes
time for, and theirs are the numbers that change least. They are remembered for a while, in large indexes; rare words
are counted each time. Nothing else of a query is remembered.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chalicelib.adapters.opensearch.asking import Body, longest, timeout

LARGE = 10_000
"""Passages from which on counts are remembered; fewer are counted at once, and may double within a minute."""
FREQUENT = 1 / 100
"""Share of all passages from which on a word is frequent. A passage holds some hundred words, so some thousands are."""
FRESH_S = 300.0
"""Seconds for which a count is taken for true."""


@dataclass(slots=True)
class Counting:
    """The counts for one query: those that are remembered, then those that the server adds."""

    terms: tuple[str, ...]
    passages: int | None = None
    """In the whole index; None if not known."""
    holding: dict[str, int] = field(default_factory=dict)
    """By term, the passages that hold it; over all spaces, as the server weighs words."""

    def body(self, budget_s: float) -> Body | None:
        """What the server is to count; None if nothing."""
        left = [term for term in self.terms if term not in self.holding]
        if self.passages is not None and not left:
            return None
        filters = {str(number): {"term": {"terms": term}} for number, term in enumerate(left)}
        counts: Body = {"holding": {"filters": {"filters": filters}}} if left else {}
        body: Body = {"size": 0, "track_total_hits": False, "aggs": counts, "timeout": timeout(budget_s)}
        if self.passages is None:
            counts["passages"] = {"filter": {"exists": {"field": "position"}}}
        else:
            body["query"] = {"terms": {"terms": left}}
        return body

    def note(self, answer: Mapping[str, Any]) -> None:
        """Take over what the server counted, if it did."""
        counts = answer.get("aggregations") or {}
        left = [term for term in self.terms if term not in self.holding]
        if "passages" in counts:
            self.passages = int(counts["passages"]["doc_count"])
        if "holding" in counts:
            found = counts["holding"]["buckets"]
            self.holding |= {left[int(number)]: int(each["doc_count"]) for number, each in found.items()}

    @property
    def expected(self) -> float:
        """About what a passage scores that has each term once; 0 if the server did not count."""
        if self.passages is None or not self.holding.keys() >= set(self.terms):
            return 0.0
        numbers = [min(self.holding[term], self.passages) for term in self.terms]
        return sum(math.log(1 + (self.passages - number + 0.5) / (number + 0.5)) for number in numbers)


class Frequent:
    """What is remembered of an index. One for any number of threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = 0.0
        self._passages: int | None = None
        self._holding: dict[str, int] = {}

    def counting(self, terms: tuple[str, ...]) -> Counting:
        """The counts of these terms, as far as they are remembered."""
        if self._clock() >= self._until:
            self._passages, self._holding = None, {}
        held = self._holding
        asked = longest(terms)
        return Counting(asked, self._passages, {term: held[term] for term in asked if term in held})

    def remember(self, counting: Counting) -> None:
        """Keep the counts of frequent words."""
        passages = counting.passages
        if passages is None or passages < LARGE:
            return
        if self._passages is None:
            self._passages, self._until = passages, self._clock() + FRESH_S
        self._holding |= {term: n for term, n in counting.holding.items() if n >= passages * FREQUENT}
