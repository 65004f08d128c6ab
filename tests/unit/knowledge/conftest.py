"""A desk with everything the knowledge room needs, in memory."""

from dataclasses import dataclass, field

import pytest

from chalicelib.domain.bases import Base
from chalicelib.domain.items import Item
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.spaces import Principal, Role
from chalicelib.knowledge.bases import Bases
from chalicelib.knowledge.drafts import CreateItem, Edit, EditItem, FindItem, NewItem, ReadItem
from chalicelib.knowledge.history import CompareRevisions, ListRevisions, ReadRevision, RestoreRevision
from chalicelib.knowledge.listing import CountBase, CountItem, ListItems
from chalicelib.knowledge.publishing import MoveItem
from chalicelib.knowledge.reading import ReadByAddress
from tests.factories import PROVENANCE, a_principal
from tests.fakes.machine import CountingIds, StillClock
from tests.fakes.shelves import MemoryBlobs, MemoryShelves

SPACE = "space_team"


@dataclass
class Desk:
    """The use cases of the room, over fakes, with a person in each role."""

    shelves: MemoryShelves = field(default_factory=MemoryShelves)
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    clock: StillClock = field(default_factory=StillClock)
    ids: CountingIds = field(default_factory=CountingIds)

    def __post_init__(self) -> None:
        store, blobs, ids, clock = self.shelves, self.blobs, self.ids, self.clock
        self.bases = Bases.over(store, ids, clock)
        self.create = CreateItem(store, blobs, ids, clock)
        self.edit_item = EditItem(store, blobs, ids, clock)
        self.read_item = ReadItem(store)
        self.list_items = ListItems(store)
        self.count_base = CountBase(store, store)
        self.count_item = CountItem(store, store)
        self.find_item = FindItem(store)
        self.move_item = MoveItem(store, clock)
        self.list_revisions = ListRevisions(store)
        self.read_revision = ReadRevision(store, blobs)
        self.compare = CompareRevisions(self.read_revision)
        self.restore_revision = RestoreRevision(store, blobs, ids, clock)
        self.read = ReadByAddress(store, blobs)
        self.owner, self.admin, self.member, self.viewer = (
            a_principal({SPACE: role}) for role in (Role.OWNER, Role.ADMIN, Role.MEMBER, Role.VIEWER)
        )
        self.stranger = a_principal({"space_other": Role.OWNER})

    def base(self, name: str = "Runbooks") -> Base:
        return self.bases.create(self.owner, SPACE, name, "", None)

    def item(self, base: Base, content: str = "One.", locator: str = "a", by: Principal | None = None) -> Item:
        return self.create(by or self.member, base.id, NewItem("Restarting", locator, content), PROVENANCE, None)

    def edit(self, item: Item, content: str) -> Item:
        edit = Edit(expected_revision_id=item.current_revision_id, content=content)
        return self.edit_item(self.member, item.id, edit, PROVENANCE, None)

    def move(self, item: Item, *moves: Move) -> Item:
        for each in moves:
            item = self.move_item(self.member, item.id, each, None)
        return item

    def published(self, base: Base, content: str = "One.", locator: str = "a") -> Item:
        return self.move(self.item(base, content, locator), Move.PUBLISH)


@pytest.fixture
def desk() -> Desk:
    return Desk()
