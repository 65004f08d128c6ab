"""All routes of the REST door."""

from chalicelib.api import rawdoors
from chalicelib.api.mcp import door as mcp
from chalicelib.api.rest import (
    accounts,
    bases,
    clients,
    devices,
    documents,
    items,
    limits,
    memory,
    pages,
    people,
    rendering,
    revisions,
    search,
    sessions,
)
from chalicelib.api.rest.openapi import document
from chalicelib.api.rest.routes import OpenRoute, Reply
from chalicelib.api.wire.access import HealthAnswer, PlanAnswer, PlansAnswer
from chalicelib.domain.plans import CATALOGUE

ROUTES = (
    *people.ROUTES,
    *devices.ROUTES,
    *bases.ROUTES,
    *items.ROUTES,
    *revisions.ROUTES,
    *rendering.ROUTES,
    *search.ROUTES,
    *memory.ROUTES,
    *accounts.ROUTES,
    *documents.ROUTES,
    *limits.ROUTES,
    *pages.ROUTES,
)

VISIT_ROUTES = (*sessions.ROUTES, *clients.ROUTES)

RAW_ROUTES = (*mcp.ROUTES, *rawdoors.ROUTES, accounts.RECEIPT)


def _plans() -> Reply:
    return Reply(
        PlansAnswer(
            plans=[
                PlanAnswer(id=each.id, name=each.name, bases=each.bases, items=each.items, storage_mib=each.storage_mib)
                for each in CATALOGUE
            ]
        )
    )


def _health() -> Reply:
    return Reply(HealthAnswer(status="ok"))


def _openapi() -> Reply:
    return Reply(document(ROUTES, VISIT_ROUTES, OPEN_ROUTES))


OPEN_ROUTES = (
    OpenRoute("/health", "readHealth", "Learn that the door is open", _health, HealthAnswer),
    OpenRoute("/api/v1/plans", "listPlans", "List the plans; nothing is refused because of one", _plans, PlansAnswer),
    OpenRoute("/openapi.json", "readOpenapi", "Read this document", _openapi, None),
)
