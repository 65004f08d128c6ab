"""The worker's use case: a queued document becomes a revision, or says why it does not (rules I2, I3, I5)."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from chalicelib.access.ports import KeyStore
from chalicelib.domain.documents import SETTLED, Document, DocumentStatus, Failure, Origin
from chalicelib.domain.errors import (
    ConcurrentChange,
    ExtractionInterrupted,
    ExtractionTimeout,
    ItemArchived,
    KnowledgeArchived,
    KnowledgeRuntimeDisabled,
    KnownError,
    NotAllowed,
    NotFound,
    StoreBusy,
)
from chalicelib.domain.files import format_of
from chalicelib.domain.spaces import Door, Principal, Role
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Meter
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.ports import DocumentStore, Originals, Progress
from chalicelib.ingest.reading import ReadFile
from chalicelib.ingest.snapshot import Snapshot, sha256_of
from chalicelib.knowledge.ports import KnowledgeStore

LEASE = timedelta(minutes=5)
"""A document at work without a word for so long has lost its worker: no function lives longer."""
ATTEMPTS = 3
"""Extractions of one document that may be cut off before it fails."""
_WORD_EVERY = timedelta(seconds=2)
"""How often progress is written down."""
_PASSING = (
    ExtractionTimeout,
    ExtractionInterrupted,
    KnowledgeArchived,
    ItemArchived,
    NotAllowed,
    KnowledgeRuntimeDisabled,
)
"""What may be otherwise the next time."""


@dataclass(frozen=True, slots=True)
class ExtractDocument:
    """Read a document's file and write what it says."""

    store: KnowledgeStore
    documents: DocumentStore
    originals: Originals
    keys: KeyStore
    read: ReadFile
    snapshot: Snapshot
    limits: Limits
    clock: Clock
    meter: Meter

    def __call__(self, document_id: str) -> Document | None:
        """The document as it is now; None if it is gone. Safe to call again, and from many places at once.

        Raises:
            StoreBusy: try again in a while.
        """
        document = self.documents.document(document_id)
        if document is None or document.status in SETTLED or self._is_at_work(document):
            return document
        if document.status is DocumentStatus.PENDING_UPLOAD:
            return document
        # Whoever changed it in between is at work on it; whoever removed it wants nothing of it.
        with suppress(ConcurrentChange, NotFound):
            if document.attempts >= ATTEMPTS:
                return self._fail(document, ExtractionInterrupted(attempts=document.attempts))
            claimed = self.documents.change(document, document.claimed(self.clock.now()))
            return self._extract(_Claim(self, claimed))
        return self.documents.document(document_id)

    def _is_at_work(self, document: Document) -> bool:
        return document.status is DocumentStatus.EXTRACTING and self.clock.now() - document.updated_at < LEASE

    def _extract(self, claim: "_Claim") -> Document:
        try:
            return self._made(claim)
        except ConcurrentChange as lost:
            self._mine(claim)  # Raises the same if another worker has it, which is then at work on it.
            self._release(claim)
            raise StoreBusy from lost
        except StoreBusy:
            self._release(claim)
            raise
        except KnownError as error:
            # Not found is the item it was attached to, or its base; if it is the document itself, that is told again.
            return self._fail(self._mine(claim), error)
        except Exception:
            # Ours, not the file's: let somebody look, and the queue try again.
            self._release(claim)
            raise

    def _mine(self, claim: "_Claim") -> Document:
        """The document as it is now. Raises NotFound, ConcurrentChange if it was taken away."""
        now = self.documents.document(claim.document.id)
        if now is None:
            raise NotFound
        if (now.status, now.attempts) != (DocumentStatus.EXTRACTING, claim.document.attempts):
            raise ConcurrentChange(expected=claim.document.version, actual=now.version)
        return now

    def _release(self, claim: "_Claim") -> None:
        """Let another worker have the document at once."""
        with suppress(ConcurrentChange, NotFound):
            self.documents.change(self._mine(claim), self._mine(claim).released(self.clock.now()))

    def _made(self, claim: "_Claim") -> Document:
        document = claim.document
        self.limits.demand_size(format_of(document.filename), document.size)
        principal = self._principal(document)
        content = self.originals.fetch(document.key, document.object_version)
        found = self.read(document.filename, content, claim.progress())
        done = self.snapshot(principal, claim.document, found, sha256_of(content))
        self.meter.count("documents_ready", extractor=found.extractor.partition("/")[0])
        return done

    def _principal(self, document: Document) -> Principal:
        """Who writes: the uploader with the roles of today, or for a drop the space itself."""
        if document.origin is Origin.DROP:
            roles = {document.space_id: Role.MEMBER}
            return Principal(document.created_by, roles, frozenset(), Door.WORKER)
        account = self.keys.account(document.created_by)
        memberships = {each.space_id: each.role for each in account[1]} if account else {}
        if account is not None and not account[0].knowledge_enabled:
            raise KnowledgeRuntimeDisabled
        if document.space_id not in memberships:
            raise NotAllowed(action="item:write", role="none")
        return Principal(document.created_by, memberships, frozenset(), Door.WORKER)

    def _fail(self, document: Document, error: KnownError) -> Document:
        failure = Failure(error.code, str(error), retryable=isinstance(error, _PASSING))
        failed = self.documents.change(document, document.failed(failure, self.clock.now()))
        self.meter.count("documents_failed", code=error.code)
        return failed


@dataclass(slots=True)
class _Claim:
    """A document that this worker is at work on, as its last write left it."""

    of: ExtractDocument
    document: Document

    def progress(self) -> Progress:
        """Writes down how far it is, not too often; ends the work if the document was taken away."""

        def word(done: int, total: int) -> None:
            now = self.of.clock.now()
            if now - self.document.updated_at >= _WORD_EVERY:
                self.document = self.of.documents.change(self.document, self.document.progressed(done, total, now))

        return word


@dataclass(frozen=True, slots=True)
class FailAtOnce:
    """What a document that cannot even be begun fails with."""

    documents: DocumentStore
    clock: Clock
    meter: Meter

    def __call__(self, document: Document, error: KnownError, *, retryable: bool = False) -> Document:
        """The document, failed. Raises NotFound, ConcurrentChange."""
        failure = Failure(error.code, str(error), retryable)
        self.meter.count("documents_failed", code=error.code)
        return self.documents.change(document, replace(document.failed(failure, self.clock.now())))


type Extract = Callable[[str], Document | None]
