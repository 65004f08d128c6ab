"""The daily fuse: so many turns and model tokens a day, in this whole deployment, and not one more (rule N9)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from chalicelib.answers.defence_ports import Allowance, DayKeys, Fuse, FuseStore, Purpose, Usage
from chalicelib.answers.ports import PageStore, Spending
from chalicelib.domain.errors import DailyLimitReached, DefencesUnavailable, NotFound
from chalicelib.domain.spaces import Action, Principal, demand
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Meter

DAYS = 14
"""Days of which an owner sees what a page used."""


@dataclass(frozen=True, slots=True)
class SpendTurn:
    """Counts what turns cost. Answers from the cache cost nothing, so it is asked after the cache missed."""

    fuses: FuseStore
    allowance: Allowance
    clock: Clock
    meter: Meter

    def __call__(self) -> None:
        """Take one turn of today's.

        Raises:
            DailyLimitReached: there are none left, or no tokens, or an operator blew the fuse.
            DefencesUnavailable: it cannot be counted.
        """
        now = self.clock.now()
        try:
            taken = self.fuses.take(_day(now), self.allowance)
        except Exception as fault:
            self.meter.count("visitors_refused", 1, what="turn", code=DefencesUnavailable.code)
            raise DefencesUnavailable from fault
        if not taken:
            self.meter.count("visitors_refused", 1, what="turn", code=DailyLimitReached.code)
            raise DailyLimitReached(retry_after=until_midnight(now))
        self.meter.count("turns_spent", 1)

    def spent(self, page_id: str, spending: Spending) -> None:
        """Add the tokens of a turn that was taken, and the turn to what its page used.

        Never raises: the turn has been answered by then. What a page used is for its owner to look at; the fuse alone
        defends, and has counted the turn before it began.
        """
        tokens = spending.input_tokens + spending.output_tokens
        today = _day(self.clock.now())
        try:
            if tokens > 0:
                self.meter.count("tokens_spent", tokens)
                self.fuses.add(today, tokens)
            self.fuses.count_page(page_id, today, Usage(1, tokens))
        except Exception:  # noqa: BLE001 - told by the metric; the next turn finds the store closed
            self.meter.count("tokens_uncounted", tokens)


def until_midnight(now: datetime) -> int:
    """Seconds until 00:00 UTC, at least one."""
    moment = now.astimezone(UTC)
    midnight = datetime(moment.year, moment.month, moment.day, tzinfo=UTC) + timedelta(days=1)
    return max(1, math.ceil((midnight - moment).total_seconds()))


def _day(now: datetime) -> date:
    return now.astimezone(UTC).date()


@dataclass(frozen=True, slots=True)
class Standing:
    """How today stands for a page, and for the whole deployment."""

    day: date
    page: Usage
    days: Mapping[date, Usage]
    """The last days with what the page used, today last."""
    resets_at: datetime
    """When the next day begins, and the fuse counts anew; one that was blown stays so."""
    fuse: Fuse
    allowance: Allowance

    @property
    def answering(self) -> bool:
        """Whether the fuse lets a turn through."""
        counted, allowed = self.fuse.counted, self.allowance
        return not self.fuse.blown and counted.turns < allowed.turns and counted.tokens < allowed.tokens


@dataclass(frozen=True, slots=True)
class ReadUsage:
    """What a page used today, and how the fuse stands."""

    pages: PageStore
    fuses: FuseStore
    allowance: Allowance
    clock: Clock

    def __call__(self, principal: Principal, page_id: str) -> Standing:
        """Today's usage, and that of the days before. Raises NotFound, NotAllowed."""
        page = self.pages.page(page_id)
        if page is None:
            raise NotFound
        demand(principal, Action.ADMIN_PAGES, page.space_id)
        today = _day(self.clock.now())
        used = self.fuses.page_days(page_id, [today - timedelta(days=ago) for ago in reversed(range(DAYS))])
        resets_at = datetime.combine(today + timedelta(days=1), time(), UTC)
        return Standing(today, used[today], used, resets_at, self.fuses.fuse(today), self.allowance)


@dataclass(frozen=True, slots=True)
class OperateFuse:
    """What an operator may do to the fuse."""

    fuses: FuseStore
    clock: Clock

    def show(self) -> Fuse:
        """How it stands."""
        return self.fuses.fuse(_day(self.clock.now()))

    def blow(self) -> Fuse:
        """Stop all answers until it is mended; it stays so over midnight."""
        self.fuses.blow(_day(self.clock.now()))
        return self.show()

    def mend(self) -> Fuse:
        """Let turns through again, with a whole allowance."""
        self.fuses.mend(_day(self.clock.now()))
        return self.show()


@dataclass(frozen=True, slots=True)
class ResetDay:
    """Begins a new day: the fuse counts anew, the day before is on record, and the key of its addresses forgotten."""

    fuses: FuseStore
    keys: DayKeys
    clock: Clock
    meter: Meter

    def __call__(self) -> tuple[date, Usage] | None:
        """The day that was recorded, or None if that was done before. To do it twice does no harm."""
        today = _day(self.clock.now())
        self.keys.forget(Purpose.ADDRESS, today - timedelta(days=1))
        recorded = self.fuses.reset(today)
        if recorded is not None:
            self.meter.count("day_turns", recorded[1].turns)
            self.meter.count("day_tokens", recorded[1].tokens)
        return recorded
