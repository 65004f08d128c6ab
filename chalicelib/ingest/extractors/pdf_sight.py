"""What can be seen on a PDF page: its visible part, upright, and which texts are painted so that nobody could see them.

Invisible and white text, text of no size, and text off the page count as unseen. White on a fill or picture is seen.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

type Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points; the page as it is shown, upright."""

SPECK = 1.0
"""Points: text that is not higher is there for machines only."""
_WHITE = 250
_DEEP = 8
"""Forms in forms that are looked into."""


@dataclass
class Sight:
    """What decides whether a character can be seen."""

    width: float
    height: float
    unseen: set[int] = field(default_factory=set)
    """Text that is not painted."""
    white: set[int] = field(default_factory=set)
    """Text that shows only on something else: painted white, or a hole for what lies there."""
    grounds: list[Box] = field(default_factory=list)
    """What white could be seen on."""
    pictures: bool = False
    objects: int = 0

    def hides(self, box: Box, text_object: int) -> bool:
        """Whether the character in the box, which belongs to the object, cannot be seen."""
        left, bottom, right, top = box
        if top - bottom < SPECK or right <= 0 or top <= 0 or left >= self.width or bottom >= self.height:
            return True
        if text_object in self.unseen:
            return True
        across, up = (left + right) / 2, (bottom + top) / 2
        return text_object in self.white and not any(
            each[0] <= across <= each[2] and each[1] <= up <= each[3] for each in self.grounds
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """The page as it is shown: its visible part, turned upright."""

    left: float
    bottom: float
    right: float
    top: float
    turned: int
    """Quarters, clockwise."""

    @classmethod
    def of(cls, page: Any) -> "Frame":  # noqa: ANN401 - ctypes
        """The frame of a page."""
        edges = [ctypes.c_float() for _ in range(4)]
        found = pdfium.FPDFPage_GetCropBox(page, *edges) or pdfium.FPDFPage_GetMediaBox(page, *edges)
        turned = pdfium.FPDFPage_GetRotation(page)
        if not found:
            size = (pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page))
            return cls(0, 0, *(size if turned % 2 == 0 else size[::-1]), turned)
        left, bottom, right, top = (each.value for each in edges)
        return cls(min(left, right), min(bottom, top), max(left, right), max(bottom, top), turned)

    def upright(self, box: Box) -> Box:
        """A box of the page as it is shown."""
        left, bottom, right, top = box
        match self.turned:
            case 1:
                return bottom - self.bottom, self.right - right, top - self.bottom, self.right - left
            case 2:
                return self.right - right, self.top - top, self.right - left, self.top - bottom
            case 3:
                return self.top - top, left - self.left, self.top - bottom, right - self.left
            case _:
                return left - self.left, bottom - self.bottom, right - self.left, top - self.bottom

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as shown."""
        across, up = self.right - self.left, self.top - self.bottom
        return (up, across) if self.turned % 2 else (across, up)


def look(page: Any, frame: Frame) -> Sight:  # noqa: ANN401 - ctypes
    """What there is on a page besides characters, and which texts are not painted or white."""
    sight = Sight(*frame.size)
    for each in _objects(page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, 0):
        sight.objects += 1
        kind = pdfium.FPDFPageObj_GetType(each)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            _look_at_text(each, sight)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            sight.pictures = True
            _ground(each, sight, frame)
        elif kind != pdfium.FPDF_PAGEOBJ_PATH or _is_dark_fill(each):
            _ground(each, sight, frame)
    return sight


def _objects(holder: Any, count: Any, get: Any, depth: int) -> Iterator[Any]:  # noqa: ANN401 - ctypes
    for index in range(count(holder)):
        found = get(holder, index)
        if pdfium.FPDFPageObj_GetType(found) == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEP:
            yield from _objects(found, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, depth + 1)
        else:
            yield found


def _look_at_text(text: Any, sight: Sight) -> None:  # noqa: ANN401 - ctypes
    mode, color = pdfium.FPDFTextObj_GetTextRenderMode(text), _fill(text)
    if mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE:
        sight.unseen.add(address(text))
        return
    if mode == pdfium.FPDF_TEXTRENDERMODE_CLIP:
        # It shows as what is painted through it, if anything is.
        sight.white.add(address(text))
        return
    if color is not None and color[3] == 0:
        sight.unseen.add(address(text))
    elif color is not None and min(color[:3]) >= _WHITE:
        sight.white.add(address(text))


def _fill(found: Any) -> tuple[int, int, int, int] | None:  # noqa: ANN401 - ctypes
    parts = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(found, *parts):
        return None
    red, green, blue, alpha = (each.value for each in parts)
    return red, green, blue, alpha


def _is_dark_fill(path: Any) -> bool:  # noqa: ANN401 - ctypes
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    if not pdfium.FPDFPath_GetDrawMode(path, mode, stroke) or mode.value == pdfium.FPDF_FILLMODE_NONE:
        return False
    color = _fill(path)
    return color is None or (color[3] > 0 and min(color[:3]) < _WHITE)


def _ground(found: Any, sight: Sight, frame: Frame) -> None:  # noqa: ANN401 - ctypes
    edges = [ctypes.c_float() for _ in range(4)]
    if pdfium.FPDFPageObj_GetBounds(found, *edges):
        left, bottom, right, top = (each.value for each in edges)
        sight.grounds.append(frame.upright((left, bottom, right, top)))


def address(found: Any) -> int:  # noqa: ANN401 - ctypes
    """What tells one object of a page from another."""
    return ctypes.cast(found, ctypes.c_void_p).value or 0
