"""Which passages may be seen: the table decides, whatever the index says of them (rules S8, S10)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.errors import KnowledgeArchived, NotFound
from chalicelib.domain.items import ItemStatus
from chalicelib.domain.spaces import Action, Principal, Role, may
from chalicelib.search.ports import Bases, Candidate, Shelf, Standing, Within
from chalicelib.search.request import SearchRequest


class Dropped(StrEnum):
    """Why a passage that the index offered may not be seen."""

    GONE = "gone"
    """The item or its base is deleted."""
    UNREADABLE = "unreadable"
    """The caller is not, or no longer, in the space."""
    BASE_ARCHIVED = "base_archived"
    UNPUBLISHED = "unpublished"
    SUPERSEDED = "superseded"
    """Not the current revision, or not where the item is now."""


def reach(request: SearchRequest, principal: Principal) -> Within:
    """Where the caller may look. Raises NotFound if the space that was named is none of theirs (rule K11)."""
    readable = frozenset(space for space in principal.roles if may(principal, Action.READ, space))
    if request.space_id is None:
        return Within(readable, request.base_id)
    if request.space_id not in readable:
        raise NotFound
    return Within(frozenset({request.space_id}), request.base_id)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the table said of some passages, all in one read."""

    standing: Standing
    within: Within

    def objection(self, candidate: Candidate) -> Dropped | None:
        """Why the passage may not be seen; None if it may."""
        standing, within = self.standing, self.within
        item, base = standing.items.get(candidate.item_id), standing.bases.get(candidate.base_id)
        if item is None or base is None:
            return Dropped.GONE
        if item.space_id not in within.spaces or item.space_id not in standing.roles:
            return Dropped.UNREADABLE
        if base.status is BaseStatus.ARCHIVED:
            return Dropped.BASE_ARCHIVED
        if item.status is not ItemStatus.PUBLISHED:
            return Dropped.UNPUBLISHED
        asked = within.base_id or item.base_id
        offered = (candidate.revision_id, candidate.space_id, candidate.base_id, asked, base.space_id)
        if offered != (item.current_revision_id, item.space_id, item.base_id, item.base_id, item.space_id):
            return Dropped.SUPERSEDED
        return None

    def archived(self) -> Iterator[str]:
        """Bases of which nothing may be seen, whatever else there is in them."""
        yield from (each.id for each in self.standing.bases.values() if each.status is BaseStatus.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Gate:
    """Asks the table, for one request of one caller."""

    shelf: Shelf
    bases: Bases
    request: SearchRequest
    principal: Principal

    def verdicts(self, candidates: Collection[Candidate], within: Within) -> Verdicts:
        """What the table says of the passages, in one read.

        Raises:
            NotFound: the base or space that was named does not exist for the caller (rule K11).
            KnowledgeArchived: the base that was named is archived (rule K15).
        """
        nothing = Standing({}, {}, {})
        request, principal = self.request, self.principal
        standing = self.shelf.standing(principal.user_id, candidates) if candidates else nothing
        if candidates and request.space_id is not None and request.space_id not in standing.roles:
            raise NotFound
        if request.base_id is not None:
            # A base from which nothing was offered is asked for by itself: still one read of the table.
            base = standing.bases.get(request.base_id) or self.bases.base(request.base_id)
            self._demand_open(base, standing.roles if candidates else principal.roles)
        return Verdicts(standing, within)

    def _demand_open(self, base: Base | None, roles: Mapping[str, Role]) -> None:
        if base is None or base.space_id not in roles or not may(self.principal, Action.READ, base.space_id):
            raise NotFound
        if self.request.space_id not in {None, base.space_id}:
            raise NotFound
        if base.status is BaseStatus.ARCHIVED:
            raise KnowledgeArchived(knowledge_base_id=base.id)
