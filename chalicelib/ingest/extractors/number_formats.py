"""Numbers as a sheet shows them: the format codes of cells, as far as text can show them.

Widths, colours and fillers have no text. Months and days have their English names whatever the locale; the two formats
whose order depends on the reader's machine (14 and 22) are written year first.
Source: ECMA-376 part 1, section 18.8.30 (number formats).
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from functools import lru_cache

from chalicelib.ingest.extractors.date_formats import dated, is_dated

GENERAL = "General"
BUILT_IN: Mapping[int, str] = {
    0: GENERAL, 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "$#,##0;($#,##0)", 6: "$#,##0;($#,##0)",
    7: "$#,##0.00;($#,##0.00)", 8: "$#,##0.00;($#,##0.00)", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: "#,##0;(#,##0);-;@", 42: "$#,##0;($#,##0);$-;@",
    43: "#,##0.00;(#,##0.00);-;@", 44: "$#,##0.00;($#,##0.00);$-;@", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
    48: "##0.0E+0", 49: "@",
    **dict.fromkeys((*range(27, 32), 36, 50, 51, 52, 53, 54, 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((32, 34, 55), "h:mm"), **dict.fromkeys((33, 35, 56), "h:mm:ss"),
}  # fmt: skip
"""Formats that have a number and no code. 27 to 58 are those of East Asian locales."""

_LONGEST = 255
_DIGITS = 15
"""Significant digits that a sheet keeps."""
_PLAIN = 21
"""Digits before the point that are still written out."""
_CONTEXT = Context(prec=400, rounding=ROUND_HALF_UP)

_TOKENS = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[(?P<operator><=|>=|<>|<|>|=)(?P<limit>-?[\d.]+)\]|\[[^\]]*\]|(?P<general>general)|(?P<exponent>e[+-])"
    r"|(?P<digit>[0#?.,])|(?P<percent>%)|(?P<text>@)|(?P<slash>/)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)


_COMPARED: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a format code, for some numbers."""

    tokens: tuple[tuple[str, str], ...]
    """Kind and text of each."""
    dated: bool
    comparison: str = ""
    limit: Decimal = Decimal(0)

    def holds(self, number: Decimal) -> bool:
        """Whether the section's own condition, if it has one, holds."""
        return not self.comparison or _COMPARED[self.comparison](number, self.limit)


def shown(stored: str, code: str, *, since_1904: bool) -> str:
    """A stored number as the cell shows it. What cannot be formatted is shown as a plain number."""
    try:
        number = _CONTEXT.create_decimal(stored.strip())
    except InvalidOperation:
        return stored
    if not number.is_finite():
        return stored
    sections = parsed(code[:_LONGEST])
    section, magnitude = _chosen(sections, number)
    if section is None:
        return general(number)
    if section.dated:
        return dated(code, number, since_1904=since_1904) or general(number)
    try:
        return _written(section, magnitude).strip() or (general(number) if not _is_silent(section) else "")
    except (InvalidOperation, OverflowError, ValueError):
        return general(number)


def shown_text(text: str, code: str) -> str:
    """A text as the cell shows it: the format may say something around it."""
    sections = parsed(code[:_LONGEST])
    section = sections[3] if len(sections) > 3 else sections[0] if len(sections) == 1 else None  # noqa: PLR2004
    if section is None or ("text", "@") not in section.tokens:
        return text
    return "".join(text if kind == "text" else said for kind, said in section.tokens if kind in {"text", "literal"})


def general(number: Decimal) -> str:
    """A number without a format: all digits that it has, but no more than a sheet keeps."""
    with localcontext(Context(prec=_DIGITS, rounding=ROUND_HALF_UP)):
        kept = +number
    if kept and not -_PLAIN < kept.adjusted() < _PLAIN:
        digits, _, power = f"{kept:E}".partition("E")
        return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}E{power}"
    plain = f"{kept:f}"
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return "0" if plain in {"-0", ""} else plain


@lru_cache(maxsize=512)
def parsed(code: str) -> tuple[Section, ...]:
    """The sections of a format code."""
    return tuple(_section(each) for each in _split(code)[:4])


def _split(code: str) -> list[str]:
    """The code cut at semicolons that are not quoted."""
    parts = re.findall(r'(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;])*(?:;|$)', code, re.DOTALL)
    found = [each.removesuffix(";") for each in parts]
    return found[:-1] if len(found) > 1 and not code.endswith(";") else found or [code]


def _section(code: str) -> Section:
    tokens: list[tuple[str, str]] = []
    comparison, limit = "", Decimal(0)
    for found in _TOKENS.finditer(code):
        kind = found.lastgroup or ""
        if kind == "limit":
            comparison, limit = found["operator"], Decimal(found["limit"])
        elif kind in {"quoted", "escaped", "currency", "other"}:
            tokens.append(("literal", found[kind]))
        elif kind:
            tokens.append((kind, found[kind]))
    return Section(tuple(tokens), is_dated(code), comparison, limit)


def _chosen(sections: Sequence[Section], number: Decimal) -> tuple[Section | None, Decimal]:
    """The section for a number, and the number as that section writes it: without a sign where it has its own."""
    if any(each.comparison for each in sections):
        found = next((each for each in sections if each.holds(number)), None)
        return found, number if found is None or found is sections[0] else abs(number)
    if number < 0 and len(sections) > 1:
        return sections[1], -number
    if number == 0 and len(sections) > 2:  # noqa: PLR2004 - the third is for zero
        return sections[2], number
    return sections[0], number


def _is_silent(section: Section) -> bool:
    """Whether the section says nothing on purpose."""
    return not any(kind in {"digit", "general", "text", "percent"} for kind, _ in section.tokens)


