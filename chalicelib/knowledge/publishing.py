"""Use case on the life of an item: publish, withdraw, archive, restore (rule K5)."""

from dataclasses import dataclass

from chalicelib.domain.items import Item
from chalicelib.domain.lifecycle import Move, move
from chalicelib.domain.spaces import Action, Principal
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once
from chalicelib.knowledge.ports import KnowledgeStore
from chalicelib.knowledge.visibility import demand_active, item_for


@dataclass(frozen=True, slots=True)
class MoveItem:
    """Move an item along its life cycle; the index follows by itself."""

    store: KnowledgeStore
    clock: Clock

    def __call__(self, principal: Principal, item_id: str, asked: Move, once: Once | None) -> Item:
        """The item after the move.

        Raises NotFound, NotAllowed, KnowledgeArchived, IllegalMove, StaleRevision, ConcurrentChange,
        IdempotencyKeyReused.
        """
        item, base = item_for(self.store, principal, item_id, Action.WRITE_ITEMS)
        if once and (seen := self.store.replayed_item(once)):
            return seen
        demand_active(base)
        return self.store.change_item(item, move(item, asked, self.clock.now()), once)
