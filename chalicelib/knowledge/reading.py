"""Reading by address, as agents do: current without a pin, exact with one (rules K12 to K15)."""

from dataclasses import dataclass

from chalicelib.domain.errors import NotFound, PinWithoutItem
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.revisions import Revision
from chalicelib.domain.spaces import Action, Principal, may
from chalicelib.domain.text import Slice, cut
from chalicelib.knowledge.content import text_of
from chalicelib.knowledge.ports import Blobs, KnowledgeStore
from chalicelib.knowledge.visibility import demand_active


@dataclass(frozen=True, slots=True)
class Address:
    """What to read, and which stretch of it."""

    item_id: str | None
    revision_id: str | None
    offset: int
    limit_chars: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch of a revision, with what it is a stretch of."""

    item: Item
    revision: Revision
    slice: Slice


@dataclass(frozen=True, slots=True)
class ReadByAddress:
    """Read a published item's current revision, or exactly the revision of a citation."""

    store: KnowledgeStore
    blobs: Blobs

    def __call__(self, principal: Principal, address: Address) -> Reading:
        """The stretch asked for.

        A pin reaches every revision that was public once, whatever became of its item since, for as long as
        the base is active and nothing was deleted for good.

        Raises:
            PinWithoutItem: a revision without its item.
            NotFound: nothing there that an agent may see.
            KnowledgeArchived: the base is archived.
            ContentDamaged: the stored content does not match its hash.
        """
        if address.item_id is None:
            raise PinWithoutItem
        item = self.store.item(address.item_id)
        if item is None or not may(principal, Action.READ, item.space_id):
            raise NotFound
        revision = self._revision(item, address.revision_id)
        base = self.store.base(item.base_id)
        if base is None:
            raise NotFound
        demand_active(base)
        text = text_of(self.blobs, revision)
        return Reading(item, revision, cut(text, address.offset, address.limit_chars))

    def _revision(self, item: Item, pin: str | None) -> Revision:
        if pin is None and item.status is not ItemStatus.PUBLISHED:
            raise NotFound
        revision = self.store.revision(item.id, pin or item.current_revision_id)
        if revision is None or revision.number not in item.public:
            raise NotFound
        return revision
