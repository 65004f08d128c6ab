"""Presentations (`.pptx`), read part by part with lxml.

A slide is a section with its number and title; what stands on it follows in the order of the slide, then comments and
the speaker's notes, marked as such. Left out by rule, and counted: hidden slides and shapes, what lies off the slide,
white text on white, and dates, footers and numbers of slides.
Source: ECMA-376 part 1, sections 19 and 21.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

from chalicelib.domain.errors import DocumentTooLarge
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.extractors.drawings import series_of, told
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
from chalicelib.ingest.extractors.shapes import Paragraph, Scene, paragraphs
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.markdown import quiet, sentence, table
from chalicelib.ingest.ports import Progress

EXTRACTOR = f"acervo-pptx/1 lxml/{version('lxml')}"

_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr"})
_TITLES = frozenset({"title", "ctrTitle"})
_OFF = frozenset({"0", "false"})


def extract(content: bytes, limits: Limits, progress: Progress) -> Extraction:
    """The presentation as Markdown.

    Raises DocumentEncrypted, DocumentUnreadable, DocumentTooLarge, DocumentEmpty, DocumentHasNoText,
    UnsupportedFormat.
    """
    package = Package.of(content, limits, "pptx")
    main = package.main() or ""
    root = package.tree(main)
    relations = package.relations(main)
    slides = [relations[each].target for each in _slide_ids(root) if each in relations]
    if len(slides) > limits.pages:
        raise DocumentTooLarge(what="slides", limit=limits.pages)
    output = Output(limits, {"slides": str(len(slides))})
    deck = _Deck(package, output, _size(root))
    for number, each in enumerate(slides, 1):
        deck.slide(number, each)
        progress(number, len(slides))
    output.left_out["embedded_objects"] += len(package.names("ppt/embeddings/"))
    return output.extraction(EXTRACTOR, deck.title or package.core_title(), pictures=deck.pictures)


def _slide_ids(root: Element | None) -> Iterator[str]:
    """The references to slides: their relation is the attribute with a namespace, not the plain `id`."""
    for each in children(child(root, "p:sldIdLst"), "p:sldId"):
        yield next((str(found) for name, found in each.attrib.items() if name.endswith("}id")), "")


def _size(root: Element | None) -> tuple[int, int]:
    size = child(root, "p:sldSz")
    width, height = value(size, "cx") or "", value(size, "cy") or ""
    return (int(width), int(height)) if width.isdigit() and height.isdigit() else (0, 0)


@dataclass
class _Deck:
    package: Package
    output: Output
    size: tuple[int, int]
    title: str | None = None
    pictures: bool = False
    relations: Mapping[str, Relation] = field(default_factory=dict)

    def slide(self, number: int, part: str) -> None:
        """Write one slide with its comments and notes."""
        root = self.package.tree(part)
        if root is None:
            return
        if (value(root, "show") or "1").lower() in _OFF:
            self.output.left_out["hidden_slides"] += 1
            return
        self.relations = self.package.relations(part)
        shapes = child(root, "p:cSld", "p:spTree")
        title = " ".join(self._title(shapes)) if shapes is not None else ""
        self.title = self.title or title or None
        self.output.add(f"## Slide {number}{': ' + quiet(title) if title else ''}", ours=not title)
        scene = Scene.of(self.package, root, self.relations, self.size)
        for block, close in self._shapes(shapes, scene):
            self.output.add(block, close=close)
        for kind in ("comments", "notesSlide"):
            for each in self.relations.values():
                if each.kind == kind and not each.external:
                    self._beside(kind, each.target)

    def _title(self, shapes: Element) -> Iterator[str]:
        for shape in descendants(shapes, "p:sp"):
            if _placeholder(shape) in _TITLES and not _hidden(shape):
                yield from (" ".join(each.text.split()) for each in paragraphs(shape, self.output.left_out))

    def _shapes(self, group: Element | None, scene: Scene) -> Iterator[tuple[str, bool]]:
        for each in series_of(group) if group is not None else ():
            name = name_of(each)
            if name not in {"p:sp", "p:grpSp", "p:graphicFrame", "p:pic", "p:cxnSp"}:
                continue
            if _hidden(each) or scene.is_off(each):
                self.output.left_out["invisible_text"] += _length(each)
            elif name == "p:grpSp":
                yield from self._shapes(each, scene.inside(each))
            else:
                yield from self._shape(each, name, scene)
                scene.covered(each)

    def _shape(self, shape: Element, name: str, scene: Scene) -> Iterator[tuple[str, bool]]:
        if name == "p:graphicFrame":
            yield from ((each, False) for each in self._frame(shape))
            return
        if name == "p:pic":
            self.pictures = True
        kind = _placeholder(shape)
        if kind in _FURNITURE:
            self.output.left_out["headers_and_footers"] += bool(_length(shape))
        elif kind not in _TITLES:
            found = paragraphs(shape, self.output.left_out, on_white=not scene.is_filled(shape))
            yield from _blocks(found, listed=kind in {"body", "obj", ""})
        description = value(next(_own_properties(shape), None), "descr") or ""
        if name == "p:pic" and description.strip():
            yield f"Image: {quiet(' '.join(description.split()))}", False

    def _frame(self, frame: Element) -> Iterator[str]:
        for each in descendants(frame, "a:tbl"):
            rows = [_row(row, self.output.left_out) for row in children(each, "a:tr")]
            if any(any(found) for found in rows):
                yield table(rows).rstrip()
        yield from told(frame, self.package, self.relations)

    def _beside(self, kind: str, part: str) -> None:
        root = self.package.tree(part)
        if root is None:
            return
        if kind == "comments":
            for text in _comments(root):
                self.output.add(f"> Comment: {quiet(text)}")
            return
        notes = [
            each
            for shape in descendants(root, "p:sp")
            if _placeholder(shape) not in {"sldImg", *_FURNITURE}
            for each in paragraphs(shape, self.output.left_out)
        ]
        if any(each.text.strip() for each in notes):
            self.output.add("### Notes", ours=True)
            for block, close in _blocks(notes, listed=False):
                self.output.add(block, close=close)


def _blocks(found: Iterator[Paragraph] | list[Paragraph], *, listed: bool) -> Iterator[tuple[str, bool]]:
    """Paragraphs as Markdown: items where the shape makes a list of them."""
    for each in found:
        lines = [" ".join(line.split()) for line in each.text.split("\n")]
        lines = [line for line in lines if line]
        if not lines:
            continue
        if each.bullet if each.bullet is not None else listed and each.level > 0:
            indent = "    " * each.depth
            yield f"{indent}- " + f"\n{indent}  ".join(map(sentence, lines)), True
        else:
            yield "\n".join(map(sentence, lines)), False


def _row(row: Element, left_out: Counter[str]) -> list[str]:
    """The cells of a row: one that spans others is told once, those it covers are empty."""
    cells = []
    for each in children(row, "a:tc"):
        covered = any((value(each, name) or "0") not in _OFF for name in ("hMerge", "vMerge"))
        cells.append(
            "" if covered else " ".join(" ".join(part.text.split()) for part in paragraphs(each, left_out)).strip()
        )
    return cells


def _comments(root: Element) -> Iterator[str]:
    """The texts of comments, as PowerPoint wrote them before 2021 and as it does since."""
    for each in root:
        legacy = child(each, "p:text")
        words = [text_of(legacy)] if legacy is not None else [text_of(part) for part in descendants(each, "a:t")]
        text = " ".join(" ".join(words).split())
        if text:
            yield text


def _placeholder(shape: Element) -> str | None:
    """What the shape is a place for: `title`, `body`, …; None if it is none."""
    found = next((each for each in shape.iter() if name_of(each) == "p:ph"), None)
    return None if found is None else value(found, "type") or ""


def _own_properties(shape: Element) -> Iterator[Element]:
    """The shape's own name, description and visibility."""
    for each in shape:
        if name_of(each).startswith("p:nv"):
            yield from children(each, "p:cNvPr")


def _hidden(shape: Element) -> bool:
    return any((value(each, "hidden") or "0").lower() not in _OFF for each in _own_properties(shape))


def _length(shape: Element) -> int:
    return sum(len(text_of(each)) for each in descendants(shape, "a:t"))
