"""How bases, items, revisions and purges lie in rows."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Any

from chalicelib.adapters.dynamodb.tables import Key, Row
from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.items import Item, ItemStatus, PublicMark, SourceType
from chalicelib.domain.purges import Counts, Purge, PurgeStatus
from chalicelib.domain.revisions import Intent, Provenance, Revision
from chalicelib.domain.spaces import Door


def stamp(moment: datetime) -> str:
    """A moment as it is stored: UTC, to the millisecond, sortable as text."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def moment(stored: str) -> datetime:
    """A stored moment."""
    return datetime.fromisoformat(stored)


def maybe(stored: str | None) -> datetime | None:
    """A stored moment, if there is one."""
    return None if stored is None else moment(stored)


def base_key(base_id: str) -> Key:
    """Where a base lies."""
    return {"pk": base_id, "sk": "base"}


def changes_key(base_id: str) -> Key:
    """Where it is counted how often what is public in a base changed."""
    return {"pk": base_id, "sk": "changes"}


def item_key(item_id: str) -> Key:
    """Where an item lies."""
    return {"pk": item_id, "sk": "item"}


def search_key(item_id: str) -> Key:
    """Where the index notes how far it is with an item."""
    return {"pk": item_id, "sk": "search"}


def base_entry(space_id: str, base_id: str) -> Key:
    """A base's place in the list of its space."""
    return {"pk": space_id, "sk": f"base#{base_id}"}


def item_entry(base_id: str, item_id: str) -> Key:
    """An item's place in the list of its base."""
    return {"pk": base_id, "sk": f"item#{item_id}"}


def locator_key(base_id: str, locator: str) -> Key:
    """Where a base keeps who has a locator. Hashed, since sort keys end at 1,024 bytes."""
    return {"pk": base_id, "sk": f"locator#{hashlib.sha256(locator.encode()).hexdigest()}"}


def member_key(space_id: str, user_id: str) -> Key:
    """Where a membership lies, as the person sees it: read with every request."""
    return {"pk": user_id, "sk": f"member#{space_id}"}


def intent_key(key: str) -> Key:
    """Where the note of an object lies."""
    return {"pk": "intents", "sk": key}


def intent_row(intent: Intent) -> Row:
    """The note of an object as a row."""
    return {
        **intent_key(intent.key),
        "item_id": intent.item_id,
        "revision_id": intent.revision_id,
        "at": stamp(intent.at),
    }


def intent_of(row: Row) -> Intent:
    """The note in a row."""
    return Intent(row["sk"], row["item_id"], row["revision_id"], moment(row["at"]))


def document_key(document_id: str) -> Key:
    """Where a document lies."""
    return {"pk": document_id, "sk": "document"}


def document_entry(owner_id: str, document_id: str) -> Key:
    """A document's place in the list of its base, or of the item it becomes."""
    return {"pk": owner_id, "sk": f"document#{document_id}"}


def waiting_entry(document_id: str) -> Key:
    """A document's place among those that are neither ready nor failed."""
    return {"pk": "documents", "sk": document_id}


def purge_key(purge_id: str) -> Key:
    """Where a purge lies."""
    return {"pk": purge_id, "sk": "purge"}


def purge_entry(purge_id: str) -> Key:
    """A purge's place among those that are not settled."""
    return {"pk": "purges", "sk": purge_id}


def base_row(base: Base) -> Row:
    """A base as a row."""
    return {
        **base_key(base.id),
        "space_id": base.space_id,
        "name": base.name,
        "description": base.description,
        "created_by": base.created_by,
        "created_at": stamp(base.created_at),
        **base_state(base),
    }


def base_state(base: Base) -> Row:
    """What a move of a base changes; no word of it."""
    return {"status": base.status, "version": base.version, "updated_at": stamp(base.updated_at)}


