"""Routes of public pages, as their authors see them."""

from chalicelib.access.scopes import Scope
from chalicelib.answers.furnishing import LinkFacts, TopicFacts
from chalicelib.answers.pages import NewPage
from chalicelib.api import cursors
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.documents import UploadAnswer
from chalicelib.api.wire.pages import (
    ChangedImageBody,
    ChangedPageBody,
    ConfirmPageBody,
    LinkBody,
    NewImageAnswer,
    NewImageBody,
    NewPageBody,
    PageAnswer,
    PageEntry,
    PageListing,
    PagesAnswer,
    TakenImageBody,
    TopicBody,
    TriedAnswer,
    TriedTopicAnswer,
    TryBody,
    UsageAnswer,
)
from chalicelib.domain.errors import (
    ConcurrentChange,
    ConfirmationMismatch,
    ForeignKnowledge,
    IllegalMove,
    ImageRefused,
    NotAllowed,
    NotFound,
    PageFull,
    SearchUnavailable,
    TooMany,
    UploadMissing,
)
from chalicelib.domain.pages import Page

_ADMIN = (Scope.PAGES_ADMIN,)
_PAGES = "/api/v1/pages"
_PAGE = f"{_PAGES}/{{page_id}}"
_SEEN = (NotFound, NotAllowed)
_EDITS = (*_SEEN, ConcurrentChange, PageFull)


def _reply(call: Call, page: Page, status: int = 200) -> Reply:
    headers = {"Location": f"{_PAGES}/{page.id}"} if status == 201 else {}  # noqa: PLR2004
    return Reply(PageAnswer.of(page, call.services.authoring.addresses), status, headers)


def _create(call: Call) -> Reply:
    body = call.body
    asked = NewPage(
        space_id=body.space_id,
        name=body.name,
        about=body.about,
        language=body.language,
        not_about=body.not_about,
        origins=tuple(dict.fromkeys(body.origins)),
        limits=body.limits.limits(),
        shows_sources=body.shows_sources,
    )
    return _reply(call, call.services.authoring.create(call.principal, asked, call.once), 201)


def _list(call: Call) -> Reply:
    listed = f"pages {call.query.space}"
    after = cursors.take(listed, call.query.cursor)
    found = call.services.authoring.list(call.principal, call.query.space, after, call.query.limit)
    entries = [PageEntry.of(each) for each in found.entries]
    return Reply(PagesAnswer(pages=entries, next_cursor=cursors.give(listed, found.after)))


def _read(call: Call) -> Reply:
    return _reply(call, call.services.authoring.read(call.principal, call.path["page_id"]))


def _change(call: Call) -> Reply:
    changes = call.body.changes()
    return _reply(call, call.services.authoring.change(call.principal, call.path["page_id"], changes, call.once))


def _publish(call: Call) -> Reply:
    return _reply(call, call.services.authoring.go_live(call.principal, call.path["page_id"], call.once))


def _pause(call: Call) -> Reply:
    return _reply(call, call.services.authoring.pause(call.principal, call.path["page_id"], call.once))


def _delete(call: Call) -> Reply:
    removed = call.services.authoring.delete(call.principal, call.path["page_id"], call.body.confirm)
    return Reply(PageEntry.of(removed))


def _put_topic(call: Call) -> Reply:
    body, topic_id = call.body, call.path.get("topic_id")
    facts = TopicFacts(body.title, body.description, tuple(body.knowledge_base_ids), tuple(body.knowledge_item_ids))
    page = call.services.authoring.put_topic(call.principal, call.path["page_id"], topic_id, facts, call.once)
    return _reply(call, page, 200 if topic_id else 201)


def _remove_topic(call: Call) -> Reply:
    pages = call.services.authoring
    return _reply(call, pages.remove_topic(call.principal, call.path["page_id"], call.path["topic_id"], call.once))


def _put_link(call: Call) -> Reply:
    body, link_id = call.body, call.path.get("link_id")
    facts = LinkFacts(body.kind, body.label, body.url)
    page = call.services.authoring.put_link(call.principal, call.path["page_id"], link_id, facts, call.once)
    return _reply(call, page, 200 if link_id else 201)


def _remove_link(call: Call) -> Reply:
    pages = call.services.authoring
    return _reply(call, pages.remove_link(call.principal, call.path["page_id"], call.path["link_id"], call.once))


def _announce_image(call: Call) -> Reply:
    image_id, form = call.services.authoring.announce_image(call.principal, call.path["page_id"], call.body.media_type)
    return Reply(NewImageAnswer(image_id=image_id, upload=UploadAnswer.of(form)), 201)


def _take_image(call: Call) -> Reply:
    pages, body = call.services.authoring, call.body
    page = pages.take_image(call.principal, call.path["page_id"], call.path["image_id"], body.kind, body.shows)
    return _reply(call, page)


def _change_image(call: Call) -> Reply:
    body, path = call.body, call.path
    facts = (body.kind, body.shows, body.approved)
    page = call.services.authoring.change_image(call.principal, path["page_id"], path["image_id"], facts, call.once)
    return _reply(call, page)


def _remove_image(call: Call) -> Reply:
    pages = call.services.authoring
    return _reply(call, pages.remove_image(call.principal, call.path["page_id"], call.path["image_id"]))


def _usage(call: Call) -> Reply:
    return Reply(UsageAnswer.of(call.services.authoring.usage(call.principal, call.path["page_id"])))


