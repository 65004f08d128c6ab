"""Shapes of slides: the paragraphs in them, and whether anybody could see them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from chalicelib.ingest.extractors.ooxml import Element, Package, Relation, child, descendants, name_of, text_of, value

_FILLS = frozenset({"a:solidFill", "a:gradFill", "a:blipFill", "a:pattFill", "p:blipFill"})
_WHITE = 0xFA
_SPECK = 100
"""Hundredths of a point: text of one point or less is there for machines only."""

type Frame = tuple[int, int, int, int]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a shape."""

    text: str
    level: int
    bullet: bool | None
    """Whether it says that it is an item of a list; None if it leaves that to its shape."""
    depth: int = 0
    """Of an item, below the items before it."""


def paragraphs(shape: Element, left_out: Counter[str], *, on_white: bool = False) -> Iterator[Paragraph]:
    """The paragraphs of a shape; what nobody can read is counted in `left_out`, white text only on white."""
    open_levels: list[int] = []
    for each in descendants(shape, "a:p"):
        properties = child(each, "a:pPr")
        level = value(properties, "lvl") or "0"
        depth_of = int(level) if level.isdigit() and len(level) == 1 else 0
        bullet = _bullet(properties)
        open_levels = [found for found in open_levels if found < depth_of]
        depth = len(open_levels)
        open_levels.append(depth_of)
        yield Paragraph("".join(_runs(each, left_out, on_white=on_white)), depth_of, bullet, depth)


def _bullet(properties: Element | None) -> bool | None:
    names = {name_of(each) for each in properties} if properties is not None else set()
    if "a:buNone" in names:
        return False
    return True if names & {"a:buChar", "a:buAutoNum", "a:buBlip"} else None


def _runs(paragraph: Element, left_out: Counter[str], *, on_white: bool) -> Iterator[str]:
    for each in paragraph:
        name = name_of(each)
        if name in {"a:r", "a:fld"}:
            text = text_of(found) if (found := child(each, "a:t")) is not None else ""
            looks = child(each, "a:rPr")
            if _is_speck(looks) or (on_white and _is_white(looks)):
                left_out["invisible_text"] += len(text)
            else:
                yield text
        elif name == "a:br":
            yield "\n"
        elif name not in {"a:pPr", "a:endParaRPr"}:
            yield "".join(text_of(part) for part in each.iter() if name_of(part) in {"a:t", "m:t"})


def _is_speck(properties: Element | None) -> bool:
    size = value(properties, "sz") or ""
    return size.isdigit() and int(size) <= _SPECK


def _is_white(properties: Element | None) -> bool:
    fill = child(properties, "a:solidFill")
    return fill is not None and _luminous(fill)


def _luminous(fill: Element) -> bool:
    """Whether a fill is white, by its own word or that of the usual theme."""
    for each in fill:
        if name_of(each) == "a:srgbClr":
            code = value(each) or ""
            try:
                return len(code) == 6 and min(bytes.fromhex(code)) >= _WHITE  # noqa: PLR2004 - RRGGBB
            except ValueError:
                return False
        if name_of(each) == "a:sysClr":
            return value(each) == "window"
    return False


@dataclass
class Scene:
    """What lies behind text on a slide."""

    size: tuple[int, int]
    dark: bool
    """Whether the slide's background is anything but white, as far as we can tell."""
    covers: list[Frame] = field(default_factory=list)
    """Shapes with a fill, from the lowest."""
    grouped: bool = False
    """Inside a group, whose shapes have coordinates of their own."""

    @classmethod
    def of(cls, package: Package, slide: Element, relations: Mapping[str, Relation], size: tuple[int, int]) -> Self:
        """The scene of a slide: its background is its own, its layout's, or its master's."""
        root: Element | None = slide
        below = relations
        for kind in ("slideLayout", "slideMaster", ""):
            background = child(root, "p:cSld", "p:bg")
            if background is not None:
                return cls(size, dark=not _is_white_background(background))
            part = next((each.target for each in below.values() if each.kind == kind and not each.external), None)
            if part is None:
                break
            root, below = package.tree(part), package.relations(part)
        return cls(size, dark=False)

    def inside(self, _: Element) -> Self:
        """The scene inside a group."""
        return replace(self, grouped=True)

    def is_off(self, shape: Element) -> bool:
        """Whether the shape lies wholly beside the slide."""
        frame = frame_of(shape)
        width, height = self.size
        if self.grouped or frame is None or not width:
            return False
        return frame[0] >= width or frame[1] >= height or frame[2] <= 0 or frame[3] <= 0

    def is_filled(self, shape: Element) -> bool:
        """Whether white could be seen on what lies behind the shape's text, itself included."""
        if self.dark or self.grouped or _has_fill(shape):
            return True
        frame = frame_of(shape)
        if frame is None:
            return True
        across, down = (frame[0] + frame[2]) // 2, (frame[1] + frame[3]) // 2
        return any(each[0] <= across <= each[2] and each[1] <= down <= each[3] for each in self.covers)

    def covered(self, shape: Element) -> None:
        """Note that the shape lies behind what comes after it."""
        frame = frame_of(shape)
        if frame is not None and (_has_fill(shape) or name_of(shape) == "p:pic"):
            self.covers.append(frame)


def _is_white_background(background: Element) -> bool:
    reference = child(background, "p:bgRef")
    if reference is not None:
        return any(value(each) == "bg1" for each in reference)
    properties = child(background, "p:bgPr")
    fill = child(properties, "a:solidFill")
    return fill is not None and (_luminous(fill) or any(value(each) == "bg1" for each in fill))


def _has_fill(shape: Element) -> bool:
    properties = next((each for each in shape if name_of(each) in {"p:spPr", "p:grpSpPr"}), None)
    if any(name_of(each) in _FILLS for each in (properties if properties is not None else ())):
        return True
    filled = child(shape, "p:style", "a:fillRef")
    return (value(filled, "idx") or "0") != "0"


def frame_of(shape: Element) -> Frame | None:
    """Where the shape lies, in EMU, if it says so itself."""
    for each in shape:
        name = name_of(each)
        if name in {"p:spPr", "p:grpSpPr"}:
            return _frame(child(each, "a:xfrm"))
        if name == "p:xfrm":
            return _frame(each)
    return None


def _frame(transform: Element | None) -> Frame | None:
    offset, extent = child(transform, "a:off"), child(transform, "a:ext")
    try:
        left, top = int(value(offset, "x") or ""), int(value(offset, "y") or "")
        return left, top, left + int(value(extent, "cx") or ""), top + int(value(extent, "cy") or "")
    except ValueError:
        return None
