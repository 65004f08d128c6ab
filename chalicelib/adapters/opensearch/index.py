"""The port `SearchIndex` on a cluster."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from chalicelib.adapters.opensearch import asking
from chalicelib.adapters.opensearch.asking import Body
from chalicelib.adapters.opensearch.cluster import Cluster, ClusterFault
from chalicelib.adapters.opensearch.documents import documents
from chalicelib.adapters.opensearch.erasing import Erasing
from chalicelib.adapters.opensearch.frequencies import Counting, Frequent
from chalicelib.adapters.opensearch.home import Home, UnfitIndex
from chalicelib.adapters.opensearch.keeping import Keeping
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.adapters.opensearch.ledger import Entry
from chalicelib.adapters.opensearch.reading import Reading
from chalicelib.adapters.opensearch.writing import Refresh
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import (
    Card,
    Embedding,
    EmbeddingMismatch,
    Held,
    Leg,
    Legs,
    Outcome,
    Question,
    SearchIndex,
    Vector,
    Within,
)
from chalicelib.search.query import parse


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
        self._home = Home(cluster, layout)
        self._keeping = Keeping(cluster, self._home, refresh)
        self._erasing = Erasing(cluster, layout.alias)
        self._reading = Reading(cluster, layout.alias)
        self._frequent = Frequent()

    def close(self) -> None:
        """Give the connections back."""
        self._cluster.close()

    def search(self, question: Question, within: Within, limit: int) -> Legs:
        """The best passages for the words and for the vector, best first, in one round trip."""
        budget = self._cluster.patience.reading_s
        asked: dict[str, Body] = {}
        words = parse(question.words or "")
        counting = self._frequent.counting(words.terms)
        if words.terms and within.spaces:
            asked["lexical"] = asking.lexical(words, within, limit, budget)
            if (body := counting.body(budget)) is not None:
                asked["counting"] = body
        if question.vector is not None and within.spaces:
            asked["semantic"] = asking.semantic(self.layout.vector_field, question.vector, within, limit, budget)
        legs = _Asking(self._cluster, self.layout.alias, asked, counting).legs()
        self._frequent.remember(counting)
        return legs

    def put(self, card: Card, embeddings: Sequence[Embedding | None] = ()) -> bool:
        """Keep the card instead of what is there of the item; False if a newer version is there already."""
        made = list(documents(card, embeddings, self.layout.vector_field))  # the slow part, before anything is claimed
        embedded = sum(each is not None for each in embeddings)
        if embedded:
            self._home.demand_model()
        return self._keeping.replace(Entry(card.item_id, card.version, len(made), embedded), made, keeps_vectors=True)

    def embeddings(self, item_id: str) -> Mapping[str, Vector]:
        """The vectors that are held of the item, by digest. Raises EmbeddingMismatch."""
        self._home.demand_model()
        return self._reading.vectors(item_id)

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

    def held(self, item_ids: Collection[str]) -> Mapping[str, Held]:
        """What is held of the items, by item id."""
        return self._reading.held(item_ids)

    def known(self) -> Iterator[str]:
        """The id of every item that it holds anything of."""
        return self._reading.known()

    def misfit(self) -> str:
        """Why the index has to be made anew; empty if it has not."""
        try:
            self._home.prepare(again=True)
            if self.layout.model is not None:
                self._home.demand_model()
        except EmbeddingMismatch as fault:
            return str(fault)
        except SearchUnavailable as fault:
            if isinstance(fault.__cause__, UnfitIndex):
                return str(fault.__cause__)
            raise
        return ""

    def beside(self) -> "OpenSearchIndex":
        """A new, empty index beside the one behind the alias, under an alias of its own."""
        new = OpenSearchIndex(self._cluster, replace(self.layout, alias=f"{self.layout.alias}-next"), refresh="false")
        self._home.make_beside(new.layout)
        return new

    def take_over(self, new: SearchIndex) -> None:
        """Have the alias name the new index, in one step for all who use it, and drop the old one."""
        if not isinstance(new, OpenSearchIndex):
            raise TypeError("Only an index that `beside` gave can be taken over.")
        self._home.move_to(new.layout.alias)


@dataclass(slots=True)
class _Asking:
    """One search, until every part of it has an answer or a fault that does not pass."""

    cluster: Cluster
    alias: str
    left: dict[str, Body]
    counting: Counting
    lexical: Outcome = field(default_factory=Leg)
    semantic: Outcome = field(default_factory=Leg)

    def legs(self) -> Legs:
        try:
            self.cluster.repeated(self._attempt, self.cluster.patience.reading_s)
        except SearchUnavailable as fault:
            self.lexical = fault if "lexical" in self.left else self.lexical
            self.semantic = fault if "semantic" in self.left else self.semantic
        if isinstance(self.lexical, Leg):
            self.lexical = replace(self.lexical, expected=self.counting.expected)
        return Legs(self.lexical, self.semantic)

    def _attempt(self, seconds: float) -> None:
        if not self.left:
            return
        header = {"index": self.alias, "allow_partial_search_results": False}
        results = self.cluster.searches([(header, body) for body in self.left.values()], seconds)
        for part, result in zip(tuple(self.left), results, strict=True):
            try:
                self._note(part, result)
            except ClusterFault as fault:
                if fault.passing:  # it may be another answer in a moment
                    continue
                self._fail(part, fault)
            del self.left[part]
        if self.left.keys() & {"lexical", "semantic"}:
            raise ClusterFault("A part of the search was turned away", passing=True)

    def _note(self, part: str, result: dict[str, object]) -> None:
        match part:
            case "lexical":
                self.lexical = Leg(asking.candidates(result, cosine=False))
            case "semantic":
                self.semantic = Leg(asking.candidates(result, cosine=True), 1.0)
            case _:
                self.counting.note(result)

    def _fail(self, part: str, cause: ClusterFault) -> None:
        """Note why a half has no answer. Without a count, nothing is known of what was to be expected."""
        fault = EmbeddingMismatch(_OTHER) if part == "semantic" and cause.refused else SearchUnavailable()
        fault.__cause__ = cause
        if part == "lexical":
            self.lexical = fault
        elif part == "semantic":
            self.semantic = fault


_OTHER = "The index was made for vectors of another model, or for none."