def _try(call: Call) -> Reply:
    found = call.services.try_page(call.principal, call.path["page_id"], call.body.question)
    return Reply(TriedAnswer(topics=[TriedTopicAnswer.of(topic, sources) for topic, sources in found]))


ROUTES = (
    Route(
        "POST",
        _PAGES,
        "createPage",
        "Make a public page, paused at first",
        _create,
        PageAnswer,
        _ADMIN,
        body=NewPageBody,
        status=201,
        repeatable=True,
        errors=_SEEN,
    ),
    Route(
        "GET",
        _PAGES,
        "listPages",
        "List the pages of a space, newest first",
        _list,
        PagesAnswer,
        _ADMIN,
        query=PageListing,
        errors=_SEEN,
    ),
    Route("GET", _PAGE, "readPage", "Read a page with all that is in it", _read, PageAnswer, _ADMIN, errors=_SEEN),
    Route(
        "PATCH",
        _PAGE,
        "changePage",
        "Change what a page says of itself and whom it lets ask",
        _change,
        PageAnswer,
        _ADMIN,
        body=ChangedPageBody,
        repeatable=True,
        errors=_EDITS,
    ),
    Route(
        "POST",
        f"{_PAGE}/go-live",
        "goLive",
        "Let a page answer visitors",
        _publish,
        PageAnswer,
        _ADMIN,
        repeatable=True,
        errors=(*_EDITS, IllegalMove),
    ),
    Route(
        "POST",
        f"{_PAGE}/pause",
        "pausePage",
        "Stop a page from answering visitors",
        _pause,
        PageAnswer,
        _ADMIN,
        repeatable=True,
        errors=(*_EDITS, IllegalMove),
    ),
    Route(
        "DELETE",
        _PAGE,
        "deletePage",
        "Delete a page and its pictures for good",
        _delete,
        PageEntry,
        _ADMIN,
        body=ConfirmPageBody,
        errors=(*_SEEN, ConfirmationMismatch, ConcurrentChange),
    ),
    Route(
        "POST",
        f"{_PAGE}/topics",
        "addTopic",
        "Add a topic; it comes last",
        _put_topic,
        PageAnswer,
        _ADMIN,
        body=TopicBody,
        status=201,
        repeatable=True,
        errors=(*_EDITS, ForeignKnowledge, TooMany),
    ),
    Route(
        "PUT",
        f"{_PAGE}/topics/{{topic_id}}",
        "changeTopic",
        "Change a topic",
        _put_topic,
        PageAnswer,
        _ADMIN,
        body=TopicBody,
        repeatable=True,
        errors=(*_EDITS, ForeignKnowledge, TooMany),
    ),
    Route(
        "DELETE",
        f"{_PAGE}/topics/{{topic_id}}",
        "removeTopic",
        "Take a topic out of a page; its knowledge stays",
        _remove_topic,
        PageAnswer,
        _ADMIN,
        repeatable=True,
        errors=_EDITS,
    ),
    Route(
        "POST",
        f"{_PAGE}/links",
        "addLink",
        "Register a link or action that answers may show",
        _put_link,
        PageAnswer,
        _ADMIN,
        body=LinkBody,
        status=201,
        repeatable=True,
        errors=(*_EDITS, TooMany),
    ),
    Route(
        "PUT",
        f"{_PAGE}/links/{{link_id}}",
        "changeLink",
        "Change a link or action",
        _put_link,
        PageAnswer,
        _ADMIN,
        body=LinkBody,
        repeatable=True,
        errors=(*_EDITS, TooMany),
    ),
    Route(
        "DELETE",
        f"{_PAGE}/links/{{link_id}}",
        "removeLink",
        "Take a link or action out of a page",
        _remove_link,
        PageAnswer,
        _ADMIN,
        repeatable=True,
        errors=_EDITS,
    ),
    Route(
        "POST",
        f"{_PAGE}/images",
        "announceImage",
        "Get a form that uploads a picture",
        _announce_image,
        NewImageAnswer,
        _ADMIN,
        body=NewImageBody,
        status=201,
        errors=(*_SEEN, TooMany),
    ),
    Route(
        "PUT",
        f"{_PAGE}/images/{{image_id}}",
        "takeImage",
        "Take an uploaded picture into the page, without its metadata and not yet approved",
        _take_image,
        PageAnswer,
        _ADMIN,
        body=TakenImageBody,
        errors=(*_EDITS, UploadMissing, ImageRefused, TooMany),
    ),
    Route(
        "PATCH",
        f"{_PAGE}/images/{{image_id}}",
        "changeImage",
        "Approve a picture, or say anew what it shows",
        _change_image,
        PageAnswer,
        _ADMIN,
        body=ChangedImageBody,
        repeatable=True,
        errors=_EDITS,
    ),
    Route(
        "DELETE",
        f"{_PAGE}/images/{{image_id}}",
        "removeImage",
        "Take a picture out of a page, with its file",
        _remove_image,
        PageAnswer,
        _ADMIN,
        errors=_EDITS,
    ),
    Route(
        "GET",
        f"{_PAGE}/usage",
        "readUsage",
        "Read what a page used today, and how the daily fuse stands",
        _usage,
        UsageAnswer,
        _ADMIN,
        errors=_SEEN,
    ),
    Route(
        "POST",
        f"{_PAGE}/try",
        "tryPage",
        "See which topics and passages a question picks; costs no turn",
        _try,
        TriedAnswer,
        _ADMIN,
        body=TryBody,
        errors=(*_SEEN, SearchUnavailable),
    ),
)
