"""Searching, as every door does it: what was dropped and what was not searched is counted."""

from chalicelib.api.wire.search import SearchBody
from chalicelib.domain.spaces import Principal
from chalicelib.search.retrieve import Found
from chalicelib.wiring import Services


def searched(services: Services, body: SearchBody, principal: Principal) -> Found:
    """What is found. Raises as `Retrieve` does."""
    found = services.retrieve(body.request(), principal)
    for reason, many in found.dropped.items():
        services.meter.count("search_dropped", many, reason=reason)
    if found.degraded is not None:
        services.meter.count("search_degraded", 1, reason=found.degraded)
    return found
