"""Large documents, made: 1,000 pages, 200,000 rows, 300 slides.

`python -m tests.bench.large` reads each as the worker does, in the sandbox, and prints time, memory and what came out.
"""

import resource
import time
from collections.abc import Iterator

from chalicelib.adapters.sandbox import ChildSandbox
from chalicelib.domain.errors import KnownError
from chalicelib.ingest.limits import Limits
from tests.fakes.machine import Tally
from tests.unit.ingest.files import docx, line, paragraph, pdf, pptx, shape, sheet, xlsx

_WORDS = tuple("Whoever wrote this had a thousand pages to fill and nothing to say about it, line by line".split())  # noqa: SIM905


def _page(number: int, lines: int) -> str:
    text = [f"Page {number} line {each}: {' '.join(_WORDS[each % 7 :])}"[:90] for each in range(lines)]
    return "".join(line(each, 50, 780 - 15 * place, 9) for place, each in enumerate(text))


def _row(number: int) -> str:
    day = 40_000 + number % 9000
    return f"<s:c><s:v>{number}</s:v></s:c><s:c s='1'><s:v>{day}</s:v></s:c><s:c t='s'><s:v>0</s:v></s:c>"


def _book(rows: int) -> bytes:
    styles = "<s:cellXfs><s:xf/><s:xf numFmtId='14'/></s:cellXfs>"
    return xlsx("Rows||" + sheet(*map(_row, range(rows))), styles=styles, strings="<s:si><s:t>shared</s:t></s:si>")


def files(parts: int = 1) -> Iterator[tuple[str, bytes, int]]:
    """Name and content of each, and how many pages, cells, slides or paragraphs it has; a part of the full size."""
    pages, rows, slides, paragraphs = 1000 // parts, 200_000 // parts, 300 // parts, 5000 // parts
    yield f"{pages} short pages.pdf", pdf(*(_page(number, 20) for number in range(pages))), pages
    yield f"{pages} full pages.pdf", pdf(*(_page(number, 50) for number in range(pages))), pages
    yield f"{rows // 10} rows.xlsx", _book(rows // 10), 3 * rows // 10
    yield f"{rows} rows.xlsx", _book(rows), 3 * rows
    deck = (
        shape(f"Slide {number}", place="<p:ph type='title'/>") + shape("one\ntwo\nthree") for number in range(slides)
    )
    yield f"{slides} slides.pptx", pptx(*deck), slides
    body = "".join(paragraph(" ".join(_WORDS) + f" {number}") for number in range(paragraphs))
    yield f"{paragraphs} paragraphs.docx", docx(body), paragraphs


def main() -> None:
    """Read each in the sandbox."""
    for name, content, many in files():
        begun = time.monotonic()
        try:
            found = ChildSandbox(Limits(), Tally()).extract(name.rsplit(".", 1)[1], content, lambda _done, _total: None)
            end = f"{len(found.text.encode()):,} bytes of Markdown, {found.metadata}"
        except KnownError as error:
            end = f"{error.code}: {error}"
        took = time.monotonic() - begun
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{name} ({len(content):,} bytes, {many:,}): {took:.1f} s, at most {peak:.0f} MiB so far; {end}")


if __name__ == "__main__":
    main()
