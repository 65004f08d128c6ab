"""Reading what is held of items, apart from searching."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import batched
from typing import Any

from chalicelib.adapters.opensearch.cluster import Cluster, demand
from chalicelib.adapters.opensearch.documents import unpacked
from chalicelib.adapters.opensearch.ledger import card_id
from chalicelib.search.ports import Held, Vector

_TOGETHER = 500
"""Items in one request."""
_PASSAGES = 10_000
"""The server gives no more at a time; an item has fewer."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What there is under an alias; nothing where there is no index."""

    cluster: Cluster
    alias: str

    def vectors(self, item_id: str) -> Mapping[str, Vector]:
        """The vectors of the item's passages, by digest."""
        query = {"bool": {"filter": [{"term": {"item_id": item_id}}, {"exists": {"field": "position"}}]}}
        body = {"query": query, "size": _PASSAGES, "_source": ["digest", "kept_vector"], "track_total_hits": False}
        sources = (hit["_source"] for hit in self._hits(body))
        return {each["digest"]: unpacked(each["kept_vector"]) for each in sources if "digest" in each}

    def held(self, item_ids: Collection[str]) -> dict[str, Held]:
        """What the cards of the items say."""
        found: dict[str, Held] = {}
        for some in batched(item_ids, _TOGETHER):
            answer = self.cluster.call("POST", f"/{self.alias}/_mget", {"ids": [card_id(each) for each in some]})
            if answer.lacks_index:
                return {}
            cards = [each["_source"] for each in demand(answer)["docs"] if each.get("found")]
            # A card that is not settled was left in the middle: whatever it says is not all there.
            found |= {
                each["item_id"]: Held(each["version"] if each["settled"] else 0, each["held"], each["embedded"])
                for each in cards
            }
        return found

    def known(self) -> Iterator[str]:
        """The ids of the items that have a card."""
        after: list[Any] | None = None
        refreshed = self.cluster.call("POST", f"/{self.alias}/_refresh")  # a card that was just written is there too
        if not refreshed.lacks_index:
            demand(refreshed)
        while True:
            query = {"exists": {"field": "settled"}}
            body: dict[str, Any] = {"query": query, "size": 1000, "_source": ["item_id"], "sort": ["item_id"]}
            hits = self._hits(body if after is None else {**body, "search_after": after})
            if not hits:
                return
            yield from (hit["_source"]["item_id"] for hit in hits)
            after = hits[-1]["sort"]

    def _hits(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        answer = self.cluster.call("POST", f"/{self.alias}/_search", body)
        return [] if answer.lacks_index else list(demand(answer)["hits"]["hits"])
