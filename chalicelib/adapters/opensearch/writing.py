"""Many documents at a time: in portions, again only what the server was too busy for, and how each ended."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Literal

from chalicelib.adapters.opensearch.cluster import BUSY, Cluster, ClusterFault, kind_of

_PORTION = 4 * 1024 * 1024
"""Bytes of one request; a server takes 100 MB, a small one not gladly, and one on AWS may take 10."""
_MANY = 500

type Refresh = Literal["true", "wait_for", "false"]


@dataclass(frozen=True, slots=True)
class Write:
    """One document to put, or to take out if it has no source. A lower rank never replaces a higher one."""

    id: str
    rank: int
    source: dict[str, object] | None = None

    def lines(self) -> list[object]:
        """As the bulk API takes it."""
        action = {"_id": self.id, "version": self.rank, "version_type": "external_gte"}
        return [{"delete": action}] if self.source is None else [{"index": action}, self.source]


def write(cluster: Cluster, alias: str, writes: Iterable[Write], refresh: Refresh) -> None:
    """Write all of them; what was outrun by newer ones is left as it is.

    Raises SearchUnavailable if some could not be written; doing it again does no harm.
    """
    for portion in _portions(writes):
        _Portion(cluster, alias, list(portion), refresh).write()


@dataclass(slots=True)
class _Portion:
    cluster: Cluster
    alias: str
    left: list[Write]
    refresh: Refresh

    def write(self) -> None:
        self.cluster.repeated(self._attempt, self.cluster.patience.writing_s)

    def _attempt(self, seconds: float) -> None:
        """Send what is left, and keep of it what the server was too busy for."""
        lines = [each.lines() for each in self.left]
        results = self.cluster.bulk(lines, seconds, index=self.alias, require_alias=True, refresh=self.refresh)
        outcomes = [_outcome(result) for result in results]
        self.left = [each for each, done in zip(self.left, outcomes, strict=True) if not done]
        if self.left:
            raise ClusterFault(f"{len(self.left)} of {len(outcomes)} writes were turned away", passing=True)


def _outcome(result: dict[str, Any]) -> bool:
    """Whether the write is over; False if it is to be sent again. Raises ClusterFault if that would not help."""
    (told,) = result.values()
    status = int(told["status"])
    if status < HTTPStatus.MULTIPLE_CHOICES or status == HTTPStatus.CONFLICT:  # outrun, or there already
        return True
    if status == HTTPStatus.NOT_FOUND and not kind_of(told):  # nothing to take out
        return True
    if status in BUSY:
        return False
    raise ClusterFault(f"{status} {kind_of(told)}")


def _portions(writes: Iterable[Write]) -> Iterator[Sequence[Write]]:
    portion: list[Write] = []
    size = 0
    for each in writes:
        length = len(json.dumps(each.source))
        if portion and (size + length > _PORTION or len(portion) == _MANY):
            yield portion
            portion, size = [], 0
        portion.append(each)
        size += length
    if portion:
        yield portion
