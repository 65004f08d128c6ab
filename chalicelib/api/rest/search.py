"""The route of searching, and of reading by address."""

from chalicelib.access.scopes import Scope
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.searching import searched
from chalicelib.api.wire.search import ReadAnswer, SearchAnswer, SearchBody
from chalicelib.domain.errors import ContentDamaged, KnowledgeArchived, NotFound, PinWithoutItem, SearchUnavailable
from chalicelib.knowledge.reading import Address


def _search(call: Call) -> Reply:
    body: SearchBody = call.body
    if body.query is None:
        address = Address(body.knowledge_item_id, body.knowledge_revision_id, body.offset, body.limit_chars)
        return Reply(ReadAnswer.of(call.services.read_by_address(call.principal, address)))
    return Reply(SearchAnswer.of(body, searched(call.services, body, call.principal)))


ROUTES = (
    Route(
        "POST",
        "/api/v1/knowledge/search",
        "searchKnowledge",
        "Search what is published and current, or read by address",
        _search,
        SearchAnswer,
        (Scope.KNOWLEDGE_READ,),
        body=SearchBody,
        errors=(NotFound, KnowledgeArchived, SearchUnavailable, PinWithoutItem, ContentDamaged),
    ),
)
