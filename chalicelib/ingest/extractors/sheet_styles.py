"""Styles of cells: the number format of each, and whether its text could be seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chalicelib.ingest.extractors.number_formats import BUILT_IN, GENERAL, shown, shown_text
from chalicelib.ingest.extractors.ooxml import Element, Package, child, children, value

_DIGITS = 15
"""A whole number of so many digits is written as it is stored."""
_LIGHT = "0"
"""The place of the theme's background colour, white in all but a few."""


@dataclass(frozen=True, slots=True)
class _Style:
    code: str
    invisible: bool


_PLAIN = _Style(GENERAL, invisible=False)


@dataclass
class SheetStyles:
    """The styles of a workbook, by their places."""

    styles: Sequence[_Style] = ()
    since_1904: bool = False
    known: dict[str, _Style] = field(default_factory=dict)

    @classmethod
    def of(cls, package: Package, part: str | None, *, since_1904: bool) -> "SheetStyles":
        """Read the part of styles, if there is one."""
        root = package.tree(part) if part else None
        codes: dict[str, str] = {str(number): code for number, code in BUILT_IN.items()}
        for each in children(child(root, "s:numFmts"), "s:numFmt"):
            codes[value(each, "numFmtId") or ""] = value(each, "formatCode") or GENERAL
        white = [_is_white(each) for each in children(child(root, "s:fonts"), "s:font")]
        filled = [_is_filled(each) for each in children(child(root, "s:fills"), "s:fill")]
        return cls(
            [_style(each, codes, white, filled) for each in children(child(root, "s:cellXfs"), "s:xf")], since_1904
        )

    def _at(self, place: str) -> _Style:
        found = self.known.get(place)
        if found is None:
            number = int(place) if place.isdigit() else 0
            found = self.known[place] = self.styles[number] if number < len(self.styles) else _PLAIN
        return found

    def is_invisible(self, place: str) -> bool:
        """Whether the style writes white on white."""
        return self._at(place).invisible

    def text(self, text: str, place: str) -> str:
        """A text as a cell of that style shows it."""
        code = self._at(place).code
        return text if code in {GENERAL, "@"} else shown_text(text, code)

    def shown(self, kind: str, stored: str, place: str) -> str:
        """A stored value of a cell's type as a cell of that style shows it."""
        if kind == "b":
            return "TRUE" if stored.strip() == "1" else "FALSE"
        if kind == "str":
            return self.text(stored, place)
        if kind != "n":
            return stored  # an error, or a date as text
        code = self._at(place).code
        if code == GENERAL and stored.isdigit() and len(stored) <= _DIGITS:
            return stored
        return shown(stored, code, since_1904=self.since_1904)


def _style(element: Element, codes: Mapping[str, str], white: Sequence[bool], filled: Sequence[bool]) -> _Style:
    code = codes.get(value(element, "numFmtId") or "0", GENERAL)
    font, fill = _place(element, "fontId"), _place(element, "fillId")
    is_white = font < len(white) and white[font]
    return _Style(code, invisible=is_white and not (fill < len(filled) and filled[fill]))


def _place(element: Element, name: str) -> int:
    found = value(element, name) or "0"
    return int(found) if found.isdigit() else 0


def _is_white(font: Element) -> bool:
    color = child(font, "s:color")
    code = (value(color, "rgb") or "").upper()
    return code[-6:] == "FFFFFF" or (value(color, "theme") == _LIGHT and value(color, "tint") is None)


def _is_filled(fill: Element) -> bool:
    pattern = child(fill, "s:patternFill")
    if pattern is None:
        return child(fill, "s:gradientFill") is not None
    kind = value(pattern, "patternType") or "none"
    front = child(pattern, "s:fgColor")
    white = (value(front, "rgb") or "").upper()[-6:] == "FFFFFF" or value(front, "theme") == _LIGHT
    return kind != "none" and not (kind == "solid" and front is not None and white and value(front, "tint") is None)
