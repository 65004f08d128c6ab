"""The daily fuse in DynamoDB: one row that every turn of the deployment counts in, and one for each past day."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from chalicelib.adapters.dynamodb.tables import Key, Row, Tables, put
from chalicelib.answers.defence_ports import Allowance, Fuse, Usage
from chalicelib.domain.errors import StoreBusy

_FUSE: Key = {"pk": "fuse"}
_KEPT = timedelta(days=400)
"""How long past days are on record."""
_TRIES = 8


class _Raced(Exception):
    """Another process began the day, or counted, in between."""


@dataclass(frozen=True, slots=True)
class DynamoFuses:
    """The port `FuseStore` over the table `ephemeral`.

    Every write of the row states that its day has begun; whoever finds that it has not begins it. So the fuse is right
    at midnight although nobody resets it in that very moment, or at all.
    """

    tables: Tables

    def take(self, today: date, allowance: Allowance) -> bool:
        """Count one turn, if the fuse holds; else False, and nothing is counted."""
        values = {
            ":one": 1,
            ":today": today.isoformat(),
            ":no": False,
            ":turns": allowance.turns,
            ":tokens": allowance.tokens,
        }
        holds = "on_day >= :today AND blown = :no AND counted_turns < :turns AND counted_tokens < :tokens"
        for _ in range(_TRIES):
            tried = self.tables.attempt(self.tables.ephemeral, _FUSE, "ADD counted_turns :one", holds, values)
            if tried.done:
                return True
            if tried.row is not None and tried.row["on_day"] >= today.isoformat():
                return False
            self.reset(today)
        raise StoreBusy

    def add(self, today: date, tokens: int) -> None:
        """Count tokens of a turn that was taken."""
        self._change(today, "ADD counted_tokens :tokens", {":tokens": tokens})

    def fuse(self, today: date) -> Fuse:
        """How it stands. Strongly consistent."""
        row = self.tables.get(self.tables.ephemeral, _FUSE)
        if row is None or row["on_day"] < today.isoformat():
            return Fuse(today, Usage(), Usage(), blown=bool(row and row["blown"]))
        counted = Usage(row["counted_turns"], row["counted_tokens"])
        return Fuse(date.fromisoformat(row["on_day"]), _used(row), counted, blown=row["blown"])

    def blow(self, today: date) -> None:
        """Let no turn through until it is mended."""
        self._change(today, "SET blown = :yes", {":yes": True})

    def mend(self, today: date) -> None:
        """Let turns through again, a whole allowance of them."""
        change = (
            "SET blown = :no, earlier_turns = earlier_turns + counted_turns, counted_turns = :zero, "
            "earlier_tokens = earlier_tokens + counted_tokens, counted_tokens = :zero"
        )
        self._change(today, change, {":no": False, ":zero": 0})

    def _change(self, today: date, change: str, values: Row) -> None:
        begun = {":today": today.isoformat(), **values}
        for _ in range(_TRIES):
            if self.tables.attempt(self.tables.ephemeral, _FUSE, change, "on_day >= :today", begun).done:
                return
            self.reset(today)
        raise StoreBusy

    def reset(self, today: date) -> tuple[date, Usage] | None:
        """Begin the day, and record the one before; returns that one, or None if the day had begun already."""
        for _ in range(_TRIES):
            row = self.tables.get(self.tables.ephemeral, _FUSE)
            if row is not None and row["on_day"] >= today.isoformat():
                return None
            try:
                self._begin(today, row)
            except _Raced:
                continue
            return None if row is None else (date.fromisoformat(row["on_day"]), _used(row))
        raise StoreBusy

    def _begin(self, today: date, row: Row | None) -> None:
        table = self.tables.ephemeral
        fresh = {
            **_FUSE,
            "on_day": today.isoformat(),
            "counted_turns": 0,
            "counted_tokens": 0,
            "earlier_turns": 0,
            "earlier_tokens": 0,
            "blown": bool(row and row["blown"]),
        }
        if row is None:
            self.tables.transact([put(table, fresh, "attribute_not_exists(pk)", {}, _raced)])
            return
        used, day = _used(row), date.fromisoformat(row["on_day"])
        past = {**_past(day), "turns": used.turns, "spent": used.tokens, "expires_at": _forgotten(day)}
        seen = {
            ":day": row["on_day"],
            ":turns": row["counted_turns"],
            ":tokens": row["counted_tokens"],
            ":blown": row["blown"],
        }
        unchanged = "on_day = :day AND counted_turns = :turns AND counted_tokens = :tokens AND blown = :blown"
        self.tables.transact([put(table, fresh, unchanged, seen, _raced), put(table, past, "", {}, _raced)])

    def recorded(self, day: date) -> Usage | None:
        """What a past day used; None if it is not on record."""
        row = self.tables.get(self.tables.ephemeral, _past(day))
        return None if row is None else Usage(row["turns"], row["spent"])

    def count_page(self, page_id: str, day: date, usage: Usage) -> None:
        """Add to what a page used in a day."""
        values = {":turns": usage.turns, ":tokens": usage.tokens, ":until": _forgotten(day)}
        change = "SET expires_at = :until ADD turns :turns, spent :tokens"
        self.tables.add(self.tables.ephemeral, _page(page_id, day), change, values, "turns")

    def page_days(self, page_id: str, days: Collection[date]) -> Mapping[date, Usage]:
        """What a page used in each of the days: one batch."""
        keys = {_page(page_id, each)["pk"]: each for each in days}
        found = self.tables.batch([{"pk": each} for each in keys], self.tables.ephemeral)
        used = {keys[row["pk"]]: Usage(row["turns"], row["spent"]) for row in found}
        return {each: used.get(each, Usage()) for each in days}


def _used(row: Row) -> Usage:
    return Usage(row["earlier_turns"] + row["counted_turns"], row["earlier_tokens"] + row["counted_tokens"])


def _past(day: date) -> Key:
    return {"pk": f"fuse#{day.isoformat()}"}


def _page(page_id: str, day: date) -> Key:
    return {"pk": f"usage#{page_id}#{day.isoformat()}"}


def _forgotten(day: date) -> int:
    return int((datetime(day.year, day.month, day.day, tzinfo=UTC) + _KEPT).timestamp())


def _raced(_: Row | None) -> Exception:
    return _Raced()
