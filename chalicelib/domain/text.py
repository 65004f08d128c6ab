"""The canonical form of content (rule K9), its hash, and cutting it into pages (rule K14)."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from typing import Self

from chalicelib.domain.errors import ContentTooLarge

MAX_BYTES = 2 * 1024 * 1024
"""Most canonical UTF-8 bytes of one revision (rule K8)."""

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_FENCE = re.compile(
    r"(?P<lead>(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*)(?P<mark>`{3,}(?=[^`]*$)|~{3,})"
)


@dataclass(frozen=True, slots=True)
class Canonical:
    """Text in canonical form with the figures that follow from it."""

    text: str
    sha256: str
    size: int
    """UTF-8 bytes."""

    @classmethod
    def of(cls, raw: str) -> Self:
        """Make raw text canonical.

        Raises:
            ContentTooLarge: its canonical form is over `MAX_BYTES`.
        """
        text = canonical(raw)
        encoded = text.encode()
        if len(encoded) > MAX_BYTES:
            raise ContentTooLarge(size=len(encoded), limit=MAX_BYTES)
        return cls(text, hashlib.sha256(encoded).hexdigest(), len(encoded))


def canonical(raw: str) -> str:
    """The one form of a text: NFC, LF, no byte-order mark, no blanks at the ends of prose lines, one last newline.

    NUL and lone surrogates become U+FFFD, as CommonMark does for NUL; surrogate pairs become the character
    they stand for. Fenced code keeps its blanks. Doing it twice changes nothing.
    """
    text = raw
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = text.replace("\ufeff", "").replace("\0", _REPLACEMENT)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # NFC before looking for fences: it turns U+1FEF into a backtick.
    text = unicodedata.normalize("NFC", text)
    return "\n".join(_trimmed(text.split("\n"))).rstrip("\n") + "\n"


def _trimmed(lines: list[str]) -> list[str]:
    fence: _Fence | None = None
    done = []
    for line in lines:
        bare = line.rstrip(" \t")
        if fence is not None and fence.holds(bare):
            if fence.closed_by(bare):
                fence = None
                done.append(bare)
            else:
                done.append(line)
            continue
        fence = _Fence.opened_by(bare)
        done.append(bare)
    return done


@dataclass(frozen=True, slots=True)
class _Fence:
    mark: str
    quotes: int
    indent: int
    """Least indentation of a line inside: over 0 where a list item holds the fence."""

    @classmethod
    def opened_by(cls, line: str) -> Self | None:
        match = _FENCE.match(line)
        if match is None:
            return None
        lead = match["lead"]
        listed = re.search(r"[-*+\d.)]", lead) is not None
        return cls(match["mark"], lead.count(">"), len(lead) if listed else 0)

    def holds(self, line: str) -> bool:
        """Whether the line is still in the quotation and list item that the fence was opened in."""
        lead = re.match(r"[ \t>]*", line)
        prefix = lead.group() if lead else ""
        if prefix.count(">") < self.quotes:
            return False
        return not line or len(prefix) >= self.indent

    def closed_by(self, line: str) -> bool:
        rest = line.lstrip(" \t>")
        return len(rest) >= len(self.mark) and not rest.strip(self.mark[0])


@dataclass(frozen=True, slots=True)
class Slice:
    """A stretch of a text, counted in code points."""

    text: str
    offset: int
    total_chars: int
    next_offset: int | None
    """Where to go on reading; None at the end."""


def cut(text: str, offset: int, limit: int) -> Slice:
    """At most `limit` code points of the text from `offset`; empty beyond its end."""
    end = min(offset + limit, len(text))
    return Slice(text[offset:end], offset, len(text), end if end < len(text) else None)
