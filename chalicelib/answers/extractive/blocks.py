"""The blocks of a passage as plain text, by form: paragraphs, lists, tables, questions with what follows them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_CACHED = 2048
_NOTE = re.compile(r"\[\^[^\]\s]+\](?::[ ]?)?")
"""The mark of a footnote, in the text and before the note: there is nothing that it could point to."""
_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’»)]*\s+(?=[\"'“‘«(¿¡]*[^\W_a-z])|(?<=[。！？])")  # noqa: RUF001
_ABBREVIATED = re.compile(
    r"(?:\b(?:p\. ?ej|e\.g|i\.e|etc|sr|sra|dr|dra|mr|mrs|ms|st|no|núm|nº|art|fig|vs|aprox|bzw|z\. ?b|ca|usw|max|min"
    r"|[A-Z])\.)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph."""

    text: str
    heading: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The items of a list, one level deep."""

    items: tuple[str, ...]
    ordered: bool
    heading: str
    intro: str
    """The paragraph before it, if it leads to it."""

    @property
    def text(self) -> str:
        """All that it says."""
        return " ".join((self.intro, *self.items)).strip()


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    heading: str

    @property
    def text(self) -> str:
        """All that it says."""
        return " ".join((*self.head, *(cell for row in self.rows for cell in row)))


type Block = Prose | Listing | Table


def lines(block: Block) -> list[str]:
    """What of a block can be said by itself: sentences, items, rows."""
    if isinstance(block, Prose):
        return sentences(block.text)
    if isinstance(block, Listing):
        return list(block.items)
    return [" – ".join(filter(None, row)) for row in block.rows]  # noqa: RUF001


@lru_cache(_CACHED)
def blocks(content: str, heading: str) -> tuple[Block, ...]:
    """The blocks of a passage, in order; code and HTML are left out.

    Args:
        content: Markdown.
        heading: what it stands under before its own first heading.
    """
    return tuple(_Reader(_parser().parse(_NOTE.sub("", content)), heading).blocks())


@dataclass(slots=True)
class _Reader:
    tokens: "Sequence[Token]"
    heading: str
    at: int = 0
    intro: str = ""

    def blocks(self) -> Iterator[Block]:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            before, self.intro = self.intro, ""
            if token.type == "heading_open":
                self.heading = plain(self.tokens[self.at + 1])
                self._skip("heading_close")
            elif token.type == "paragraph_open":
                text = plain(self.tokens[self.at + 1])
                self._skip("paragraph_close")
                self.intro = text if text.endswith(":") else ""
                if text:
                    yield Prose(text, self.heading)
            elif token.type in {"bullet_list_open", "ordered_list_open"}:
                yield from self._listing(token, before)
            elif token.type == "table_open":
                yield from self._table()
            else:
                self.at += 1

    def _skip(self, until: str) -> "Sequence[Token]":
        """Go past the token that closes what begins here; what is between."""
        level, begin = self.tokens[self.at].level, self.at
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.type == until and token.level == level:
                break
        return self.tokens[begin : self.at]

    def _listing(self, opening: "Token", intro: str) -> Iterator[Block]:
        inside = self._skip(opening.type.replace("_open", "_close"))
        items: list[list[str]] = []
        for token in inside:
            if token.type == "list_item_open" and token.level == opening.level + 1:
                items.append([])
            elif token.type == "inline" and items:
                items[-1].append(plain(token))
        texts = tuple(text for each in items if (text := " ".join(filter(None, each))))
        if texts:
            yield Listing(texts, opening.type == "ordered_list_open", self.heading, intro)

    def _table(self) -> Iterator[Block]:
        rows: list[list[str]] = []
        for token in self._skip("table_close"):
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline" and rows:
                rows[-1].append(plain(token))
        if len(rows) > 1:
            yield Table(tuple(rows[0]), tuple(map(tuple, rows[1:])), self.heading)


def plain(inline: "Token") -> str:
    """The text of a line of Markdown, without its marks; what links and pictures point at is left out."""
    return " ".join("".join(map(_word, inline.children or ())).split())


def _word(token: "Token") -> str:
    if token.type == "code_inline":
        return token.content.replace("<", "\u2039").replace(">", "\u203a")
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    return token.content if token.type in {"text", "image"} else ""


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph, which together are it."""
    found: list[str] = []
    for piece in _SENTENCE.split(text):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece:
            found.append(piece)
    return found


def shortened(text: str, most: int) -> str:
    """The text, cut after a sentence, else a word, so that it has at most so many characters."""
    if len(text) <= most:
        return text
    kept = ""
    for sentence in sentences(text):
        if len(kept) + 1 + len(sentence) > most:
            break
        kept = f"{kept} {sentence}".strip()
    if kept:
        return kept
    cut = text[: most - 1]
    return cut[: cut.rfind(" ") if " " in cut else len(cut)].rstrip(" ,;:") + "…"


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")
