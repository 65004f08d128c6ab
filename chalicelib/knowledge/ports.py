"""What the shelves need from outside."""

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from chalicelib.domain.bases import Base
from chalicelib.domain.items import Item
from chalicelib.domain.purges import Purge
from chalicelib.domain.revisions import Intent, Revision
from chalicelib.domain.writes import Once, Page


class KnowledgeStore(Protocol):
    """The tables of truth.

    Every write is one transaction that states what it expects, and that also requires its base to exist
    and, but for moves of the base itself, to be active. With a `once` it happens once: a repeat returns the
    first result. All reads are strongly consistent. Writes raise StoreBusy when turned away for load.
    """

    def base(self, base_id: str) -> Base | None:
        """The base, or None."""
        ...

    def bases(self, space_id: str, after: str | None, limit: int) -> Page[Base]:
        """The bases of a space, newest first."""
        ...

    def named_bases(self, base_ids: Collection[str]) -> tuple[Base, ...]:
        """Those of the bases that exist, in no order."""
        ...

    def add_base(self, base: Base, once: Once | None) -> Base:
        """Write a new base."""
        ...

    def change_base(self, before: Base, after: Base, once: Once | None) -> Base:
        """Replace a base that still is at `before`'s version. Raises NotFound, ConcurrentChange."""
        ...

    def item(self, item_id: str) -> Item | None:
        """The item, or None."""
        ...

    def item_at(self, base_id: str, locator: str) -> Item | None:
        """The item that has the locator in the base, or None."""
        ...

    def named_items(self, item_ids: Collection[str]) -> tuple[Item, ...]:
        """Those of the items that exist, in no order."""
        ...

    def items(self, base_id: str, after: str | None, limit: int) -> Page[Item]:
        """The items of a base, newest first."""
        ...

    def add_item(self, item: Item, revision: Revision, once: Once | None) -> Item:
        """Write a new item with its first revision. Raises LocatorTaken, KnowledgeArchived, NotFound."""
        ...

    def add_revision(self, before: Item, after: Item, revision: Revision, once: Once | None) -> Item:
        """Put the revision and move the item's pointer, if the item still is at `before` (rule K2).

        Raises StaleRevision, ConcurrentChange, LocatorTaken, KnowledgeArchived, NotFound.
        """
        ...

    def change_item(self, before: Item, after: Item, once: Once | None) -> Item:
        """Replace an item that still is at `before`'s version.

        Raises StaleRevision, ConcurrentChange, LocatorTaken, KnowledgeArchived, NotFound.
        """
        ...

    def intend(self, intent: Intent) -> None:
        """Note that an object is about to be written; the transaction that adds its revision removes the note."""
        ...

    def revision(self, item_id: str, revision_id: str) -> Revision | None:
        """That revision of that item, or None."""
        ...

    def revisions(self, item_id: str, after: str | None, limit: int) -> Page[Revision]:
        """The revisions of an item, newest first."""
        ...

    def settle[R: Base | Item](self, result: R, once: Once | None) -> R:
        """Write down nothing but that this was answered, for a write that would change nothing."""
        ...

    def replayed_base(self, once: Once) -> Base | None:
        """What this write answered before, or None. Raises IdempotencyKeyReused, NotFound if it is gone."""
        ...

    def replayed_item(self, once: Once) -> Item | None:
        """What this write answered before, or None. Raises IdempotencyKeyReused, NotFound if it is gone."""
        ...


class PurgeStore(Protocol):
    """The tables of truth, as deletion sees them."""

    def bury_base(self, base: Base, purge: Purge, once: Once | None) -> Purge:
        """Remove the base's record and write the purge, in one transaction. Raises NotFound, ConcurrentChange."""
        ...

    def bury_item(self, item: Item, purge: Purge, once: Once | None) -> Purge:
        """Remove the item's records and write the purge, in one transaction. Raises NotFound, ConcurrentChange."""
        ...

    def purge(self, purge_id: str) -> Purge | None:
        """The purge, or None."""
        ...

    def replayed_purge(self, once: Once) -> Purge | None:
        """What this deletion answered before, or None. Raises IdempotencyKeyReused."""
        ...

    def unsettled(self) -> tuple[Purge, ...]:
        """The purges that are not settled."""
        ...

    def advance(self, before: Purge, after: Purge) -> Purge:
        """Replace a purge that still is at `before`'s version. Raises ConcurrentChange."""
        ...

    def intents(self, before: datetime) -> tuple[Intent, ...]:
        """The notes of objects that are older."""
        ...

    def drop_intent(self, intent: Intent) -> None:
        """Remove a note."""
        ...

    def item_ids(self, base_id: str, limit: int) -> tuple[str, ...]:
        """Some items that are left of a base, at most `limit`; empty when none is."""
        ...

    def count_revisions(self, item_id: str) -> int:
        """How many revisions the item has left."""
        ...

    def erase_revisions(self, item_id: str) -> None:
        """Remove the revisions of an item. Only the purge worker may (rule K1)."""
        ...

    def erase_item(self, item_id: str) -> None:
        """Remove every record of an item but its place in the list of its base."""
        ...

    def unlist_item(self, base_id: str, item_id: str) -> None:
        """Remove an item's place in the list of its base."""
        ...

    def document_ids(self, owner_id: str, limit: int | None) -> tuple[str, ...]:
        """Documents that are left of a base or item, at most `limit`."""
        ...

    def document_object(self, document_id: str) -> tuple[str, str | None] | None:
        """Key and version of the object that holds the document's file; None if the document is gone."""
        ...

    def erase_document(self, base_id: str, document_id: str) -> None:
        """Remove every record of a document, its place in the list of its base last."""
        ...

    def erase_base(self, base_id: str) -> None:
        """Remove every record that is left of a base."""
        ...


class Blobs(Protocol):
    """Where content lies that does not fit a record."""

    def put(self, key: str, content: bytes) -> None:
        """Store the content under the key."""
        ...

    def get(self, key: str) -> bytes:
        """The content. Raises NotFound if it is gone."""
        ...

    def count(self, prefix: str) -> int:
        """How many objects lie under the prefix, every version counted."""
        ...

    def erase(self, prefix: str) -> None:
        """Remove all versions of all objects under the prefix."""
        ...

    def count_object(self, key: str, version: str | None) -> int:
        """How many versions of exactly that object there are; of one version, whether it is there."""
        ...

    def erase_object(self, key: str, version: str | None) -> None:
        """Remove one version of exactly that object, or all."""
        ...


class Traces(Protocol):
    """The search index, as deletion sees it."""

    def count(self, item_ids: Collection[str]) -> int:
        """How many passages it holds of the items."""
        ...

    def erase(self, item_ids: Collection[str]) -> int:
        """Forget the items entirely."""
        ...
