"""Use cases that look over the items of a base: list and sort them, count what there is (decision 0064)."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from chalicelib.domain.bases import Base
from chalicelib.domain.errors import ListTooLong
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.spaces import Action, Principal, may
from chalicelib.domain.writes import Page
from chalicelib.knowledge.ports import KnowledgeStore, PurgeStore
from chalicelib.knowledge.visibility import base_for, demand_active, item_for, sees

MOST = 10_000
"""Items of a base that are looked over for one answer: a query and a batch of reads for each hundred."""

_SCANNED = 500
"""Items looked at in one round when words are asked for."""

_KEY_BYTES = 60
"""Of a title, by which titles are sorted; titles that begin alike are in the order of their ids."""

_END_OF_TIME = 10**14
"""Milliseconds, of a moment that no item reaches."""


class Order(StrEnum):
    """How items are sorted."""

    CREATED = "created"
    """The newest first."""
    UPDATED = "updated"
    """What was changed last first."""
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which items, and in which order."""

    status: ItemStatus | None = None
    contains: str | None = None
    """Words, or beginnings and ends of words, that are all in title or locator, whatever their case and accents."""
    order: Order = Order.CREATED

    def holds(self, item: Item) -> bool:
        """Whether the item is one of them."""
        if self.status not in {None, item.status}:
            return False
        if self.contains is None:
            return True
        text = plain(f"{item.title} {item.locator}")
        return all(word in text for word in plain(self.contains).split())


def plain(text: str) -> str:
    """The text without case and accents."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(each for each in apart if not unicodedata.combining(each))


@dataclass(frozen=True, slots=True)
class ListItems:
    """List the items of a base that the principal sees."""

    store: KnowledgeStore
    rounds: int = 5
    """How many pages of the table are read at most to fill one page of the answer."""
    most: int = MOST

    def __call__(self, principal: Principal, base_id: str, wanted: Wanted, after: str | None, limit: int) -> Page[Item]:
        """A page of items; it may be short, even empty, and still have a next one.

        Raises NotFound, KnowledgeArchived; ListTooLong: the base has more than `most` items, which are not sorted
        for each page anew.
        """
        base = base_for(self.store, principal, base_id)
        if not may(principal, Action.READ_DRAFTS, base.space_id):
            demand_active(base)
        if wanted.order is Order.CREATED:
            return self._newest(principal, base, wanted, after, limit)
        return self._sorted(principal, base, wanted, after, limit)

    def _newest(self, principal: Principal, base: Base, wanted: Wanted, after: str | None, limit: int) -> Page[Item]:
        found: list[Item] = []
        for _ in range(self.rounds):
            page = self.store.items(base.id, after, _SCANNED if wanted.contains else limit - len(found))
            for each in page.entries:
                if not (sees(principal, each) and wanted.holds(each)):
                    continue
                found.append(each)
                if len(found) == limit:
                    return Page(tuple(found), page.after if each is page.entries[-1] else each.id)
            after = page.after
            if after is None:
                break
        return Page(tuple(found), after)

    def _sorted(self, principal: Principal, base: Base, wanted: Wanted, after: str | None, limit: int) -> Page[Item]:
        page = self.store.items(base.id, None, self.most)
        if page.after is not None:
            raise ListTooLong(limit=self.most)
        key = _by_title if wanted.order is Order.TITLE else _by_change
        keyed = ((key(each), each) for each in page.entries if sees(principal, each) and wanted.holds(each))
        rest = sorted((place, each) for place, each in keyed if after is None or place > after)
        return Page(tuple(each for _, each in rest[:limit]), rest[limit - 1][0] if len(rest) > limit else None)


def _by_title(item: Item) -> str:
    """A key that sorts, and that a cursor can carry: it says where the page ended, whatever became of its last item."""
    return f"{plain(item.title).encode()[:_KEY_BYTES].hex()}/{item.id}"


def _by_change(item: Item) -> str:
    return f"{_END_OF_TIME - int(item.updated_at.timestamp() * 1000):014d}/{item.id}"


@dataclass(frozen=True, slots=True)
class Counted:
    """How much there is of what the principal sees."""

    items: Mapping[ItemStatus, int]
    revisions: int
    documents: int | None
    """Uploaded and dropped files; None for whoever does not see documents."""
    at_least: bool = False
    """Whether there are more items than were looked over."""


@dataclass(frozen=True, slots=True)
class CountBase:
    """Count what is in a base, which is what deleting it would remove."""

    store: KnowledgeStore
    graves: PurgeStore
    most: int = MOST

    def __call__(self, principal: Principal, base_id: str) -> Counted:
        """The counts. Raises NotFound, KnowledgeArchived."""
        base = base_for(self.store, principal, base_id)
        editor = may(principal, Action.READ_DRAFTS, base.space_id)
        if not editor:
            demand_active(base)
        page = self.store.items(base.id, None, self.most)
        seen = [each for each in page.entries if sees(principal, each)]
        return Counted(
            items={status: sum(each.status is status for each in seen) for status in ItemStatus},
            revisions=sum(_revisions(each, editor=editor) for each in seen),
            documents=len(self.graves.document_ids(base.id, None)) if editor else None,
            at_least=page.after is not None,
        )


@dataclass(frozen=True, slots=True)
class CountItem:
    """Count what an item consists of, which is what deleting it would remove."""

    store: KnowledgeStore
    graves: PurgeStore

    def __call__(self, principal: Principal, item_id: str) -> Counted:
        """The counts, of one item. Raises NotFound, KnowledgeArchived."""
        item, _ = item_for(self.store, principal, item_id)
        editor = may(principal, Action.READ_DRAFTS, item.space_id)
        return Counted(
            items={status: int(item.status is status) for status in ItemStatus},
            revisions=_revisions(item, editor=editor),
            documents=len(self.graves.document_ids(item.id, None)) if editor else None,
        )


def _revisions(item: Item, *, editor: bool) -> int:
    """How many revisions the principal may read. Numbers are dense (rule K3), so the current one counts them."""
    return item.current_number if editor else sum(last - first + 1 for first, last in item.public.ranges)
