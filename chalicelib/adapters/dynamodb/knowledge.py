"""Bases, items and revisions in DynamoDB."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

from chalicelib.adapters.dynamodb import lists, rows
from chalicelib.adapters.dynamodb.once import Outcome, Repeated, recall, remember, transact_once
from chalicelib.adapters.dynamodb.tables import Refusal, Row, Tables, Write, check, delete, encode, new, put
from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.errors import (
    ConcurrentChange,
    KnowledgeArchived,
    LocatorTaken,
    NotFound,
    StaleRevision,
    StoreBusy,
)
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.revisions import Intent, Revision
from chalicelib.domain.writes import Once, Page

UNCHANGED = "version = :version"


@dataclass(frozen=True, slots=True)
class DynamoKnowledge:
    """The port `KnowledgeStore` over the three tables."""

    tables: Tables

    def base(self, base_id: str) -> Base | None:
        """The base, or None."""
        row = self.tables.get(self.tables.records, rows.base_key(base_id))
        return rows.base_of(row) if row else None

    def bases(self, space_id: str, after: str | None, limit: int) -> Page[Base]:
        """The bases of a space, newest first."""
        return lists.page(self.tables, (space_id, "base#"), (after, limit), rows.base_key, rows.base_of)

    def named_bases(self, base_ids: Collection[str]) -> tuple[Base, ...]:
        """Those of the bases that exist: one batch."""
        return tuple(map(rows.base_of, self.tables.batch([rows.base_key(each) for each in sorted(set(base_ids))])))

    def add_base(self, base: Base, once: Once | None) -> Base:
        """Write a new base."""
        records = self.tables.records
        entry = {**rows.base_entry(base.space_id, base.id), "listed": base.id}
        writes = [new(records, rows.base_row(base), clash), new(records, entry, clash)]
        return self._once(writes, once, base, self.replayed_base)

    def change_base(self, before: Base, after: Base, once: Once | None) -> Base:
        """Replace a base that still is at `before`'s version."""
        write = put(
            self.tables.records, rows.base_row(after), UNCHANGED, {":version": before.version}, changed(before.version)
        )
        noticed = [] if before.status is after.status else [noticed_in(self.tables, after.id)]
        return self._once([write, *noticed], once, after, self.replayed_base)

    def item(self, item_id: str) -> Item | None:
        """The item, or None."""
        row = self.tables.get(self.tables.records, rows.item_key(item_id))
        return rows.item_of(row) if row else None

    def item_at(self, base_id: str, locator: str) -> Item | None:
        """The item that has the locator in the base, or None."""
        guard = self.tables.get(self.tables.records, rows.locator_key(base_id, locator))
        return self.item(guard["item_id"]) if guard else None

    def named_items(self, item_ids: Collection[str]) -> tuple[Item, ...]:
        """Those of the items that exist: one batch."""
        return tuple(map(rows.item_of, self.tables.batch([rows.item_key(each) for each in sorted(set(item_ids))])))

    def items(self, base_id: str, after: str | None, limit: int) -> Page[Item]:
        """The items of a base, newest first."""
        return lists.page(self.tables, (base_id, "item#"), (after, limit), rows.item_key, rows.item_of)

    def add_item(self, item: Item, revision: Revision, once: Once | None) -> Item:
        """Write a new item with its first revision."""
        records = self.tables.records
        entry = {**rows.item_entry(item.base_id, item.id), "listed": item.id}
        writes = [
            self._active(item.base_id),
            *self._revision_writes(revision),
            new(records, rows.item_row(item), clash),
            new(records, entry, clash),
            self._claim(item),
            *noticed_of(self.tables, item),
        ]
        return self._once(writes, once, item, self.replayed_item)

    def add_revision(self, before: Item, after: Item, revision: Revision, once: Once | None) -> Item:
        """Put the revision and move the item's pointer, if the item still is at `before`."""
        writes = [*self._item_writes(before, after), *self._revision_writes(revision)]
        return self._once(writes, once, after, self.replayed_item)

    def change_item(self, before: Item, after: Item, once: Once | None) -> Item:
        """Replace an item that still is at `before`'s version."""
        return self._once(self._item_writes(before, after), once, after, self.replayed_item)

    def intend(self, intent: Intent) -> None:
        """Note that an object is about to be written."""
        self.tables.put(self.tables.records, rows.intent_row(intent))

    def revision(self, item_id: str, revision_id: str) -> Revision | None:
        """That revision of that item, or None."""
        row = self.tables.get(self.tables.revisions, {"pk": item_id, "sk": revision_id})
        return rows.revision_of(row) if row else None

    def revisions(self, item_id: str, after: str | None, limit: int) -> Page[Revision]:
        """The revisions of an item, newest first, without their inline content."""
        found, more = self.tables.page(
            self.tables.revisions, item_id, "rev_", (after and after.removeprefix("rev_"), limit), rows.REVISION_FACTS
        )
        return Page(tuple(rows.revision_of(each) for each in found), found[-1]["sk"] if more else None)

    def settle[R: Base | Item](self, result: R, once: Once | None) -> R:
        """Write down nothing but that this was answered. A repeat of it answers the same anyway."""
        if once is not None:
            with suppress(Repeated):
                self.tables.transact([remember(self.tables, once, _outcome(result))])
        return result

    def replayed_base(self, once: Once) -> Base | None:
        """What this write answered before, or None."""
        outcome = recall(self.tables, once)
        if outcome is None:
            return None
        row = self.tables.get(self.tables.records, rows.base_key(outcome.record_id))
        if row is None:
            raise NotFound
        return rows.base_of({**row, **outcome.state})

    def replayed_item(self, once: Once) -> Item | None:
        """What this write answered before, with the title and locator of today, or None."""
        outcome = recall(self.tables, once)
        if outcome is None:
            return None
        row = self.tables.get(self.tables.records, rows.item_key(outcome.record_id))
        if row is None:
            raise NotFound
        return rows.item_of({**row, "archived_from": None, **outcome.state})

    def _once[R: Base | Item](
        self, writes: Sequence[Write], once: Once | None, result: R, replayed: Callable[[Once], R | None]
    ) -> R:
        return transact_once(self.tables, writes, (once, _outcome(result)), result, replayed)

    def _revision_writes(self, revision: Revision) -> list[Write]:
        writes = [new(self.tables.revisions, rows.revision_row(revision), clash)]
        if revision.blob is not None:
            # The note has to be there still: without it, the object may have been swept away meanwhile.
            key = rows.intent_key(revision.blob)
            writes.append(delete(self.tables.records, key, "attribute_exists(pk)", {}, clash))
        return writes

    def _item_writes(self, before: Item, after: Item) -> list[Write]:
        values = {":version": before.version, ":revision": before.current_revision_id}
        condition = f"{UNCHANGED} AND current_revision_id = :revision"
        writes = [
            self._active(before.base_id),
            put(self.tables.records, rows.item_row(after), condition, values, _outrun(before)),
            *noticed_of(self.tables, before, after),
        ]
        if after.locator != before.locator:
            mine = {":item": before.id}
            old = rows.locator_key(before.base_id, before.locator)
            refusal = changed(before.version)
            writes += [delete(self.tables.records, old, "item_id = :item", mine, refusal), self._claim(after)]
        return writes

    def _claim(self, item: Item) -> Write:
        guard = {**rows.locator_key(item.base_id, item.locator), "item_id": item.id}

        def refusal(old: Row | None) -> Exception:
            return LocatorTaken(locator=item.locator, knowledge_item_id=str((old or {}).get("item_id")))

        return new(self.tables.records, guard, refusal)

    def _active(self, base_id: str) -> Write:
        def refusal(old: Row | None) -> Exception:
            return NotFound() if old is None else KnowledgeArchived(knowledge_base_id=base_id)

        key = rows.base_key(base_id)
        return check(self.tables.records, key, "#status = :active", {":active": BaseStatus.ACTIVE}, refusal)


