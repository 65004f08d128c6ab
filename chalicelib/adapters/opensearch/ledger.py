"""One small document per item, its card: which version of the item the index holds, and in how many passages.

The server has no transactions over several documents. So a writer first claims the card, by a conditional write on
what it saw there. The server numbers such writes, and the number is the external version of every passage of that
writer: the server itself refuses passages of an earlier claim where a later one has put or taken out its own, also
after the item was erased. A claim also says which passages of earlier writers may be around, so that the next one
takes them out; and who finds at the end that the card is no longer theirs takes their own out again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from chalicelib.adapters.opensearch.cluster import Answer, Cluster, demand


@dataclass(frozen=True, slots=True)
class Entry:
    """What a card says."""

    item_id: str
    version: int
    held: int
    """There is no passage at this position or after it."""
    embedded: int = 0
    """How many of its passages have vectors."""
    settled: bool = False
    """Whether all of it was written."""

    def source(self) -> dict[str, object]:
        """As it is stored."""
        return {
            "item_id": self.item_id,
            "version": self.version,
            "held": self.held,
            "embedded": self.embedded,
            "settled": self.settled,
        }


@dataclass(frozen=True, slots=True)
class Claim:
    """A card that was ours when it was written, at this state of the document."""

    entry: Entry
    state: tuple[int, int]

    @property
    def rank(self) -> int:
        """Of its passages: above those of every earlier claim on the card. Never 0, which the server cannot erase."""
        return self.state[0] + 1


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is nothing to write."""

    newer: bool
    """Whether a newer version is there; else the same is, with vectors, which are not given up for fewer."""


class Contended(Exception):
    """Another writer was faster; look again."""


class NoIndex(Exception):
    """There is no index yet."""


class Ledger:
    """The cards under an alias."""

    def __init__(self, cluster: Cluster, alias: str) -> None:
        self._cluster = cluster
        self._alias = alias

    def claim(self, wanted: Entry, *, keeps_vectors: bool) -> Claim | Refused:
        """Note that this is being written. Raises Contended, NoIndex and SearchUnavailable."""
        seen, state = self._seen(wanted.item_id)
        if seen is not None and seen.version > wanted.version:
            return Refused(newer=True)
        same = seen is not None and seen.version == wanted.version
        if seen is not None and same and keeps_vectors and seen.settled and seen.embedded > wanted.embedded:
            return Refused(newer=False)
        entry = replace(wanted, held=max(wanted.held, seen.held if seen is not None else 0), settled=False)
        return Claim(entry, self._written(entry, state))

    def settle(self, claim: Claim, held: int) -> None:
        """Note that it is written, in so many passages. Raises Contended if the card is no longer ours."""
        self._written(replace(claim.entry, held=held, settled=True), claim.state)

    def entry(self, item_id: str) -> Entry | None:
        """What the card says now; None if there is none."""
        return self._seen(item_id)[0]

    def _seen(self, item_id: str) -> tuple[Entry | None, tuple[int, int] | None]:
        answer = self._cluster.call("GET", self._path(item_id))
        if answer.status == 404:  # noqa: PLR2004 - neither the index nor the card need be there
            return None, None
        found = demand(answer)
        return _entry(found["_source"]), (found["_seq_no"], found["_primary_term"])

    def _written(self, entry: Entry, state: tuple[int, int] | None) -> tuple[int, int]:
        condition: dict[str, object] = {"op_type": "create"}
        if state is not None:
            condition = {"if_seq_no": state[0], "if_primary_term": state[1]}
        answer = self._cluster.call("PUT", self._path(entry.item_id), entry.source(), require_alias=True, **condition)
        return _state(answer)

    def _path(self, item_id: str) -> str:
        return f"/{self._alias}/_doc/{quote(card_id(item_id), safe='')}"


def card_id(item_id: str) -> str:
    """The id of an item's card."""
    return f"card:{item_id}"


def passage_id(item_id: str, position: int) -> str:
    """The id of a passage; never that of a card."""
    return f"{position}:{item_id}"


def _entry(source: Mapping[str, Any]) -> Entry:
    return Entry(source["item_id"], source["version"], source["held"], source["embedded"], source["settled"])


def _state(answer: Answer) -> tuple[int, int]:
    if answer.status == 409:  # noqa: PLR2004 - conflict
        raise Contended
    if answer.lacks_index:
        raise NoIndex
    done = demand(answer)
    return done["_seq_no"], done["_primary_term"]
