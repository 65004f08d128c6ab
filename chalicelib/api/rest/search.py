"""The route of searching, and of reading by address."""

from chalicelib.access.scopes import Scope
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.search import ReadAnswer, SearchAnswer, SearchBody
from chalicelib.domain.errors import ContentDamaged, KnowledgeArchived, NotFound, PinWithoutItem, SearchUnavailable
from chalicelib.knowledge.reading import Address


def _search(call: Call) -> Reply:
    body: SearchBody = call.body
    if body.query is None:
        address = Address(body.knowledge_item_id, body.knowledge_revision_id, body.offset, body.limit_chars)
        return Reply(ReadAnswer.of(call.services.read_by_address(call.principal, address)))
    found = call.services.retrieve(body.request(), call.principal)
    for reason, many in found.dropped.items():
        call.services.meter.count("search_dropped", many, reason=reason)
    if found.degraded is not None:
        call.services.meter.count("search_degraded", 1, reason=found.degraded)
    return Reply(SearchAnswer.of(body, found))


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
