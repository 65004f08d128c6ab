"""Routes of an item's revisions."""

from collections.abc import Iterable, Mapping

from chalicelib.access.scopes import Scope
from chalicelib.api import cursors
from chalicelib.api.rest.items import EDITS, answered
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.items import ItemAnswer
from chalicelib.api.wire.revisions import (
    DifferenceAnswer,
    MergeAnswer,
    MergeBody,
    Pair,
    RestoreBody,
    RevisionAnswer,
    RevisionsAnswer,
    RevisionTextAnswer,
    Stretch,
)
from chalicelib.api.wire.words import Listing
from chalicelib.domain.errors import ContentDamaged, ContentTooLarge, KnowledgeArchived, NotAllowed, NotFound
from chalicelib.domain.items import Item
from chalicelib.domain.revisions import Revision
from chalicelib.domain.text import cut

_READ = (Scope.KNOWLEDGE_READ,)
_ITEM = "/api/v1/knowledge/items/{item_id}"
_REVISION = f"{_ITEM}/revisions/{{revision_id}}"
_MARKDOWN = "text/markdown"


def authors(call: Call, item: Item, revisions: Iterable[Revision]) -> Mapping[str, str]:
    """Names by user id of who wrote the revisions of an item, in one read: of those who are in its space."""
    return call.services.names({(item.space_id, each.provenance.author) for each in revisions})


def _list(call: Call) -> Reply:
    listed = f"revisions {call.path['item_id']}"
    after = cursors.take(listed, call.query.cursor)
    item, page = call.services.list_revisions(call.principal, call.path["item_id"], after, call.query.limit)
    names = authors(call, item, page.entries)
    return Reply(
        RevisionsAnswer(
            revisions=[RevisionAnswer.of(each, names) for each in page.entries],
            next_cursor=cursors.give(listed, page.after),
        )
    )


def _read(call: Call) -> Reply:
    item, revision, text = call.services.read_revision(call.principal, call.path["item_id"], call.path["revision_id"])
    headers = {"ETag": f'"{revision.sha256}"', "Vary": "Accept"}
    if _MARKDOWN in call.accept:
        return Reply(text, headers=headers, media_type=f"{_MARKDOWN}; charset=utf-8")
    stretch = cut(text, call.query.offset, call.query.limit_chars)
    return Reply(RevisionTextAnswer.of(revision, stretch, authors(call, item, [revision])), headers=headers)


def _restore(call: Call) -> Reply:
    pin = (call.path["item_id"], call.path["revision_id"])
    item = call.services.restore_revision(call.principal, pin, call.expected(), call.provenance, call.once)
    return answered(call, item)


def _compare(call: Call) -> Reply:
    pair: Pair = call.query
    item, found = call.services.compare_revisions(
        call.principal, call.path["item_id"], (pair.old, pair.new), words=pair.words
    )
    return Reply(DifferenceAnswer.of(found, authors(call, item, [found.old, found.new])))


def _merge(call: Call) -> Reply:
    body: MergeBody = call.body
    item, found = call.services.merge_edit(
        call.principal, call.path["item_id"], body.expected_revision_id, body.content
    )
    return Reply(MergeAnswer.of(found, authors(call, item, [found.current])))


ROUTES = (
    Route(
        "GET",
        f"{_ITEM}/revisions",
        "listRevisions",
        "List an item's revisions, newest first",
        _list,
        RevisionsAnswer,
        _READ,
        query=Listing,
        errors=(NotFound, KnowledgeArchived),
    ),
    Route(
        "GET",
        _REVISION,
        "readRevision",
        "Read a stretch of a revision, or all of it as Markdown",
        _read,
        RevisionTextAnswer,
        _READ,
        query=Stretch,
        raw=_MARKDOWN,
        errors=(NotFound, KnowledgeArchived, ContentDamaged),
    ),
    Route(
        "POST",
        f"{_REVISION}/restore",
        "restoreRevision",
        "Make an old revision's content current again, as a new revision",
        _restore,
        ItemAnswer,
        (Scope.KNOWLEDGE_WRITE,),
        body=RestoreBody,
        repeatable=True,
        conditional=True,
        errors=(*EDITS, ContentDamaged),
    ),
    Route(
        "GET",
        f"{_ITEM}/diff",
        "compareRevisions",
        "Compare two revisions by lines, and by words if asked to",
        _compare,
        DifferenceAnswer,
        _READ,
        query=Pair,
        errors=(NotFound, KnowledgeArchived, ContentDamaged),
    ),
    Route(
        "POST",
        f"{_ITEM}/merge",
        "mergeEdit",
        "Put an edit together with what somebody else saved since it was begun; saves nothing",
        _merge,
        MergeAnswer,
        (Scope.KNOWLEDGE_WRITE,),
        body=MergeBody,
        errors=(NotFound, NotAllowed, KnowledgeArchived, ContentTooLarge, ContentDamaged),
    ),
)
