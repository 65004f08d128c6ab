"""When a turn has to stop spending: at its deadline, and as soon as the visitor is gone (rule N5)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event, Lock

from chalicelib.answers.ports import Spending
from chalicelib.domain.errors import TurnTimedOut
from chalicelib.domain.time import Clock


class VisitorLeft(Exception):
    """Nobody waits for the answer any more."""


@dataclass(slots=True)
class Watch:
    """Looked at before every model call, by every thread of the turn; also counts what the calls took."""

    clock: Clock
    deadline: datetime
    has_left: Callable[[], bool]
    spending: Spending = field(default_factory=Spending)
    _stopped: Event = field(default_factory=Event)
    _counting: Lock = field(default_factory=Lock)

    def check(self) -> None:
        """Raises VisitorLeft or TurnTimedOut if nothing more may be spent."""
        if self._stopped.is_set() or self.has_left():
            raise VisitorLeft
        if self.seconds_left() <= 0:
            raise TurnTimedOut

    def going(self) -> bool:
        """Whether another call may start."""
        return not self._stopped.is_set() and not self.has_left() and self.seconds_left() > 0

    def seconds_left(self) -> float:
        """Until the deadline; negative after it."""
        return (self.deadline - self.clock.now()).total_seconds()

    def stop(self) -> None:
        """From now on, nothing more may be spent: the turn has ended."""
        self._stopped.set()

    def spent(self, spending: Spending) -> None:
        """Count what a call took."""
        with self._counting:
            now = self.spending
            self.spending = Spending(
                now.input_tokens + spending.input_tokens, now.output_tokens + spending.output_tokens
            )
