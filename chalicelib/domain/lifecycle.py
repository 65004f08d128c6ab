"""The life cycle of an item: one table of moves (rule K5)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from chalicelib.domain.errors import IllegalMove
from chalicelib.domain.items import Item, ItemStatus


class Move(StrEnum):
    """What can be asked of an item."""

    PUBLISH = "publish"
    WITHDRAW = "withdraw"
    ARCHIVE = "archive"
    RESTORE = "restore"


_TARGETS: Mapping[Move, ItemStatus] = {
    Move.PUBLISH: ItemStatus.PUBLISHED,
    Move.WITHDRAW: ItemStatus.DRAFT,
    Move.ARCHIVE: ItemStatus.ARCHIVED,
}

_LEGAL: Mapping[ItemStatus, frozenset[Move]] = {
    ItemStatus.DRAFT: frozenset({Move.PUBLISH, Move.ARCHIVE}),
    ItemStatus.PUBLISHED: frozenset({Move.WITHDRAW, Move.ARCHIVE}),
    ItemStatus.ARCHIVED: frozenset({Move.RESTORE}),
}


def move(item: Item, asked: Move, now: datetime) -> Item:
    """The item after the move; restoring leads back to the status it was archived from.

    Raises:
        IllegalMove: the table does not hold that move from the item's status.
    """
    target = _TARGETS.get(asked) or item.archived_from or item.status
    if asked not in _LEGAL[item.status]:
        raise IllegalMove(source=item.status, target=target)
    public = item.public
    if target is ItemStatus.PUBLISHED:
        public = public.including(item.current_number)
    return replace(
        item,
        status=target,
        archived_from=item.status if target is ItemStatus.ARCHIVED else None,
        public=public,
        version=item.version + 1,
        updated_at=now,
    )
