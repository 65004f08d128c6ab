"""The blocks of a Markdown text by their lines: what may be cut from what.

markdown-it-py reads them, in windows of lines, since its tokens for a hostile text of 2 MiB would take a gigabyte.
Lines belong to the block that they follow, so the blocks hold every line.
Block structure: CommonMark 0.31 (https://spec.commonmark.org), tables as in GitHub's extension of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_WINDOW = 2000
"""Lines read at a time."""
_LEAVES = frozenset({"heading_open", "paragraph_open", "fence", "code_block", "html_block", "table_open", "hr"})
_STREAKS = frozenset({"fence", "code_block", "html_block", "table_open"})
"""Leaves that cost one token however long they are, and must be read to their end."""
_LONG_FENCE = 64
_FRONT = 200
"""Most lines of metadata before a text."""
_LINES = 200_000
"""A text of more lines is not read as Markdown: in 2 MiB they are ten bytes long on average, which nobody writes."""


class Kind(StrEnum):
    """What matters of a block when it is to be cut."""

    HEADING = "heading"
    FENCE = "fence"
    TABLE = "table"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Block:
    """A block that holds no other, and its lines `start` to `end` (exclusive)."""

    kind: Kind
    start: int
    end: int
    depth: int = 0
    """Of a heading: 1 to 6."""
    heading: str = ""
    fences: tuple[str, str] = ("", "")
    """Of a fence: the lines that open and close a part of it."""
    closed: bool = False
    """Of a fence: whether its last line closes it."""


def blocks(text: str, lines: list[str]) -> Iterator[Block]:
    """The blocks of a text with these lines, in order; together they hold every non-blank line."""
    ready: Block | None = None
    for token, heading in _leaves(text, _front_matter(lines)) if len(lines) <= _LINES else ():
        block = _block(token, heading, lines)
        if ready is not None:
            yield from _filled(ready, block.start, lines)
        elif block.start:
            yield from _filled(Block(Kind.PLAIN, 0, block.start), block.start, lines)
        ready = block
    yield from _filled(ready or Block(Kind.PLAIN, 0, len(lines)), len(lines), lines)


def _filled(block: Block, until: int, lines: list[str]) -> Iterator[Block]:
    """The block, and what nobody claims between it and the next (nesting too deep for the parser, blank lines)."""
    yield block
    if any(line.strip() for line in lines[block.end : until]):
        yield Block(Kind.PLAIN, block.end, until)


def _block(token: "Token", heading: str, lines: list[str]) -> Block:
    start, end = token.map or (0, 0)
    if token.type == "heading_open" and token.level == 0:
        return Block(Kind.HEADING, start, end, depth=int(token.tag[1:]), heading=heading)
    if token.type == "table_open":
        return Block(Kind.TABLE, start, end)
    if token.type == "fence" and len(token.markup) <= _LONG_FENCE:
        return _fence(token, start, end, lines)
    return Block(Kind.PLAIN, start, end)


def _fence(token: "Token", start: int, end: int, lines: list[str]) -> Block:
    before = lines[start].partition(token.markup)[0]
    prefix = re.sub(r"[^>\s]", " ", before)
    info = token.info if len(token.info) <= _LONG_FENCE else ""
    last = lines[end - 1].lstrip(" \t>")
    closed = end - start > 1 and len(last) >= len(token.markup) and not last.rstrip().strip(token.markup[0])
    return Block(
        Kind.FENCE, start, end, fences=(f"{prefix}{token.markup}{info}", f"{prefix}{token.markup}"), closed=closed
    )


def _front_matter(lines: list[str]) -> int:
    """How many lines of metadata stand before the text, which Markdown would take for a heading."""
    if lines[0] != "---":
        return 0
    return next((number + 1 for number, line in enumerate(lines[1:_FRONT], 1) if line in {"---", "..."}), 0)


def _leaves(text: str, line: int) -> Iterator[tuple["Token", str]]:
    """The tokens that open a block without blocks in it, with the text of headings, from a line on."""
    from markdown_it.rules_block import StateBlock

    parser = _parser()
    state = StateBlock(text, parser, {}, [])
    total, window = state.lineMax, _WINDOW
    while line < total:
        end = state.lineMax = min(line + window, total)
        state.tokens = []
        parser.block.tokenize(state, line, end)
        again = end if end == total else _resume(state.tokens, line, end)
        if again == line:
            window *= 2  # one block that fills the window: it costs one token, however long it is
            continue
        for number, token in enumerate(state.tokens):
            if token.type in _LEAVES and token.map and token.map[0] < again:
                yield token, state.tokens[number + 1].content if token.type == "heading_open" else ""
        line, window = again, _WINDOW


def _resume(tokens: list["Token"], line: int, end: int) -> int:
    """Where the next window begins: at the last block of this one, which may be incomplete.

    A list or quotation that fills the window is resumed at its last item or block, a paragraph at the window's
    end, and what must be read whole at its start, with a wider window.
    """
    outer = [token.map[0] for token in tokens if token.map and token.level == 0 and token.map[0] > line]
    inner = [token.map[0] for token in tokens if token.map and token.level == 1 and token.map[0] > line]
    leaves = [token for token in tokens if token.map and token.type in _LEAVES]
    inside = [token.map[0] for token in leaves if token.map and token.map[0] > line]
    if starts := outer or inner or inside:
        return starts[-1]
    return line if leaves and leaves[-1].type in _STREAKS else end


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.block.ruler.disable("reference")  # its lines make no token; as paragraphs they do
    parser.block.ruler.at("table", _table, {"alt": ["paragraph"]})
    return parser


def _table(state: "StateBlock", start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    """markdown-it's own rule decides what is a table; this one makes one token of it instead of ten per cell."""
    from markdown_it.rules_block import table

    found = table(state, start, end, silent=True)
    if silent or not found:
        return found
    token = state.push("table_open", "table", 1)
    line = start + 2
    while line < end and _is_row(state, line, end):
        line += 1
    token.map = [start, line]
    state.push("table_close", "table", -1)
    state.line = line
    return True


def _is_row(state: "StateBlock", line: int, end: int) -> bool:
    if state.isEmpty(line) or state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return False
    return not any(rule(state, line, end, True) for rule in state.md.block.ruler.getRules("blockquote"))  # noqa: FBT003
