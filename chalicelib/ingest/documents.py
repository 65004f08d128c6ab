"""Use cases on documents as people see them: ask for an upload, look how far it is, retry, delete."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from chalicelib.domain.documents import Document, DocumentStatus, Origin
from chalicelib.domain.errors import IllegalMove, NotFound, UnsupportedFormat, UploadMissing
from chalicelib.domain.files import Family, Form, Format, format_of
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.spaces import Action, Principal, demand, may
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once, Page
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.ports import DocumentStore, Originals, WorkQueue
from chalicelib.knowledge.ports import KnowledgeStore
from chalicelib.knowledge.visibility import base_for, demand_active, item_for


@dataclass(frozen=True, slots=True)
class Upload:
    """What is asked for when a document is to be uploaded."""

    base_id: str
    filename: str
    size: int
    title: str | None = None
    locator: str | None = None
    item_id: str | None = None
    """The item whose next revision it is to be."""


def original_key(base_id: str, document_id: str, kind: Format) -> str:
    """Where the file of an upload lies."""
    return f"originals/{base_id}/{document_id}/original.{kind.extension}"


@dataclass(frozen=True, slots=True)
class RequestUpload:
    """Make a document, and a form that uploads its file."""

    store: KnowledgeStore
    documents: DocumentStore
    originals: Originals
    limits: Limits
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, asked: Upload, once: Once | None) -> tuple[Document, Form]:
        """The document, and the form for its file.

        Raises NotFound, NotAllowed, KnowledgeArchived, UnsupportedFormat, DocumentEmpty, DocumentTooLarge,
        IdempotencyKeyReused.
        """
        base = base_for(self.store, principal, asked.base_id, Action.WRITE_ITEMS)
        if once and (seen := self.documents.replayed(once)):
            return seen, self._form(seen)
        demand_active(base)
        kind = format_of(asked.filename)
        if kind.family is not Family.DOCUMENT:
            raise UnsupportedFormat(found=kind.extension, instead="a new item with source_type file")
        self.limits.demand_size(kind, asked.size)
        if asked.item_id is not None:
            item, _ = item_for(self.store, principal, asked.item_id, Action.WRITE_ITEMS)
            if item.base_id != base.id:
                raise NotFound
        document_id, now = self.ids.new(Kind.DOCUMENT), self.clock.now()
        document = Document(
            id=document_id,
            base_id=base.id,
            space_id=base.space_id,
            origin=Origin.UPLOAD,
            filename=asked.filename,
            size=asked.size,
            key=original_key(base.id, document_id, kind),
            status=DocumentStatus.PENDING_UPLOAD,
            version=1,
            created_by=principal.user_id,
            created_at=now,
            updated_at=now,
            title=asked.title,
            locator=asked.locator,
            attached_to=asked.item_id,
        )
        added = self.documents.add(document, once)
        return added, self._form(added)

    def _form(self, document: Document) -> Form:
        expires_at = document.created_at + self.limits.upload_time
        return self.originals.form(document.key, format_of(document.filename).media_type, document.size, expires_at)


def document_for(documents: DocumentStore, principal: Principal, document_id: str, action: Action) -> Document:
    """The document, if the principal sees it and may do that.

    Raises:
        NotFound: there is none, or the principal neither edits its space nor uploaded it.
        NotAllowed: the role is too small.
    """
    found = documents.document(document_id)
    if found is None or not sees_document(principal, found):
        raise NotFound
    demand(principal, action, found.space_id)
    return found


def sees_document(principal: Principal, document: Document) -> bool:
    """Whether the document exists for the principal: for editors of its space, and for who uploaded it."""
    if not may(principal, Action.READ, document.space_id):
        return False
    return may(principal, Action.READ_DRAFTS, document.space_id) or document.created_by == principal.user_id


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """Read how far a document is."""

    documents: DocumentStore

    def __call__(self, principal: Principal, document_id: str) -> Document:
        """The document. Raises NotFound."""
        return document_for(self.documents, principal, document_id, Action.READ)


@dataclass(frozen=True, slots=True)
class NameDocuments:
    """Read the records of some documents, wherever they are."""

    documents: DocumentStore

    def __call__(self, principal: Principal, document_ids: Collection[str]) -> dict[str, Document]:
        """Those that the principal sees, by id, in one batch; of the others not even that they are there."""
        found = self.documents.named_documents(document_ids) if document_ids else ()
        return {each.id: each for each in found if sees_document(principal, each)}


@dataclass(frozen=True, slots=True)
class LinkOriginal:
    """Give a link that saves the file of a document."""

    documents: DocumentStore
    originals: Originals

    def __call__(self, principal: Principal, document_id: str) -> tuple[Document, str]:
        """The document and the link, good for ten minutes. Raises NotFound, UploadMissing."""
        document = document_for(self.documents, principal, document_id, Action.READ)
        failed = document.failure.code if document.failure else None
        if document.status is DocumentStatus.PENDING_UPLOAD or failed == UploadMissing.code:
            raise UploadMissing
        name = PurePosixPath(document.filename).name
        return document, self.originals.link(document.key, document.object_version, name)


@dataclass(frozen=True, slots=True)
class ListDocuments:
    """List the documents of a base."""

    store: KnowledgeStore
    documents: DocumentStore
    rounds: int = 5
    """How many pages of the table are read at most to fill one page of the answer."""

    def __call__(
        self, principal: Principal, base_id: str, wanted: Collection[DocumentStatus], after: str | None, limit: int
    ) -> Page[Document]:
        """A page of documents with one of these states, newest first; it may be short and still have a next one.

        Raises NotFound.
        """
        base = base_for(self.store, principal, base_id)
        found: list[Document] = []
        for _ in range(self.rounds):
            page = self.documents.documents(base.id, after, limit - len(found))
            found += [each for each in page.entries if each.status in wanted and sees_document(principal, each)]
            after = page.after
            if after is None or len(found) == limit:
                break
        return Page(tuple(found), after)


@dataclass(frozen=True, slots=True)
class RetryDocument:
    """Ask once more for the extraction of a document that failed."""

    documents: DocumentStore
    queue: WorkQueue
    clock: Clock

    def __call__(self, principal: Principal, document_id: str) -> Document:
        """The document, queued. Raises NotFound, NotAllowed, IllegalMove, ConcurrentChange."""
        document = document_for(self.documents, principal, document_id, Action.WRITE_ITEMS)
        if document.failure is None or not document.failure.retryable:
            raise IllegalMove(source=document.status, target=DocumentStatus.QUEUED)
        queued = self.documents.change(document, document.retried(self.clock.now()))
        self.queue.send(queued.id)
        return queued


@dataclass(frozen=True, slots=True)
class DeleteDocument:
    """Delete a document and its file; the item that was made of it stays."""

    documents: DocumentStore
    originals: Originals

    def __call__(self, principal: Principal, document_id: str) -> Document:
        """The document as it was. Raises NotFound, NotAllowed."""
        document = document_for(self.documents, principal, document_id, Action.WRITE_ITEMS)
        self.originals.erase_object(document.key, document.object_version)
        self.documents.remove(document)
        return document
