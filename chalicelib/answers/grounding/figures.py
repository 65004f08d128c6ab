"""Numbers of a text with what they count: amounts, percentages, measures, versions, names with digits."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from chalicelib.answers.grounding.units import BEFORE, MONEY, SOFT, multiplier_after, same, unit_after
from chalicelib.answers.languages import small_words

_COMMA = frozenset({"es", "pt", "fr", "de", "it", "ca", "nl", "da", "sv", "nb", "no", "fi", "pl", "cs", "ru", "tr"})
"""Languages with a decimal comma."""
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-−–]?)(?P<body>\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*)"
)
_NAMED = re.compile(r"(?<![^\W_])(?:[^\W\d_]+[-_.]?\d[\w]*(?:[-_.]\w+)*|\d+(?:[-_]?[^\W\d_]+\d[\w]*))(?![^\W_])")
_PHONE = re.compile(
    r"(?<![\w.,])\+?\(?\d{2,4}\)?(?:[ \u00a0.-]\(?\d{2,4}\)?){2,6}(?![\w])|\+\d(?:[ \u00a0().-]?\d){6,14}"
)
_FRACTION = re.compile(r"(?<![\w./])(?P<one>\d+(?:[.,]\d+)?)\s?/\s?(?P<two>\d+)(?![\w/])")
_ORDINAL = re.compile(r"(?i)(?<![\w.,])\d+(?:st|nd|rd|th|ª|º(?!\s?c)|er|ère|ème|e|ste|te)(?![^\W_])")
_DECADE = re.compile(
    r"(?i)(?:\bmid-|\blate-|\bearly-)?(?<![\d.,])(?P<year>(?:1\d|20)?\d0)(?:['’]?s\b|er(?:[ -]jahren?)?\b)"
    r"|\b(?:años|anos|années|anni|(?:de los|los|dos|das|des|gli) años|década de(?: los)?|décadas? de|decade of)\s+(?P<other>(?:1\d|20)?[2-9]0)\b(?!\s?[%€$£])"
)
_BORN = re.compile(r"(?i)\b(?:aged?|ages|edad de|edades de|âge de|alter von|età di|idade de)(?: of)?\s+$")
"""What stands before an age that is written without a word for years."""
_AGE = re.compile(
    r"(?i)\b(?:menores|mayores|más|menos|hasta|under|over|below|above|aged|ages?|unter|über|ab|moins|plus|até|maiores|sotto|sopra|oltre|minori|maggiori)"
    r"(?: (?:de|di|of|than|dei|a))?\s+$"
)
"""What stands before an age, which some write without a word for years."""
_VULGAR = {"½": "0.5", "¼": "0.25", "¾": "0.75", "⅓": "1/3", "⅔": "2/3"}
_LINK = re.compile(r"\s*(?:-|–|—|to|or|and|a|o|y|e|u|ou|et|à|bis|und|oder|al|,|/|hasta|até|x|×)\s*", re.IGNORECASE)
_NOUN = re.compile(r"[ \u00a0-]+(?P<noun>[^\W\d_]{2,})")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that stands in a text."""

    surface: str
    values: frozenset[str]
    """What it may mean; more than one where the writing leaves it open."""
    unit: str
    """Empty for a bare number."""
    counts: bool
    """Whether a word follows that it counts, though no unit that is known here."""
    soft: bool = False
    """An age: a bare number and one of years may mean the same."""
    also: frozenset[str] = frozenset()
    """Keys of other readings, of which one is enough: the digits of a telephone number, a name with digits."""
    makes: frozenset[str] = frozenset()
    """Other keys that it makes true, in a passage."""

    def ways(self) -> tuple[frozenset[str], ...]:
        """Keys of which one has to be among the facts, for a claim."""
        keys = list(self.also)
        for value in self.values:
            if self.unit:
                keys += [f"n:{value}|{each}" for each in same(self.unit)]
            if self.soft or self.unit in SOFT or (not self.unit and self.counts):
                keys.append(f"n:{value}")
            if not self.unit and not self.counts:
                keys.append(f"n:{value}|*")
        return tuple(frozenset({each}) for each in keys)

    def facts(self, column: str = "") -> Iterator[str]:
        """What it makes true, in a passage."""
        yield from self.makes or self.also
        for value in self.values:
            yield f"n:{value}|*"
            if self.unit:
                yield f"n:{value}|{self.unit}"
            else:
                yield f"n:{value}|{column}" if column else f"n:{value}"
                if self.soft:
                    yield f"n:{value}|year"


