"""Raw HTML in Markdown, kept as text (spec: "kept as text, made inert").

A parser that knows no HTML says where code is; everywhere else a `<` that could begin a tag is escaped, so that a
parser that knows HTML finds none. What the text says, and code, stay as they are.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LINES = 50_000
"""A text of more lines is not parsed: every `<` that could begin a tag is escaped, in code too."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_DESTINATION = re.compile(r"(?P<before>\](?:\(|:[ \t]*))<(?P<target>[^<>\n]*)>")
_BAR = re.compile(r"(?<!\\)\|")
_TICKS = re.compile(r"`+")
_TOKEN = re.compile(
    r"(?P<escaped>\\[!-/:-@\[-`{-~])"
    r"|(?P<link><(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>\x00-\x1f]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+)>)"
    r"|(?P<ticks>`+)"
    r"|(?P<tag><(?=[a-z/!?]))",
    re.ASCII | re.IGNORECASE,
)


def inert(text: str) -> str:
    """The Markdown text without any HTML that a reader's program would take for such."""
    if not _TAG.search(text):
        return text
    lines = text.split("\n")
    if len(lines) > _LINES:
        return _TAG.sub(r"\\<", text)
    done: list[str] = []
    for start, end, kind in _regions(text, len(lines)):
        region = "\n".join(lines[start:end])
        done.append(_TREATMENT[kind](region))
    return "\n".join(done)


def _regions(text: str, count: int) -> Iterator[tuple[int, int, str]]:
    """Stretches of lines, in order and together all of them, and what they are."""
    reached = 0
    for start, end, kind in _blocks(text):
        begin = max(start, reached)
        if begin > reached:
            yield reached, begin, "prose"
        if end > begin:
            yield begin, end, kind
            reached = end
    if reached < count:
        yield reached, count, "prose"


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    kinds = {"fence": "code", "code_block": "code", "inline": "prose", "table_open": "table"}
    for token in _parser().parse(text, {}):
        if token.map and token.type in kinds:
            yield token.map[0], token.map[1], kinds[token.type]


def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    # Without HTML the blocks are those that are there once nothing is HTML any more.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("inline", ignoreInvalid=True)


def _escaped(region: str) -> str:
    """Prose with its tags escaped; automatic links are left alone, and so are spans of code within a line."""
    region = _DESTINATION.sub(_bare, region)
    runs = _runs(region)
    parts: list[str] = []
    place = 0
    while found := _TOKEN.search(region, place):
        parts.append(region[place : found.start()])
        place = _closing(runs, found) if found["ticks"] else found.end()
        parts.append(r"\<" if found["tag"] else _kept(region[found.start() : place]))
    parts.append(region[place:])
    return "".join(parts)


def _kept(token: str) -> str:
    """In a span over several lines, one that begins with a tag would end the paragraph, and so the span."""
    return _TAG.sub(r"\\<", token) if "\n" in token else token


def _cells(region: str) -> str:
    """A table's cells end at every bar that is not escaped, also in what would be a span of code."""
    return "\n".join("|".join(map(_escaped, _BAR.split(line))) for line in region.split("\n"))


_TREATMENT: Mapping[str, Callable[[str], str]] = {"code": str, "prose": _escaped, "table": _cells}


def _bare(found: re.Match[str]) -> str:
    """A link's destination without the angle brackets, which then needs no blanks."""
    return found["before"] + quote(found["target"], safe="/:?#@!$&'*+,;=%~._-")


def _runs(region: str) -> dict[int, list[int]]:
    """Where runs of backticks begin, by their length."""
    runs: dict[int, list[int]] = {}
    for each in _TICKS.finditer(region):
        runs.setdefault(each.end() - each.start(), []).append(each.start())
    return runs


def _closing(runs: dict[int, list[int]], opening: re.Match[str]) -> int:
    """Where the span of code that opens here ends, or else the run of backticks itself."""
    length = opening.end() - opening.start()
    same = runs.get(length, [])
    after = bisect_left(same, opening.end())
    return same[after] + length if after < len(same) else opening.end()
