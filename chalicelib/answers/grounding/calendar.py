"""Dates, weekdays and times of day, in the ways that six languages write them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

type Ways = tuple[frozenset[str], ...]
"""Keys that have to stand together, in one way or another."""

_MONTHS = (
    "january jan enero ene janeiro janvier janv januar jänner gennaio gen",
    "february feb febrero fevereiro fev février févr februar febbraio febr",
    "march mar marzo março mars märz",
    "april apr abril abr avril avr aprile",
    "may mayo maio mai maggio mag",
    "june jun junio junho juin juni giugno giu",
    "july jul julio julho juillet juil juli luglio lug",
    "august aug agosto ago août",
    "september sept sep septiembre setiembre setembro septembre settembre set",
    "october oct octubre outubro out octobre oktober okt ottobre ott",
    "november nov noviembre novembro novembre",
    "december dec diciembre dic dezembro dez décembre déc dezember dicembre",
)
_MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_ALONE = {name for name in _MONTH if len(name) > 4} - {"march", "marzo", "april"} | {"enero", "abril", "mayo", "julio"}
_NAMED = "|".join(sorted(_MONTH, key=len, reverse=True))
_DAYS = (
    "monday mondays lunes lundi lundis montag montags lunedì segunda-feira segundas-feiras",
    "tuesday tuesdays martes mardi mardis dienstag dienstags martedì terça-feira terças-feiras",
    "wednesday wednesdays miércoles mercredi mercredis mittwoch mittwochs mercoledì quarta-feira quartas-feiras",
    "thursday thursdays jueves jeudi jeudis donnerstag donnerstags giovedì quinta-feira quintas-feiras",
    "friday fridays viernes vendredi vendredis freitag freitags venerdì sexta-feira sextas-feiras",
    "saturday saturdays sábado sábados samedi samedis samstag samstags sonnabend sabato",
    "sunday sundays domingo domingos dimanche dimanches sonntag sonntags domenica",
)
_DAY = {name: number for number, names in enumerate(_DAYS) for name in names.split()}
_SHORT = {
    "Mon": 0, "Tue": 1, "Tues": 1, "Wed": 2, "Thu": 3, "Thurs": 3, "Fri": 4, "Sat": 5, "Sun": 6, "Lun": 0, "Mié": 2,
    "Jue": 3, "Vie": 4, "Sáb": 5, "Dom": 6, "Mo": 0, "Di": 1, "Mi": 2, "Do": 3, "Fr": 4, "Sa": 5, "So": 6,
}  # fmt: skip
_WEEKDAY = re.compile(
    rf"(?<![^\W_])(?:(?i:{'|'.join(sorted(_DAY, key=len, reverse=True))})|{'|'.join(sorted(_SHORT, key=len, reverse=True))})(?![^\W_])"
)
_BETWEEN = re.compile(
    r"\s*\.?\s*(?:-|–|—|to|through|thru|till|until|a|al|hasta|à|au|até|bis|fino a|sino a)\s*(?:the |el |la |il |o |le )?",
    re.IGNORECASE,
)

_YEAR = r"(?P<year>(?:19|20)\d{2})"
_DATES = (
    re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)"),
    re.compile(
        r"(?<![\d.,])(?P<one>\d{1,2})(?P<sign>[/.-])(?P<two>\d{1,2})(?P=sign)(?P<year>(?:19|20)?\d{2})(?![\d%])"
    ),
    re.compile(
        rf"(?i)(?<![\d.,])(?P<day>\d{{1,2}})(?:st|nd|rd|th|º|°|er|\.)?\s*(?:de |of |di |do )?\s*(?P<name>{_NAMED})\b\.?"
        rf"(?:,?\s*(?:de |del |do |of )?\s*{_YEAR})?(?!\d)"
    ),
    re.compile(
        rf"(?i)\b(?P<name>{_NAMED})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|\.\d)(?:,?\s*{_YEAR})?(?!\d)"
    ),
    re.compile(rf"(?i)\b(?P<name>{_NAMED})\.?\s*(?:de |del |do |of |,)?\s*{_YEAR}(?!\d)"),
    re.compile(r"(?<![\d./,])(?P<one>\d{1,2})/(?P<two>\d{1,2})(?![\d/.,]*\d)"),
)
_RANGE = re.compile(
    rf"(?i)(?<![\d.,])(?P<first>\d{{1,2}})(?:\s*(?:-|–|—|to|a|al|bis|au|à|e|y|and|und|et)\s*)(?:el )?(?P<rest>\d{{1,2}}(?:\.|\s+de|\s+of)?\s+(?:{_NAMED})\b(?:,?\s*(?:de |del |of )?\s*(?:19|20)\d{{2}})?)"
)
_MONTH_ALONE = re.compile(
    rf"(?<![^\W_])(?:(?i:{'|'.join(sorted(_ALONE, key=len, reverse=True))})|March|Marzo|marzo|April|May)(?![^\W_])"
)

_HALF = r"(?P<half>a\.?\s?m\.?|p\.?\s?m\.?)(?![^\W_])"
_PART = r"(?:de la |da |du |del |di |de l')?(?P<part>mañana|madrugada|tarde|noche|manhã|noite|matin|après-midi|soir|mattina|pomeriggio|sera)"
_TIMES = (
    re.compile(
        rf"(?i)(?<![\d.,:])(?P<hour>[01]?\d|2[0-4])[:h.](?P<minute>[0-5]\d)(?:\s?{_HALF}|\s+{_PART}|\s?(?:h|hrs?|horas|uhr)\b)?(?![\d:]|[.,]\d|\s?[%€$£])"
    ),
    re.compile(rf"(?i)(?<![\d.,:])(?P<hour>1[0-2]|0?\d)\s?{_HALF}"),
    re.compile(rf"(?i)(?<![\d.,:])(?P<hour>2[0-4]|1\d|0?\d)(?:\s+{_PART}|\s?(?:uhr|o'clock))(?![^\W_])"),
    re.compile(
        r"(?i)\b(?:a las|a la|a partir de las|desde las|hasta las|de las)\s+(?P<hour>2[0-4]|1\d|0?\d)"
        r"(?![\d:h.,%€$£]|\s?[%€$£]|\s+\w+s\b|[ \u00a0\u202f]\d{3}\b)"
    ),
    re.compile(
        r"(?i)\b(?:at|às|alle|um)\s+(?P<hour>2[0-4]|1\d|0?\d)"
        r"(?=\s*(?:[.;,)](?!\d)|$|(?:and|to|on|in|every|each|or|e|ou|o|und|oder|in the|da|di)\b))"
    ),
    re.compile(r"(?i)(?<![\d.,:])(?P<hour>2[0-4]|1\d|0?\d)\s?(?:h|hrs|heures)(?![^\W_])"),
    re.compile(
        r"(?i)\b(?:before|until|after|by|antes de las|después de las|vor|nach|bis|avant|après|prima delle|dopo le|antes das|depois das)"
        r"\s+(?P<hour>2[0-4]|1\d|0?\d)(?=\s*(?:[.;,)](?!\d)|$))"
    ),
)
_AFTERNOON = frozenset({"tarde", "noche", "noite", "après-midi", "soir", "pomeriggio", "sera"})
_SPAN = re.compile(
    r"(?i)(?<![\d.,:])(?P<hour>2[0-4]|1\d|0?\d)(?=\s?(?:-|–|—|to|a|bis|à|until|till)\s?(?:las\s)?(?P<next>(?:2[0-4]|1\d|0?\d)(?::[0-5]\d)?)\s?(?P<end>h|hrs|uhr|a\.?m\.?|p\.?m\.?)(?![^\W_]))"
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, weekday or time that stands at a place of a text."""

    start: int
    end: int
    ways: Ways
    """One of which has to be among the facts."""
    facts: frozenset[str]
    """What it makes true."""
    surface: str


