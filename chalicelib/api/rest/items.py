"""Routes of knowledge items."""

from collections.abc import Callable

from chalicelib.access.scopes import Scope
from chalicelib.api import cursors
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.bases import PurgeAnswer
from chalicelib.api.wire.items import (
    ConfirmItemBody,
    EditBody,
    ItemAnswer,
    ItemCountsAnswer,
    ItemListing,
    ItemsAnswer,
    NewItemBody,
)
from chalicelib.domain.errors import (
    ConcurrentChange,
    ConfirmationMismatch,
    ContentTooLarge,
    DocumentEmpty,
    DocumentTooLarge,
    DocumentUnreadable,
    ExpectedRevisionRequired,
    ExtractionTimeout,
    IllegalMove,
    ItemArchived,
    KnowledgeArchived,
    KnownError,
    ListTooLong,
    LocatorTaken,
    NotAllowed,
    NotFound,
    StaleRevision,
    UndecodableText,
    UnsupportedFormat,
)
from chalicelib.domain.items import Item
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.writes import Page
from chalicelib.ingest.putting import SentFile, Write
from chalicelib.knowledge.drafts import Edit, NewItem

_READ = (Scope.KNOWLEDGE_READ,)
_WRITE = (Scope.KNOWLEDGE_WRITE,)
_ITEMS = "/api/v1/knowledge/bases/{base_id}/items"
_ITEM = "/api/v1/knowledge/items/{item_id}"


def answered(call: Call, item: Item, status: int = 200) -> Reply:
    """An item as an answer, its revision as the entity tag."""
    shape = ItemAnswer.of(item, call.services.search_states([item])[item.id].value, call.names([item]))
    return Reply(shape, status, {"ETag": f'"{item.current_revision_id}"'})


def _create(call: Call) -> Reply:
    body, base_id = call.body, call.path["base_id"]
    content = body.sent()
    if content is None:
        new = NewItem(body.title, body.locator, body.content)
        item = call.services.create_item(call.principal, base_id, new, call.provenance, call.once)
    else:
        file = SentFile(body.filename, content, body.title, body.locator)
        item = call.services.create_from_file(call.principal, base_id, file, call.provenance, call.once)
    reply = answered(call, item, 201)
    return Reply(reply.content, 201, {**reply.headers, "Location": f"/api/v1/knowledge/items/{item.id}"})


def _list(call: Call) -> Reply:
    query, base_id = call.query, call.path["base_id"]
    listed = f"items {base_id} {query.status} {query.sort} {query.contains}"
    after = cursors.take(listed, query.cursor)
    if query.locator is not None:
        found = call.services.find_item(call.principal, base_id, query.locator)
        page = Page((found,) if found and query.wanted.holds(found) else (), None)
    else:
        page = call.services.list_items(call.principal, base_id, query.wanted, after, query.limit)
    states, names = call.services.search_states(page.entries), call.names(page.entries)
    return Reply(
        ItemsAnswer(
            items=[ItemAnswer.of(each, states[each.id].value, names) for each in page.entries],
            next_cursor=cursors.give(listed, page.after),
        )
    )


def _read(call: Call) -> Reply:
    return answered(call, call.services.read_item(call.principal, call.path["item_id"]))


def _counts(call: Call) -> Reply:
    return Reply(ItemCountsAnswer.of(call.services.count_item(call.principal, call.path["item_id"])))


def _edit(call: Call) -> Reply:
    body, item_id = call.body, call.path["item_id"]
    content = body.sent()
    if content is None:
        edit = Edit(call.expected(), body.content, body.title, body.locator)
        item = call.services.edit_item(call.principal, item_id, edit, call.provenance, call.once)
    else:
        file = SentFile(body.filename, content, body.title, body.locator)
        write = Write(call.provenance, call.once)
        item = call.services.edit_from_file(call.principal, item_id, file, call.expected(), write)
    return answered(call, item)


def _delete(call: Call) -> Reply:
    purge = call.services.delete_item(call.principal, call.path["item_id"], call.body.confirm, call.once)
    return Reply(PurgeAnswer.of(purge), 202, {"Location": f"/api/v1/knowledge/purges/{purge.id}"})


def _moving(move: Move) -> Callable[[Call], Reply]:
    def handler(call: Call) -> Reply:
        return answered(call, call.services.move_item(call.principal, call.path["item_id"], move, call.once))

    return handler


EDITS: tuple[type[KnownError], ...] = (
    NotFound,
    NotAllowed,
    KnowledgeArchived,
    ItemArchived,
    ExpectedRevisionRequired,
    StaleRevision,
    ConcurrentChange,
)
"""What every edit of an item can meet."""

FILES: tuple[type[KnownError], ...] = (
    UnsupportedFormat,
    UndecodableText,
    DocumentEmpty,
    DocumentTooLarge,
    DocumentUnreadable,
    ExtractionTimeout,
)
"""What a text or code file can meet."""

_SUMMARIES = {
    Move.PUBLISH: "Make an item's current revision findable",
    Move.WITHDRAW: "Make a published item a draft again",
    Move.ARCHIVE: "Put an item away",
    Move.RESTORE: "Bring an archived item back to the status it had",
}

ROUTES = (
    Route(
        "GET",
        _ITEMS,
        "listItems",
        "List the items of a base",
        _list,
        ItemsAnswer,
        _READ,
        query=ItemListing,
        errors=(NotFound, KnowledgeArchived, ListTooLong),
    ),
    Route(
        "POST",
        _ITEMS,
        "createItem",
        "Make an item, as a draft",
        _create,
        ItemAnswer,
        _WRITE,
        body=NewItemBody,
        status=201,
        repeatable=True,
        errors=(NotFound, NotAllowed, KnowledgeArchived, LocatorTaken, ContentTooLarge, *FILES),
    ),
    Route("GET", _ITEM, "readItem", "Read an item", _read, ItemAnswer, _READ, errors=(NotFound, KnowledgeArchived)),
    Route(
        "GET",
        f"{_ITEM}/counts",
        "countItem",
        "Count what deleting an item would remove",
        _counts,
        ItemCountsAnswer,
        _READ,
        errors=(NotFound, KnowledgeArchived),
    ),
    Route(
        "PATCH",
        _ITEM,
        "editItem",
        "Change an item's content, title or locator",
        _edit,
        ItemAnswer,
        _WRITE,
        body=EditBody,
        repeatable=True,
        conditional=True,
        errors=(*EDITS, LocatorTaken, ContentTooLarge, *FILES),
    ),
    Route(
        "DELETE",
        _ITEM,
        "deleteItem",
        "Delete an item with all its revisions, for good",
        _delete,
        PurgeAnswer,
        _WRITE,
        body=ConfirmItemBody,
        status=202,
        repeatable=True,
        errors=(NotFound, NotAllowed, KnowledgeArchived, ConfirmationMismatch, ConcurrentChange),
    ),
    *(
        Route(
            "POST",
            f"{_ITEM}/{move}",
            f"{move}Item",
            summary,
            _moving(move),
            ItemAnswer,
            _WRITE,
            repeatable=True,
            errors=(NotFound, NotAllowed, KnowledgeArchived, IllegalMove, StaleRevision, ConcurrentChange),
        )
        for move, summary in _SUMMARIES.items()
    ),
)
