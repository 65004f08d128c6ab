"""The index behind the alias: made where there is none, and looked at before it is written to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chalicelib.adapters.opensearch.cluster import Answer, Cluster, ClusterFault, demand, kind_of
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import EmbeddingMismatch

_THERE = "resource_already_exists_exception"


@dataclass(slots=True)
class Home:
    """Where the cards are."""

    cluster: Cluster
    layout: Layout
    _looked: bool = field(default=False, init=False)
    _models: bool = field(default=True, init=False)
    """Whether the index is for vectors of our model."""

    def prepare(self, *, again: bool = False) -> None:
        """Make the index if there is none; look once whether it is one of ours.

        Raises SearchUnavailable, because of an `UnfitIndex` if the index was made for another version.
        """
        if self._looked and not again:
            return
        answer = self.cluster.call("GET", f"/{self.layout.alias}/_mapping")
        if answer.lacks_index:
            self._make()
        else:
            self._examine(demand(answer))
        self._looked = True

    def demand_model(self) -> None:
        """Raises EmbeddingMismatch if the index is for vectors of another model, or for none."""
        self.prepare()
        if not self._models:
            raise EmbeddingMismatch(f"The index {self.layout.alias} was not made for vectors of {self.layout.model}.")

    def make_beside(self, layout: Layout) -> None:
        """Make an empty index for the layout, instead of what its alias may name."""
        for name in self._named(layout.alias):
            demand(self.cluster.call("DELETE", f"/{name}"))
        used = [int(name.rsplit("-", 1)[1]) for name in self._named(self.layout.alias)]
        name = self.layout.index(max(used, default=0) + 1)
        demand(self.cluster.call("PUT", f"/{name}", layout.body(layout.alias)))

    def move_to(self, alias: str) -> None:
        """Have our alias name what that one names, drop what ours named, in one step."""
        (new,) = self._named(alias)
        demand(self.cluster.call("POST", f"/{new}/_refresh"))
        actions: list[dict[str, object]] = [{"remove_index": {"index": old}} for old in self._named(self.layout.alias)]
        actions.append({"add": {"index": new, "alias": self.layout.alias, "is_write_index": True}})
        actions.append({"remove": {"index": new, "alias": alias}})
        demand(self.cluster.call("POST", "/_aliases", {"actions": actions}))
        self._looked = False

    def _named(self, alias: str) -> list[str]:
        """The indices behind an alias."""
        answer = self.cluster.call("GET", f"/_alias/{alias}")
        return [] if answer.status == 404 else list(demand(answer))  # noqa: PLR2004 - there is no such alias

    def _make(self) -> None:
        layout = self.layout
        answer = self.cluster.call("PUT", f"/{layout.first_index}", layout.body(layout.alias))
        if not _made_by_another(answer):
            demand(answer)
        self._models = True

    def _examine(self, mappings: Mapping[str, Any]) -> None:
        for name, each in mappings.items():
            mark = each["mappings"].get("_meta", {}).get("acervo") or {}
            if mark.get("schema") != self.layout.mark["schema"]:
                raise SearchUnavailable from UnfitIndex(name, mark, self.layout.mark)
            self._models = self.layout.model is not None and mark == self.layout.mark


class UnfitIndex(ClusterFault):
    """The index was made for something else; `reindex` makes one that fits."""

    def __init__(self, name: str, found: object, wanted: object) -> None:
        super().__init__(f"The index {name} was made for {found}, and this is {wanted}.")


def _made_by_another(answer: Answer) -> bool:
    return not answer.ok and kind_of(answer.body) == _THERE