def moments(text: str, *, facts: bool) -> tuple[list[Moment], str]:
    """The dates, times and weekdays, and the text with blanks in the place of those that hold figures.

    Args:
        text: of a claim or of a passage.
        facts: whether it is a passage, of which everything it may mean is taken.
    """
    found: list[Moment] = []
    for match in _RANGE.finditer(text):
        rest = next((each for pattern in _DATES[2:3] if (each := pattern.match(match["rest"]))), None)
        if rest is not None:
            month, year = _MONTH[rest["name"].lower().rstrip(".")], rest["year"]
            found.append(
                _dated(match.start("first"), match.end("first"), [(year, month, int(match["first"]))], match["first"])
            )
            text = _blanked(text, match.start("first"), match.end("first"))
    for pattern in _DATES:
        for match in pattern.finditer(text):
            readings = list(_readings(match))
            if readings:
                fraction = _fraction(match) if pattern is _DATES[-1] else frozenset()
                found.append(_dated(match.start(), match.end(), readings, match[0], fraction))
                text = _blanked(text, match.start(), match.end())
    timed, text = _times(text, facts=facts)
    return [*found, *timed, *_weekdays(text), *_months(text)], text


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + "\0" * (end - start) + text[end:]


def _readings(match: re.Match[str]) -> Iterator[tuple[str | None, int, int | None]]:
    """Year, month and day, in each way that the match can be read."""
    given = match.groupdict()
    year = given.get("year")
    year = f"20{year}" if year and len(year) == 2 else year
    if given.get("name"):
        day = given.get("day")
        if day is None or 1 <= int(day) <= 31:
            yield year, _MONTH[given["name"].lower()], int(day) if day else None
    elif given.get("one"):
        one, two = int(given["one"]), int(given["two"])
        yield from (
            (year, month, day) for day, month in ((one, two), (two, one)) if 1 <= month <= 12 and 1 <= day <= 31
        )
    elif 1 <= int(given["month"]) <= 12 and 1 <= int(given["day"]) <= 31:
        yield year, int(given["month"]), int(given["day"])


def _fraction(match: re.Match[str]) -> frozenset[str]:
    return frozenset({f"f:{match['one']}/{match['two']}"})


