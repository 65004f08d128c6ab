"""Limits on what may not happen too often."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from chalicelib.access.ports import LimitStore
from chalicelib.domain.errors import RateLimited
from chalicelib.domain.time import Clock

WINDOW = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many in each ten minutes of the clock, under one name."""

    store: LimitStore
    clock: Clock

    def __call__(self, name: str, most: int) -> None:
        """Let one more pass. Raises RateLimited."""
        now = self.clock.now()
        begun = int(now.timestamp()) // int(WINDOW.total_seconds())
        until = datetime.fromtimestamp((begun + 1) * WINDOW.total_seconds(), UTC)
        if self.store.hit(f"{name}/{begun}", until) > most:
            raise RateLimited(retry_after=max(1, int((until - now).total_seconds())))
