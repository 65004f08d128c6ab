"""Replacing what the index holds of one item, with any number of writers at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from chalicelib.adapters.opensearch.cluster import Cluster, ClusterFault
from chalicelib.adapters.opensearch.home import Home
from chalicelib.adapters.opensearch.ledger import Claim, Contended, Entry, Ledger, NoIndex, Refused, passage_id
from chalicelib.adapters.opensearch.writing import Refresh, Write, write
from chalicelib.domain.errors import SearchUnavailable

_ROUNDS = 10
"""Times that a writer begins again because another one was faster, or the index new."""

type Made = Sequence[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Keeping:
    """Writes cards and their passages."""

    cluster: Cluster
    home: Home
    refresh: Refresh

    def replace(self, wanted: Entry, made: Made, *, keeps_vectors: bool) -> bool:
        """Have the index hold these passages of the item and no others; False if a newer version is there.

        With `keeps_vectors`, passages of the same version stay that have more vectors than these.
        """
        self.home.prepare()
        ledger = Ledger(self.cluster, self.home.layout.alias)
        lost: Claim | None = None
        for _ in range(_ROUNDS):
            try:
                claim = ledger.claim(wanted, keeps_vectors=keeps_vectors)
            except NoIndex:
                self.home.prepare(again=True)
                continue
            except Contended:
                continue
            if isinstance(claim, Refused):
                if lost is not None and claim.newer:
                    self._take_back(lost, made)
                return not claim.newer
            self._fill(claim, made)
            if _settled(ledger, claim, len(made)):
                return True
            lost = claim
        raise SearchUnavailable from ClusterFault("The item is being written by too many at once")

    def _fill(self, claim: Claim, made: Made) -> None:
        """Put the passages, and take out what may be there of earlier ones beyond them."""
        item_id, rank = claim.entry.item_id, claim.rank
        kept = [Write(passage_id(item_id, number), rank, source) for number, source in enumerate(made)]
        left = [Write(passage_id(item_id, number), rank) for number in range(len(made), claim.entry.held)]
        self._write([*kept, *left])

    def _take_back(self, claim: Claim, made: Made) -> None:
        """Take out what was written after a newer version had cleared that place; what is newer stays."""
        self._write([Write(passage_id(claim.entry.item_id, number), claim.rank) for number in range(len(made))])

    def _write(self, writes: Sequence[Write]) -> None:
        write(self.cluster, self.home.layout.alias, writes, self.refresh)


def _settled(ledger: Ledger, claim: Claim, held: int) -> bool:
    """Whether the passages are what the index is to hold; False if somebody else claimed the card meanwhile."""
    try:
        ledger.settle(claim, held)
    except (Contended, NoIndex):
        now = ledger.entry(claim.entry.item_id)
        # Who writes the same version writes the same passages.
        return now is not None and now.version == claim.entry.version and now.embedded >= claim.entry.embedded
    return True
