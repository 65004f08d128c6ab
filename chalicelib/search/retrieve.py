"""Searching: the index offers passages, the table decides which of them may be seen, fusion ranks those."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from chalicelib.domain.citations import cite
from chalicelib.domain.errors import KnowledgeRuntimeDisabled
from chalicelib.domain.items import Item
from chalicelib.domain.spaces import Principal
from chalicelib.search.asking import Degraded, Inquiry
from chalicelib.search.fusion import CROWD, Key, Ranked, Side, Sides, hybrid, rrf
from chalicelib.search.ports import Bases, Candidate, Embedder, Leg, Passage, SearchIndex, Shelf, Within
from chalicelib.search.request import GroupBy, Mode, SearchRequest
from chalicelib.search.visibility import Dropped, Gate, Verdicts, reach

_DEPTHS = (3, 12, 48, 48)
"""Passages asked for per result wanted, round by round: some are of the same item, some may not be seen. A round is one
read of the table; the first is one question to the engine, and enough unless what it brought was mostly such. Later
ones leave out what is known by then: items shown or refused, and bases that are archived."""


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
    """0 to 1, among passages that the caller may see. No comparison between modes (rule S7)."""
    lexical: float | None
    """The normalised score of each leg, 0 to 1; None if it took no part."""
    semantic: float | None

    @property
    def reference(self) -> str:
        """The citation of the revision that was found."""
        return cite(self.item_id, self.revision_id)


@dataclass(frozen=True, slots=True)
class Found:
    """The answer, best hits first."""

    hits: tuple[Hit, ...]
    mode_used: Mode
    degraded: Degraded | None
    dropped: Mapping[Dropped, int]
    """How many passages were offered and may not be seen, by reason; for metrics, not for callers."""
    rounds: int
    """Questions to the engine that it took."""


@dataclass(frozen=True, slots=True)
class Retrieve:
    """Finds passages of published, current revisions that the caller may read."""

    index: SearchIndex
    embedder: Embedder
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
        within = reach(request, principal)
        inquiry = Inquiry.of(request, self.index, self.embedder)
        return _Search(request, inquiry, Gate(self.shelf, self.bases, request, principal), within).found()


@dataclass(slots=True)
class _Trail:
    """How far one leg has been followed."""

    candidates: tuple[Candidate, ...] = ()
    """Offered and not refused so far, best first."""
    expected: float = 0.0
    taken: bool = False
    """Whether the leg took part at all."""
    exhausted: bool = True
    """Whether it has nothing more to offer."""

    def follow(self, leg: Leg | None, limit: int, *, again: bool) -> None:
        """Add what was offered, if it answered; `again` if what it offered before is among it once more."""
        if leg is None:
            self.exhausted = True
            return
        before = () if again else self.candidates
        self.candidates = (*before, *leg.candidates)
        self.expected = self.expected or leg.expected
        self.taken, self.exhausted = True, len(leg.candidates) < limit


@dataclass(slots=True)
class _Search:
    """One search, round by round."""

    request: SearchRequest
    inquiry: Inquiry
    gate: Gate
    within: Within
    lexical: _Trail = field(default_factory=_Trail)
    semantic: _Trail = field(default_factory=_Trail)
    refused: set[str] = field(default_factory=set)
    dropped: Counter[Dropped] = field(default_factory=Counter)

    def found(self) -> Found:
        limit = self._limit(_DEPTHS[0])
        answer = self.inquiry.ask(self.within, limit)
        self.lexical.follow(answer.lexical, limit, again=False)
        self.semantic.follow(answer.semantic, limit, again=False)
        verdicts = self._judged()
        for depth in _DEPTHS[1:]:
            if not (self._is_short(self.lexical) or self._is_short(self.semantic)):
                break
            self._go_on(self._limit(depth))
            verdicts = self._judged()
        ranked = self._ranked()[: self.request.max_results]
        hits = tuple(_hit(each, verdicts.standing.items[each.candidate.item_id]) for each in ranked)
        return Found(hits, self._mode_used(), self.inquiry.degraded, self.dropped, self.inquiry.asked)

    def _limit(self, depth: int) -> int:
        return max(CROWD, self.request.max_results * depth)

    def _go_on(self, limit: int) -> None:
        """Follow the legs that have brought too little, each by itself: they know different things by now."""
        again = self.request.group_by is GroupBy.PASSAGE
        for trail, ask in ((self.lexical, self.inquiry.ask_words), (self.semantic, self.inquiry.ask_meaning)):
            if self._is_short(trail):
                known = () if again else (each.item_id for each in trail.candidates)
                trail.follow(
                    ask(replace(self.within, without=frozenset({*self.refused, *known})), limit), limit, again=again
                )

    def _judged(self) -> Verdicts:
        """Leave only what may be seen. What earlier rounds found is judged anew: one read decides about all hits."""
        verdicts = self.gate.verdicts((*self.lexical.candidates, *self.semantic.candidates), self.within)
        objections: dict[tuple[str, int], Dropped] = {}
        for trail in (self.lexical, self.semantic):
            kept = []
            for each in trail.candidates:
                objection = verdicts.objection(each)
                if objection is None:
                    kept.append(each)
                else:
                    objections[each.item_id, each.passage.position] = objection
            trail.candidates = tuple(kept)
        self.refused.update(verdicts.archived(), (item_id for item_id, _ in objections))
        self.dropped.update(objections.values())
        return verdicts

    def _is_short(self, trail: _Trail) -> bool:
        return not trail.exhausted and len(self._results(trail.candidates)) < self.request.max_results

    def _results(self, visible: Iterable[Candidate]) -> dict[Key, Candidate]:
        """The first passage of each item, or each passage by itself."""
        best: dict[Key, Candidate] = {}
        for each in visible:
            key = each.item_id if self.request.group_by is GroupBy.ITEM else (each.item_id, each.passage.position)
            best.setdefault(key, each)
        return best

    def _side(self, trail: _Trail) -> Side | None:
        if not trail.taken:
            return None
        return Side(self._results(trail.candidates), trail.expected, trail.exhausted)

    def _ranked(self) -> list[Ranked]:
        # Only of what may be seen: what is hidden must not show in a score.
        sides = Sides(self._side(self.lexical), self._side(self.semantic))
        return rrf(sides, self.request.rrf_k) if self._mode_used() is Mode.RRF else hybrid(sides, self.request.alpha)

    def _mode_used(self) -> Mode:
        if self.inquiry.degraded is None or (self.lexical.taken and self.semantic.taken):
            return self.request.mode
        return Mode.LEXICAL if self.lexical.taken else Mode.SEMANTIC


def _hit(ranked: Ranked, item: Item) -> Hit:
    return Hit(
        item_id=item.id,
        base_id=item.base_id,
        space_id=item.space_id,
        revision_id=item.current_revision_id,
        title=item.title,
        passage=ranked.candidate.passage,
        score=ranked.score,
        lexical=ranked.lexical,
        semantic=ranked.semantic,
    )
