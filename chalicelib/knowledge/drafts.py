"""Use cases on items as their writers see them: create, edit, read, find."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from chalicelib.domain.bases import BaseStatus
from chalicelib.domain.errors import ExpectedRevisionRequired, ItemArchived, StaleRevision
from chalicelib.domain.ids import Ids, Kind, later
from chalicelib.domain.items import Item, ItemStatus, SourceType
from chalicelib.domain.locators import locator_of
from chalicelib.domain.revisions import MARKDOWN, Provenance, Revision
from chalicelib.domain.spaces import Action, Principal, may
from chalicelib.domain.text import Canonical
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once
from chalicelib.knowledge.content import place
from chalicelib.knowledge.ports import Blobs, KnowledgeStore
from chalicelib.knowledge.visibility import base_for, demand_active, item_for, sees


@dataclass(frozen=True, slots=True)
class NewItem:
    """What a writer gives to make an item."""

    title: str
    locator: str | None
    """Made from the title, and made unique, if there is none."""
    content: str
    source_type: SourceType = SourceType.USER_CREATED
    source_metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edit:
    """What a writer changes; None keeps what is there."""

    expected_revision_id: str | None
    content: str | None = None
    title: str | None = None
    locator: str | None = None
    source_metadata: Mapping[str, str] = field(default_factory=dict)
    """Of the content, if there is one."""


@dataclass(frozen=True, slots=True)
class CreateItem:
    """Make a draft item with its first revision."""

    store: KnowledgeStore
    blobs: Blobs
    ids: Ids
    clock: Clock

    def __call__(
        self, principal: Principal, base_id: str, new: NewItem, provenance: Provenance, once: Once | None
    ) -> Item:
        """The new item.

        Raises NotFound, NotAllowed, KnowledgeArchived, LocatorTaken, ContentTooLarge, IdempotencyKeyReused.
        """
        base = base_for(self.store, principal, base_id, Action.WRITE_ITEMS)
        if once and (seen := self.store.replayed_item(once)):
            return seen
        demand_active(base)
        now = self.clock.now()
        content = Canonical.of(new.content)
        item_id = self.ids.new(Kind.ITEM)
        item = Item(
            id=item_id,
            base_id=base.id,
            space_id=base.space_id,
            title=new.title,
            locator=new.locator or self._free_locator(base.id, new.title, item_id),
            status=ItemStatus.DRAFT,
            source_type=new.source_type,
            current_revision_id=self.ids.new(Kind.REVISION),
            current_number=1,
            version=1,
            created_by=principal.user_id,
            created_at=now,
            updated_at=now,
        )
        revision = replace(
            revision_of(self.store, self.blobs, item, content, provenance), source_metadata=dict(new.source_metadata)
        )
        return self.store.add_item(item, revision, once)

    def _free_locator(self, base_id: str, title: str, item_id: str) -> str:
        plain = locator_of(title)
        return plain if self.store.item_at(base_id, plain) is None else f"{plain}-{item_id[-6:]}"


@dataclass(frozen=True, slots=True)
class EditItem:
    """Change an item's content, title or locator, on the revision that the writer saw."""

    store: KnowledgeStore
    blobs: Blobs
    ids: Ids
    clock: Clock

    def __call__(
        self, principal: Principal, item_id: str, edit: Edit, provenance: Provenance, once: Once | None
    ) -> Item:
        """The item after the edit; as it is if nothing would change (rule K4).

        Raises NotFound, NotAllowed, KnowledgeArchived, ItemArchived, ExpectedRevisionRequired, StaleRevision,
        ConcurrentChange, LocatorTaken, ContentTooLarge, IdempotencyKeyReused.
        """
        item, base = item_for(self.store, principal, item_id, Action.WRITE_ITEMS)
        if once and (seen := self.store.replayed_item(once)):
            return seen
        demand_active(base)
        demand_editable(item, edit.expected_revision_id)
        now = self.clock.now()
        after = item
        if (edit.title or item.title, edit.locator or item.locator) != (item.title, item.locator):
            after = item.renamed(edit.title, edit.locator, now)
        content = None if edit.content is None else Canonical.of(edit.content)
        if content is None or content.sha256 == self._current_hash(item):
            return self.store.settle(item, once) if after is item else self.store.change_item(item, after, once)
        revision_id = later(self.ids.new(Kind.REVISION), item.current_revision_id)
        # One write, one step of the version, whatever it changes.
        after = replace(after.following(revision_id, now), version=item.version + 1)
        revision = revision_of(self.store, self.blobs, after, content, provenance)
        revision = replace(revision, source_metadata=dict(edit.source_metadata))
        return self.store.add_revision(item, after, revision, once)

    def _current_hash(self, item: Item) -> str | None:
        current = self.store.revision(item.id, item.current_revision_id)
        return current.sha256 if current else None


@dataclass(frozen=True, slots=True)
class ReadItem:
    """Read one item's record."""

    store: KnowledgeStore

    def __call__(self, principal: Principal, item_id: str) -> Item:
        """The item. Raises NotFound, KnowledgeArchived."""
        return item_for(self.store, principal, item_id)[0]


@dataclass(frozen=True, slots=True)
class NameItems:
    """Read the records of some items, wherever they are."""

    store: KnowledgeStore

    def __call__(self, principal: Principal, item_ids: Collection[str]) -> dict[str, Item]:
        """Those that the principal sees, by id, in two batches; of the others not even that they are there."""
        if not item_ids:
            return {}
        items = [each for each in self.store.named_items(item_ids) if sees(principal, each)]
        bases = {each.id: each for each in self.store.named_bases({each.base_id for each in items})}
        return {
            each.id: each
            for each in items
            if each.base_id in bases
            and (may(principal, Action.READ_DRAFTS, each.space_id) or bases[each.base_id].status is BaseStatus.ACTIVE)
        }


@dataclass(frozen=True, slots=True)
class FindItem:
    """Find an item of a base by its locator."""

    store: KnowledgeStore

    def __call__(self, principal: Principal, base_id: str, locator: str) -> Item | None:
        """The item, or None if the principal sees none there. Raises NotFound, KnowledgeArchived."""
        base = base_for(self.store, principal, base_id)
        if not may(principal, Action.READ_DRAFTS, base.space_id):
            demand_active(base)
        item = self.store.item_at(base.id, locator)
        return item if item and sees(principal, item) else None


def demand_editable(item: Item, expected_revision_id: str | None) -> None:
    """Let an edit pass that was made on the current revision of an item that is not archived.

    Raises ExpectedRevisionRequired, StaleRevision, ItemArchived.
    """
    if expected_revision_id is None:
        raise ExpectedRevisionRequired
    if expected_revision_id != item.current_revision_id:
        raise StaleRevision(expected_revision_id, item.current_revision_id, item.current_number)
    if item.status is ItemStatus.ARCHIVED:
        raise ItemArchived


def revision_of(
    store: KnowledgeStore, blobs: Blobs, item: Item, content: Canonical, provenance: Provenance
) -> Revision:
    """The current revision of an item, its content put where it belongs."""
    placed = place(store, blobs, item, content)
    return Revision(
        id=item.current_revision_id,
        item_id=item.id,
        number=item.current_number,
        content_format=MARKDOWN,
        sha256=content.sha256,
        size=content.size,
        inline=placed.inline,
        blob=placed.blob,
        provenance=provenance,
        created_at=item.updated_at,
    )
