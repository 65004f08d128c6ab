"""What the loading bay needs from outside."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chalicelib.domain.documents import Document
from chalicelib.domain.files import Form
from chalicelib.domain.writes import Once, Page
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


@dataclass(frozen=True, slots=True)
class Stored:
    """What is known of an object without reading it."""

    version: str | None
    size: int
    modified: datetime
    metadata: Mapping[str, str]


class Originals(Protocol):
    """Where uploaded and dropped files lie, every version of each."""

    def form(self, key: str, media_type: str, size: int, expires_at: datetime) -> Form:
        """A form for one file of that type and at most that size, which can be used until then."""
        ...

    def origin(self) -> str:
        """Where forms are posted to and links lead: scheme, host and port, as a page's policy names it."""
        ...

    def link(self, key: str, version: str | None, filename: str) -> str:
        """An address that anybody can save a version of the file from, under that name, for ten minutes."""
        ...

    def look(self, key: str, version: str | None) -> Stored | None:
        """What is known of a version of an object, by default the latest; None if it is not there."""
        ...

    def fetch(self, key: str, version: str | None) -> bytes:
        """The file. Raises UploadMissing."""
        ...

    def erase_object(self, key: str, version: str | None) -> None:
        """Remove one version of exactly that object, or all."""
        ...


class DocumentStore(Protocol):
    """The records of documents. Reads are strongly consistent; writes are transactions that state what they expect."""

    def add(self, document: Document, once: Once | None) -> Document:
        """Write a new document of a base that is there; the one that has its id, if there is one.

        Raises NotFound: there is no such base.
        """
        ...

    def document(self, document_id: str) -> Document | None:
        """The document, or None."""
        ...

    def named_documents(self, document_ids: Collection[str]) -> tuple[Document, ...]:
        """Those of the documents that exist, in no order."""
        ...

    def documents(self, base_id: str, after: str | None, limit: int) -> Page[Document]:
        """The documents of a base, newest first."""
        ...

    def replayed(self, once: Once) -> Document | None:
        """What this write answered before, as it is now, or None. Raises IdempotencyKeyReused."""
        ...

    def change(self, before: Document, after: Document) -> Document:
        """Replace a document that still is at `before`'s version. Raises NotFound, ConcurrentChange."""
        ...

    def remove(self, document: Document) -> None:
        """Remove every record of a document."""
        ...

    def unsettled(self) -> tuple[Document, ...]:
        """The documents that are neither ready nor failed."""
        ...


class WorkQueue(Protocol):
    """Wakes the worker."""

    def send(self, document_id: str) -> None:
        """Ask for the extraction of a document."""
        ...
