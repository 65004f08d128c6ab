"""Markdown as HTML that is safe to put into a page, a bounded stretch at a time (decision 0063).

The parser knows no HTML, so what a text holds of it comes out as text. What the parser makes then goes through a
sanitiser with a closed list of tags, as if anybody had written it: neither has to be perfect.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

STRETCH = 100_000
"""Characters parsed at once. Text made to be slow takes some 40 µs for each of them, prose 2."""

_BLOCKS = {"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul"}
_TABLES = {"table", "tbody", "td", "th", "thead", "tr"}
TAGS = frozenset(_BLOCKS | _TABLES | {"a", "br", "code", "em", "s", "strong"})
ATTRIBUTES = {"a": {"href"}, "code": {"class"}, "ol": {"start"}, "td": {"align"}, "th": {"align"}}
REL = "noopener noreferrer nofollow"

_SAFE_ADDRESS = re.compile(r"(?i)https://[^/\\\s]|mailto:[^\s]")
_LANGUAGE = re.compile(r"language-[A-Za-z0-9_+#.-]{1,40}")
_DELIMITERS = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A stretch of a text as HTML."""

    html: str
    next_offset: int | None
    """Where the next stretch begins, in characters of the text; None at the end."""


def render(text: str, offset: int = 0) -> Rendered:
    """The stretch of a canonical Markdown text that begins at `offset`, up to some end of a block, as HTML.

    A table that goes on has its header again; a block of code is never cut. What a later stretch defines (the targets
    of reference links) an earlier one does not know.
    """
    parser = _parser()
    head = _header(text, offset)
    size = STRETCH
    while True:
        part = _whole_lines(text, offset, size)
        tokens = parser.parse(head + part)
        starts = [at for at, each in enumerate(tokens) if each.level == 0 and each.nesting >= 0]
        end = offset + len(part)
        if end >= len(text):
            return Rendered(_clean(parser, tokens), None)
        if len(starts) > 1:
            last = starts[-1]
            # Not splitlines(): only LF ends a line here.
            skipped = sum(len(line) + 1 for line in (head + part).split("\n")[: _line(tokens[last])])
            return Rendered(_clean(parser, tokens[:last]), offset + skipped - len(head))
        if not starts or tokens[starts[0]].type != "fence":
            return Rendered(_clean(parser, tokens), end)
        size *= 2


def _whole_lines(text: str, offset: int, size: int) -> str:
    """About `size` characters from an offset on, to the end of a line if there is one."""
    part = text[offset : offset + size]
    if offset + size >= len(text):
        return part
    return part[: part.rfind("\n") + 1] or part


def _header(text: str, offset: int) -> str:
    """The header of the table that the offset is in, or nothing."""
    if not offset:
        return ""
    lines = text[text.rfind("\n\n", 0, offset) + 2 : offset].split("\n", 2)
    in_table = len(lines) == 3 and "|" in lines[0] and _DELIMITERS.fullmatch(lines[1])  # noqa: PLR2004
    return f"{lines[0]}\n{lines[1]}\n" if in_table else ""


def _line(token: "Token") -> int:
    return token.map[0] if token.map else 0


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    # Twenty, as CommonMark has it here, would leave out what is in the eleventh list within another.
    return MarkdownIt("commonmark", {"html": False, "maxNesting": 100}).enable(["table", "strikethrough"])


def _clean(parser: "MarkdownIt", tokens: "Sequence[Token]") -> str:
    import nh3

    for token in tokens:
        if token.children is not None:
            token.children = list(_inline(token.children))
        style = str(token.attrs.pop("style", ""))
        if style:
            # Only columns of tables have one; it would not be allowed where the page's policy is strict.
            token.attrs["align"] = style.removeprefix("text-align:")
    made = parser.renderer.render(tokens, parser.options, {})
    return nh3.clean(
        made,
        tags=set(TAGS),
        attributes=ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"https", "mailto"},
        url_relative="deny",
        link_rel=REL,
    )


def _attribute(_: str, name: str, value: str) -> str | None:
    if name == "class":
        return value if _LANGUAGE.fullmatch(value) else None
    if name == "start":
        return value if value.isdecimal() else None
    if name == "align":
        return value if value in {"left", "center", "right"} else None
    return value if name == "rel" or _SAFE_ADDRESS.match(value) else None


def _inline(tokens: "Sequence[Token]") -> "Iterator[Token]":
    """The tokens with pictures as links to them, and without links that lead nowhere safe."""
    kept: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            kept.append(_safe(token.attrs.get("href")))
        if token.type in {"link_open", "link_close"}:
            if kept[-1]:
                yield token
            if token.type == "link_close":
                kept.pop()
        elif token.type == "image":
            yield from _picture(token, linked=any(kept))
        else:
            yield token


def _picture(image: "Token", *, linked: bool) -> "Iterator[Token]":
    """Nothing is fetched from elsewhere: what stands for the picture, as a link to it unless it is in one."""
    from markdown_it.token import Token

    address = image.attrs.get("src")
    alternative = _words(image.children or [])
    leads = _safe(address) and not linked
    if leads:
        yield Token("link_open", "a", 1, {"href": str(address)})
    yield Token("text", "", 0, content=alternative or (str(address) if leads else ""))
    if leads:
        yield Token("link_close", "a", -1)


def _words(tokens: "Sequence[Token]") -> str:
    """What inline tokens say, without their marks."""
    return "".join(
        _words(each.children) if each.children else each.content or " " * ("break" in each.type) for each in tokens
    )


def _safe(address: object) -> bool:
    return isinstance(address, str) and _SAFE_ADDRESS.match(address) is not None
