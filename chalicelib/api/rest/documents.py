"""Routes of documents."""

from chalicelib.access.scopes import Scope
from chalicelib.api import cursors
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.documents import (
    DocumentAnswer,
    DocumentListing,
    DocumentsAnswer,
    NewDocumentAnswer,
    NewDocumentBody,
    OriginalAnswer,
    UploadAnswer,
)
from chalicelib.domain.documents import Document
from chalicelib.domain.errors import (
    ConcurrentChange,
    DocumentEmpty,
    DocumentTooLarge,
    IllegalMove,
    KnowledgeArchived,
    NotAllowed,
    NotFound,
    UnsupportedFormat,
    UploadMissing,
)
from chalicelib.ingest.documents import Upload

_READ = (Scope.KNOWLEDGE_READ,)
_WRITE = (Scope.DOCUMENTS_WRITE,)
_DOCUMENTS = "/api/v1/documents"
_DOCUMENT = f"{_DOCUMENTS}/{{document_id}}"


def _shape(call: Call, document: Document) -> DocumentAnswer:
    return DocumentAnswer.of(document, call.names([document]))


def _request(call: Call) -> Reply:
    body = call.body
    asked = Upload(
        base_id=body.knowledge_base_id,
        filename=body.filename,
        size=body.size,
        title=body.title,
        locator=body.locator,
        item_id=body.knowledge_item_id,
    )
    document, form = call.services.request_upload(call.principal, asked, call.once)
    shape = NewDocumentAnswer(document_id=document.id, document=_shape(call, document), upload=UploadAnswer.of(form))
    return Reply(shape, 201, {"Location": f"{_DOCUMENTS}/{document.id}"})


def _list(call: Call) -> Reply:
    query = call.query
    listed = f"documents {query.knowledge_base_id} {sorted(query.wanted)}"
    after = cursors.take(listed, query.cursor)
    page = call.services.list_documents(call.principal, query.knowledge_base_id, query.wanted, after, query.limit)
    names = call.names(page.entries)
    return Reply(
        DocumentsAnswer(
            documents=[DocumentAnswer.of(each, names) for each in page.entries],
            next_cursor=cursors.give(listed, page.after),
        )
    )


def _read(call: Call) -> Reply:
    return Reply(_shape(call, call.services.read_document(call.principal, call.path["document_id"])))


def _original(call: Call) -> Reply:
    document, url = call.services.link_original(call.principal, call.path["document_id"])
    return Reply(OriginalAnswer(filename=document.filename, url=url))


def _retry(call: Call) -> Reply:
    return Reply(_shape(call, call.services.retry_document(call.principal, call.path["document_id"])), 202)


def _delete(call: Call) -> Reply:
    return Reply(_shape(call, call.services.delete_document(call.principal, call.path["document_id"])))


ROUTES = (
    Route(
        "POST",
        _DOCUMENTS,
        "requestUpload",
        "Announce a document, and get a form that uploads it",
        _request,
        NewDocumentAnswer,
        _WRITE,
        body=NewDocumentBody,
        status=201,
        repeatable=True,
        errors=(NotFound, NotAllowed, KnowledgeArchived, UnsupportedFormat, DocumentEmpty, DocumentTooLarge),
    ),
    Route(
        "GET",
        _DOCUMENTS,
        "listDocuments",
        "List the documents of a base, newest first",
        _list,
        DocumentsAnswer,
        _READ,
        query=DocumentListing,
        errors=(NotFound,),
    ),
    Route(
        "GET", _DOCUMENT, "readDocument", "Read how far a document is", _read, DocumentAnswer, _READ, errors=(NotFound,)
    ),
    Route(
        "GET",
        f"{_DOCUMENT}/original",
        "linkOriginal",
        "Get a link that saves the file of a document",
        _original,
        OriginalAnswer,
        _READ,
        errors=(NotFound, UploadMissing),
    ),
    Route(
        "POST",
        f"{_DOCUMENT}/retry",
        "retryDocument",
        "Read a document again that failed for a reason that may have passed",
        _retry,
        DocumentAnswer,
        _WRITE,
        status=202,
        errors=(NotFound, NotAllowed, IllegalMove, ConcurrentChange),
    ),
    Route(
        "DELETE",
        _DOCUMENT,
        "deleteDocument",
        "Delete a document and its file; the item made of it stays",
        _delete,
        DocumentAnswer,
        _WRITE,
        errors=(NotFound, NotAllowed),
    ),
)
