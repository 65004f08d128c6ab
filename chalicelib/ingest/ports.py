"""What the loading bay needs from outside."""

from collections.abc import Callable
from typing import Protocol

from chalicelib.ingest.extraction import Extraction

type Progress = Callable[[int, int], None]
"""Told how many pages, slides or sheets are done, and of how many."""


class Sandbox(Protocol):
    """Where files are parsed that nobody has to trust: bounded in time, memory and output, without network or files."""

    def extract(self, extension: str, content: bytes, progress: Progress) -> Extraction:
        """The file as Markdown.

        Raises DocumentEncrypted, DocumentHasNoText, DocumentEmpty, DocumentUnreadable, DocumentTooLarge,
        UnsupportedFormat, UndecodableText, ExtractionTimeout.
        """
        ...
