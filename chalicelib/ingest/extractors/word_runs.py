"""The text inside a paragraph of a text document: what is said, deleted, hidden, referred to, and anchored."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self
from urllib.parse import quote

from chalicelib.ingest.extractors.ooxml import (
    Element,
    Relation,
    child,
    descendants,
    is_on,
    name_of,
    text_of,
    value,
)
from chalicelib.ingest.extractors.symbols import shown
from chalicelib.ingest.extractors.word_styles import Styles

_WHITE = 0xFA
_SPECK = 2
"""Half-points: text of one point or less is there for machines only."""
_PRIVATE = re.compile("[\uf000-\uf0ff]")
"""Where symbol fonts have their signs."""
_LINKED = ("http://", "https://", "mailto:")


@dataclass(frozen=True, slots=True)
class Looks:
    """What lies behind a text, as far as white could be seen on it."""

    shaded: bool = False

    def inside(self, *, shaded: bool = False, styled: bool = False) -> Self:
        """The looks inside of something, which may have a fill of its own."""
        return replace(self, shaded=self.shaded or shaded or styled)


@dataclass(slots=True)
class Anchored:
    """What a paragraph holds besides its text."""

    drawings: list[Element] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


@dataclass
class Inline:
    """Reads paragraphs; remembers notes that were referred to, and counts what is left out."""

    relations: Mapping[str, Relation]
    styles: Styles
    left_out: Counter[str]
    notes: dict[str, dict[str, int]] = field(default_factory=lambda: {"footnotes": {}, "endnotes": {}})
    """Numbers of notes by their ids, by kind."""
    anchored: Anchored = field(default_factory=Anchored)

    def paragraph(self, element: Element, looks: Looks) -> str:
        """The text of a paragraph; line breaks are line breaks."""
        properties = child(element, "w:pPr")
        inside = looks.inside(shaded=_has_fill(properties))
        if self.styles.hidden(value(child(properties, "w:pStyle"))):
            self.left_out["invisible_text"] += _length(element)
            return ""
        return "".join(self._inside(element, inside))

    def take_anchored(self) -> Anchored:
        """What was anchored since the last time."""
        found, self.anchored = self.anchored, Anchored()
        return found

    def count_deleted(self, element: Element) -> None:
        """Count the text of a deletion, or of what was moved away."""
        self.left_out["deleted_text"] += _length(element)

    def chosen(self, element: Element) -> Element | None:
        """Of alternatives for the same thing, the first that holds anything."""
        return next((each for each in element if len(each)), None)

    def boxes(self, element: Element) -> Iterator[Element]:
        """The text boxes of a drawing, each once: alternatives of one, and boxes in boxes, are not told twice."""
        for each in element:
            name = name_of(each)
            if name == "w:txbxContent":
                yield each
            elif name == "mc:AlternateContent":
                chosen = self.chosen(each)
                yield from self.boxes(chosen) if chosen is not None else ()
            else:
                yield from self.boxes(each)

    def alternatives(self, element: Element) -> Iterator[str]:
        """What the drawing's pictures are described as."""
        for each in element.iter():
            if name_of(each).endswith(":docPr"):
                text = " ".join((value(each, "descr") or "").split())
                if text:
                    yield text

    def _inside(self, element: Element, looks: Looks) -> Iterator[str]:
        for each in element:
            name = name_of(each)
            if name == "w:r":
                yield from self._run(each, looks)
            elif name == "w:hyperlink":
                yield self._link(each, looks)
            elif name in {"w:del", "w:moveFrom"}:
                self.count_deleted(each)
            elif name in {"m:oMath", "m:oMathPara"}:
                yield "".join(text_of(part) for part in descendants(each, "m:t"))
            elif name == "mc:AlternateContent":
                chosen = self.chosen(each)
                yield from self._inside(chosen, looks) if chosen is not None else ()
            elif name not in {"w:pPr", "w:sdtPr", "w:sdtEndPr", "w:rPr"}:
                yield from self._inside(each, looks)

    def _run(self, element: Element, looks: Looks) -> Iterator[str]:
        if self._is_hidden(element, looks):
            self.left_out["invisible_text"] += _length(element)
            return
        for each in element:
            name = name_of(each)
            if handler := _HANDLERS.get(name):
                yield handler(self, each)
            elif name in {"w:drawing", "w:pict", "w:object"}:
                self.anchored.drawings.append(each)
            elif name == "mc:AlternateContent":
                chosen = self.chosen(each)
                yield from self._run(chosen, looks) if chosen is not None else ()
            elif name == "w:ruby":
                yield from self._ruby(each, looks)

    def _ruby(self, element: Element, looks: Looks) -> Iterator[str]:
        base, above = child(element, "w:rubyBase"), child(element, "w:rt")
        yield from self._inside(base, looks) if base is not None else ()
        reading = "".join(self._inside(above, looks)) if above is not None else ""
        if reading:
            yield f" ({reading})"

    def _is_hidden(self, run: Element, looks: Looks) -> bool:
        properties = child(run, "w:rPr")
        if properties is None:
            return False
        vanish = child(properties, "w:vanish")
        if vanish is not None:
            return is_on(vanish)
        if self.styles.hidden(value(child(properties, "w:rStyle"))):
            return True
        size = value(child(properties, "w:sz")) or ""
        if size.isdigit() and int(size) <= _SPECK:
            return True
        return _is_white(child(properties, "w:color")) and not (looks.shaded or _has_fill(properties))

    def _link(self, element: Element, looks: Looks) -> str:
        text = "".join(self._inside(element, looks))
        relation = self.relations.get(value(element, "id") or "")
        if not text.strip() or relation is None or not relation.target.lower().startswith(_LINKED):
            return text
        words = " ".join(text.split()).replace("[", r"\[").replace("]", r"\]")
        return f"[{words}]({quote(relation.target, safe='/:?#@!$&*+,;=%~._-')})"

    def note(self, kind: str, prefix: str, element: Element) -> str:
        """The mark of a note, numbered in the order of the text."""
        numbers = self.notes[kind]
        number = numbers.setdefault(value(element, "id") or "", len(numbers) + 1)
        return f"[^{prefix}{number}]"

    def remark(self, element: Element) -> str:
        """Remember a comment, which is told after the paragraph."""
        self.anchored.comments.append(value(element, "id") or "")
        return ""


