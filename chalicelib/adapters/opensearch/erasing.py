"""Counting what there is of items, deleting it, and sweeping out what deletion leaves in the server's files."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import batched

from chalicelib.adapters.opensearch.cluster import Cluster, ClusterFault, demand
from chalicelib.domain.errors import SearchUnavailable

_ROUNDS = 10
_TOGETHER = 1000
"""Items in one request."""


@dataclass(frozen=True, slots=True)
class Erasing:
    """The end of items, under an alias."""

    cluster: Cluster
    alias: str

    def count(self, item_ids: Collection[str]) -> int:
        """How many passages there are of the items, the newest included."""
        self._ask("_refresh")
        return sum(self._passages(some) for some in batched(item_ids, _TOGETHER))

    def erase(self, item_ids: Collection[str]) -> int:
        """Delete all documents of the items. Returns how many of them were passages."""
        gone = 0
        for some in batched(item_ids, _TOGETHER):
            self._ask("_refresh")
            gone += self._passages(some)
            self._delete(some)
        if gone:
            self.sweep()
        return gone

    def sweep(self) -> bool:
        """Have what was deleted leave the files. Returns whether all of it has."""
        self._ask("_flush")
        self._ask("_forcemerge", only_expunge_deletes=True)
        self._ask("_flush", force=True)
        self._ask("_refresh")  # until then searches hold on to the files of before
        stats = self.cluster.call("GET", f"/{self.alias}/_stats/docs")
        return stats.lacks_index or not demand(stats)["_all"]["total"].get("docs", {}).get("deleted", 0)

    def _delete(self, item_ids: Sequence[str]) -> None:
        """Delete all documents of the items; again what was written while it looked."""
        query = {"query": {"terms": {"item_id": list(item_ids)}}}
        for _ in range(_ROUNDS):
            if not self._count(query):
                return
            self._ask("_delete_by_query", query, conflicts="proceed")
            # By itself it would only where it has deleted something, not where all has been written anew meanwhile.
            self._ask("_refresh")
        raise SearchUnavailable from ClusterFault("The items are written while they are erased")

    def _passages(self, item_ids: Sequence[str]) -> int:
        scope = [{"terms": {"item_id": list(item_ids)}}, {"exists": {"field": "position"}}]
        return self._count({"query": {"bool": {"filter": scope}}})

    def _count(self, query: object) -> int:
        answer = self.cluster.call("POST", f"/{self.alias}/_count", query)
        return 0 if answer.lacks_index else int(demand(answer)["count"])

    def _ask(self, what: str, body: object = None, **parameters: object) -> None:
        """Have it done; where there is no index there is nothing to do."""
        answer = self.cluster.call("POST", f"/{self.alias}/{what}", body, **parameters)
        if not answer.lacks_index:
            demand(answer)
