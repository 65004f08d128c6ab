"""What drawings say, in texts, slides and sheets alike: diagrams (SmartArt) and charts, by their own parts."""

from collections.abc import Iterator, Mapping

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
from chalicelib.ingest.markdown import sentence, table

_POINTS = 500
"""Most points of a chart's series that are told."""


def told(element: Element, package: Package, relations: Mapping[str, Relation]) -> Iterator[str]:
    """The blocks of the diagrams and charts that a drawing shows."""
    for each in element.iter():
        name = name_of(each)
        if name == "dgm:relIds":
            yield from _diagram(package, relations.get(value(each, "dm") or ""))
        elif name == "c:chart":
            yield from _chart(package, relations.get(value(each, "id") or ""))


def _diagram(package: Package, relation: Relation | None) -> Iterator[str]:
    root = package.tree(relation.target) if relation and not relation.external else None
    if root is None:
        return
    points = (paragraphs(each) for each in descendants(root, "dgm:pt"))
    lines = [f"- {sentence(line)}" for point in points for line in point if line.strip()]
    if lines:
        yield "\n".join(lines)


def _chart(package: Package, relation: Relation | None) -> Iterator[str]:
    root = package.tree(relation.target) if relation and not relation.external else None
    if root is None:
        return
    titles = [" ".join(paragraphs(each)) for each in descendants(root, "c:title")]
    if any(titles):
        yield "Chart: " + sentence("; ".join(filter(None, titles)))
    series = list(descendants(root, "c:ser"))
    names = [" ".join(_points(child(each, "c:tx"))) or f"Series {number}" for number, each in enumerate(series, 1)]
    columns = [_points(next(_data(each, "c:val", "c:yVal"), None)) for each in series]
    labels = _points(next(_data(series[0], "c:cat", "c:xVal"), None)) if series else []
    height = min(_POINTS, max(map(len, (labels, *columns)), default=0))
    if height:
        rows = [[_at(labels, row), *(_at(column, row) for column in columns)] for row in range(height)]
        yield table([["", *names], *rows]).rstrip()


def _data(series: Element, *names: str) -> Iterator[Element]:
    return (each for each in series if name_of(each) in names)


def _points(element: Element | None) -> list[str]:
    if element is None:
        return []
    return [text_of(each).strip() for each in descendants(element, "c:v")]


def _at(column: list[str], row: int) -> str:
    return column[row] if row < len(column) else ""


def paragraphs(element: Element) -> Iterator[str]:
    """The text of a drawing's paragraphs (`a:p`), one by one."""
    return ("".join(_runs(each)) for each in descendants(element, "a:p"))


def _runs(paragraph: Element) -> Iterator[str]:
    for each in paragraph.iter():
        name = name_of(each)
        if name in {"a:t", "m:t"}:
            yield text_of(each)
        elif name == "a:br":
            yield " "


def series_of(element: Element) -> Iterator[Element]:
    """The children of a drawing that are drawn: of alternatives, the first that is understood."""
    for each in element:
        if name_of(each) == "mc:AlternateContent":
            chosen = next(children(each, "mc:Choice"), None)
            chosen = chosen if chosen is not None and len(chosen) else next(children(each, "mc:Fallback"), None)
            yield from chosen if chosen is not None else ()
        else:
            yield each
