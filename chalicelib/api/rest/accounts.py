"""Routes of leaving: an export of everything, and deleting one's account."""

from chalicelib.access.scopes import Scope
from chalicelib.api.raw import Asked, Raw, RawRoute
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.accounts import CloseBody, ClosureAnswer, ExportAnswer, ExportsAnswer
from chalicelib.domain.errors import ConfirmationMismatch, NotFound, OnlyOwner, TokenLimited, TooMany
from chalicelib.domain.ids import Kind, is_id

_READ_ALL = (Scope.KNOWLEDGE_READ, Scope.MEMORY_READ, Scope.TOKENS_ADMIN)
_WRITE_ALL = (Scope.KNOWLEDGE_WRITE, Scope.MEMORY_WRITE, Scope.TOKENS_ADMIN)


def _export(call: Call) -> Reply:
    return Reply(ExportAnswer.of(call.services.request_export(call.principal)), 202)


def _list(call: Call) -> Reply:
    found = call.services.list_exports(call.principal)
    return Reply(ExportsAnswer(exports=[ExportAnswer.of(each) for each in found]))


def _read(call: Call) -> Reply:
    export, url = call.services.read_export(call.principal, call.path["export_id"])
    return Reply(ExportAnswer.of(export, url))


def _close(call: Call) -> Reply:
    return Reply(ClosureAnswer.of(call.services.close_account(call.principal, call.body.confirm)), 202)


def _receipt(asked: Asked) -> Raw:
    """How far a deletion is: for whoever knows its id, since the account that asked for it is gone. Counts only."""
    closure_id = asked.path["closure_id"]
    closure = asked.services.closures.closure(closure_id) if is_id(closure_id, Kind.CLOSURE) else None
    if closure is None:
        raise NotFound
    return Raw(ClosureAnswer.of(closure).model_dump_json())


ROUTES = (
    Route(
        "POST",
        "/v1/exports",
        "requestExport",
        "Ask for an archive of everything of one's account",
        _export,
        ExportAnswer,
        _READ_ALL,
        status=202,
        errors=(TokenLimited, TooMany),
    ),
    Route(
        "GET",
        "/v1/exports",
        "listExports",
        "List the exports of one's account, newest first",
        _list,
        ExportsAnswer,
        _READ_ALL,
        errors=(TokenLimited,),
    ),
    Route(
        "GET",
        "/v1/exports/{export_id}",
        "readExport",
        "Read how far an export is, and where it can be fetched",
        _read,
        ExportAnswer,
        _READ_ALL,
        errors=(TokenLimited, NotFound),
    ),
    Route(
        "DELETE",
        "/v1/account",
        "closeAccount",
        "Delete one's account with everything in it, for good",
        _close,
        ClosureAnswer,
        _WRITE_ALL,
        body=CloseBody,
        status=202,
        errors=(TokenLimited, NotFound, ConfirmationMismatch, OnlyOwner),
    ),
)

RECEIPT = RawRoute(
    ("GET",), "/v1/closures/{closure_id}", "readClosure", "Read how far the deletion of an account is", _receipt
)
