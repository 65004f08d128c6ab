"""The route of ready-made configuration for programs that speak MCP."""

from chalicelib.api.rest.routes import Reply, Visit, VisitRoute
from chalicelib.api.wire.clients import ClientsAnswer


def _clients(visit: Visit) -> Reply:
    return Reply(ClientsAnswer.at(f"{visit.base_url}/mcp"))


ROUTES = (
    VisitRoute(
        "GET",
        "/api/v1/console/clients",
        "listClients",
        "Read what to paste into programs that speak MCP",
        _clients,
        ClientsAnswer,
    ),
)