def _written(section: Section, number: Decimal) -> str:
    tokens = section.tokens
    if any(kind in {"general", "text"} for kind, _ in tokens):
        return "".join(
            general(number) if kind in {"general", "text"} else said for kind, said in tokens if kind != "digit"
        )
    pattern = "".join(said for kind, said in tokens if kind == "digit")
    percent = sum(kind == "percent" for kind, _ in tokens)
    scaled = number * _CONTEXT.power(100, percent)
    if not pattern:
        return ("-" if scaled < 0 else "") + "".join(said for _, said in tokens)
    if any(kind == "exponent" for kind, _ in tokens):
        body = _scientific(tokens, scaled)
    elif any(kind == "slash" for kind, _ in tokens):
        body = _fraction(tokens, scaled)
    else:
        return _placed(tokens, scaled)
    return body


def _placed(tokens: Sequence[tuple[str, str]], number: Decimal) -> str:
    """The number in the places of its digits, with whatever stands between, before and after them."""
    pattern = "".join(said for kind, said in tokens if kind == "digit")
    whole, point, after = pattern.partition(".")
    places = sum(each in "0#?" for each in after)
    trailing = len(pattern.rstrip(",")) if not point else len(whole.rstrip(",")) + 1 + len(after.rstrip(","))
    thousands = len(pattern) - trailing if not point else len(after) - len(after.rstrip(","))
    scaled = _CONTEXT.scaleb(number, -3 * thousands)
    rounded = _CONTEXT.quantize(scaled, Decimal(1).scaleb(-places))
    digits, _, decimals = f"{abs(rounded):f}".partition(".")
    least = whole.count("0")
    digits = digits.lstrip("0").rjust(least, "0") if least or digits.strip("0") else ""
    if "," in whole.rstrip(","):
        digits = f"{int(digits or 0):,}".rjust(len(digits), "0") if digits else digits
    decimals = _trimmed(decimals, after)
    number_text = digits + (f".{decimals}" if decimals or (point and "0" in after) else "")
    sign = "-" if rounded < 0 else ""
    return sign + _spread(tokens, number_text)


def _trimmed(decimals: str, pattern: str) -> str:
    """Decimals without the zeros that only `#` stands for."""
    places = [each for each in pattern if each in "0#?"]
    while decimals and decimals.endswith("0") and places[len(decimals) - 1] != "0":
        decimals = decimals[:-1]
    return decimals


def _spread(tokens: Sequence[tuple[str, str]], number: str) -> str:
    """The number where its first digit stands; literals among the digits of a whole number keep their places."""
    kinds = [kind for kind, _ in tokens]
    first = kinds.index("digit")
    last = len(kinds) - 1 - kinds[::-1].index("digit")
    inner = [said for kind, said in tokens[first : last + 1] if kind == "literal"]
    before = "".join(said for _, said in tokens[:first])
    after = "".join(said for _, said in tokens[last + 1 :])
    if inner and "." not in number and "," not in number:
        number = _interleaved(tokens[first : last + 1], number)
    return before + number + after


def _interleaved(tokens: Sequence[tuple[str, str]], number: str) -> str:
    """A whole number with literals between its digits, as in telephone numbers: filled from the right."""
    left = list(number)
    parts: list[str] = []
    for kind, said in reversed(tokens):
        if kind == "literal":
            parts.append(said)
        elif left:
            parts.append(left.pop())
    return "".join(left) + "".join(reversed(parts))


def _scientific(tokens: Sequence[tuple[str, str]], number: Decimal) -> str:
    place = next(index for index, (kind, _) in enumerate(tokens) if kind == "exponent")
    mantissa = "".join(said for kind, said in tokens[:place] if kind == "digit")
    whole, _, after = mantissa.partition(".")
    width = max(1, sum(each in "0#?" for each in whole))
    power = number.adjusted() if number else 0
    power -= power % width if width > 1 else 0
    places = sum(each in "0#?" for each in after)
    rounded = _CONTEXT.quantize(_CONTEXT.scaleb(number, -power), Decimal(1).scaleb(-places))
    if rounded and rounded.adjusted() >= width:
        power += width
        rounded = _CONTEXT.quantize(_CONTEXT.scaleb(number, -power), Decimal(1).scaleb(-places))
    digits = sum(said.count("0") for kind, said in tokens[place:] if kind == "digit")
    sign = "-" if power < 0 else "+" if tokens[place][1].endswith("+") else ""
    before = "".join(said for kind, said in tokens[:place] if kind == "literal")
    after_all = "".join(said for kind, said in tokens[place:] if kind == "literal")
    return f"{before}{rounded:f}E{sign}{abs(power):0{digits}d}{after_all}"


def _fraction(tokens: Sequence[tuple[str, str]], number: Decimal) -> str:
    place = next(index for index, (kind, _) in enumerate(tokens) if kind == "slash")
    below = "".join(said for kind, said in tokens[place + 1 :])
    fixed = re.match(r"\s*(\d+)", below.replace("0", "0"))
    exact = Fraction(abs(number))
    has_whole = any(kind == "literal" and said == " " for kind, said in tokens[:place])
    whole = int(exact) if has_whole else 0
    rest = exact - whole
    if fixed and int(fixed[1]):
        under = int(fixed[1])
        over = round(rest * under)
    else:
        nearest = rest.limit_denominator(
            10 ** min(4, max(1, below.count("?") + below.count("#") + below.count("0"))) - 1
        )
        over, under = nearest.numerator, nearest.denominator
    if over == under and has_whole:
        whole, over = whole + 1, 0
    sign = "-" if number < 0 else ""
    parts = [str(whole)] if has_whole and (whole or not over) else []
    if over or not has_whole:
        parts.append(f"{over}/{under}")
    return sign + " ".join(parts)
