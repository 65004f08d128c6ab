"""What every write carries: the caller's retry key (rule K7)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

KEPT = timedelta(hours=24)
"""How long a retry is answered with the first result."""


@dataclass(frozen=True, slots=True)
class Once:
    """One write that is to happen once, however often it is sent."""

    key: str
    """The caller's key, made unique by who calls."""
    fingerprint: str
    """SHA-256 of what was asked; the same key with another one is a mistake."""
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Page[T]:
    """A stretch of a list."""

    entries: tuple[T, ...]
    after: str | None
    """Where the next stretch begins; None at the end of the list."""