def figures(text: str, language: str) -> Iterator[Figure]:
    """The figures of a text, in no order. `language` is empty if it is not known: then both readings are taken."""
    text = _without_vulgar(text)
    for pattern, make in _ODD:
        for match in pattern.finditer(text):
            made = make(match)
            if made is not None:
                yield from made
                text = text[: match.start()] + "\0" * len(match[0]) + text[match.end() :]
    yield from _numbers(text, language)


def _without_vulgar(text: str) -> str:
    """`2½` as `2.5`."""
    for sign, value in _VULGAR.items():
        if sign in text:
            text = re.sub(rf"(?<=\d)\s?{sign}", value[1:] if value.startswith("0") else f" {value}", text)
            text = text.replace(sign, f" {value} ")
    return text


def _keyed(surface: str, *keys: str) -> tuple[Figure]:
    return (Figure(surface, frozenset(), "", counts=False, also=frozenset(keys)),)


def _phone(match: re.Match[str]) -> tuple[Figure] | None:
    enough = len(re.sub(r"\D", "", match[0])) >= 6 and not _is_grouped(match[0])
    return (_dialled(match[0]),) if enough else None


def _tens(match: re.Match[str]) -> tuple[Figure]:
    return (_decade(match[0], match["year"] or match["other"]),)


def _over(match: re.Match[str]) -> tuple[Figure]:
    return _keyed(match[0], f"f:{match['one'].replace(',', '.')}/{match['two']}")


def _name(match: re.Match[str]) -> tuple[Figure] | None:
    return None if _is_measure(match[0]) else _keyed(match[0], *_names(match[0]))


_ODD: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[Figure, ...] | None]], ...] = (
    (_PHONE, _phone),
    (_DECADE, _tens),
    (_FRACTION, _over),
    (_ORDINAL, lambda _: ()),
    (_NAMED, _name),
)
"""What is no plain number, in the order in which it is looked for; a maker that gives None leaves it to the next."""


def _numbers(text: str, language: str) -> Iterator[Figure]:
    found: list[tuple[int, int, str, frozenset[str], str]] = []
    for match in _NUMBER.finditer(text):
        before = BEFORE.search(text[: match.start()])
        times, at = multiplier_after(text, match.end())
        unit, end = unit_after(text, at)
        if before and unit not in MONEY:
            unit, end = _currency(before["unit"]), at
        elif before and unit == "$":
            unit = _currency(before["unit"])
        values = readings(match["body"], language, times)
        negative = match["sign"] and not _is_joined(text, match.start())
        values = frozenset(f"-{each}" for each in values) if negative else values
        found.append((match.start(), end, text[match.start() : end].strip(), values, unit))
    for number, (start, end, surface, values, unit) in enumerate(found):
        inherited = unit or _inherited(text, found, number)
        noun = _NOUN.match(text, end) if not inherited else None
        counts = noun is not None and noun["noun"].lower() not in small_words()
        digits = re.sub(r"\D", "", surface)
        also = frozenset({f"digits:{digits}", f"national:{digits}"}) if len(digits) >= 9 else frozenset()
        soft = (_AGE if inherited == "year" else _BORN).search(text[:start]) is not None
        yield Figure(surface, values, inherited, counts=counts, soft=soft, also=also)


def _inherited(text: str, found: list[tuple[int, int, str, frozenset[str], str]], number: int) -> str:
    """The unit of the number that this one makes a range or list with: `10 to 15 %`, `$5-10`."""
    for at in range(number + 1, min(number + 4, len(found))):
        if not _LINK.fullmatch(text[found[at - 1][1] : found[at][0]]):
            break
        if found[at][4]:
            return found[at][4]
    if (
        number
        and found[number - 1][4] in MONEY
        and text[found[number - 1][1] : found[number][0]].strip() in {"-", "–", "—", "to"}
    ):
        return found[number - 1][4]
    return ""


def _is_joined(text: str, at: int) -> bool:
    """Whether a hyphen before a number joins it to something rather than making it negative."""
    return at > 0 and not text[at - 1].isspace() and text[at - 1] not in "(:["


