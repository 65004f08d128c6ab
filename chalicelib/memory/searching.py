"""Searching memory: the index offers records, the table decides which may be seen and what they say."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from chalicelib.domain.errors import SearchUnavailable, StoreBusy
from chalicelib.domain.memory import WORKING_LIFE, Memory, MemoryType, under
from chalicelib.domain.spaces import Principal
from chalicelib.domain.time import Clock
from chalicelib.memory.ports import MemorySearch, MemoryStore
from chalicelib.memory.reach import reads_from

FRESH = 25
"""Of the caller's newest records that are looked at besides the index, which follows the table but not at once."""

SLIDE_EVERY = timedelta(days=1)
"""Being found keeps working memory alive; it is noted at most this often."""

_DEPTHS = (4, 16, 64)
"""Records asked for per result wanted, round by round; the filters below are not the engine's."""


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """What is looked for; lengths and limits are checked at the doors."""

    query: str
    limit: int = 10
    team_id: str | None = None
    path: str = ""
    bucket: str | None = None
    type: MemoryType | None = None

    def admits(self, memory: Memory) -> bool:
        """Whether a record is of the kind that is looked for."""
        return (
            under(memory.path, self.path) and self.bucket in {None, memory.bucket} and self.type in {None, memory.type}
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A record that matches and may be seen."""

    memory: Memory
    score: float
    """0 to 1; of the best, 1."""


@dataclass(frozen=True, slots=True)
class SearchMemory:
    """Finds live records in the spaces that the caller may read."""

    store: MemoryStore
    search: MemorySearch
    clock: Clock

    def __call__(self, principal: Principal, asked: MemoryQuery) -> tuple[Found, ...]:
        """The best records, at most `limit`, best first. What the caller remembered a moment ago is found at once.

        Raises:
            NotFound: no such team for the caller.
            SearchUnavailable: the engine does not answer, and nothing of the newest records matches either.
        """
        spaces = reads_from(principal, asked.team_id)
        now = self.clock.now()
        newest = {each.id: each for each in self.store.newest_of(principal.user_id, FRESH)}
        fresh = [each for each in newest.values() if _visible(each, asked, spaces, now)]
        matching = self.search.match(asked.query, fresh)
        try:
            found = self._indexed(asked, spaces, now, newest)
        except SearchUnavailable:
            if not matching:
                raise
            found = {}
        fresh = [newest[each.memory_id] for each in matching]
        best = self._merged(asked.query, found, fresh, few=len(newest) < FRESH)[: asked.limit]
        for each in best:
            self._slide(each.memory, now)
        return best

    def _merged(
        self, query: str, found: Mapping[str, Found], fresh: Sequence[Memory], *, few: bool
    ) -> tuple[Found, ...]:
        """What the index found, and what it may not have yet.

        Both are matched by the words; a record that the index lacks stands as high as the best one that matches no
        better than it does. The scales of an engine and of the words cannot be compared otherwise.
        Somebody with `few` records has them scored by the share of the words at least: to an engine that knows a
        handful of texts, whatever they have in common is worth nothing, and all of it is what they have in common.
        """
        words = {each.memory_id: each.score for each in self.search.match(query, [*_memories(found), *fresh])}
        merged = dict(found)
        for memory in fresh:
            mine = words.get(memory.id, 0.0)
            beaten = [each.score for key, each in found.items() if words.get(key, 0.0) <= mine]
            score = max(beaten, default=min((each.score for each in found.values()), default=1.0) * mine)
            if memory.id not in merged or merged[memory.id].score < score:
                merged[memory.id] = Found(memory, score)
        if few:
            merged = {key: Found(each.memory, max(each.score, words.get(key, 0.0))) for key, each in merged.items()}
        return tuple(sorted(merged.values(), key=lambda each: (-each.score, -words.get(each.memory.id, 0.0))))

    def _indexed(
        self, asked: MemoryQuery, spaces: frozenset[str], now: datetime, fresh: Mapping[str, Memory]
    ) -> dict[str, Found]:
        found: dict[str, Found] = {}
        without: frozenset[str] = frozenset()
        for depth in _DEPTHS:
            limit = asked.limit * depth
            leads = self.search.find(asked.query, spaces, limit, without)
            known = {**self.store.memories([each.memory_id for each in leads if each.memory_id not in fresh]), **fresh}
            for lead in leads:
                memory = known.get(lead.memory_id)
                if memory is not None and _visible(memory, asked, spaces, now):
                    found.setdefault(memory.id, Found(memory, lead.score))
            if len(found) >= asked.limit or len(leads) < limit:
                break
            without |= {each.memory_id for each in leads}
        return found

    def _slide(self, memory: Memory, now: datetime) -> None:
        if memory.expires_at is None or now + WORKING_LIFE - memory.expires_at < SLIDE_EVERY:
            return
        with suppress(StoreBusy):  # a note is not worth a refusal
            self.store.keep_until(memory, now + WORKING_LIFE)


def _visible(memory: Memory, asked: MemoryQuery, spaces: frozenset[str], now: datetime) -> bool:
    return memory.space_id in spaces and memory.live(now) and asked.admits(memory)


def _memories(found: Mapping[str, Found]) -> list[Memory]:
    return [each.memory for each in found.values()]
