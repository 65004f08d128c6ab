"""Dates and times as a sheet shows them: the format codes with `y m d h s` in them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEAP_BUG = 60
"""The day that 1900 did not have: the serial of 29 February 1900."""
_LAST = 2_958_465
"""The serial of 31 December 9999."""
_DAY_MS = 86_400_000

_TOKENS = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]|(?P<noon>am/pm|a/p)|(?P<unit>y+|m+|d+|h+|s+|e+|b+|g+)"
    r"|\.(?P<fraction>0+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_SILENT = re.compile(r'"[^"]*"?|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]', re.IGNORECASE | re.DOTALL)


def is_dated(code: str) -> bool:
    """Whether a format code writes a date or time."""
    bare = _SILENT.sub("", code)
    if re.search(r"general", bare, re.IGNORECASE):
        return False
    return bool(re.search(r"[ymdhs]", re.sub(r"e[+-]", "", bare, flags=re.IGNORECASE), re.IGNORECASE))


@dataclass(frozen=True, slots=True)
class _Moment:
    year: int
    month: int
    day: int
    weekday: int
    days: int
    ms: int
    """Of the day."""
    noon: bool
    """Whether hours are counted to twelve."""

    @property
    def hour(self) -> int:
        hour = self.ms // 3_600_000
        return (hour - 1) % 12 + 1 if self.noon else hour


def dated(code: str, number: Decimal, *, since_1904: bool) -> str | None:
    """A serial number as its format shows it; None where there is no such day."""
    if not 0 <= number <= _LAST:
        return None
    tokens = _parsed(code.partition(";")[0])
    digits = max((len(said) for kind, said in tokens if kind == "fraction"), default=0)
    step = 10 ** (3 - min(3, digits))
    total = int((number * _DAY_MS / step).quantize(Decimal(1), ROUND_HALF_UP)) * step
    moment = _moment(*divmod(total, _DAY_MS), since_1904=since_1904, noon=any(kind == "noon" for kind, _ in tokens))
    return "".join(_said(kind, said, moment) for kind, said in tokens).strip()


def _moment(days: int, ms: int, *, since_1904: bool, noon: bool) -> _Moment:
    if since_1904:
        found = date(1904, 1, 1) + timedelta(days=days)
    elif days == _LEAP_BUG:
        return _Moment(1900, 2, 29, 2, days, ms, noon)
    else:
        found = date(1899, 12, 31 if days < _LEAP_BUG else 30) + timedelta(days=min(days, _LAST))
    return _Moment(found.year, found.month, found.day, found.weekday(), days, ms, noon)


@lru_cache(maxsize=512)
def _parsed(section: str) -> tuple[tuple[str, str], ...]:
    tokens: list[tuple[str, str]] = []
    for found in _TOKENS.finditer(section):
        kind = found.lastgroup
        if kind in {"quoted", "escaped", "currency", "other"}:
            tokens.append(("literal", found[kind]))
        elif kind == "unit":
            tokens.append((found[kind][0].lower(), found[kind].lower()))
        elif kind:
            tokens.append((kind, found[kind]))
    return tuple(_minutes(tokens))


def _minutes(tokens: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Say which `m` are minutes: those after hours and those before seconds."""
    marks = [index for index, (kind, _) in enumerate(tokens) if kind in "ymdhs" or kind in {"elapsed", "fraction"}]
    for place, index in enumerate(marks):
        if tokens[index][0] != "m":
            continue
        before = tokens[marks[place - 1]] if place else ("", "")
        after = tokens[marks[place + 1]] if place + 1 < len(marks) else ("", "")
        if before[0] == "h" or (before[0] == "elapsed" and before[1][0] in "hH") or after[0] == "s":
            tokens[index] = ("minute", tokens[index][1])
    return tokens


def _two(number: int, said: str) -> str:
    return f"{number:02d}" if len(said) > 1 else str(number)


def _year(said: str, moment: _Moment) -> str:
    return f"{moment.year % 100:02d}" if len(said) <= 2 else f"{moment.year:04d}"  # noqa: PLR2004


def _month(said: str, moment: _Moment) -> str:
    name = _MONTHS[moment.month - 1]
    return {3: name[:3], 4: name, 5: name[0]}.get(len(said), _two(moment.month, said))


def _day(said: str, moment: _Moment) -> str:
    name = _DAYS[moment.weekday]
    return {3: name[:3]}.get(len(said), name if len(said) > 2 else _two(moment.day, said))  # noqa: PLR2004


def _elapsed(said: str, moment: _Moment) -> str:
    unit = {"h": 3_600_000, "m": 60_000, "s": 1000}[said[0].lower()]
    return f"{(moment.days * _DAY_MS + moment.ms) // unit:0{len(said)}d}"


def _noon(said: str, moment: _Moment) -> str:
    half = "PM" if moment.ms >= _DAY_MS // 2 else "AM"
    if len(said) > 3:  # noqa: PLR2004 - a/p
        return half
    return half[0].lower() if said.islower() else half[0]


_SAID: Mapping[str, Callable[[str, _Moment], str]] = {
    "literal": lambda said, _: said,
    "y": _year,
    "e": lambda _, moment: str(moment.year),
    "m": _month,
    "d": _day,
    "h": lambda said, moment: _two(moment.hour, said),
    "minute": lambda said, moment: _two(moment.ms // 60_000 % 60, said),
    "s": lambda said, moment: _two(moment.ms // 1000 % 60, said),
    "fraction": lambda said, moment: "." + f"{moment.ms % 1000:03d}"[: len(said)].ljust(len(said), "0"),
    "elapsed": _elapsed,
    "noon": _noon,
    "b": lambda _, moment: str(moment.year + 543),
}


def _said(kind: str, said: str, moment: _Moment) -> str:
    handler = _SAID.get(kind)
    return handler(said, moment) if handler else ""
