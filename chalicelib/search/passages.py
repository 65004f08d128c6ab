"""Cutting canonical Markdown into passages: at headings and between blocks, about 350 tokens each.

Every non-blank line is in some passage, whole, unless it alone is far too long. No passage begins or ends inside
a fenced block or a row of a table: where one of these must be cut, later parts are fenced again, or begin with
the table's head again. Blocks come from `blocks`; this module packs them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from chalicelib.search.blocks import Block, Kind, blocks
from chalicelib.search.ports import Passage

TOKENS = 350
"""About how long a passage is, in tokens of a language model."""

_BYTES = TOKENS * 4
"""A token is about four bytes of UTF-8 in European languages, and three (one character) in Chinese."""
_SLACK = _BYTES * 3 // 2
"""A block or line up to this size stays in one piece."""
_ROW = 16 * 1024
"""A line of code or row of a table up to this size stays in one piece."""
_HEADING = 200
"""Characters of a heading that go into the path."""
_MANY = 2048
"""About how many passages a text of many tiny sections makes; below that, each section begins a new one."""
_ENDS = (". ", "! ", "? ", "; ", "。", "！", "？", "؟ ", "। ")  # noqa: RUF001


def passages(text: str) -> tuple[Passage, ...]:
    """The passages of a canonical text, in order; none for a blank one. Takes time linear in the text."""
    lines = text.split("\n")
    packer = _Packer(least=len(text) // _MANY)
    reached = 0
    for block in blocks(text, lines):
        if block.kind is Kind.HEADING:
            packer.head(block.depth, block.heading[:_HEADING])
        apart = "\n" if block.start > reached else ""
        for piece in _pieces(block, lines):
            packer.add(apart + piece, heading=block.kind is Kind.HEADING)
            apart = ""
        reached = block.end
    packer.close()
    return tuple(packer.done)


@dataclass(slots=True)
class _Packer:
    """The passage being filled, and those that are done."""

    least: int
    """A heading begins a new passage once this one has as many bytes."""
    done: list[Passage] = field(default_factory=list)
    trail: list[tuple[int, str]] = field(default_factory=list)
    path: tuple[str, ...] = ()
    parts: list[str] = field(default_factory=list)
    size: int = 0
    begun: bool = False
    """Whether there is more than headings in it."""

    def head(self, depth: int, heading: str) -> None:
        if self.begun and self.size >= self.least:
            self.close()
        while self.trail and self.trail[-1][0] >= depth:
            self.trail.pop()
        self.trail.append((depth, heading))

    def add(self, piece: str, *, heading: bool = False) -> None:
        size = _size(piece)
        if (self.begun or heading) and self.size + size > _BYTES:
            self.close()
        if not self.begun:
            self.path = tuple(heading for _, heading in self.trail)
        self.begun = self.begun or not heading
        self.parts.append(piece)
        self.size += size

    def close(self) -> None:
        content = "\n".join(self.parts).strip("\n")
        if content.strip():
            self.done.append(Passage(len(self.done), self.path, content))
        self.parts, self.size, self.begun = [], 0, False


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _pieces(block: Block, lines: list[str]) -> Iterator[str]:
    own = lines[block.start : block.end]
    whole = "\n".join(own)
    if _size(whole) <= _SLACK:
        yield whole
    elif block.kind is Kind.FENCE:
        yield from _fenced(block, own)
    elif block.kind is Kind.TABLE and sum(map(_size, own[:2])) <= _ROW:
        yield from _tabled(own)
    else:
        for group in _groups(own, _BYTES, _SLACK):
            yield "\n".join(group)


def _fenced(block: Block, own: list[str]) -> Iterator[str]:
    """The parts of a fenced block, each between fences of its own."""
    opening, *body = own
    again, closing = block.fences
    last = body.pop() if body and block.closed else None
    groups = list(_groups(body, _BYTES, _ROW))
    for number, group in enumerate(groups):
        end = last if number == len(groups) - 1 and last is not None else closing
        yield "\n".join([again if number else opening, *group, end])


def _tabled(own: list[str]) -> Iterator[str]:
    """The parts of a table, each under its head, unless that is most of a passage itself."""
    head = own[:2]
    repeated = [] if sum(map(_size, head)) > _BYTES // 2 else head
    for number, group in enumerate(_groups(own[2:], _BYTES, _ROW)):
        yield "\n".join([*(repeated if number else head), *group])


def _groups(lines: list[str], most: int, longest: int) -> Iterator[list[str]]:
    """The lines in groups of at most `most` bytes. A line over `longest` is cut; at least one group."""
    group: list[str] = []
    size = 0
    for line in lines:
        for stretch in _stretches(line, most, longest):
            length = _size(stretch) + 1
            if group and size + length > most:
                yield group
                group, size = [], 0
            group.append(stretch)
            size += length
    yield group


def _stretches(line: str, most: int, longest: int) -> Iterator[str]:
    """The line, cut at sentences, else blanks, else anywhere, where it is longer than `longest` bytes."""
    left = _size(line)
    start = 0
    while left > longest:
        window = line[start : start + most]
        while (size := _size(window)) > most:
            window = window[: max(1, len(window) * most // size)]
        window = window[: _border(window)]
        yield window.strip(" ") if start else window.rstrip(" ")
        start += len(window)
        left -= _size(window)
    yield line[start:].lstrip(" ") if start else line


def _border(window: str) -> int:
    """Where to cut: after the last sentence or blank in the second half, else at the end."""
    half = len(window) // 2
    sentence = max(window.rfind(end, half) + len(end) if end in window[half:] else 0 for end in _ENDS)
    return sentence or window.rfind(" ", half) + 1 or len(window)
