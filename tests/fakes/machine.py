"""Time, ids and secrets that a test decides."""

from datetime import UTC, datetime, timedelta
from itertools import count

from chalicelib.domain.ids import Kind, compose

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class StillClock:
    """A clock that moves when told."""

    def __init__(self, moment: datetime = START) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def pass_(self, **time: float) -> None:
        self.moment += timedelta(**time)


class CountingIds:
    """Ids that differ and sort in the order they were made."""

    def __init__(self, first: int = 1) -> None:
        self._numbers = count(first)

    def new(self, kind: Kind) -> str:
        number = next(self._numbers)
        return compose(kind, int(START.timestamp() * 1000) + number, number.to_bytes(10))


class CountingSecrets:
    """Secrets of the right shape that nobody would call secret."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self) -> str:
        return f"{next(self._numbers):043d}"


class Tally:
    """The port `Meter`, remembering."""

    def __init__(self) -> None:
        self.counted: list[tuple[str, int, dict[str, str]]] = []

    def count(self, name: str, value: int = 1, **dimensions: str) -> None:
        self.counted.append((name, value, dimensions))
