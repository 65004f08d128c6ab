"""What is taken, of what size: one table, which the server publishes and every client holds itself to."""

from dataclasses import dataclass
from datetime import timedelta

from chalicelib.domain.errors import DocumentEmpty, DocumentTooLarge
from chalicelib.domain.files import Family, Format
from chalicelib.domain.text import MAX_BYTES

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of files, of the text that comes out of them, and of the time and memory that reading may take."""

    text_bytes: int = MAX_BYTES
    """Of a text or code file."""
    document_bytes: int = 50 * MIB
    """Of a document."""
    unpacked_bytes: int = 512 * MIB
    """Of all parts of an Office file that are read, as they are once unpacked."""
    pages: int = 5000
    """Pages, slides or sheets of a document."""
    output_bytes: int = MAX_BYTES
    """Of the Markdown that comes out."""
    seconds: int = 120
    """Time that reading one document may take."""
    memory_bytes: int = 1024 * MIB
    """Address space of the process that reads it."""
    upload_seconds: int = 900
    """Time for an upload, from when it was asked for."""

    @property
    def upload_time(self) -> timedelta:
        """The same, as a stretch of time."""
        return timedelta(seconds=self.upload_seconds)

    def bytes_of(self, kind: Format) -> int:
        """Most bytes of a file of that kind."""
        return self.document_bytes if kind.family is Family.DOCUMENT else self.text_bytes

    def demand_size(self, kind: Format, size: int) -> None:
        """Let a file of that size pass.

        Raises DocumentEmpty, DocumentTooLarge.
        """
        if size == 0:
            raise DocumentEmpty
        if size > self.bytes_of(kind):
            raise DocumentTooLarge(what="bytes", limit=self.bytes_of(kind))