def base_of(row: Row) -> Base:
    """The base in a row."""
    return Base(
        id=row["pk"],
        space_id=row["space_id"],
        name=row["name"],
        description=row["description"],
        status=BaseStatus(row["status"]),
        version=row["version"],
        created_by=row["created_by"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )


def item_row(item: Item) -> Row:
    """An item as a row."""
    return {
        **item_key(item.id),
        "base_id": item.base_id,
        "space_id": item.space_id,
        "title": item.title,
        "locator": item.locator,
        "source_type": item.source_type,
        "created_by": item.created_by,
        "created_at": stamp(item.created_at),
        **item_state(item),
    }


def item_state(item: Item) -> Row:
    """What a write of an item changes besides its title and locator; no word of content."""
    return {
        "status": item.status,
        "archived_from": item.archived_from,
        "current_revision_id": item.current_revision_id,
        "current_number": item.current_number,
        "version": item.version,
        "updated_at": stamp(item.updated_at),
        "public": [list(each) for each in item.public.ranges],
    }


def item_of(row: Row) -> Item:
    """The item in a row."""
    archived_from = row.get("archived_from")
    return Item(
        id=row["pk"],
        base_id=row["base_id"],
        space_id=row["space_id"],
        title=row["title"],
        locator=row["locator"],
        status=ItemStatus(row["status"]),
        source_type=SourceType(row["source_type"]),
        current_revision_id=row["current_revision_id"],
        current_number=row["current_number"],
        version=row["version"],
        created_by=row["created_by"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        archived_from=ItemStatus(archived_from) if archived_from else None,
        public=PublicMark(tuple((first, last) for first, last in row["public"])),
    )


def revision_row(revision: Revision) -> Row:
    """A revision as a row."""
    return {
        "pk": revision.item_id,
        "sk": revision.id,
        "number": revision.number,
        "content_format": revision.content_format,
        "sha256": revision.sha256,
        "size": revision.size,
        "inline": revision.inline,
        "blob": revision.blob,
        "provenance": _present(asdict(revision.provenance)),
        "created_at": stamp(revision.created_at),
        "source_metadata": dict(revision.source_metadata),
    }


REVISION_FACTS = ("pk", "sk", "number", "content_format", "sha256", "size", "blob", "provenance", "created_at")
"""A revision without its content, for lists."""


def revision_of(row: Row) -> Revision:
    """The revision in a row."""
    provenance = row["provenance"]
    return Revision(
        id=row["sk"],
        item_id=row["pk"],
        number=row["number"],
        content_format=row["content_format"],
        sha256=row["sha256"],
        size=row["size"],
        inline=row.get("inline"),
        blob=row.get("blob"),
        provenance=Provenance(**{**provenance, "door": Door(provenance["door"])}),
        created_at=moment(row["created_at"]),
        source_metadata=row.get("source_metadata", {}),
    )


def purge_row(purge: Purge) -> Row:
    """A purge as a row."""
    return {
        **purge_key(purge.id),
        "space_id": purge.space_id,
        "base_id": purge.base_id,
        "item_id": purge.item_id,
        "status": purge.status,
        "version": purge.version,
        "requested_by": purge.requested_by,
        "requested_at": stamp(purge.requested_at),
        "progressed_at": stamp(purge.progressed_at),
        "removed": asdict(purge.removed),
        "counting": list(purge.counting),
        "finished_at": stamp(purge.finished_at) if purge.finished_at else None,
    }


def purge_of(row: Row) -> Purge:
    """The purge in a row."""
    removed = row["removed"]
    return Purge(
        id=row["pk"],
        space_id=row["space_id"],
        base_id=row["base_id"],
        item_id=row.get("item_id"),
        status=PurgeStatus(row["status"]),
        version=row["version"],
        requested_by=row["requested_by"],
        requested_at=moment(row["requested_at"]),
        progressed_at=moment(row["progressed_at"]),
        removed=Counts(**{each.name: removed.get(each.name, 0) for each in fields(Counts)}),
        counting=tuple(row["counting"]),
        finished_at=maybe(row.get("finished_at")),
    )


def _present(values: Mapping[str, Any]) -> Row:
    return {name: value for name, value in values.items() if value is not None}
