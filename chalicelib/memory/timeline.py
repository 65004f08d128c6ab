"""The timeline, dated events; and states, which hand a task over."""

from dataclasses import dataclass
from datetime import datetime

from chalicelib.domain.errors import NoState
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.memory import Event, State, under
from chalicelib.domain.spaces import Principal
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once
from chalicelib.memory.ports import NoteStore
from chalicelib.memory.reach import lists_from, source_of, writes_to

_DEPTH = 10
"""Events looked at per event wanted, where only those of a path are."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """What happened, and when; now, if that is not said."""

    content: str
    occurred_at: datetime | None = None
    path: str = ""
    team_id: str | None = None


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """Note something that happened."""

    notes: NoteStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, asked: NewEvent, once: Once | None = None) -> Event:
        """The new event. Raises NotFound, NotAllowed, TokenLimited, IdempotencyKeyReused."""
        now = self.clock.now()
        event = Event(
            id=self.ids.new(Kind.EVENT),
            space_id=writes_to(principal, asked.team_id),
            content=asked.content,
            path=asked.path.strip("/"),
            occurred_at=asked.occurred_at or now,
            source=source_of(principal),
            created_at=now,
        )
        return self.notes.add_event(event, once)


@dataclass(frozen=True, slots=True)
class Period:
    """Which events are looked for."""

    since: datetime | None = None
    until: datetime | None = None
    path: str = ""
    team_id: str | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class ReadTimeline:
    """Read what happened in a period."""

    notes: NoteStore

    def __call__(self, principal: Principal, asked: Period) -> tuple[Event, ...]:
        """The last events of the period, latest first. Raises NotFound, TokenLimited."""
        space = lists_from(principal, asked.team_id)
        depth = asked.limit * _DEPTH if asked.path else asked.limit
        found = self.notes.events(space, (asked.since, asked.until), depth)
        return tuple(each for each in found if under(each.path, asked.path))[: asked.limit]


@dataclass(frozen=True, slots=True)
class SaveState:
    """Save what has to be known to go on with a task somewhere else."""

    notes: NoteStore
    clock: Clock

    def __call__(self, principal: Principal, key: str, content: str, team_id: str | None) -> State:
        """The state, instead of the one before under the key. Raises NotFound, NotAllowed, TokenLimited."""
        space = writes_to(principal, team_id)
        state = State(space, key, content, source_of(principal), self.clock.now())
        self.notes.save_state(state)
        return state


@dataclass(frozen=True, slots=True)
class RestoreState:
    """Read what was saved last under a key."""

    notes: NoteStore

    def __call__(self, principal: Principal, key: str, team_id: str | None) -> State:
        """The state. Raises NoState, NotFound, TokenLimited."""
        state = self.notes.state(lists_from(principal, team_id), key)
        if state is None:
            raise NoState(state_key=key)
        return state
