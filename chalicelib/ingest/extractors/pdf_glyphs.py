"""The text of a PDF page as runs: stretches of characters on one line without a gap, with where they stand.

Characters come from PDFium in its order; what nobody could see is left out and counted: invisible and white text, text
of no size, and text off the page.
"""

import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from chalicelib.ingest.extractors.pdf_sight import SPECK, Box, Frame, Sight, address

_ENDS = frozenset({0x0A, 0x0D})
_HYPHENS = frozenset({0x02, 0xFFFE})
"""How PDFium marks a hyphen that only the end of a line asked for."""
_LEFTWARD = frozenset({"R", "AL"})
_BLANKS = frozenset({0x09, 0x20, 0xA0})
_SHAPED = re.compile("[\ufb00-\ufdff\ufe70-\ufefc]")
"""Ligatures, and letters in the shape that their place in a word gives them."""
_SLANT = 0.35
"""Radians from upright beyond which text runs along another direction."""


@dataclass(slots=True)
class Run:
    """Characters that stand side by side."""

    text: list[str]
    left: float
    bottom: float
    right: float
    top: float
    size: float
    """Of its first character's font, in points."""
    broken: bool = False
    """Whether its last word goes on in the next line."""
    ascending: int = 0
    """By how much more often a letter of a script from the right stood right of what came before it than left."""
    last: float = math.inf
    """The left edge of its last character."""

    @property
    def said(self) -> str:
        """Its text, in the order in which it is read."""
        return logical(self.text, visual=self.ascending > 0)

    def grow(self, character: str, box: Box) -> None:
        """Add a character."""
        self.text.append(character)
        if unicodedata.bidirectional(character[-1]) in _LEFTWARD:
            # The letters of one sign share its box, and come turned round.
            self.ascending += 1 if box[0] >= self.last else -1
        self.last = box[0]
        self.left, self.right = min(self.left, box[0]), max(self.right, box[2])
        self.bottom, self.top = min(self.bottom, box[1]), max(self.top, box[3])


@dataclass(slots=True)
class Page:
    """The text of a page: runs in PDFium's order, and text along other directions, by its lines."""

    runs: list[Run] = field(default_factory=list)
    aslant: list[str] = field(default_factory=list)


def read(text_page: Any, frame: Frame, sight: Sight, left_out: Counter[str]) -> Page:  # noqa: ANN401 - ctypes
    """The text of a page that can be seen; characters that cannot are counted."""
    reader = _Reader(text_page, frame, sight, left_out)
    for index in range(pdfium.FPDFText_CountChars(text_page)):
        code = pdfium.FPDFText_GetUnicode(text_page, index)
        if code in _ENDS:
            reader.end()
        elif code in _HYPHENS and reader.run is not None:
            reader.run.broken = True
        elif code in _BLANKS:
            reader.space = True
        elif code >= 0x20 or code == 0:  # noqa: PLR2004 - no control character
            reader.character(index, code)
    return reader.page


@dataclass
class _Reader:
    """Puts characters together, one after the other."""

    text_page: Any
    frame: Frame
    sight: Sight
    left_out: Counter[str]
    page: Page = field(default_factory=Page)
    run: Run | None = None
    """The one that may go on."""
    space: bool = False
    """Whether a blank came since the last character."""
    ended: bool = False
    """Whether a line ended since the last character."""

    def end(self) -> None:
        """A line ends."""
        self.run, self.space, self.ended = None, False, True

    def character(self, index: int, code: int) -> None:
        """Take a character, if it can be seen."""
        rect = pdfium.FS_RECTF()
        pdfium.FPDFText_GetLooseCharBox(self.text_page, index, rect)
        box = self.frame.upright((rect.left, rect.bottom, rect.right, rect.top))
        if self.sight.hides(box, self._owner(index)):
            self.left_out["invisible_text"] += 1
            return
        # A glyph whose meaning the file does not tell is not left out silently.
        character = chr(code) if code else "\N{REPLACEMENT CHARACTER}"
        self.left_out["unknown_characters"] += not code
        said = f" {character}" if self.space else character
        if _is_aslant(pdfium.FPDFText_GetCharAngle(self.text_page, index), self.frame.turned):
            _add_aslant(self.page.aslant, said, begins=self.ended)
            self.run = None
        elif self.run is None or _apart(self.run, box):
            size = _size(self.text_page, index, box)
            self.run = Run([character], *box, size=size, last=box[0])
            self.page.runs.append(self.run)
        else:
            self.run.grow(said, box)
        self.space = self.ended = False

    def _owner(self, index: int) -> int:
        """The object that a character belongs to, where that matters."""
        if not (self.sight.unseen or self.sight.white):
            return 0
        return address(pdfium.FPDFText_GetTextObject(self.text_page, index))


def _size(text_page: Any, index: int, box: Box) -> float:  # noqa: ANN401 - ctypes
    """The size of a character's font as it is painted, in points."""
    matrix = pdfium.FS_MATRIX()
    size: float = pdfium.FPDFText_GetFontSize(text_page, index)
    if pdfium.FPDFText_GetMatrix(text_page, index, matrix):
        size *= math.hypot(matrix.c, matrix.d)
    return size if size >= SPECK else box[3] - box[1]


def _is_aslant(angle: float, turned: int) -> bool:
    """Whether a character runs neither to the right nor to the left, on the page as it is shown."""
    return abs(math.sin(angle + turned * math.pi / 2)) > _SLANT


def _add_aslant(lines: list[str], said: str, *, begins: bool) -> None:
    if begins or not lines:
        lines.append("")
    lines[-1] += said


def _apart(run: Run, box: Box) -> bool:
    """Whether a character stands on another line than the run, or too far from it."""
    left, bottom, right, top = box
    height = max(run.size, top - bottom)
    if min(run.top, top) - max(run.bottom, bottom) < 0.3 * min(run.size, top - bottom):
        return True
    return max(left - run.right, run.left - right) > height


def logical(characters: list[str], *, visual: bool) -> str:
    """Characters in the order in which they are read; `visual` ones stand as the eye sees them, from the left."""
    text = "".join(characters)
    if _SHAPED.search(text):
        text = _SHAPED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    if visual and any(unicodedata.bidirectional(each) in _LEFTWARD for each in text):
        text = _BACKWARDS.sub(lambda found: found[0][::-1], text[::-1])
    return text.strip()


_BACKWARDS = re.compile(r"[A-Za-z0-9\u00c0-\u024f](?:[^\u0590-\u08ff\ufb1d-\ufefc]*[A-Za-z0-9\u00c0-\u024f])?")
"""Numbers and Latin words, which run from the left even among letters that do not."""
