"""Styles and numbering of a text document: what is a heading, a list item, or hidden by its style."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from chalicelib.ingest.extractors.ooxml import Element, Package, child, children, is_on, value

_CHAIN = 20
"""Styles that a style may rest on, one on the other."""
_LEVELS = 9
_OUTLINE = 6


@dataclass(slots=True)
class Style:
    """What matters of a style."""

    name: str
    based_on: str | None
    outline: int | None
    """0 for the highest heading."""
    numbering: tuple[str | None, int | None]
    hidden: bool


@dataclass(slots=True)
class Level:
    """One level of a numbering."""

    kind: str
    """`bullet`, `decimal`, `lowerLetter`, …"""
    pattern: str
    """`%1.` stands for the number of the first level."""
    start: int


@dataclass
class Styles:
    """The styles of a document by id."""

    by_id: Mapping[str, Style] = field(default_factory=dict)

    @classmethod
    def of(cls, package: Package, part: str | None) -> "Styles":
        """Read the part of styles, if there is one."""
        root = package.tree(part) if part else None
        return cls({value(each, "styleId") or "": _style(each) for each in children(root, "w:style")})

    def chain(self, style_id: str | None) -> Iterator[Style]:
        """A style and those it rests on."""
        for _ in range(_CHAIN):
            style = self.by_id.get(style_id or "")
            if style is None:
                return
            yield style
            style_id = style.based_on

    def hidden(self, style_id: str | None) -> bool:
        """Whether the style hides text."""
        return any(each.hidden for each in self.chain(style_id))

    def heading(self, properties: Element | None) -> int | None:
        """The level of a heading, 1 to 6, by the properties of its paragraph; None if it is none."""
        direct = value(child(properties, "w:outlineLvl"))
        if direct is not None and direct.isdigit():
            return int(direct) + 1 if int(direct) < _OUTLINE else None
        for style in self.chain(value(child(properties, "w:pStyle"))):
            if style.outline is not None:
                return style.outline + 1 if style.outline < _OUTLINE else None
            if style.name == "title":
                return 1
        return None

    def numbering(self, properties: Element | None) -> tuple[str, int] | None:
        """The numbering and level of a paragraph, by itself or by its style."""
        number, level = _numbering(properties)
        for style in self.chain(value(child(properties, "w:pStyle"))):
            number = number if number is not None else style.numbering[0]
            level = level if level is not None else style.numbering[1]
        return None if number in {None, "0"} else (str(number), min(level or 0, _LEVELS - 1))


def _style(element: Element) -> Style:
    properties = child(element, "w:pPr")
    name = (value(child(element, "w:name")) or "").lower()
    outline = value(child(properties, "w:outlineLvl"))
    found = int(outline) if outline is not None and outline.isdigit() else None
    word, _, number = name.partition(" ")
    if found is None and word == "heading" and number.isdigit():
        found = int(number) - 1
    hidden = is_on(child(element, "w:rPr", "w:vanish"))
    return Style(name, value(child(element, "w:basedOn")), found, _numbering(properties), hidden)


def _numbering(properties: Element | None) -> tuple[str | None, int | None]:
    found = child(properties, "w:numPr")
    level = value(child(found, "w:ilvl"))
    return value(child(found, "w:numId")), int(level) if level is not None and level.isdigit() else None


@dataclass
class Numbering:
    """The numberings of a document, and how far each has counted."""

    levels: Mapping[str, Mapping[int, Level]] = field(default_factory=dict)
    """By the id of a numbering, and then by level."""
    roots: Mapping[str, str] = field(default_factory=dict)
    """Numberings that count together, by the id of each."""
    counts: dict[str, list[int | None]] = field(default_factory=dict)

    @classmethod
    def of(cls, package: Package, part: str | None) -> "Numbering":
        """Read the part of numberings, if there is one."""
        root = package.tree(part) if part else None
        abstract = {
            value(each, "abstractNumId") or "": dict(map(_level, children(each, "w:lvl")))
            for each in children(root, "w:abstractNum")
        }
        levels: dict[str, Mapping[int, Level]] = {}
        roots: dict[str, str] = {}
        for each in children(root, "w:num"):
            number, of = value(each, "numId") or "", value(child(each, "w:abstractNumId")) or ""
            overrides = list(children(each, "w:lvlOverride"))
            levels[number] = {**abstract.get(of, {}), **dict(_overridden(abstract.get(of, {}), overrides))}
            # A numbering that starts anew somewhere counts for itself.
            roots[number] = number if overrides else f"abstract {of}"
        return cls(levels, roots)

    def label(self, number: str, level: int) -> tuple[str, str]:
        """The kind of the level, and what stands before its next paragraph: `3.`, `b)`, `1.2`; empty for bullets."""
        levels = self.levels.get(number, {})
        kind = levels[level].kind if level in levels else "bullet"
        if kind in {"bullet", "none"}:
            return kind, ""
        counts = self.counts.setdefault(self.roots[number], [None] * _LEVELS)
        before = counts[level]
        counts[level] = levels[level].start if before is None else before + 1
        counts[level + 1 :] = [None] * (_LEVELS - level - 1)
        pattern = levels[level].pattern
        for each in range(_LEVELS):
            if each in levels and f"%{each + 1}" in pattern:
                count = counts[each] if counts[each] is not None else levels[each].start
                pattern = pattern.replace(f"%{each + 1}", _numeral(levels[each].kind, count or 0))
        return kind, pattern.strip()


def _level(element: Element) -> tuple[int, Level]:
    number = value(element, "ilvl") or "0"
    start = value(child(element, "w:start")) or "1"
    kind = value(child(element, "w:numFmt")) or "decimal"
    pattern = value(child(element, "w:lvlText")) or ""
    place = int(number) if number.isdigit() else 0
    return place, Level(kind, pattern[:40], int(start) if start.isdigit() and len(start) < _LEVELS else 1)


def _overridden(levels: Mapping[int, Level], overrides: list[Element]) -> Iterator[tuple[int, Level]]:
    for each in overrides:
        place = int(value(each, "ilvl") or 0) if (value(each, "ilvl") or "0").isdigit() else 0
        new = child(each, "w:lvl")
        level = _level(new)[1] if new is not None else levels.get(place)
        start = value(child(each, "w:startOverride")) or ""
        if level is not None:
            yield place, Level(level.kind, level.pattern, int(start)) if start.isdigit() else (place, level)[1]


_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_ROMAN_SMALL = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_LARGEST = 4000


def _numeral(kind: str, number: int) -> str:
    match kind:
        case "lowerLetter" | "upperLetter" if 0 < number < _LARGEST:
            letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
            return letter if kind == "lowerLetter" else letter.upper()
        case "lowerRoman" | "upperRoman" if 0 < number < _LARGEST:
            return roman(number) if kind == "lowerRoman" else roman(number).upper()
        case "decimalZero":
            return f"{number:02d}"
        case _:
            return str(number)


def roman(number: int) -> str:
    """A number in small Roman numerals."""
    found = ""
    for size, sign in (*_ROMAN, *_ROMAN_SMALL):
        found += sign * (number // size)
        number %= size
    return found
