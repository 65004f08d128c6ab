"""The reading desk's fuse box: what the streaming function needs, and no more."""

from dataclasses import dataclass
from functools import cache

from chalicelib.answers.defences import Admit
from chalicelib.answers.ports import PageStore
from chalicelib.answers.sessions import OpenSession
from chalicelib.answers.turn import TakeTurn
from chalicelib.domain.ids import Ids
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Meter


@dataclass(frozen=True, slots=True)
class AnswerDesk:
    """The use cases of public pages, wired."""

    pages: PageStore
    admit: Admit
    open_session: OpenSession
    take_turn: TakeTurn
    clock: Clock
    ids: Ids
    meter: Meter
    turn_seconds: float
    """From a question to its deadline."""


@cache
def desk() -> AnswerDesk:
    """The desk of this process, made at the first call. Raises BadSettings."""
    raise NotImplementedError
