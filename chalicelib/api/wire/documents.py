"""Shapes of documents."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Self

from pydantic import Field

from chalicelib.api.wire.words import NAME, Answer, Filename, Id, Listing, Locator, Shape, Title
from chalicelib.domain.citations import cite
from chalicelib.domain.documents import SETTLED, Document, DocumentStatus, Origin
from chalicelib.domain.files import Form


class NewDocumentBody(Shape):
    """A document to be uploaded."""

    filename: Filename
    size: Annotated[int, Field(ge=0, le=10**12, description="Bytes of the file.")]
    knowledge_base_id: Id
    title: Annotated[Title | None, Field(description="What the item is called; else what the document is.")] = None
    locator: Annotated[
        Locator | None, Field(description="Where the item is; the next revision of the one there, if there is one.")
    ] = None
    knowledge_item_id: Annotated[Id | None, Field(description="Make it the next revision of this item.")] = None


class DocumentListing(Listing):
    """Which documents to list."""

    knowledge_base_id: Annotated[Id, Field(description="The documents of this base.")]
    status: Annotated[DocumentStatus | None, Field(description="Only documents that are this.")] = None
    unfinished: Annotated[bool, Field(description="Only documents that are neither ready nor failed.")] = False

    @property
    def wanted(self) -> frozenset[DocumentStatus]:
        """The states that are asked for."""
        asked = frozenset(DocumentStatus) if self.status is None else frozenset({self.status})
        return asked - SETTLED if self.unfinished else asked


class ProgressAnswer(Answer):
    """How far the reading of a document is."""

    done: int
    total: Annotated[int, Field(description="Pages, slides or sheets; 0 if that is not known.")]


class FailureAnswer(Answer):
    """Why a document became no item."""

    code: str
    message: str
    retryable: bool


class DocumentAnswer(Answer):
    """A document."""

    id: str
    knowledge_base_id: str
    space_id: str
    origin: Annotated[Origin, Field(description="`drop`: put into the bucket's inbox.")]
    filename: str
    size: int
    status: DocumentStatus
    progress: ProgressAnswer
    failure: FailureAnswer | None
    knowledge_item_id: Annotated[str | None, Field(description="Once it is ready.")]
    knowledge_revision_id: str | None
    reference: str | None
    created_by: str
    created_by_name: Annotated[str | None, NAME]
    created_at: datetime
    updated_at: Annotated[datetime, Field(description="While it is extracted: when it was begun, or went on last.")]

    @classmethod
    def of(cls, document: Document, names: Mapping[str, str]) -> Self:
        """The shape of a document."""
        failure, revision_id = document.failure, document.revision_id
        item_id = document.item_id if revision_id else None
        return cls(
            id=document.id,
            knowledge_base_id=document.base_id,
            space_id=document.space_id,
            origin=document.origin,
            filename=document.filename,
            size=document.size,
            status=document.status,
            progress=ProgressAnswer(done=document.done, total=document.total),
            failure=failure and FailureAnswer(code=failure.code, message=failure.message, retryable=failure.retryable),
            knowledge_item_id=item_id,
            knowledge_revision_id=revision_id,
            reference=cite(item_id, revision_id) if item_id and revision_id else None,
            created_by=document.created_by,
            created_by_name=names.get(document.created_by),
            created_at=document.created_at,
            updated_at=document.updated_at,
        )


class OriginalAnswer(Answer):
    """Where the file of a document can be saved from."""

    filename: str
    url: Annotated[str, Field(description="Good for ten minutes, for whoever has it; a browser saves what it gives.")]


class UploadAnswer(Answer):
    """A form that uploads the file: a POST of these fields, and last the file itself as `file`."""

    url: str
    fields: dict[str, str]
    expires_at: datetime

    @classmethod
    def of(cls, form: Form) -> Self:
        """The shape of a form."""
        return cls(url=form.url, fields=dict(form.fields), expires_at=form.expires_at)


class NewDocumentAnswer(Answer):
    """A document that waits for its file."""

    document_id: str
    document: DocumentAnswer
    upload: UploadAnswer


class DocumentsAnswer(Answer):
    """A page of documents, newest first."""

    documents: list[DocumentAnswer]
    next_cursor: str | None
