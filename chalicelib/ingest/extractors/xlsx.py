"""Workbooks (`.xlsx`), sheets streamed with lxml.

A sheet is a section; each run of rows without a blank one is a table of the columns it uses. Cells show what a person
sees: the stored result of a formula, under the cell's number format. Left out by rule, and counted: hidden sheets, rows
and columns, and white text on white.
Source: ECMA-376 part 1, section 18.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from chalicelib.domain.errors import DocumentTooLarge
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.extractors.drawings import told
from chalicelib.ingest.extractors.ooxml import (
    Element,
    Package,
    Relation,
    child,
    children,
    descendants,
    name_of,
    text_of,
    value,
)
from chalicelib.ingest.extractors.output import Output
from chalicelib.ingest.extractors.sheet_styles import SheetStyles
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.markdown import cell, quiet, sentence, table
from chalicelib.ingest.ports import Progress

EXTRACTOR = f"acervo-xlsx/1 lxml/{version('lxml')}"

_REFERENCE = re.compile(r"([A-Z]{1,3})\d*")
_ON = frozenset({"1", "true"})
_COLUMNS = 16_384
_SHORT = 3
"""Rows that are checked against the limit at once are at least so many."""


def extract(content: bytes, limits: Limits, progress: Progress) -> Extraction:
    """The workbook as Markdown.

    Raises DocumentEncrypted, DocumentUnreadable, DocumentTooLarge, DocumentEmpty, DocumentHasNoText,
    UnsupportedFormat.
    """
    package = Package.of(content, limits, "xlsx")
    main = package.main() or ""
    root = package.tree(main)
    relations = package.relations(main)
    sheets = list(children(child(root, "s:sheets"), "s:sheet"))
    if len(sheets) > limits.pages:
        raise DocumentTooLarge(what="sheets", limit=limits.pages)
    output = Output(limits, {"sheets": str(len(sheets))})
    parts = {each.kind: each.target for each in relations.values() if not each.external}
    since_1904 = (value(child(root, "s:workbookPr"), "date1904") or "").lower() in _ON
    book = _Book(
        package=package,
        output=output,
        strings=_strings(package, parts.get("sharedStrings")),
        styles=SheetStyles.of(package, parts.get("styles"), since_1904=since_1904),
    )
    for number, each in enumerate(sheets, 1):
        if (value(each, "state") or "visible").lower() != "visible":
            output.left_out["hidden_sheets"] += 1
        else:
            relation = relations.get(_relation_id(each))
            book.sheet(value(each, "name") or f"Sheet {number}", relation.target if relation else "")
        progress(number, len(sheets))
    return output.extraction(EXTRACTOR, package.core_title(), pictures=book.pictures)


def _relation_id(sheet: Element) -> str:
    return next((str(found) for name, found in sheet.attrib.items() if name.endswith("}id")), "")


def _strings(package: Package, part: str | None) -> list[str]:
    """The texts that cells share."""
    if part is None or package.open(part) is None:
        return []
    return [rich_text(each) for each in package.stream(part, {"s:sst"}, ("si",))]


def rich_text(element: Element) -> str:
    """A text in runs, without how it is pronounced."""
    parts = []
    for each in element:
        name = name_of(each)
        if name == "s:t":
            parts.append(text_of(each))
        elif name == "s:r":
            parts += [text_of(found) for found in children(each, "s:t")]
    return "".join(parts)


@dataclass
class _Book:
    package: Package
    output: Output
    strings: Sequence[str]
    styles: SheetStyles
    pictures: bool = False

    def sheet(self, name: str, part: str) -> None:
        """Write one sheet, its comments, and what its drawings say."""
        self.output.add(f"## {quiet(' '.join(name.split()))}", ours=True)
        relations = self.package.relations(part)
        if self.package.open(part) is not None:
            grid = _Grid(self.output, self.strings, self.styles)
            for element in self.package.stream(part, {"s:sheetData", "s:cols"}, ("row", "col")):
                grid.read(element)
            grid.flush()
        for each in relations.values():
            if not each.external and each.kind in {"comments", "threadedComment", "drawing"}:
                self._beside(each, threaded=any(other.kind == "threadedComment" for other in relations.values()))

    def _beside(self, relation: Relation, *, threaded: bool) -> None:
        root = self.package.tree(relation.target)
        if root is None:
            return
        if relation.kind == "drawing":
            self._drawing(root, self.package.relations(relation.target))
        elif relation.kind == "threadedComment":
            for each in root:
                self._comment(value(each, "ref"), "", " ".join(text_of(part) for part in each))
        elif not threaded:
            # With threads, the older comments only say that there are threads.
            authors = [text_of(each) for each in descendants(root, "s:author")]
            for each in descendants(root, "s:comment"):
                place = value(each, "authorId") or ""
                author = authors[int(place)] if place.isdigit() and int(place) < len(authors) else ""
                text = child(each, "s:text")
                self._comment(value(each, "ref"), author, rich_text(text) if text is not None else "")

    def _comment(self, reference: str | None, author: str, text: str) -> None:
        who = ", ".join(filter(None, (reference, " ".join(author.split()))))
        if text.strip():
            self.output.add(f"> Comment ({quiet(who)}): {quiet(' '.join(text.split()))}")

    def _drawing(self, root: Element, relations: Mapping[str, Relation]) -> None:
        for each in descendants(root, "a:p"):
            text = " ".join("".join(text_of(run) for run in descendants(each, "a:t")).split())
            self.output.add(sentence(text))
        for block in told(root, self.package, relations):
            if not block.startswith("|"):  # A chart's figures are in the cells.
                self.output.add(block)
        self.pictures = self.pictures or any(name_of(each).endswith(":pic") for each in root.iter())


@dataclass
class _Grid:
    """The cells of a sheet on their way to tables."""

    output: Output
    strings: Sequence[str]
    styles: SheetStyles
    hidden: set[int] = field(default_factory=set)
    """Columns that are not shown."""
    rows: list[dict[int, str]] = field(default_factory=list)
    last: int = 0
    """The number of the last row that held anything."""
    number: int = 0
    size: int = 0

    def read(self, element: Element) -> None:
        """Take a row, or what is said of some columns."""
        if name_of(element) == "s:col":
            if (value(element, "hidden") or "").lower() in _ON:
                first, last = value(element, "min") or "", value(element, "max") or ""
                if first.isdigit() and last.isdigit():
                    self.hidden.update(range(int(first), min(int(last), _COLUMNS) + 1))
            return
        said = element.get("r") or ""
        self.number = int(said) if said.isdigit() else self.number + 1
        cells = dict(self._cells(element))
        if (element.get("hidden") or "").lower() in _ON:
            self.output.left_out["hidden_cells"] += len(cells)
            return
        if not cells:
            return
        if self.rows and self.number != self.last + 1:
            self.flush()
        self.last = self.number
        self.rows.append(cells)
        self.size += sum(map(len, cells.values())) + 3 * len(cells)
        if self.size > self.output.limits.output_bytes:
            raise DocumentTooLarge(what="bytes of text", limit=self.output.limits.output_bytes)

    def flush(self) -> None:
        """Write the rows that were read as one table, or as a line if it is a single cell."""
        rows, self.rows = self.rows, []
        columns = sorted({column for row in rows for column in row})
        if not columns:
            return
        if len(rows) * len(columns) * _SHORT > self.output.limits.output_bytes:
            raise DocumentTooLarge(what="cells", limit=self.output.limits.output_bytes // _SHORT)
        if len(columns) == 1 and len(rows) == 1:
            self.output.add(sentence(cell(rows[0][columns[0]])))
            return
        self.output.add(table([[row.get(column, "") for column in columns] for row in rows]).rstrip())

    def _cells(self, row: Element) -> Iterator[tuple[int, str]]:
        column = 0
        for each in row:
            found = _REFERENCE.match(each.get("r") or "")
            column = _index(found[1]) if found else column + 1
            style = each.get("s") or "0"
            text = self._shown(each, style)
            if not text.strip():
                continue
            if column in self.hidden:
                self.output.left_out["hidden_cells"] += 1
            elif self.styles.is_invisible(style):
                self.output.left_out["invisible_text"] += len(text)
            else:
                yield column, text

    def _shown(self, element: Element, style: str) -> str:
        kind = element.get("t") or "n"
        if kind == "inlineStr":
            inline = child(element, "s:is")
            return rich_text(inline) if inline is not None else ""
        stored = next((text_of(each) for each in element if name_of(each) == "s:v"), "")
        if not stored:
            return ""
        if kind == "s":
            place = stored.strip()
            text = self.strings[int(place)] if place.isdigit() and int(place) < len(self.strings) else ""
            return self.styles.text(text, style)
        return self.styles.shown(kind, stored, style)


def _index(letters: str) -> int:
    """The number of a column, from 1."""
    number = 0
    for each in letters:
        number = number * 26 + ord(each) - 64
    return number