def _symbol(element: Element) -> str:
    """A sign of a symbol font."""
    try:
        return shown(value(element, "font") or "", int(value(element, "char") or "", 16))
    except ValueError:
        return ""


def _said(element: Element) -> str:
    """Text, without what only a symbol font could show."""
    return _PRIVATE.sub("", text_of(element))


_HANDLERS: Mapping[str, Callable[[Inline, Element], str]] = {
    "w:t": lambda _, each: _said(each),
    "w:tab": lambda _, __: " ",
    "w:ptab": lambda _, __: " ",
    "w:br": lambda _, __: "\n",
    "w:cr": lambda _, __: "\n",
    "w:noBreakHyphen": lambda _, __: "\N{NON-BREAKING HYPHEN}",
    "w:sym": lambda _, each: _symbol(each),
    "w:footnoteReference": lambda self, each: self.note("footnotes", "", each),
    "w:endnoteReference": lambda self, each: self.note("endnotes", "e", each),
    "w:commentReference": lambda self, each: self.remark(each),
}


def _length(element: Element) -> int:
    return sum(len(text_of(each)) for each in element.iter() if name_of(each) in {"w:t", "w:delText"})


def _has_fill(properties: Element | None) -> bool:
    fill = (value(child(properties, "w:shd"), "fill") or "auto").lower()
    return fill not in {"auto", "ffffff"} or child(properties, "w:highlight") is not None


def _is_white(color: Element | None) -> bool:
    code = value(color) or ""
    try:
        return len(code) == 6 and min(bytes.fromhex(code)) >= _WHITE  # noqa: PLR2004 - RRGGBB
    except ValueError:
        return False
