"""Routes that show Markdown as HTML."""

from chalicelib.access.scopes import Scope
from chalicelib.api.rest.revisions import authors
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.rendering import Place, RenderBody, RenderedAnswer, RenderedRevisionAnswer
from chalicelib.domain.errors import ContentDamaged, ContentTooLarge, KnowledgeArchived, NotFound
from chalicelib.domain.text import Canonical
from chalicelib.knowledge.rendering import render

_READ = (Scope.KNOWLEDGE_READ,)


def _render(call: Call) -> Reply:
    # What would be saved is shown, and refused where saving would be.
    text = Canonical.of(call.body.markdown).text
    return Reply(RenderedAnswer.of(render(text, call.body.offset)))


def _revision(call: Call) -> Reply:
    item, revision, text = call.services.read_revision(call.principal, call.path["item_id"], call.path["revision_id"])
    names = authors(call, item, [revision])
    return Reply(RenderedRevisionAnswer.showing(revision, render(text, call.query.offset), names))


ROUTES = (
    Route(
        "POST",
        "/api/v1/render",
        "renderMarkdown",
        "Show Markdown as HTML that is safe to put into a page",
        _render,
        RenderedAnswer,
        _READ,
        body=RenderBody,
        errors=(ContentTooLarge,),
    ),
    Route(
        "GET",
        "/api/v1/knowledge/items/{item_id}/revisions/{revision_id}/html",
        "renderRevision",
        "Show a revision as HTML that is safe to put into a page",
        _revision,
        RenderedRevisionAnswer,
        _READ,
        query=Place,
        errors=(NotFound, KnowledgeArchived, ContentDamaged),
    ),
)
