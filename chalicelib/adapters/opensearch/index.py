"""The port `SearchIndex` on a cluster."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from chalicelib.adapters.opensearch import asking
from chalicelib.adapters.opensearch.asking import Body
from chalicelib.adapters.opensearch.cluster import Cluster, ClusterFault
from chalicelib.adapters.opensearch.documents import Vector, documents
from chalicelib.adapters.opensearch.erasing import Erasing
from chalicelib.adapters.opensearch.home import Home
from chalicelib.adapters.opensearch.keeping import Keeping
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.adapters.opensearch.ledger import Entry
from chalicelib.adapters.opensearch.writing import Refresh
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import Candidate, Card, Within
from chalicelib.search.query import parse

type Leg = tuple[Candidate, ...] | SearchUnavailable
"""What one half of a search gave: passages, best first, or why there are none."""


@dataclass(frozen=True, slots=True)
class Legs:
    """Both halves of a search."""

    lexical: Leg = ()
    semantic: Leg = ()


class OpenSearchIndex:
    """Keeps cards in the index behind an alias, which is made when something is first written.

    Any number of processes and threads may use it at once; its connections are shared between threads. Raises
    SearchUnavailable for whatever goes wrong with the cluster; the cause says what.

    `refresh` decides when a write returns: as soon as it can be found (`true`, which makes a small segment of it), at
    the next turn of the clock that makes it so (`wait_for`), or at once (`false`, to fill an index).
    """

    def __init__(self, cluster: Cluster, layout: Layout, refresh: Refresh = "wait_for") -> None:
        self.layout = layout
        self._cluster = cluster
        self._keeping = Keeping(cluster, Home(cluster, layout), refresh)
        self._erasing = Erasing(cluster, layout.alias)

    def close(self) -> None:
        """Give the connections back."""
        self._cluster.close()

    def lexical(self, query: str, within: Within, limit: int) -> tuple[Candidate, ...]:
        """The best passages for the words of a query, best first."""
        found = self.legs(query, None, within, limit).lexical
        if isinstance(found, SearchUnavailable):
            raise found
        return found

    def legs(self, query: str | None, vector: Vector | None, within: Within, limit: int) -> Legs:
        """Both halves of a search in one round trip; one that is not asked for is empty.

        One that fails does not keep the other from answering, and is no exception.
        """
        budget = self._cluster.patience.reading_s
        asked: dict[str, Body] = {}
        words = parse(query or "")
        if words.terms and within.spaces:
            asked["lexical"] = asking.lexical(words, within, limit, budget)
        if vector is not None and within.spaces:
            asked["semantic"] = asking.semantic(vector, within, limit, budget)
        return Legs(**_Asking(self._cluster, self.layout.alias, asked).answers())

    def put(self, card: Card, vectors: Sequence[Vector] | None = None) -> bool:
        """Keep the card instead of what is there of the item; False if a newer version is there already.

        `vectors` has one for each passage. They may come later, with the same card; a card of the same version that
        comes without any takes none away.
        """
        made = list(documents(card, vectors))  # the slow part, before anything is claimed
        wanted = Entry(card.item_id, card.version, len(made), vectored=vectors is not None)
        return self._keeping.replace(wanted, made, keeps_vectors=True)

    def withdraw(self, item_id: str, version: int) -> bool:
        """Keep nothing of the item but its version; False if a newer version is there already."""
        return self._keeping.replace(Entry(item_id, version, 0), (), keeps_vectors=False)

    def count(self, item_ids: Collection[str]) -> int:
        """How many passages it holds of the items."""
        return self._erasing.count(item_ids)

    def erase(self, item_ids: Collection[str]) -> int:
        """Forget the items entirely (rule K16): neither a search nor a read by id nor a scan finds them afterwards.

        What was deleted leaves the server's files when they are merged. For half a minute the server keeps it from
        that, in case a copy of the index missed the deletion, so this call sweeps out what earlier ones left; what it
        leaves itself goes with the next, or with a `sweep`.
        """
        return self._erasing.erase(item_ids)

    def sweep(self) -> bool:
        """Have what was deleted or replaced leave the server's files. Returns whether all of it has."""
        return self._erasing.sweep()


@dataclass(slots=True)
class _Asking:
    """One search, until every leg has an answer or a fault that does not pass."""

    cluster: Cluster
    alias: str
    left: dict[str, Body]
    found: dict[str, Leg] = field(default_factory=dict)

    def answers(self) -> dict[str, Leg]:
        try:
            self.cluster.repeated(self._attempt, self.cluster.patience.reading_s)
        except SearchUnavailable as fault:
            self.found |= dict.fromkeys(self.left, fault)
        return self.found

    def _attempt(self, seconds: float) -> None:
        if not self.left:
            return
        header = {"index": self.alias, "allow_partial_search_results": False}
        results = self.cluster.searches([(header, body) for body in self.left.values()], seconds)
        for leg, result in zip(tuple(self.left), results, strict=True):
            self._note(leg, result)
        if self.left:
            raise ClusterFault("A part of the search was turned away", passing=True)

    def _note(self, leg: str, result: dict[str, object]) -> None:
        """Keep the answer of one leg, unless it may be another one in a moment."""
        try:
            self.found[leg] = asking.candidates(result, cosine=leg == "semantic")
        except ClusterFault as fault:
            if fault.passing:
                return
            self.found[leg] = _unavailable(fault)
        del self.left[leg]


def _unavailable(cause: ClusterFault) -> SearchUnavailable:
    fault = SearchUnavailable()
    fault.__cause__ = cause
    return fault
