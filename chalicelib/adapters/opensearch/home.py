"""The index behind the alias: made where there is none, and looked at before it is written to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chalicelib.adapters.opensearch.cluster import Answer, Cluster, ClusterFault, demand, kind_of
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.domain.errors import SearchUnavailable

_THERE = "resource_already_exists_exception"


@dataclass(slots=True)
class Home:
    """Where the cards are."""

    cluster: Cluster
    layout: Layout
    _looked: bool = field(default=False, init=False)

    def prepare(self, *, again: bool = False) -> None:
        """Make the index if there is none; look once whether it is one of ours.

        Raises SearchUnavailable, because of an `UnfitIndex` if the index was made for another version or model.
        """
        if self._looked and not again:
            return
        answer = self.cluster.call("GET", f"/{self.layout.alias}/_mapping")
        if answer.lacks_index:
            self._make()
        else:
            self._examine(demand(answer))
        self._looked = True

    def _make(self) -> None:
        layout = self.layout
        answer = self.cluster.call("PUT", f"/{layout.first_index}", layout.body(layout.alias))
        if not _made_by_another(answer):
            demand(answer)

    def _examine(self, mappings: Mapping[str, Any]) -> None:
        for name, each in mappings.items():
            mark = each["mappings"].get("_meta", {}).get("acervo")
            if mark != self.layout.mark:
                raise SearchUnavailable from UnfitIndex(name, mark, self.layout.mark)


class UnfitIndex(ClusterFault):
    """The index was made for something else; `reindex` makes one that fits."""

    def __init__(self, name: str, found: object, wanted: object) -> None:
        super().__init__(f"The index {name} was made for {found}, and this is {wanted}.")


def _made_by_another(answer: Answer) -> bool:
    return not answer.ok and kind_of(answer.body) == _THERE
