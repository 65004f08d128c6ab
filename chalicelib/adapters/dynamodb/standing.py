"""What search asks of the table: which candidates may be seen, and how far the index is."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chalicelib.adapters.dynamodb import rows
from chalicelib.adapters.dynamodb.tables import Key, Row, Tables, check, put
from chalicelib.domain.errors import NotFound
from chalicelib.domain.items import Item
from chalicelib.domain.spaces import Role
from chalicelib.search.ports import Candidate, SearchState, Standing


class _Outdated(Exception):
    """A newer version was marked before."""


@dataclass(frozen=True, slots=True)
class DynamoShelf:
    """The ports `Shelf`, `Catalogue` and `SearchStates` over the table `records`."""

    tables: Tables

    def standing(self, user_id: str, candidates: Collection[Candidate]) -> Standing:
        """The records that decide about these candidates, in one batched, strongly consistent read."""
        keys: dict[tuple[str, str], Key] = {}
        for each in candidates:
            for key in (
                rows.item_key(each.item_id),
                rows.base_key(each.base_id),
                rows.member_key(each.space_id, user_id),
            ):
                keys[key["pk"], key["sk"]] = key
        found = list(self.tables.batch(list(keys.values())))
        return Standing(
            items={row["pk"]: rows.item_of(row) for row in found if row["sk"] == "item"},
            bases={row["pk"]: rows.base_of(row) for row in found if row["sk"] == "base"},
            roles={row["space_id"]: Role(row["role"]) for row in found if row["sk"].startswith("member#")},
        )

    def item(self, item_id: str) -> Item | None:
        """The item as it is now, or None."""
        row = self.tables.get(self.tables.records, rows.item_key(item_id))
        return rows.item_of(row) if row else None

    def everything(self) -> Iterator[Item]:
        """Every item. Reads the whole table, and costs as much."""
        for row in self.tables.scan("item"):
            yield rows.item_of(row)

    def existing(self, item_ids: Collection[str]) -> set[str]:
        """Which of the items there are."""
        return {row["pk"] for row in self.tables.batch([rows.item_key(each) for each in item_ids])}

    def mark(self, item: Item, state: SearchState) -> None:
        """Note the state for the item's current revision, while there is such an item.

        In one transaction with a look at the item, so that no mark outlives it.
        """
        row: Row = {
            **rows.search_key(item.id),
            "state": state,
            "revision_id": item.current_revision_id,
            "version": item.version,
        }
        newest = "attribute_not_exists(pk) OR version <= :version"
        writes = [
            check(self.tables.records, rows.item_key(item.id), "attribute_exists(pk)", {}, lambda _: NotFound()),
            put(self.tables.records, row, newest, {":version": item.version}, lambda _: _Outdated()),
        ]
        try:
            self.tables.transact(writes)
        except (NotFound, _Outdated):
            return

    def states(self, items: Sequence[Item]) -> dict[str, SearchState]:
        """How far the index is with each item's current state, by item id."""
        found = {row["pk"]: row for row in self.tables.batch([rows.search_key(each.id) for each in items])}
        return {each.id: _state(each, found.get(each.id)) for each in items}


def _state(item: Item, row: Row | None) -> SearchState:
    if row is None or row["version"] < item.version:
        return SearchState.PENDING
    return SearchState(row["state"])


@dataclass(frozen=True, slots=True)
class DynamoKnowledgeState:
    """The port `KnowledgeState` over the table `records`."""

    tables: Tables

    def changes(self, base_ids: Collection[str]) -> Mapping[str, int]:
        """How often what is public in each base has changed, in one read."""
        return {row["pk"]: row["changes"] for row in self.tables.batch([rows.changes_key(each) for each in base_ids])}

    def standing(self, candidates: Collection[Candidate]) -> Standing:
        """The items and bases that decide about these candidates, in one read."""
        items = {each.item_id: rows.item_key(each.item_id) for each in candidates}
        bases = {each.base_id: rows.base_key(each.base_id) for each in candidates}
        found = list(self.tables.batch([*items.values(), *bases.values()]))
        return Standing(
            items={row["pk"]: rows.item_of(row) for row in found if row["sk"] == "item"},
            bases={row["pk"]: rows.base_of(row) for row in found if row["sk"] == "base"},
            roles={},
        )