def _outcome(result: Base | Item) -> Outcome:
    state = rows.item_state(result) if isinstance(result, Item) else rows.base_state(result)
    return Outcome(result.id, state)


def noticed_in(tables: Tables, base_id: str) -> Write:
    """The part of a transaction that counts it among the changes of what is public in a base (rule N3)."""
    write = {
        "TableName": tables.records,
        "Key": encode(rows.changes_key(base_id)),
        "UpdateExpression": "ADD changes :one",
        "ExpressionAttributeValues": encode({":one": 1}),
    }
    return Write({"Update": write}, clash)


def noticed_of(tables: Tables, *states: Item) -> list[Write]:
    """The same for a change of an item that is or was published; nothing for drafts."""
    if all(each.status is not ItemStatus.PUBLISHED for each in states):
        return []
    return [noticed_in(tables, states[0].base_id)]


def changed(expected: int) -> Refusal:
    """The refusal of a write that expected a version."""

    def refusal(old: Row | None) -> Exception:
        return NotFound() if old is None else ConcurrentChange(expected=expected, actual=old["version"])

    return refusal


def _outrun(before: Item) -> Refusal:
    def refusal(old: Row | None) -> Exception:
        if old is not None and old["current_revision_id"] != before.current_revision_id:
            actual = rows.item_of(old)
            return StaleRevision(before.current_revision_id, actual.current_revision_id, actual.current_number)
        return changed(before.version)(old)

    return refusal


def clash(_: Row | None) -> Exception:
    """An id that is there already: two writers drew the same random number, or a test did."""
    return StoreBusy()


def gone(_: Row | None) -> Exception:
    """A record that has to be there is not."""
    return NotFound()
