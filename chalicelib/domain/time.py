"""Time as the rooms see it: aware datetimes in UTC, handed in by a clock."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Says what time it is."""

    def now(self) -> datetime:
        """The present moment, in UTC, to the millisecond."""
        ...
