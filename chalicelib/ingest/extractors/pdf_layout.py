"""The order in which a page is read: columns before rows, rows from the top, tables by rows.

A gutter that few rows cross parts columns, if what stands on both sides is prose; tables and forms, whose cells are
short, are read row by row.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from chalicelib.ingest.extractors.pdf_glyphs import Run
from chalicelib.ingest.markdown import quiet, sentence, table

_PROSE = 14
"""Characters of a usual line of prose in a column."""
_CROSSING = 0.35
"""Share of rows that may cross a gutter: headings, figures, footnotes over all columns."""
_COLUMNS = 4
_BESIDE = 0.8
_TOUCHING = 0.15
"""Gaps between two runs of one line, in heights of it, up to which they are one, and without a blank."""
_BULLETS = re.compile(r"^[•◦▪‣●○■□➢–\uf0b7\uf0a7\u2219·]\s+")  # noqa: RUF001 - signs of bullets
_NUMBERED = re.compile(r"^(\d{1,3})[.)]\s+")
_SENTENCE_END = (".", "!", "?", ":", "。", "؟", "।")
_HEADING_CHARS = 200
_FEW = 3
_CELL = 30
"""Characters of a usual cell, in a table of few rows."""


@dataclass(slots=True)
class Row:
    """Runs on one line, in reading order."""

    runs: list[Run]

    @property
    def top(self) -> float:
        """Its upper edge."""
        return max(each.top for each in self.runs)

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return min(each.bottom for each in self.runs)

    @property
    def left(self) -> float:
        """Its left edge."""
        return min(each.left for each in self.runs)

    @property
    def right(self) -> float:
        """Its right edge."""
        return max(each.right for each in self.runs)

    @property
    def size(self) -> float:
        """The height of most of its text."""
        return max(self.runs, key=lambda each: len(each.text)).size

    @property
    def broken(self) -> bool:
        """Whether its last word goes on in the next row."""
        return self.runs[-1].broken

    @property
    def said(self) -> str:
        """Its text."""
        return " ".join(each.said for each in self.runs)


@dataclass(slots=True)
class Paragraph:
    """Rows that belong together."""

    rows: list[Row] = field(default_factory=list)

    @property
    def said(self) -> str:
        """Its text on one line, words put together that were broken at the end of a row."""
        text = ""
        for row in self.rows:
            text += row.said + ("" if row.broken else " ")
        return text.strip()


def blocks(runs: Sequence[Run], body: float) -> Iterator[tuple[str, bool, bool]]:
    """The Markdown blocks of a page: the text, whether it is an item of a list, and whether it is a heading.

    `body` is the height of a line of the document's usual text.
    """
    for band in _bands(_rows(runs), 0):
        for rows, cells in _stretches(band):
            if cells is not None:
                yield table(cells).rstrip(), False, False
                continue
            for paragraph in _paragraphs(rows):
                yield from _written(paragraph, body)


def _rows(runs: Sequence[Run]) -> list[Row]:
    """Runs that overlap in height, as rows from the top."""
    rows: list[Row] = []
    for run in sorted((each for each in runs if each.said), key=lambda each: -(each.top + each.bottom)):
        middle = (run.top + run.bottom) / 2
        last = rows[-1] if rows else None
        if last is not None and last.bottom < middle < last.top and _fits(last, run):
            last.runs.append(run)
        else:
            rows.append(Row([run]))
    for row in rows:
        backwards = sum(map(_is_rtl, row.runs)) * 2 > len(row.runs)
        row.runs.sort(key=lambda each: -each.right if backwards else each.left)
        if not backwards:
            row.runs = _joined(row.runs)
    return rows


def _joined(runs: list[Run]) -> list[Run]:
    """Runs put together where one goes on right beside the other, as raised figures do."""
    done: list[Run] = []
    for run in runs:
        gap = run.left - done[-1].right if done else 0
        if done and gap < _BESIDE * max(run.size, done[-1].size):
            last = done[-1]
            big = max(last, run, key=lambda each: each.size)
            text = [last.said, "" if gap < _TOUCHING * big.size else " ", run.said]
            done[-1] = Run(
                text,
                last.left,
                min(last.bottom, run.bottom),
                max(last.right, run.right),
                max(last.top, run.top),
                size=big.size,
                broken=run.broken,
            )
        else:
            done.append(run)
    return done


def _fits(row: Row, run: Run) -> bool:
    """Whether the run stands beside, not upon, what the row has."""
    return all(each.right <= run.left + 1 or run.right <= each.left + 1 for each in row.runs)


def _is_rtl(run: Run) -> bool:
    return any(unicodedata.bidirectional(each[-1]) in {"R", "AL"} for each in run.text[:20] if each)


def _bands(rows: list[Row], depth: int) -> Iterator[list[Row]]:
    """Rows that are read from top to bottom, one such stretch after the other."""
    gutter = _gutter(rows) if depth < _COLUMNS else None
    if gutter is None:
        yield rows
        return
    band: list[Row] = []
    for row in rows:
        if any(each.left < gutter < each.right for each in row.runs):
            yield from _columns(band, gutter, depth)
            band = []
            yield [row]
        else:
            band.append(row)
    yield from _columns(band, gutter, depth)


def _columns(band: list[Row], gutter: float, depth: int) -> Iterator[list[Row]]:
    for is_left in (True, False):
        sides = ([each for each in row.runs if (each.right <= gutter) is is_left] for row in band)
        if found := [Row(each) for each in sides if each]:
            yield from _bands(found, depth + 1)


def _gutter(rows: list[Row]) -> float | None:
    """Where a gutter parts the rows into two columns of prose; None if there is none."""
    if len(rows) < 4:  # noqa: PLR2004 - two rows in each of two columns
        return None
    left, right = min(each.left for each in rows), max(each.right for each in rows)
    runs = [run for row in rows for run in row.runs]
    candidates = {
        each.left - 0.5 for each in runs if left + (right - left) * 0.15 < each.left < left + (right - left) * 0.85
    }
    best: tuple[float, float] | None = None
    for place in candidates:
        crossing = sum(any(each.left < place < each.right for each in row.runs) for row in rows)
        if crossing > _CROSSING * len(rows):
            continue
        before = [each for each in runs if each.right <= place]
        after = [each for each in runs if each.left >= place]
        if _is_prose(before) and _is_prose(after):
            weight = (crossing, -place)
            best = min(best, weight) if best else weight
    return None if best is None else -best[1]


def _is_prose(runs: list[Run]) -> bool:
    """Whether the runs are lines of prose: several, long enough, and as long as their column is wide."""
    if len(runs) < 3:  # noqa: PLR2004 - fewer are a caption
        return False
    width = max(each.right for each in runs) - min(each.left for each in runs)
    return (
        median(len(each.text) for each in runs) >= _PROSE
        and median(each.right - each.left for each in runs) > width / 2
    )


def _paragraphs(rows: list[Row]) -> Iterator[Paragraph]:
    pitches = [before.bottom - after.bottom for before, after in pairwise(rows)]
    usual = median(pitches) if pitches else 0
    right = max((each.right for each in rows), default=0)
    current = Paragraph()
    for row in rows:
        if current.rows and _begins(current.rows[-1], row, usual, right):
            yield current
            current = Paragraph()
        current.rows.append(row)
    if current.rows:
        yield current


def _begins(before: Row, row: Row, usual: float, right: float) -> bool:
    """Whether a row begins a paragraph."""
    pitch = before.bottom - row.bottom
    if pitch > max(1.35 * min(usual, 1.5 * row.size), 1.6 * row.size):
        return True
    if abs(before.size - row.size) > 0.12 * max(before.size, row.size):
        return True
    if _BULLETS.match(row.said) or _NUMBERED.match(row.said):
        return True
    short = before.right < right - 0.15 * (right - before.left)
    return len(row.runs) == 1 and short and before.said.endswith(_SENTENCE_END)


def _written(paragraph: Paragraph, body: float) -> Iterator[tuple[str, bool, bool]]:
    rows = paragraph.rows
    text = paragraph.said
    if body and rows[0].size > 1.18 * body and len(text) < _HEADING_CHARS and any(each.isalpha() for each in text):
        level = "###" if rows[0].size > 1.5 * body else "####"
        yield f"{level} {quiet(text)}", False, True
        return
    bullet, number = _BULLETS.match(text), _NUMBERED.match(text)
    if bullet:
        yield f"- {sentence(text[bullet.end() :])}", True, False
    elif number:
        yield f"{number[1]}. {sentence(text[number.end() :])}", True, False
    else:
        yield sentence(text), False, False


def _stretches(rows: list[Row]) -> Iterator[tuple[list[Row], list[list[str]] | None]]:
    """Rows of prose, and rows that make a table, with its cells."""
    prose: list[Row] = []
    place = 0
    while place < len(rows):
        end = place
        while end < len(rows) and len(rows[end].runs) > 1:
            end += 1
        cells = _table(rows[place:end]) if end - place > 1 else None
        if cells is not None:
            if prose:
                yield prose, None
            yield rows[place:end], cells
            prose = []
        else:
            end = max(end, place + 1)
            prose += rows[place:end]
        place = end
    if prose:
        yield prose, None


def _table(rows: list[Row]) -> list[list[str]] | None:
    """The cells of rows whose runs stand under each other; None if they do not."""
    edges: list[list[float]] = []
    for run in sorted((run for row in rows for run in row.runs), key=lambda each: each.left):
        if edges and run.left < edges[-1][1]:
            edges[-1][1] = max(edges[-1][1], run.right)
        else:
            edges.append([run.left, run.right])
    cells = [_placed(row, edges) for row in rows]
    filled = [sum(map(bool, each)) for each in cells]
    # Gaps in lines of prose stand under each other by chance, and then for few lines.
    usual = median(len(run.text) for row in rows for run in row.runs)
    return cells if min(filled) > 1 and (len(rows) > _FEW or usual < _CELL) else None


def _placed(row: Row, edges: list[list[float]]) -> list[str]:
    cells = [""] * len(edges)
    for run in row.runs:
        place = next(index for index, each in enumerate(edges) if each[0] <= run.left <= each[1])
        cells[place] = f"{cells[place]} {run.said}".strip()
    return cells