def readings(body: str, language: str, times: int = 1) -> frozenset[str]:
    """What the digits, dots and commas of a number may mean, as plain decimals.

    Args:
        body: such as `1.234,56`, `1,234.56`, `1 234,56`, `1'234`.
        language: decides what a single dot or comma before three digits is; empty for not known.
        times: what a word such as `million` multiplies it with.
    """
    plain = re.sub(r"[ \u00a0\u202f\u2009'’]", "", body)
    dots, commas = plain.count("."), plain.count(",")
    if dots and commas:
        decimal = "." if plain.rfind(".") > plain.rfind(",") else ","
        return _plain({_with_decimal(plain, decimal)}, times)
    if dots + commas > 1:
        groups = re.split("[.,]", plain)
        grouped = len(groups[0]) <= 3 and all(len(each) == 3 for each in groups[1:])
        return _plain({"".join(groups)}, times) if grouped else frozenset({plain})
    if dots + commas == 0:
        return _plain({plain}, times)
    sign = "." if dots else ","
    whole, _, rest = plain.partition(sign)
    if len(rest) != 3 or len(whole) > 3 or whole.startswith("0"):
        return _plain({f"{whole}.{rest}"}, times)
    return _plain(_open(whole, rest, sign, language), times)


def _open(whole: str, rest: str, sign: str, language: str) -> set[str]:
    """One sign before three digits: the language says what it is, but for a comma in a language with decimal commas."""
    thousands, decimal = f"{whole}{rest}", f"{whole}.{rest}"
    if language in _COMMA:
        return {thousands} if sign == "." else {decimal, thousands}
    if not language and rest.endswith("0"):
        return {thousands}  # nobody writes the last nought of a decimal where it counts nothing
    if language == "en":
        return {decimal} if sign == "." else {thousands}
    return {thousands, decimal}


def _with_decimal(plain: str, decimal: str) -> str:
    whole, _, rest = plain.rpartition(decimal)
    return f"{re.sub('[.,]', '', whole)}.{rest}"


def _plain(values: set[str], times: int) -> frozenset[str]:
    found = set()
    for each in values:
        number = Decimal(each) * times
        found.add(format(number.normalize(), "f") if number else "0")
    return frozenset(found)


def _currency(sign: str) -> str:
    given = sign.upper().replace(" ", "")
    return {"€": "EUR", "£": "GBP", "¥": "JPY", "US$": "USD", "MX$": "MXN", "R$": "BRL"}.get(given, given)


def _is_measure(word: str) -> bool:
    """Whether a word of digits and letters is a number with its unit, such as `10km` or `5k`."""
    match = re.match(r"\d+(?:[.,]\d+)*", word)
    if match is None:
        return False
    _, at = multiplier_after(word, match.end())
    unit, end = unit_after(word, at)
    return (at if not unit else end) == len(word) and end > match.end()


def _names(name: str) -> frozenset[str]:
    """Keys of a name with digits; languages agree on the number behind a hyphen, not always on the word before it."""
    hyphened = re.fullmatch(r"[^\W\d_]{4,}-(\d+)", name)
    keys = {f"id:{re.sub(r'[-_.]', '', name).lower()}"}
    return frozenset(keys | {f"h:{hyphened[1]}"} if hyphened else keys)


def _dialled(number: str) -> Figure:
    """A telephone number. Of two, one may lack the country's prefix."""
    digits = re.sub(r"\D", "", number)
    without = [digits[start:] for start in (1, 2, 3)] if number.startswith("+") else []
    also = {f"digits:{digits}", *(f"digits:{each}" for each in without)}
    if not without:
        also.add(f"national:{digits}")
    makes = frozenset({f"digits:{digits}", *(f"national:{each}" for each in without)})
    return Figure(number, frozenset(), "", counts=False, also=frozenset(also), makes=makes)


def _decade(surface: str, decade: str) -> Figure:
    """A decade; of two, one may lack the century."""
    short = f"short:{decade[-2:]}"
    if len(decade) == 2:
        return Figure(surface, frozenset(), "", counts=False, also=frozenset({short, f"any:{decade}"}))
    also, makes = frozenset({f"decade:{decade}", short}), frozenset({f"decade:{decade}", f"any:{decade[-2:]}"})
    return Figure(surface, frozenset(), "", counts=False, also=also, makes=makes)


def _is_grouped(number: str) -> bool:
    """Whether a row of digits is a number with its thousands apart rather than a telephone number."""
    grouped = r"[1-9]\d{0,2}(?:[ \u00a0.]\d{3})*"
    return re.fullmatch(rf"{grouped}(?:-{grouped})?", number) is not None
