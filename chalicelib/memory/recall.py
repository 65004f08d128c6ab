"""Recalling: a pack of context for a question, out of memory and knowledge (rule A7)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from chalicelib.domain.errors import KnowledgeRuntimeDisabled, SearchUnavailable
from chalicelib.domain.memory import MemoryType
from chalicelib.domain.spaces import Principal
from chalicelib.memory.budget import says_nothing_new, shortened, tokens_of
from chalicelib.memory.ports import Fusion, KnowledgePassage, KnowledgeSearch
from chalicelib.memory.searching import Found, MemoryQuery, SearchMemory

KNOWLEDGE_SCOPE = "knowledge:read"

_PREFERRED = 1.5
"""What working memory counts more, where it is preferred."""

_SPARE = 3
"""Of each kind, so many times more is looked at than is wanted, since duplicates go."""

_WORTH = 60
"""Tokens below which the beginning of something long is not worth its place."""


class Kind(StrEnum):
    """Where something recalled is from."""

    MEMORY = "memory"
    KNOWLEDGE = "knowledge"


class Reason(StrEnum):
    """Why knowledge is or is not in the pack."""

    INCLUDED = "included"
    NOTHING_FOUND = "nothing_found"
    NOT_ASKED = "not_asked"
    """`include_knowledge` was false."""
    MISSING_SCOPE = "missing_scope"
    """The token lacks knowledge:read."""
    OFF = "knowledge_off"
    """Knowledge is off for the account."""
    UNAVAILABLE = "search_unavailable"


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What is asked; lengths and limits are checked at the doors."""

    query: str
    max_items: int = 8
    max_tokens: int = 1200
    """Of the whole text of the pack."""
    path: str = ""
    bucket: str | None = None
    team_id: str | None = None
    type: MemoryType | None = None
    prefer_working: bool = False
    include_knowledge: bool | None = None
    """None includes it wherever that is possible."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """One piece of the pack."""

    kind: Kind
    id: str
    content: str
    score: float
    """0 to 1; no comparison between packs."""
    reference: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Pack:
    """What is known about a question, best first, within a budget."""

    text: str
    items: tuple[Recalled, ...]
    knowledge: Reason


@dataclass(frozen=True, slots=True)
class Recall:
    """Makes a pack of context for a question."""

    search: SearchMemory
    knowledge: KnowledgeSearch
    fusion: Fusion
    quote: Callable[[str, str], str]
    """Marks a text as data, under a label; nothing in it can end the mark."""

    def __call__(self, principal: Principal, asked: RecallRequest) -> Pack:
        """The pack. Without knowledge it is still one, and says why.

        Raises:
            NotFound: no such team for the caller.
            SearchUnavailable: memory cannot be searched, and knowledge is not there instead.
        """
        passages, reason = self._knowledge(principal, asked)
        records = self._memory(principal, asked, alone=reason is not Reason.INCLUDED)
        ranked = self.fusion(_ranked(records, asked), [(each.id, each.score) for each in passages])
        pieces = {each.id: each for each in (*map(_record, records), *map(_passage, passages))}
        chosen = _distinct([_scored(pieces[key], score) for key, score in ranked], asked.max_items)
        items, text = self._fitted(chosen, asked.max_tokens)
        if reason is Reason.INCLUDED and not any(each.kind is Kind.KNOWLEDGE for each in items):
            reason = Reason.NOTHING_FOUND
        return Pack(text, items, reason)

    def _memory(self, principal: Principal, asked: RecallRequest, *, alone: bool) -> tuple[Found, ...]:
        wanted = asked.max_items * _SPARE
        query = MemoryQuery(asked.query, wanted, asked.team_id, asked.path, asked.bucket, asked.type)
        try:
            return self.search(principal, query)
        except SearchUnavailable:
            if alone:
                raise
            return ()

    def _knowledge(self, principal: Principal, asked: RecallRequest) -> tuple[tuple[KnowledgePassage, ...], Reason]:
        if asked.include_knowledge is False:
            return (), Reason.NOT_ASKED
        if KNOWLEDGE_SCOPE not in principal.scopes:
            return (), Reason.MISSING_SCOPE
        try:
            found = self.knowledge(principal, asked.query, asked.team_id, asked.max_items * _SPARE)
        except KnowledgeRuntimeDisabled:
            return (), Reason.OFF
        except SearchUnavailable:
            return (), Reason.UNAVAILABLE
        return found, Reason.INCLUDED

    def _fitted(self, chosen: Sequence[Recalled], budget: int) -> tuple[tuple[Recalled, ...], str]:
        """As many of the pieces as fit, in their order; the beginning of the best, if that is too long by itself."""
        items: list[Recalled] = []
        text = ""
        for each in chosen:
            whole = self._with(text, each)
            if tokens_of(whole) > budget:
                each = _cut(each, budget - tokens_of(self._with(text, _emptied(each))))  # noqa: PLW2901 - shorter now
                whole = self._with(text, each)
            if each.content and tokens_of(whole) <= budget:
                items.append(each)
                text = whole
        return tuple(items), text

    def _with(self, text: str, piece: Recalled) -> str:
        label = f"knowledge {piece.reference}" if piece.kind is Kind.KNOWLEDGE else f"memory {piece.id}"
        place = f" at {piece.path}" if piece.path and piece.kind is Kind.MEMORY else ""
        quoted = self.quote(piece.content, f"{label}{place}")
        return f"{text}\n\n{quoted}" if text else quoted


def _ranked(records: Sequence[Found], asked: RecallRequest) -> list[tuple[str, float]]:
    """Records by score; working memory counts more where it is preferred."""

    def score(each: Found) -> float:
        preferred = asked.prefer_working and each.memory.type is MemoryType.WORKING
        return each.score * _PREFERRED if preferred else each.score

    return [(each.memory.id, min(1.0, score(each))) for each in sorted(records, key=score, reverse=True)]


def _record(found: Found) -> Recalled:
    memory = found.memory
    return Recalled(Kind.MEMORY, memory.id, memory.content, found.score, path=memory.path or None)


def _passage(found: KnowledgePassage) -> Recalled:
    return Recalled(Kind.KNOWLEDGE, found.id, found.content, found.score, reference=found.reference, path=found.title)


def _scored(piece: Recalled, score: float) -> Recalled:
    return Recalled(piece.kind, piece.id, piece.content, round(score, 4), piece.reference, piece.path)


def _distinct(pieces: Sequence[Recalled], most: int) -> list[Recalled]:
    """The best of those that say something new."""
    chosen: list[Recalled] = []
    for each in pieces:
        if len(chosen) < most and not says_nothing_new(each.content, [other.content for other in chosen]):
            chosen.append(each)
    return chosen


def _emptied(piece: Recalled) -> Recalled:
    return Recalled(piece.kind, piece.id, "", piece.score, piece.reference, piece.path)


def _cut(piece: Recalled, tokens: int) -> Recalled:
    content = shortened(piece.content, tokens) if tokens >= _WORTH else ""
    return Recalled(piece.kind, piece.id, content, piece.score, piece.reference, piece.path)
