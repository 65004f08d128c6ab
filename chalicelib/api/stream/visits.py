"""Who a request is from, as far as it says so, and how long it may take."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request

from chalicelib.answers.defences import Visitor

SESSION = "x-acervo-session"

_CONTEXT = "x-amzn-request-context"
_LAMBDA = "x-amzn-lambda-context"
"""Headers that the Lambda Web Adapter sets, over whatever a visitor sent under these names."""


def visitor(request: Request, *, adapted: bool, public_url: str) -> Visitor:
    """What a request says of who sent it; `adapted` if the Lambda Web Adapter hands it over."""
    peer = request.client.host if request.client else ""
    if adapted:
        peer = str(_facts(request, _CONTEXT).get("http", {}).get("sourceIp", ""))
    return Visitor(
        origin=request.headers.get("origin"),
        own=public_url or _own(request, adapted=adapted),
        peer=peer,
        forwarded=request.headers.get("x-forwarded-for", ""),
        session=request.headers.get(SESSION),
    )


def request_id(request: Request, otherwise: str, *, adapted: bool) -> str:
    """As Lambda calls the request."""
    return str(_facts(request, _LAMBDA).get("request_id", otherwise)) if adapted else otherwise


def last_moment(request: Request, *, adapted: bool) -> datetime | None:
    """When Lambda will end the function; None if nobody will."""
    milliseconds = _facts(request, _LAMBDA).get("deadline") if adapted else None
    return None if milliseconds is None else datetime.fromtimestamp(int(milliseconds) / 1000, UTC)


def _own(request: Request, *, adapted: bool) -> str:
    scheme = "https" if adapted else request.url.scheme
    return f"{scheme}://{request.headers.get('host', '')}"


def _facts(request: Request, header: str) -> Mapping[str, Any]:
    facts: Mapping[str, Any] = json.loads(request.headers.get(header, "{}"))
    return facts
