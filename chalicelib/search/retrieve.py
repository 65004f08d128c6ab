"""Searching: the index offers passages, the table decides which of them may be seen (rules S8, S10)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.citations import cite
from chalicelib.domain.errors import KnowledgeArchived, KnowledgeRuntimeDisabled, NotFound
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.spaces import Action, Principal, Role, may
from chalicelib.search.ports import Bases, Candidate, Passage, SearchIndex, Shelf, Standing, Within

_DEPTHS = (3, 12, 48, 48)
"""Passages asked for per result wanted, round by round: some are of the same item, some may not be seen. A round is one
question to the engine and one read of the table, and the first is enough unless what it brought was mostly such. Later
rounds leave out what is known by then: items shown or refused, and bases that are archived."""

_NOTHING = Standing({}, {}, {})


class GroupBy(StrEnum):
    """What counts as one result."""

    ITEM = "item"
    PASSAGE = "passage"


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


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked; lengths and limits are checked at the doors."""

    query: str
    max_results: int = 10
    base_id: str | None = None
    space_id: str | None = None
    group_by: GroupBy = GroupBy.ITEM


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that matches and may be seen."""

    item_id: str
    base_id: str
    space_id: str
    revision_id: str
    title: str
    passage: Passage
    score: float
    """0 to 1; of the best hit that the caller may see, 1. No comparison between searches."""
    explain: Mapping[str, float]
    """The normalised score of each leg of the search."""

    @property
    def reference(self) -> str:
        """The citation of the revision that was found."""
        return cite(self.item_id, self.revision_id)


@dataclass(frozen=True, slots=True)
class Found:
    """The answer, best hits first."""

    hits: tuple[Hit, ...]
    dropped: Mapping[Dropped, int]
    """How many passages were offered and may not be seen, by reason; for metrics, not for callers."""
    rounds: int
    """Questions to the engine that it took."""


@dataclass(frozen=True, slots=True)
class Retrieve:
    """Finds passages of published, current revisions that the caller may read."""

    index: SearchIndex
    shelf: Shelf
    bases: Bases

    def __call__(self, request: SearchRequest, principal: Principal) -> Found:
        """The best hits, at most `max_results`: one per item, its best passage, unless grouped by passage.

        Raises:
            KnowledgeRuntimeDisabled: knowledge is off for the account (rule K18).
            NotFound: the base or space that was named does not exist for the caller (rule K11).
            KnowledgeArchived: the base that was named is archived (rule K15).
            SearchUnavailable: the engine does not answer.
        """
        if not principal.knowledge_enabled:
            raise KnowledgeRuntimeDisabled
        within = _within(request, principal)
        known: tuple[Candidate, ...] = ()
        best: tuple[Candidate, ...] = ()
        standing = _NOTHING
        dropped: Counter[Dropped] = Counter()
        rounds = 0
        for depth in _DEPTHS:
            rounds += 1
            limit = request.max_results * depth
            offered = self.index.lexical(request.query, within, limit)
            # What earlier rounds found is judged anew, so that one read of the table decides about all hits.
            standing = self._standing(request, principal, known + offered)
            judged = [(each, _objection(each, standing, within)) for each in known + offered]
            dropped.update(objection for _, objection in judged if objection)
            best = _best([each for each, objection in judged if objection is None], request)
            if len(best) == request.max_results or len(offered) < limit:
                break
            known = best if request.group_by is GroupBy.ITEM else ()
            within = replace(within, without=within.without.union(_settled(judged, standing, known)))
        return Found(_hits(best, standing), dropped, rounds)

    def _standing(self, request: SearchRequest, principal: Principal, offered: tuple[Candidate, ...]) -> Standing:
        """What the table says of the passages, after a look at the base or space that was named."""
        standing = self.shelf.standing(principal.user_id, offered) if offered else _NOTHING
        if offered and request.space_id is not None and request.space_id not in standing.roles:
            raise NotFound
        if request.base_id is not None:
            # A base from which nothing was offered is asked for by itself: still one read of the table.
            base = standing.bases.get(request.base_id) or self.bases.base(request.base_id)
            _demand_open(base, request, principal, standing.roles if offered else principal.roles)
        return standing


def _within(request: SearchRequest, principal: Principal) -> Within:
    readable = frozenset(space for space in principal.roles if may(principal, Action.READ, space))
    if request.space_id is None:
        return Within(readable, request.base_id)
    if request.space_id not in readable:
        raise NotFound
    return Within(frozenset({request.space_id}), request.base_id)


def _demand_open(base: Base | None, request: SearchRequest, principal: Principal, roles: Mapping[str, Role]) -> None:
    if base is None or base.space_id not in roles or not may(principal, Action.READ, base.space_id):
        raise NotFound
    if request.space_id not in {None, base.space_id}:
        raise NotFound
    if base.status is BaseStatus.ARCHIVED:
        raise KnowledgeArchived(knowledge_base_id=base.id)


def _objection(candidate: Candidate, standing: Standing, within: Within) -> Dropped | None:
    """Why the passage may not be seen; None if it may. Nothing that the index says of it is believed."""
    item = standing.items.get(candidate.item_id)
    base = standing.bases.get(candidate.base_id)
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


def _best(visible: Iterable[Candidate], request: SearchRequest) -> tuple[Candidate, ...]:
    """The first passage of each item, or each passage by itself; as many as are wanted."""
    best: dict[tuple[str, int], Candidate] = {}
    for each in visible:
        position = each.passage.position if request.group_by is GroupBy.PASSAGE else 0
        best.setdefault((each.item_id, position), each)
    return tuple(islice(best.values(), request.max_results))


def _settled(
    judged: Iterable[tuple[Candidate, Dropped | None]], standing: Standing, known: Iterable[Candidate]
) -> Iterator[str]:
    """Ids that another round need not offer."""
    yield from (each.item_id for each in known)
    yield from (each.item_id for each, objection in judged if objection is not None)
    yield from (each.id for each in standing.bases.values() if each.status is BaseStatus.ARCHIVED)


def _hits(best: tuple[Candidate, ...], standing: Standing) -> tuple[Hit, ...]:
    # By the best that is shown, not the best that was offered: what is hidden must not show in a score.
    top = max((each.score for each in best), default=1.0)
    return tuple(_hit(each, standing.items[each.item_id], each.score / top) for each in best)


def _hit(candidate: Candidate, item: Item, score: float) -> Hit:
    return Hit(
        item_id=item.id,
        base_id=item.base_id,
        space_id=item.space_id,
        revision_id=item.current_revision_id,
        title=item.title,
        passage=candidate.passage,
        score=score,
        explain={"lexical": score},
    )
