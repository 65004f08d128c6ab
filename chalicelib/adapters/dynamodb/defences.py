"""What the defences of public pages count and remember, in the table of what expires."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from chalicelib.access.ports import Secrets
from chalicelib.adapters.dynamodb.tables import Attempt, Key, Tables
from chalicelib.answers.defence_ports import Purpose, Rate
from chalicelib.domain.errors import StoreBusy

_TRIES = 8
_LIFE = {Purpose.ADDRESS: timedelta(hours=1), Purpose.SESSION: timedelta(hours=25)}
"""How long the key of a day is there after the day has ended."""


@dataclass(frozen=True, slots=True)
class DynamoBuckets:
    """The port `Buckets`: for each name the moment at which its bucket is full again.

    That moment is moved on by one interval with each token, in one conditional write, so nothing is read before and no
    two can take the same token. A visitor who did not ask for a while costs one write, and so does who is refused; only
    the tokens in between cost two. Source: the generic cell rate algorithm (ITU-T I.371), which admits what a token
    bucket admits.
    """

    tables: Tables

    def take(self, name: str, rate: Rate, now: datetime) -> float:
        """Take a token. Returns 0 if there was one, else the seconds until there is."""
        at, interval = _milliseconds(now), max(1, round(rate.interval_s * 1000))
        latest = at + (rate.burst - 1) * interval
        until = at // 1000 + (rate.burst * interval) // 1000 + 60
        key: Key = {"pk": f"bucket#{name}"}
        for _ in range(_TRIES):
            # The bucket is full, or was never used.
            tried = self._try(
                key,
                "SET full_at = :next, expires_at = :until",
                "attribute_not_exists(pk) OR full_at < :now",
                {":now": at, ":next": at + interval, ":until": until},
            )
            if tried.done:
                return 0.0
            if tried.row is not None and tried.row["full_at"] > latest:
                return float(tried.row["full_at"] - latest) / 1000
            tried = self._try(
                key,
                "SET expires_at = :until ADD full_at :interval",
                "full_at BETWEEN :now AND :latest",
                {":now": at, ":latest": latest, ":interval": interval, ":until": until},
            )
            if tried.done:
                return 0.0
        raise StoreBusy

    def _try(self, key: Key, change: str, condition: str, values: Mapping[str, object]) -> Attempt:
        return self.tables.attempt(self.tables.ephemeral, key, change, condition, values)


@dataclass(frozen=True, slots=True)
class DynamoDayKeys:
    """The port `DayKeys`."""

    tables: Tables
    secrets: Secrets

    def key(self, purpose: Purpose, day: date) -> bytes:
        """The key of a day, 256 random bits, made by whoever asks first."""
        for _ in range(_TRIES):
            if found := self.known(purpose, day):
                return found
            # Whoever comes second finds the key of the first.
            made = {":made": self.secrets.new(), ":until": _seconds(_end(day) + _LIFE[purpose])}
            change = "SET secret = :made, expires_at = :until"
            self.tables.attempt(self.tables.ephemeral, _day_key(purpose, day), change, "attribute_not_exists(pk)", made)
        raise StoreBusy

    def known(self, purpose: Purpose, day: date) -> bytes | None:
        """The key of a day, or None if none was made or it is forgotten."""
        row = self.tables.get(self.tables.ephemeral, _day_key(purpose, day))
        return None if row is None else base64.urlsafe_b64decode(f"{row['secret']}=")

    def forget(self, purpose: Purpose, day: date) -> None:
        """Forget the key of a day."""
        self.tables.delete(self.tables.ephemeral, _day_key(purpose, day))


@dataclass(frozen=True, slots=True)
class DynamoReplays:
    """The port `Replays`."""

    tables: Tables

    def first(self, name: str, until: datetime) -> bool:
        """Whether the name is used for the first time; it is remembered until that moment at least."""
        return self.tables.attempt(
            self.tables.ephemeral,
            {"pk": f"used#{name}"},
            "SET expires_at = :until",
            "attribute_not_exists(pk)",
            {":until": _seconds(until) + 1},
        ).done


def _day_key(purpose: Purpose, day: date) -> Key:
    return {"pk": f"daykey#{purpose}#{day.isoformat()}"}


def _end(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
