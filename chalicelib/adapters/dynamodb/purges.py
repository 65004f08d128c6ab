"""Deletion for good in DynamoDB."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from chalicelib.adapters.dynamodb import rows
from chalicelib.adapters.dynamodb.documents import erase_document
from chalicelib.adapters.dynamodb.knowledge import UNCHANGED, changed, clash, gone, noticed_in, noticed_of
from chalicelib.adapters.dynamodb.once import Outcome, recall, transact_once
from chalicelib.adapters.dynamodb.tables import Tables, Write, check, delete, new, put
from chalicelib.domain.bases import Base
from chalicelib.domain.items import Item
from chalicelib.domain.purges import Purge, PurgeStatus
from chalicelib.domain.revisions import Intent
from chalicelib.domain.writes import Once


@dataclass(frozen=True, slots=True)
class DynamoPurges:
    """The port `PurgeStore` over the three tables."""

    tables: Tables

    def bury_base(self, base: Base, purge: Purge, once: Once | None) -> Purge:
        """Remove the base's record and write the purge, in one transaction."""
        records, seen = self.tables.records, {":version": base.version}
        entry = rows.base_entry(base.space_id, base.id)
        writes = [
            delete(records, rows.base_key(base.id), UNCHANGED, seen, changed(base.version)),
            delete(records, entry, "attribute_exists(pk)", {}, gone),
            noticed_in(self.tables, base.id),
        ]
        return self._bury(writes, purge, once)

    def bury_item(self, item: Item, purge: Purge, once: Once | None) -> Purge:
        """Remove the item's records and write the purge, in one transaction."""
        records, seen = self.tables.records, {":version": item.version}
        mine = {":item": item.id}
        locator = rows.locator_key(item.base_id, item.locator)
        writes = [
            check(records, rows.base_key(item.base_id), "attribute_exists(pk)", {}, gone),
            delete(records, rows.item_key(item.id), UNCHANGED, seen, changed(item.version)),
            delete(records, locator, "item_id = :item", mine, changed(item.version)),
            delete(records, rows.item_entry(item.base_id, item.id), "attribute_exists(pk)", {}, gone),
            *noticed_of(self.tables, item),
        ]
        return self._bury(writes, purge, once)

    def _bury(self, writes: Sequence[Write], purge: Purge, once: Once | None) -> Purge:
        entry = {**rows.purge_entry(purge.id), "listed": purge.id}
        records = self.tables.records
        graves = [new(records, rows.purge_row(purge), clash), new(records, entry, clash)]
        return transact_once(self.tables, [*writes, *graves], (once, Outcome(purge.id, {})), purge, self.replayed_purge)

    def purge(self, purge_id: str) -> Purge | None:
        """The purge, or None."""
        row = self.tables.get(self.tables.records, rows.purge_key(purge_id))
        return rows.purge_of(row) if row else None

    def replayed_purge(self, once: Once) -> Purge | None:
        """What this deletion answered before, as far as it is now, or None."""
        outcome = recall(self.tables, once)
        return self.purge(outcome.record_id) if outcome else None

    def unsettled(self) -> tuple[Purge, ...]:
        """The purges that are not settled."""
        entries = self.tables.query(self.tables.records, "purges")
        keys = [rows.purge_key(str(each["listed"])) for each in entries]
        return tuple(rows.purge_of(each) for each in self.tables.batch(keys))

    def advance(self, before: Purge, after: Purge) -> Purge:
        """Replace a purge that still is at `before`'s version."""
        records, seen = self.tables.records, {":version": before.version}
        writes = [put(records, rows.purge_row(after), UNCHANGED, seen, changed(before.version))]
        if after.status is PurgeStatus.SETTLED:
            writes.append(delete(records, rows.purge_entry(after.id), "attribute_exists(pk)", {}, gone))
        self.tables.transact(writes)
        return after

    def intents(self, before: datetime) -> tuple[Intent, ...]:
        """The notes of objects that are older."""
        found = map(rows.intent_of, self.tables.query(self.tables.records, "intents"))
        return tuple(each for each in found if each.at < before)

    def drop_intent(self, intent: Intent) -> None:
        """Remove a note."""
        self.tables.delete(self.tables.records, rows.intent_key(intent.key))

    def item_ids(self, base_id: str, limit: int) -> tuple[str, ...]:
        """Some items that are left of a base, at most `limit`."""
        found, _ = self.tables.page(self.tables.records, base_id, "item#", (None, limit))
        return tuple(str(each["listed"]) for each in found)

    def count_revisions(self, item_id: str) -> int:
        """How many revisions the item has left."""
        return self.tables.count(self.tables.revisions, item_id)

    def erase_revisions(self, item_id: str) -> None:
        """Remove the revisions of an item."""
        self._erase(self.tables.revisions, item_id)

    def erase_item(self, item_id: str) -> None:
        """Remove every record of an item but its place in the list of its base."""
        self._erase(self.tables.records, item_id)

    def unlist_item(self, base_id: str, item_id: str) -> None:
        """Remove an item's place in the list of its base."""
        self.tables.delete(self.tables.records, rows.item_entry(base_id, item_id))

    def document_ids(self, owner_id: str, limit: int | None) -> tuple[str, ...]:
        """Documents that are left of a base or item, at most `limit`."""
        if limit is None:
            entries = self.tables.query(self.tables.records, owner_id, "document#")
            return tuple(str(each["listed"]) for each in entries)
        found, _ = self.tables.page(self.tables.records, owner_id, "document#", (None, limit))
        return tuple(str(each["listed"]) for each in found)

    def document_object(self, document_id: str) -> tuple[str, str | None] | None:
        """Key and version of the object that holds the document's file; None if the document is gone."""
        row = self.tables.get(self.tables.records, rows.document_key(document_id))
        return (row["key"], row.get("object_version")) if row else None

    def erase_document(self, base_id: str, document_id: str) -> None:
        """Remove every record of a document, its place in the list of its base last."""
        erase_document(self.tables, base_id, document_id)

    def erase_base(self, base_id: str) -> None:
        """Remove every record that is left of a base."""
        self._erase(self.tables.records, base_id)

    def _erase(self, table: str, pk: str) -> None:
        # One by one: a transaction of deletions is bounded by the size of what it deletes.
        for row in self.tables.query(table, pk, ProjectionExpression="pk, sk"):
            self.tables.delete(table, {"pk": row["pk"], "sk": row["sk"]})
