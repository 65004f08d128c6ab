"""Text and code files as Markdown (section 1 of the specification; rule I1)."""

import csv
import io
import re
from collections.abc import Callable, Mapping
from itertools import islice

from chalicelib.domain.errors import DocumentEmpty
from chalicelib.domain.files import Family, Format
from chalicelib.ingest import frontmatter
from chalicelib.ingest.decoding import Decoded, decode
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.inert import inert
from chalicelib.ingest.markdown import fenced, prose, table

EXTRACTOR = "acervo-text/1"

MAX_ROWS = 2000
MAX_COLUMNS = 50
"""A table of more stays CSV, in a fence."""

_DELIMITERS = ",;\t|"
_SNIFFED_ROWS = 50
_HEADING = re.compile(r"^#[ \t]+(?P<title>.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


def read_text(kind: Format, content: bytes) -> Extraction:
    """A text file as Markdown. HTML is not for here: its parser wants a sandbox.

    Raises DocumentEmpty, UnsupportedFormat, UndecodableText.
    """
    decoded = decode(content)
    text = lines_of(decoded.text)
    if not text.strip():
        raise DocumentEmpty
    return _READERS[kind.family](kind, text, encoding_facts(decoded))


def lines_of(text: str) -> str:
    """The text with the ends of its lines as Markdown has them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")


def encoding_facts(decoded: Decoded) -> dict[str, str]:
    """What a reader may want to know of how bytes became text."""
    facts = {"encoding": decoded.encoding}
    return facts if decoded.confidence == 1.0 else {**facts, "encoding_confidence": f"{decoded.confidence:.2f}"}


def _markdown(_: Format, text: str, facts: dict[str, str]) -> Extraction:
    matter = frontmatter.split(text)
    heading = _HEADING.search(matter.text)
    front = {f"front_matter.{name}": value for name, value in matter.values.items()}
    if matter.skipped:
        front["front_matter_left_out"] = str(matter.skipped)
    title = matter.title or (heading["title"] if heading else None)
    return Extraction(inert(matter.text), EXTRACTOR, title, {**facts, **front})


def _plain(_: Format, text: str, facts: dict[str, str]) -> Extraction:
    return Extraction("\n".join(map(prose, text.split("\n"))), EXTRACTOR, metadata=facts)


def _code(kind: Format, text: str, facts: dict[str, str]) -> Extraction:
    return Extraction(fenced(text, kind.language), EXTRACTOR, metadata=facts)


def _table(kind: Format, text: str, facts: dict[str, str]) -> Extraction:
    delimiter = delimiter_of(text)
    rows = _rows(text, delimiter, MAX_ROWS + 1)
    if rows is None or len(rows) > MAX_ROWS or max(map(len, rows), default=0) > MAX_COLUMNS:
        return Extraction(fenced(text, kind.language), EXTRACTOR, metadata=facts)
    return Extraction(table(rows), EXTRACTOR, metadata={**facts, "delimiter": delimiter, "rows": str(len(rows))})


def delimiter_of(text: str) -> str:
    """The delimiter that cuts the first rows into the most cells with the least difference between rows."""

    def fitness(delimiter: str) -> tuple[bool, float, int]:
        widths = [len(row) for row in _rows(text, delimiter, _SNIFFED_ROWS) or [[]]]
        usual = max(set(widths), key=widths.count)
        return usual > 1, widths.count(usual) / len(widths), usual

    return max(_DELIMITERS, key=fitness)


def _rows(text: str, delimiter: str, limit: int) -> list[list[str]] | None:
    """The first rows that hold anything, or None if it is no CSV."""
    try:
        found = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
        return list(islice((row for row in found if any(each.strip() for each in row)), limit))
    except csv.Error:
        return None


_READERS: Mapping[Family, Callable[[Format, str, dict[str, str]], Extraction]] = {
    Family.MARKDOWN: _markdown,
    Family.PLAIN: _plain,
    Family.CODE: _code,
    Family.TABLE: _table,
}
