"""Text documents (`.docx`), read part by part with lxml.

Headings, lists and tables become Markdown's; notes become footnotes; a comment stands after the paragraph it belongs
to. Insertions count, deletions do not. Text boxes follow the paragraph that anchors them. Left out by rule, and
counted: headers and footers, deleted and invisible text, embedded objects.
Source: ECMA-376 part 1, section 17.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

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
from chalicelib.ingest.extractors.word_runs import Inline, Looks
from chalicelib.ingest.extractors.word_styles import Numbering, Styles
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.markdown import quiet, sentence, table
from chalicelib.ingest.ports import Progress

EXTRACTOR = f"acervo-docx/1 lxml/{version('lxml')}"

_BODY = (
    "p",
    "tbl",
    "sdt",
    "customXml",
    "ins",
    "del",
    "moveTo",
    "moveFrom",
    "AlternateContent",
    "altChunk",
    "oMathPara",
)
_WRAPPERS = frozenset(
    {"w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "mc:Choice", "mc:Fallback", "w:body"}
)
_STEP = 200
"""Paragraphs and tables between two words on progress."""


def extract(content: bytes, limits: Limits, progress: Progress) -> Extraction:
    """The document as Markdown.

    Raises DocumentEncrypted, DocumentUnreadable, DocumentTooLarge, DocumentEmpty, DocumentHasNoText,
    UnsupportedFormat.
    """
    package = Package.of(content, limits, "docx")
    return _Reader.of(package, Output(limits)).read(progress)


@dataclass
class _Reader:
    package: Package
    main: str
    relations: Mapping[str, Relation]
    styles: Styles
    numbering: Numbering
    output: Output
    inline: Inline
    comments: Mapping[str, Element]
    title: str | None = None
    open_levels: list[int] = field(default_factory=list)
    """Levels of the list that the last paragraph was in."""
    pictures: bool = False

    @classmethod
    def of(cls, package: Package, output: Output) -> "_Reader":
        main = package.main() or ""
        relations = package.relations(main)
        parts = {each.kind: each.target for each in relations.values() if not each.external}
        styles = Styles.of(package, parts.get("styles"))
        root = package.tree(parts["comments"]) if "comments" in parts else None
        return cls(
            package=package,
            main=main,
            relations=relations,
            styles=styles,
            numbering=Numbering.of(package, parts.get("numbering")),
            output=output,
            inline=Inline(relations, styles, output.left_out),
            comments={value(each, "id") or "": each for each in children(root, "w:comment")},
        )

    def read(self, progress: Progress) -> Extraction:
        for number, element in enumerate(self.package.stream(self.main, {"w:body"}, _BODY), 1):
            for block, close in self.blocks(element, Looks()):
                self.output.add(block, close=close)
            if number % _STEP == 0:
                progress(number, 0)
        self._notes()
        self._left_out()
        title = self.title or self.package.core_title()
        return self.output.extraction(EXTRACTOR, title, pictures=self.pictures)

    def blocks(self, element: Element, looks: Looks) -> Iterator[tuple[str, bool]]:
        """The Markdown blocks of an element of the body, and whether each belongs close to its neighbours."""
        name = name_of(element)
        if name == "w:p":
            yield from self._paragraph(element, looks)
        elif name == "w:tbl":
            yield from self._table(element, looks)
        elif name in _WRAPPERS:
            for each in element:
                yield from self.blocks(each, looks)
        elif name == "m:oMathPara":
            yield quiet("".join(text_of(each) for each in descendants(element, "m:t"))), False
        else:
            yield from self._unusual(name, element, looks)

    def _unusual(self, name: str, element: Element, looks: Looks) -> Iterator[tuple[str, bool]]:
        if name == "mc:AlternateContent":
            chosen = self.inline.chosen(element)
            yield from self.blocks(chosen, looks) if chosen is not None else ()
        elif name in {"w:del", "w:moveFrom"}:
            self.inline.count_deleted(element)
        elif name == "w:altChunk":
            self.output.left_out["embedded_objects"] += 1

    def _paragraph(self, element: Element, looks: Looks) -> Iterator[tuple[str, bool]]:
        properties = child(element, "w:pPr")
        text = self.inline.paragraph(element, looks)
        anchored = self.inline.take_anchored()
        heading = self.styles.heading(properties)
        listed = self.styles.numbering(properties)
        lines = [" ".join(line.split()) for line in text.split("\n")]
        lines = [line for line in lines if line]
        if lines:
            yield self._written(lines, heading, listed)
        for each in anchored.drawings:
            yield from self._drawing(each)
        for comment in anchored.comments:
            yield from self._comment(comment)

    def _written(self, lines: list[str], heading: int | None, listed: tuple[str, int] | None) -> tuple[str, bool]:
        if heading is not None:
            self.open_levels = []
            label = self.numbering.label(*listed)[1] if listed else ""
            text = " ".join(filter(None, (label, *lines)))
            self.title = self.title or text
            return "#" * heading + " " + quiet(text), False
        if listed is None:
            self.open_levels = []
            return "\n".join(map(sentence, lines)), False
        return self._item(lines, *listed), True

    def _item(self, lines: list[str], number: str, level: int) -> str:
        kind, label = self.numbering.label(number, level)
        self.open_levels = [each for each in self.open_levels if each < level]
        indent = " " * (4 * len(self.open_levels))
        self.open_levels.append(level)
        plain = label.rstrip(".)")
        if kind == "decimal" and plain.isdigit() and len(plain) < 10 and label != plain:  # noqa: PLR2004 - CommonMark's limit
            mark, first = f"{plain}.", sentence(lines[0])
        else:
            mark, first = "-", sentence(f"{label} {lines[0]}".strip()) if label else sentence(lines[0])
        return "\n".join([f"{indent}{mark} {first}", *(f"{indent}  {sentence(each)}" for each in lines[1:])])

    def _table(self, element: Element, looks: Looks) -> Iterator[tuple[str, bool]]:
        self.open_levels = []
        styled = looks.inside(styled=child(element, "w:tblPr", "w:tblStyle") is not None)
        rows = [self._row(each, styled) for each in _rows(element)]
        kept = [row for row in rows if row is not None]
        if len(kept) == 1 and len(kept[0]) == 1:
            # A table of one cell is a frame around something.
            yield from ((block, False) for block in kept[0][0])
            return
        cells = [[" ".join(blocks) for blocks in row] for row in kept]
        if any(any(each.strip() for each in row) for row in cells):
            yield table(cells, ready=True).rstrip(), False

    def _row(self, element: Element, looks: Looks) -> list[list[str]] | None:
        properties = child(element, "w:trPr")
        if child(properties, "w:del") is not None:
            self.inline.count_deleted(element)
            return None
        before = _number(child(properties, "w:gridBefore"))
        cells: list[list[str]] = [[] for _ in range(before)]
        for each in _through(element, "w:tc"):
            setting = child(each, "w:tcPr")
            merged = child(setting, "w:vMerge")
            continues = merged is not None and value(merged) != "restart"
            shaded = looks.inside(shaded=is_shaded(child(setting, "w:shd")))
            cells.append([] if continues else self._cell(each, shaded))
            cells += [[] for _ in range(_number(child(setting, "w:gridSpan")) - 1)]
        return cells

    def _cell(self, element: Element, looks: Looks) -> list[str]:
        found = []
        for each in element:
            for block, _ in self.blocks(each, looks):
                found.append(block)
        self.open_levels = []
        return found

    def _drawing(self, element: Element) -> Iterator[tuple[str, bool]]:
        self.pictures = True
        for each in self.inline.boxes(element):
            for inner in each:
                yield from self.blocks(inner, Looks(shaded=True))
        for block in told(element, self.package, self.relations):
            yield block, False
        for alternative in self.inline.alternatives(element):
            yield f"Image: {quiet(alternative)}", False

    def _comment(self, comment_id: str) -> Iterator[tuple[str, bool]]:
        found = self.comments.get(comment_id)
        text = self._flat(found) if found is not None else ""
        if text:
            author = " ".join((value(found, "author") or "").split())[:100]
            yield f"> Comment{f' ({quiet(author)})' if author else ''}: {text}", False

    def _notes(self) -> None:
        """Footnotes and endnotes, in the order in which the text refers to them."""
        for kind, prefix in (("footnotes", ""), ("endnotes", "e")):
            part = next((each.target for each in self.relations.values() if each.kind == kind), None)
            root = self.package.tree(part) if part else None
            notes = {value(each, "id") or "": each for each in root} if root is not None else {}
            asked = self.inline.notes[kind]
            for note_id, number in list(asked.items()):
                if note_id in notes:
                    self.output.add(f"[^{prefix}{number}]: {self._flat(notes[note_id]) or ' '}", close=True)

    def _flat(self, element: Element) -> str:
        """The blocks of a note or comment on one line."""
        found = [block for each in element for block, _ in self.blocks(each, Looks())]
        return " ".join(" ".join(found).split())

    def _left_out(self) -> None:
        left_out = self.output.left_out
        for each in self.relations.values():
            if each.kind in {"header", "footer"} and not each.external:
                root = self.package.tree(each.target)
                left_out["headers_and_footers"] += root is not None and any(
                    text_of(run).strip() for run in descendants(root, "w:t")
                )
        left_out["embedded_objects"] += len(self.package.names("word/embeddings/"))


def is_shaded(shading: Element | None) -> bool:
    """Whether the fill is a colour on which white can be seen."""
    fill = (value(shading, "fill") or "auto").lower()
    return shading is not None and (fill not in {"auto", "ffffff"} or value(shading, "themeFill") is not None)


def _rows(element: Element) -> Iterator[Element]:
    return _through(element, "w:tr")


def _through(element: Element, name: str) -> Iterator[Element]:
    """The children of that name, also those that content controls or revisions wrap."""
    for each in element:
        if name_of(each) == name:
            yield each
        elif name_of(each) in _WRAPPERS:
            yield from _through(each, name)


def _number(element: Element | None) -> int:
    found = value(element) or "0"
    return min(int(found), 100) if found.isdigit() and len(found) < 5 else 0  # noqa: PLR2004 - of any sane table
