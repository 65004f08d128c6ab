"""A sandbox that is none: the same extractors, in this process; and a queue in memory."""

from chalicelib.domain.errors import DocumentUnreadable, KnownError
from chalicelib.domain.text import Canonical
from chalicelib.ingest.extraction import Extraction, bounded
from chalicelib.ingest.extractors import extractor_for
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.ports import Progress


class OpenSandbox:
    """The port `Sandbox`, for files that a test made itself."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()

    def extract(self, extension: str, content: bytes, progress: Progress) -> Extraction:
        try:
            found = extractor_for(extension)(content, self.limits, progress)
        except KnownError:
            raise
        except Exception:  # noqa: BLE001 - as the sandbox does
            raise DocumentUnreadable from None
        text = Canonical.of(found.text).text
        return Extraction(text, found.extractor, found.title, bounded(found.metadata))


class MemoryQueue:
    """The port `WorkQueue`, remembering."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, document_id: str) -> None:
        self.sent.append(document_id)
