"""Writing Markdown: fences, tables, and text that must not be taken for markup.

Source: CommonMark 0.31 (https://spec.commonmark.org), tables as in GitHub's extension of it.
"""

import re
from collections.abc import Iterable, Sequence

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_BARS = re.compile(r"(\\*)\|")
_RUNS = re.compile(r"`{3,}")
_STARTS = re.compile(
    r"(?P<blank> {0,3})"
    r"(?P<mark>#{1,6}(?=[ \t]|$)|>|`{3,}|~{3,}|\[(?=[^\]\n]*\]:)|(?:=+|-+|\*(?:[ \t]*\*){2,}|_{3,})[ \t]*$)"
)
_MARKER = re.compile(r"(?P<blank> {0,3})(?P<mark>[-+*](?=[ \t]|$)|\d{1,9}(?P<dot>[.)])(?=[ \t]|$))")


def quiet(text: str) -> str:
    """Text whose angle brackets begin no HTML."""
    return _TAG.sub(r"\\<", text)


def fenced(content: str, language: str) -> str:
    """The content, exactly, in a fence that is longer than any run of backticks in it."""
    longest = max(map(len, _RUNS.findall(content)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{content}{'' if content.endswith('\n') else '\n'}{fence}\n"


def table(rows: Sequence[Sequence[str]], *, ready: bool = False) -> str:
    """A table whose first row is its head; short rows are filled up. `ready` cells are Markdown but for their bars."""
    width = max(map(len, rows))
    filled = [[*((barred if ready else cell)(each) for each in row), *([""] * (width - len(row)))] for row in rows]
    lines = [_row(filled[0]), _row(["---"] * width), *map(_row, filled[1:])]
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    """A cell's text on one line; bars, and backslashes before them, are escaped."""
    return quiet(barred(text))


def barred(text: str) -> str:
    """Markdown on one line that stays in its cell."""
    return _BARS.sub(lambda found: "\\" * (2 * len(found[1])) + r"\|", " ".join(text.split()))


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def prose(line: str) -> str:
    """A line of plain text that Markdown shows as it is: what would begin a heading, quotation or rule is escaped."""
    return quiet(_STARTS.sub(r"\g<blank>\\\g<mark>", line, count=1) if _STARTS.match(line) else line)


def sentence(line: str) -> str:
    """A line of prose that is no list item either, whatever it begins with."""
    found = _MARKER.match(line)
    if found is None:
        return prose(line)
    if found["dot"]:
        return quiet(line[: found.start("dot")] + "\\" + line[found.start("dot") :])
    return quiet(f"{found['blank']}\\{line[len(found['blank']) :]}")
