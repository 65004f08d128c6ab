"""Documents in DynamoDB."""

from collections.abc import Collection
from dataclasses import asdict, dataclass

from chalicelib.adapters.dynamodb import lists, rows
from chalicelib.adapters.dynamodb.knowledge import UNCHANGED, changed, clash, gone
from chalicelib.adapters.dynamodb.once import Outcome, Repeated, recall, remember
from chalicelib.adapters.dynamodb.tables import Key, Row, Tables, Write, check, delete, new, put
from chalicelib.domain.documents import SETTLED, Document, DocumentStatus, Failure, Origin, Target
from chalicelib.domain.errors import NotFound, StoreBusy
from chalicelib.domain.writes import Once, Page


class _There(Exception):
    """The document is there already."""


@dataclass(frozen=True, slots=True)
class DynamoDocuments:
    """The port `DocumentStore` over the table `records`."""

    tables: Tables

    def add(self, document: Document, once: Once | None) -> Document:
        """Write a new document of a base that is there; the one that has its id, if there is one."""
        records = self.tables.records
        listed = {**rows.document_entry(document.base_id, document.id), "listed": document.id}
        waiting = {**rows.waiting_entry(document.id), "listed": document.id}
        writes = [
            check(records, rows.base_key(document.base_id), "attribute_exists(pk)", {}, gone),
            new(records, document_row(document), lambda _: _There()),
            new(records, listed, clash),
            new(records, waiting, clash),
            *self._link(None, document),
        ]
        memory = [remember(self.tables, once, Outcome(document.id, {}))] if once else []
        try:
            self.tables.transact([*memory, *writes])
        except (Repeated, _There):
            seen = self.replayed(once) if once else self.document(document.id)
            if seen is None:
                raise StoreBusy from None
            return seen
        return document

    def document(self, document_id: str) -> Document | None:
        """The document, or None."""
        row = self.tables.get(self.tables.records, rows.document_key(document_id))
        return document_of(row) if row else None

    def named_documents(self, document_ids: Collection[str]) -> tuple[Document, ...]:
        """Those of the documents that exist: one batch."""
        keys = [rows.document_key(each) for each in sorted(set(document_ids))]
        return tuple(map(document_of, self.tables.batch(keys)))

    def documents(self, base_id: str, after: str | None, limit: int) -> Page[Document]:
        """The documents of a base, newest first."""
        return lists.page(self.tables, (base_id, "document#"), (after, limit), rows.document_key, document_of)

    def replayed(self, once: Once) -> Document | None:
        """What this write answered before, as it is now, or None."""
        outcome = recall(self.tables, once)
        if outcome is None:
            return None
        document = self.document(outcome.record_id)
        if document is None:
            raise NotFound
        return document

    def change(self, before: Document, after: Document) -> Document:
        """Replace a document that still is at `before`'s version."""
        records, seen = self.tables.records, {":version": before.version}
        writes = [put(records, document_row(after), UNCHANGED, seen, changed(before.version))]
        writes += self._link(before, after)
        waiting = rows.waiting_entry(after.id)
        if before.status not in SETTLED and after.status in SETTLED:
            writes.append(delete(records, waiting, "attribute_exists(pk)", {}, gone))
        elif before.status in SETTLED and after.status not in SETTLED:
            writes.append(new(records, {**waiting, "listed": after.id}, clash))
        self.tables.transact(writes)
        return after

    def remove(self, document: Document) -> None:
        """Remove every record of a document."""
        erase_document(self.tables, document.base_id, document.id)

    def unsettled(self) -> tuple[Document, ...]:
        """The documents that are neither ready nor failed."""
        waiting = list(self.tables.query(self.tables.records, "documents"))
        return lists.named(self.tables, waiting, rows.document_key, document_of)

    def _link(self, before: Document | None, after: Document) -> list[Write]:
        """The document's place at its item, by which deletion for good finds it."""
        if after.item_id is None or (before is not None and before.item_id == after.item_id):
            return []
        entry = {**rows.document_entry(after.item_id, after.id), "listed": after.id}
        return [put(self.tables.records, entry, "", {}, clash)]


def erase_document(tables: Tables, base_id: str, document_id: str) -> None:
    """Remove every record of a document; its places in the lists of its base and item, by which it is found, last."""
    row = tables.get(tables.records, rows.document_key(document_id))
    item_id = document_of(row).item_id if row else None
    keys = [
        rows.waiting_entry(document_id),
        rows.document_key(document_id),
        rows.document_entry(base_id, document_id),
    ]
    for key in (*keys, *([rows.document_entry(item_id, document_id)] if item_id else [])):
        tables.delete(tables.records, key)


def document_row(document: Document) -> Row:
    """A document as a row."""
    row: Row = asdict(document)
    identity = row.pop("id")
    key: Key = rows.document_key(identity)
    return {
        **row,
        **key,
        "created_at": rows.stamp(document.created_at),
        "updated_at": rows.stamp(document.updated_at),
        "metadata": dict(document.metadata),
        "target": _present(document.target),
        "failure": _present(document.failure),
    }


def _present(part: Target | Failure | None) -> Row | None:
    return None if part is None else {name: each for name, each in asdict(part).items() if each is not None}


def document_of(row: Row) -> Document:
    """The document in a row."""
    target, failure = row.get("target"), row.get("failure")
    known = {name: row.get(name) for name in ("object_version", "title", "locator", "attached_to", "revision_id")}
    return Document(
        id=row["pk"],
        base_id=row["base_id"],
        space_id=row["space_id"],
        origin=Origin(row["origin"]),
        filename=row["filename"],
        size=row["size"],
        key=row["key"],
        status=DocumentStatus(row["status"]),
        version=row["version"],
        created_by=row["created_by"],
        created_at=rows.moment(row["created_at"]),
        updated_at=rows.moment(row["updated_at"]),
        metadata=row["metadata"],
        attempts=row["attempts"],
        done=row["done"],
        total=row["total"],
        failure=Failure(**failure) if failure else None,
        target=Target(target["item_id"], target["revision_id"], target.get("expected")) if target else None,
        **known,
    )
