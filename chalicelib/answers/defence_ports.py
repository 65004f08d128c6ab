"""What the defences of public pages need from outside."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may happen: a token bucket that refills steadily."""

    interval_s: float
    """Seconds in which it gets one more token."""
    burst: int = 1
    """Tokens that it holds."""


class Buckets(Protocol):
    """Token buckets under names, exact however many ask at once."""

    def take(self, name: str, rate: Rate, now: datetime) -> float:
        """Take a token. Returns 0 if there was one, else the seconds until there is."""
        ...


class Purpose(StrEnum):
    """What a key is used for, and so how long it is remembered."""

    ADDRESS = "address"
    """To hash addresses: forgotten with its day, so that no hash can be told to be of an address (rule N8)."""
    SESSION = "session"
    """To sign sessions and challenges: kept until the last session that it signed has ended."""


class DayKeys(Protocol):
    """Random keys, a new one every day for each purpose, the same for all processes."""

    def key(self, purpose: Purpose, day: date) -> bytes:
        """The key of a day, 256 random bits, made by whoever asks first."""
        ...

    def known(self, purpose: Purpose, day: date) -> bytes | None:
        """The key of a day, or None if none was made or it is forgotten."""
        ...

    def forget(self, purpose: Purpose, day: date) -> None:
        """Forget the key of a day."""
        ...


class Replays(Protocol):
    """What may be used once."""

    def first(self, name: str, until: datetime) -> bool:
        """Whether the name is used for the first time; it is remembered until that moment at least."""
        ...


@dataclass(frozen=True, slots=True)
class Allowance:
    """What may be spent in a day, from 00:00 UTC."""

    turns: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent."""

    turns: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Fuse:
    """The fuse of the whole deployment."""

    day: date
    used: Usage
    """Today, all in all."""
    counted: Usage
    """Since it was last mended: what is held against the allowance."""
    blown: bool
    """Whether an operator blew it. Stays so until one mends it, over midnight too."""


class FuseStore(Protocol):
    """The counters behind the fuse, exact however many count at once."""

    def take(self, today: date, allowance: Allowance) -> bool:
        """Count one turn, if the fuse holds; else False, and nothing is counted."""
        ...

    def add(self, today: date, tokens: int) -> None:
        """Count tokens of a turn that was taken."""
        ...

    def fuse(self, today: date) -> Fuse:
        """How it stands. Strongly consistent."""
        ...

    def blow(self, today: date) -> None:
        """Let no turn through until it is mended."""
        ...

    def mend(self, today: date) -> None:
        """Let turns through again, a whole allowance of them."""
        ...

    def reset(self, today: date) -> tuple[date, Usage] | None:
        """Begin the day, and record the one before; returns that one, or None if the day had begun already."""
        ...

    def recorded(self, day: date) -> Usage | None:
        """What a past day used; None if it is not on record."""
        ...

    def count_page(self, page_id: str, day: date, usage: Usage) -> None:
        """Add to what a page used in a day."""
        ...

    def page_days(self, page_id: str, days: Collection[date]) -> Mapping[date, Usage]:
        """What a page used in each of the days."""
        ...


@dataclass(frozen=True, slots=True)
class Proven:
    """A proof that was met."""

    once: str
    """Names the challenge: it may be used once. Says nothing of the visitor."""
    until: datetime
    """From when on it would not be taken any more anyway."""


class BotCheck(Protocol):
    """Tells browsers from robots, more or less, without asking people anything."""

    @property
    def kind(self) -> str:
        """`altcha`, `turnstile` or `none`."""
        ...

    def challenge(self, page_id: str, key: bytes, now: datetime) -> Mapping[str, Any]:
        """What the visitor's browser is to do for the page, signed with the key."""
        ...

    def verify(self, proof: str, page_id: str, keys: tuple[bytes, ...], now: datetime) -> Proven | None:
        """What was proven for the page, by one of the keys; None where nothing has to be.

        Raises:
            ProofRejected: it is missing, wrong, expired or of another page.
            ProofUnavailable: who checks it does not answer.
        """
        ...
