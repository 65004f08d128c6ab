"""Loading what the principal may see; everything else does not exist (rules K10, K11)."""

from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.errors import KnowledgeArchived, NotFound
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.spaces import Action, Principal, demand, may
from chalicelib.knowledge.ports import KnowledgeStore


def base_for(store: KnowledgeStore, principal: Principal, base_id: str, action: Action = Action.READ) -> Base:
    """The base, if the principal may do that in its space.

    Raises:
        NotFound: there is none, or the principal is not in its space.
        NotAllowed: the role is too small.
    """
    base = store.base(base_id)
    if base is None:
        raise NotFound
    demand(principal, action, base.space_id)
    return base


def sees(principal: Principal, item: Item) -> bool:
    """Whether the item exists for the principal: editors and its author see drafts, viewers what is published."""
    if not may(principal, Action.READ, item.space_id):
        return False
    if may(principal, Action.READ_DRAFTS, item.space_id) or item.status is ItemStatus.PUBLISHED:
        return True
    return item.created_by == principal.user_id


def item_for(
    store: KnowledgeStore, principal: Principal, item_id: str, action: Action = Action.READ
) -> tuple[Item, Base]:
    """The item and its base, if the principal sees the item and may do that in its space.

    Raises:
        NotFound: there is none, its base is gone, or the principal does not see it.
        NotAllowed: the role is too small.
        KnowledgeArchived: the base is archived, and the principal is not one of its editors.
    """
    item = store.item(item_id)
    if item is None or not sees(principal, item):
        raise NotFound
    base = store.base(item.base_id)
    if base is None:
        raise NotFound
    demand(principal, action, item.space_id)
    if not may(principal, Action.READ_DRAFTS, item.space_id):
        demand_active(base)
    return item, base


def demand_active(base: Base) -> None:
    """Let an active base pass.

    Raises:
        KnowledgeArchived: it is archived.
    """
    if base.status is BaseStatus.ARCHIVED:
        raise KnowledgeArchived(knowledge_base_id=base.id)
