"""Routes of knowledge bases and of deletions for good."""

from chalicelib.access.scopes import Scope
from chalicelib.api import cursors
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.bases import (
    BaseAnswer,
    BaseCountsAnswer,
    BaseListing,
    BasesAnswer,
    ChangedBaseBody,
    ConfirmBaseBody,
    NewBaseBody,
    PurgeAnswer,
)
from chalicelib.domain.bases import Base
from chalicelib.domain.errors import (
    ConcurrentChange,
    ConfirmationMismatch,
    IllegalMove,
    KnowledgeArchived,
    NotAllowed,
    NotFound,
)

_READ = (Scope.KNOWLEDGE_READ,)
_WRITE = (Scope.KNOWLEDGE_WRITE,)
_BASES = "/api/v1/knowledge/bases"
_BASE = f"{_BASES}/{{base_id}}"


def _shape(call: Call, base: Base) -> BaseAnswer:
    return BaseAnswer.of(base, call.names([base]))


def _create(call: Call) -> Reply:
    body = call.body
    base = call.services.bases.create(call.principal, body.space_id, body.name, body.description, call.once)
    return Reply(_shape(call, base), 201, {"Location": f"{_BASES}/{base.id}"})


def _list(call: Call) -> Reply:
    listed = f"bases {call.query.space}"
    after = cursors.take(listed, call.query.cursor)
    page = call.services.bases.list(call.principal, call.query.space, after, call.query.limit)
    names = call.names(page.entries)
    return Reply(
        BasesAnswer(
            bases=[BaseAnswer.of(each, names) for each in page.entries], next_cursor=cursors.give(listed, page.after)
        )
    )


def _read(call: Call) -> Reply:
    return Reply(_shape(call, call.services.bases.read(call.principal, call.path["base_id"])))


def _counts(call: Call) -> Reply:
    return Reply(BaseCountsAnswer.of(call.services.count_base(call.principal, call.path["base_id"])))


def _change(call: Call) -> Reply:
    body = call.body
    changed = call.services.bases.change(call.principal, call.path["base_id"], body.name, body.description, call.once)
    return Reply(_shape(call, changed))


def _archive(call: Call) -> Reply:
    return Reply(_shape(call, call.services.bases.archive(call.principal, call.path["base_id"], call.once)))


def _restore(call: Call) -> Reply:
    return Reply(_shape(call, call.services.bases.restore(call.principal, call.path["base_id"], call.once)))


def _delete(call: Call) -> Reply:
    purge = call.services.delete_base(call.principal, call.path["base_id"], call.body.confirm, call.once)
    return Reply(PurgeAnswer.of(purge), 202, {"Location": f"/api/v1/knowledge/purges/{purge.id}"})


def _receipt(call: Call) -> Reply:
    return Reply(PurgeAnswer.of(call.services.read_purge(call.principal, call.path["purge_id"])))


_MOVES = (NotFound, NotAllowed, IllegalMove, ConcurrentChange)

ROUTES = (
    Route("GET", _BASES, "listBases", "List bases", _list, BasesAnswer, _READ, query=BaseListing, errors=(NotFound,)),
    Route(
        "POST",
        _BASES,
        "createBase",
        "Make a base",
        _create,
        BaseAnswer,
        _WRITE,
        body=NewBaseBody,
        status=201,
        repeatable=True,
        errors=(NotFound, NotAllowed),
    ),
    Route("GET", _BASE, "readBase", "Read a base", _read, BaseAnswer, _READ, errors=(NotFound,)),
    Route(
        "GET",
        f"{_BASE}/counts",
        "countBase",
        "Count what is in a base, which is what deleting it would remove",
        _counts,
        BaseCountsAnswer,
        _READ,
        errors=(NotFound, KnowledgeArchived),
    ),
    Route(
        "PATCH",
        _BASE,
        "changeBase",
        "Rename or describe a base",
        _change,
        BaseAnswer,
        _WRITE,
        body=ChangedBaseBody,
        repeatable=True,
        errors=(NotFound, NotAllowed, ConcurrentChange),
    ),
    Route(
        "POST",
        f"{_BASE}/archive",
        "archiveBase",
        "Suspend all retrieval of a base's items",
        _archive,
        BaseAnswer,
        _WRITE,
        repeatable=True,
        errors=_MOVES,
    ),
    Route(
        "POST",
        f"{_BASE}/restore",
        "restoreBase",
        "Bring an archived base back as it was",
        _restore,
        BaseAnswer,
        _WRITE,
        repeatable=True,
        errors=_MOVES,
    ),
    Route(
        "DELETE",
        _BASE,
        "deleteBase",
        "Delete a base and everything in it, for good",
        _delete,
        PurgeAnswer,
        _WRITE,
        body=ConfirmBaseBody,
        status=202,
        repeatable=True,
        errors=(NotFound, NotAllowed, ConfirmationMismatch, ConcurrentChange),
    ),
    Route(
        "GET",
        "/api/v1/knowledge/purges/{purge_id}",
        "readPurge",
        "Read how far a deletion is, and its receipt",
        _receipt,
        PurgeAnswer,
        _READ,
        errors=(NotFound, NotAllowed),
    ),
)