def _dated(
    start: int,
    end: int,
    readings: Iterable[tuple[str | None, int, int | None]],
    surface: str,
    fraction: frozenset[str] = frozenset(),
) -> Moment:
    ways: list[frozenset[str]] = [fraction] if fraction else []
    facts: set[str] = set(fraction)
    for year, month, day in readings:
        if day is None:
            ways.append(frozenset({f"ym:{year}-{month}"}))
            facts |= {f"ym:{year}-{month}", f"m:{month}"}
        else:
            here = f"{month}-{day}"
            if year:
                ways += [frozenset({f"d:{year}-{here}"}), frozenset({f"yearless:{here}", f"n:{year}"})]
                facts |= {f"d:{year}-{here}", f"ym:{year}-{month}"}
            else:
                ways.append(frozenset({f"md:{here}"}))
                facts.add(f"yearless:{here}")
            facts |= {f"md:{here}", f"m:{month}"}
        if year:
            facts |= {f"n:{year}", f"n:{year}|*"}
    return Moment(start, end, tuple(dict.fromkeys(ways)), frozenset(facts), surface)


def _times(text: str, *, facts: bool) -> tuple[list[Moment], str]:
    found: list[Moment] = []
    for match in _SPAN.finditer(text):
        half = match["end"].lower().replace(".", "").replace(" ", "")
        found.append(
            _timed(
                match.start(),
                match.end(),
                [_clock(match["hour"], None, each) for each in _halves(half)],
                match[0],
                match["hour"],
            )
        )
    for match in list(_SPAN.finditer(text)):
        text = _blanked(text, match.start("hour"), match.end("hour"))
    for pattern in _TIMES:
        for match in pattern.finditer(text):
            given = match.groupdict()
            half = (given.get("half") or "").lower().replace(".", "").replace(" ", "")
            part = (given.get("part") or "").lower()
            clock = _clock(given["hour"], given.get("minute"), "pm" if part in _AFTERNOON else half)
            bare = given["hour"] if not given.get("minute") and not half and not part else None
            clocks = (
                [clock] if part not in {"noche", "noite"} else [clock, _clock(given["hour"], given.get("minute"), "")]
            )
            moment = _timed(match.start(), match.end(), clocks, match[0], bare)
            if facts and "." in match[0] and given.get("minute") and not half:
                number = f"{int(given['hour'])}.{given['minute']}".rstrip("0").rstrip(".")
                moment = Moment(
                    moment.start,
                    moment.end,
                    moment.ways,
                    moment.facts | {f"n:{number}", f"n:{number}|*"},
                    moment.surface,
                )
            elif not facts and _is_decimal(match):
                continue
            found.append(moment)
            text = _blanked(text, match.start(), match.end())
    return found, text


def _is_decimal(match: re.Match[str]) -> bool:
    """Whether `3.15` is a number rather than a time: nothing beside the dot says that it is a time."""
    return re.fullmatch(r"\d{1,2}\.\d{2}", match[0]) is not None


def _halves(half: str) -> tuple[str, ...]:
    """Which halves of the day the beginning of a span may be in: `9 to 5 pm` says it of the end only."""
    return ("am", "pm") if half in {"am", "pm"} else ("",)


def _clock(hour: str, minute: str | None, half: str) -> str:
    hours = int(hour)
    if half == "pm" and hours < 12:
        hours += 12
    if half == "am" and hours == 12:
        hours = 0
    return f"t:{hours % 24:02}:{minute or '00'}"


def _timed(start: int, end: int, clocks: Iterable[str], surface: str, bare: str | None) -> Moment:
    keys = set(clocks)
    if bare is not None:
        keys.add(f"n:{int(bare)}|hour")
    return Moment(start, end, tuple(frozenset({each}) for each in sorted(keys)), frozenset(keys), surface)


def _weekdays(text: str) -> Iterator[Moment]:
    matches = list(_WEEKDAY.finditer(text))
    for number, match in enumerate(matches):
        day = _day(match[0])
        facts = {f"w:{day}"}
        follower = matches[number + 1] if number + 1 < len(matches) else None
        if follower is not None and _BETWEEN.fullmatch(text[match.end() : follower.start()]):
            last = _day(follower[0])
            facts |= {f"w:{(day + each) % 7}" for each in range((last - day) % 7 + 1)}
        elif match[0] in _SHORT and len(match[0]) == 2 and not _in_span(text, matches, number):
            continue
        yield Moment(match.start(), match.end(), (frozenset({f"w:{day}"}),), frozenset(facts), match[0])


def _in_span(text: str, matches: list[re.Match[str]], number: int) -> bool:
    """Whether a weekday of two letters ends a span such as `Mo–Fr`; alone it is a word like others."""  # noqa: RUF002
    return number > 0 and _BETWEEN.fullmatch(text[matches[number - 1].end() : matches[number].start()]) is not None


def _day(name: str) -> int:
    return _SHORT[name] if name in _SHORT else _DAY[name.lower()]


def _months(text: str) -> Iterator[Moment]:
    for match in _MONTH_ALONE.finditer(text):
        key = f"m:{_MONTH[match[0].lower()]}"
        yield Moment(match.start(), match.end(), (frozenset({key}),), frozenset({key}), match[0])
