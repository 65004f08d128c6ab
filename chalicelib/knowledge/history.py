"""Use cases on the revisions of an item: list, read, compare, restore (rules K1, K6, K13)."""

from dataclasses import dataclass, replace

from chalicelib.domain.errors import NotFound
from chalicelib.domain.ids import Ids, Kind, later
from chalicelib.domain.items import Item
from chalicelib.domain.revisions import Provenance, Revision
from chalicelib.domain.spaces import Action, Principal, may
from chalicelib.domain.text import Canonical
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once, Page
from chalicelib.knowledge.comparing import Difference, compare
from chalicelib.knowledge.content import text_of
from chalicelib.knowledge.drafts import demand_editable, revision_of
from chalicelib.knowledge.ports import Blobs, KnowledgeStore
from chalicelib.knowledge.visibility import demand_active, item_for


def readable(principal: Principal, item: Item, revision: Revision) -> bool:
    """Whether the authoring API shows the revision: to editors, to whoever wrote it, else if it was public once."""
    if may(principal, Action.READ_DRAFTS, item.space_id) or revision.provenance.author == principal.user_id:
        return True
    return revision.number in item.public


@dataclass(frozen=True, slots=True)
class ListRevisions:
    """List an item's revisions."""

    store: KnowledgeStore

    def __call__(
        self, principal: Principal, item_id: str, after: str | None, limit: int
    ) -> tuple[Item, Page[Revision]]:
        """The item and a page of its revisions, newest first; it may be short and still have a next one.

        Raises NotFound, KnowledgeArchived.
        """
        item, _ = item_for(self.store, principal, item_id)
        page = self.store.revisions(item.id, after, limit)
        return item, replace(page, entries=tuple(each for each in page.entries if readable(principal, item, each)))


@dataclass(frozen=True, slots=True)
class ReadRevision:
    """Read one revision with its text."""

    store: KnowledgeStore
    blobs: Blobs

    def __call__(self, principal: Principal, item_id: str, revision_id: str) -> tuple[Item, Revision, str]:
        """The item, the revision and its canonical text. Raises NotFound, KnowledgeArchived, ContentDamaged."""
        item, _ = item_for(self.store, principal, item_id)
        revision = self.store.revision(item.id, revision_id)
        if revision is None or not readable(principal, item, revision):
            raise NotFound
        return item, revision, text_of(self.blobs, revision)


@dataclass(frozen=True, slots=True)
class CompareRevisions:
    """Compare two revisions of an item."""

    read: ReadRevision

    def __call__(
        self, principal: Principal, item_id: str, pair: tuple[str, str], *, words: bool = False
    ) -> tuple[Item, Difference]:
        """The item, and what the second has that the first has not, and the other way round. Raises NotFound."""
        old, new = pair
        _, first, before = self.read(principal, item_id, old)
        item, second, after = self.read(principal, item_id, new)
        return item, compare(first, before, second, after, words=words)


@dataclass(frozen=True, slots=True)
class RestoreRevision:
    """Make an old revision's content current again, as a new revision (rule K6)."""

    store: KnowledgeStore
    blobs: Blobs
    ids: Ids
    clock: Clock

    def __call__(
        self,
        principal: Principal,
        pin: tuple[str, str],
        expected_revision_id: str | None,
        provenance: Provenance,
        once: Once | None,
    ) -> Item:
        """The item after restoring the revision that `pin` (item id, revision id) names.

        Content equal to the current one writes nothing (rule K4). Raises NotFound, NotAllowed, KnowledgeArchived,
        ItemArchived, ExpectedRevisionRequired, StaleRevision, ConcurrentChange, IdempotencyKeyReused.
        """
        item_id, revision_id = pin
        item, base = item_for(self.store, principal, item_id, Action.WRITE_ITEMS)
        if once and (seen := self.store.replayed_item(once)):
            return seen
        demand_active(base)
        old = self.store.revision(item.id, revision_id)
        if old is None:
            raise NotFound
        demand_editable(item, expected_revision_id)
        current = self.store.revision(item.id, item.current_revision_id)
        if current is not None and current.sha256 == old.sha256:
            return self.store.settle(item, once)
        content = Canonical(text_of(self.blobs, old), old.sha256, old.size)
        after = item.following(later(self.ids.new(Kind.REVISION), item.current_revision_id), self.clock.now())
        revision = revision_of(self.store, self.blobs, after, content, replace(provenance, restored_from=old.id))
        revision = replace(revision, source_metadata=old.source_metadata)
        return self.store.add_revision(item, after, revision, once)
