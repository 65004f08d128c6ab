"""The Markdown that an extractor writes, within its limit, and what it left out, counted."""

from collections import Counter
from dataclasses import dataclass, field

from chalicelib.domain.errors import DocumentEmpty, DocumentHasNoText, DocumentTooLarge
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.limits import Limits


@dataclass(slots=True)
class Output:
    """Blocks in order; those that belong close together (items of a list) without a blank line between."""

    limits: Limits
    facts: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    """What a rule left out, by what it is: characters, or things."""
    words: bool = False
    """Whether there is more than headings that we wrote ourselves."""
    _parts: list[str] = field(default_factory=list)
    _size: int = 0
    _close: bool = False

    def add(self, block: str, *, close: bool = False, ours: bool = False) -> None:
        """Add a block. Raises DocumentTooLarge once there is more than may come out."""
        if not block.strip():
            return
        if self._parts:
            self._parts.append("\n" if close and self._close else "\n\n")
        self._parts.append(block)
        self._close = close
        self.words = self.words or not ours
        self._size += len(block) + 2
        if self._size > self.limits.output_bytes:
            raise DocumentTooLarge(what="bytes of text", limit=self.limits.output_bytes)

    def extraction(self, extractor: str, title: str | None, *, pictures: bool) -> Extraction:
        """What came out.

        Raises DocumentHasNoText, DocumentEmpty: nothing did, with or without pictures or invisible text.
        """
        if not self.words:
            raise DocumentHasNoText if pictures or self.left_out["invisible_text"] else DocumentEmpty
        left = {f"left_out.{name}": str(count) for name, count in sorted(self.left_out.items()) if count}
        return Extraction("".join(self._parts) + "\n", extractor, title, {**self.facts, **left})
