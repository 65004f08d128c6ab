"""From an API Gateway event to a use case and back, the same way for every route."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import unquote

from chalice.app import Request, Response
from pydantic import BaseModel, ValidationError

from chalicelib.api.auth import admit, bearer
from chalicelib.api.browsers import has_key, signed_in
from chalicelib.api.errors import (
    STATUS,
    InternalError,
    InvalidRequest,
    PayloadTooLarge,
    ReplyTooLarge,
    UnsupportedMediaType,
    problem,
)
from chalicelib.api.mistakes import mistakes
from chalicelib.api.raw import Asked
from chalicelib.api.rest.routes import Call, Reply, Route, Visit, VisitRoute
from chalicelib.domain.errors import KnownError
from chalicelib.domain.spaces import Door, Principal
from chalicelib.domain.writes import KEPT, Once
from chalicelib.wiring import Services

MAX_BODY = 6_000_000
"""Bytes of one request, which is about what a Lambda is handed at most."""

MAX_REPLY = 5_500_000
"""Bytes of one answer as JSON carries it to API Gateway; a Lambda's own limit is 6 MB."""

type Headers = dict[str, str | list[str]]

_KEY = re.compile(r"[!-~]{1,255}")
_TAG = re.compile(r'"?([a-z0-9_]{1,80})"?')
_ID = re.compile(r"[a-z0-9_]{1,80}")

HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


def answer(route: Route, request: Request, services: Callable[[], Services]) -> Reply:
    """Admit, parse and run one request.

    Raises:
        KnownError: whatever went wrong and is known to.
    """
    wired = services()
    headers = request.headers
    principal = _who(request, wired)
    admit(principal, route.scopes, knowledge=route.knowledge)
    path = {name: _path_id(value) for name, value in (request.uri_params or {}).items()}
    raw = _raw(request) if route.body else b""
    call = Call(
        services=wired,
        principal=principal,
        path=path,
        query=_query(route.query, request),
        body=_body(route.body, headers, raw),
        once=_once(route, request, principal, raw, wired) if route.repeatable else None,
        if_match=_if_match(headers) if route.conditional else None,
        accept=headers.get("accept", ""),
    )
    return route.handler(call)


def _who(request: Request, services: Services) -> Principal:
    if has_key(request.headers):
        return services.authenticate(bearer(request.headers), Door.REST)
    base_url = _base_url(request, services.public_url)
    return signed_in(services, request.method, request.headers, base_url).principal


def visited(route: VisitRoute, request: Request, services: Callable[[], Services]) -> Reply:
    """Parse and run one request of somebody who shows no token.

    Raises:
        KnownError: whatever went wrong and is known to.
    """
    wired = services()
    _query(None, request)
    visit = Visit(
        services=wired,
        method=request.method,
        headers=request.headers,
        body=_body(route.body, request.headers, _raw(request)) if route.body else None,
        address=_address(request),
        base_url=_base_url(request, wired.public_url),
    )
    return route.handler(visit)


def asked(request: Request, services: Callable[[], Services]) -> Asked:
    """A request as routes take it that parse by themselves."""
    context = request.context
    query: Mapping[str, str] = request.query_params or {}
    return Asked(
        wire=services,
        method=request.method,
        headers=dict(request.headers),
        query={name: query[name] for name in query},
        path={name: unquote(value) for name, value in (request.uri_params or {}).items()},
        body=_raw(request),
        address=_address(request),
        base=partial(_base_url, request),
        request_id=str(context.get("requestId", "")),
    )


def _address(request: Request) -> str:
    """Where a request came from, as API Gateway says."""
    return str(request.context.get("identity", {}).get("sourceIp", ""))


def _base_url(request: Request, public_url: str) -> str:
    """What addresses of this deployment begin with: as the settings say, or else as the request came."""
    context = request.context
    stage = str(context.get("stage", ""))
    if public_url:
        filled = public_url.replace("{api_id}", str(context.get("apiId", ""))).replace("{stage}", stage)
        return filled.rstrip("/")
    inside = str(context.get("path", "")).startswith(f"/{stage}/")
    return f"https://{request.headers.get('host', 'localhost')}" + (f"/{stage}" if stage and inside else "")


def written(reply: Reply, request_id: str) -> Response:
    """An answer as Chalice sends it."""
    content = reply.content if isinstance(reply.content, str) else reply.content.model_dump_json(by_alias=True)
    # The text goes to API Gateway inside a JSON string, where some characters take six bytes.
    size = len(json.dumps(content, ensure_ascii=False).encode())
    if size > MAX_REPLY:
        raise ReplyTooLarge(size=size, limit=MAX_REPLY)
    headers: Headers = {**HEADERS, "Content-Type": reply.media_type, "X-Request-Id": request_id, **reply.headers}
    return Response(body=content, status_code=reply.status, headers=headers)


def refused(error: KnownError, request_id: str) -> Response:
    """A known error as Chalice sends it."""
    status, body, headers = problem(error, request_id)
    return Response(
        body=json.dumps(body, ensure_ascii=False),
        status_code=status,
        headers={**HEADERS, **headers, "X-Request-Id": request_id},
    )


def failed(request_id: str) -> Response:
    """What anybody learns of an error that is not known."""
    return refused(InternalError(), request_id)


def is_fault(error: KnownError) -> bool:
    """Whether an error is ours rather than the caller's."""
    return STATUS[type(error)] >= STATUS[InternalError]


def _path_id(value: str) -> str:
    # API Gateway hands path parameters over as they came.
    decoded = unquote(value)
    if not _ID.fullmatch(decoded):
        raise InvalidRequest(errors=({"where": "path", "problem": "an id is lower-case letters, digits and _"},))
    return decoded


def _raw(request: Request) -> bytes:
    try:
        given = request.raw_body
    except (UnicodeEncodeError, ValueError):
        raise InvalidRequest(errors=({"where": "body", "problem": "is not UTF-8"},)) from None
    raw = given.encode() if isinstance(given, str) else given
    if len(raw) > MAX_BODY:
        raise PayloadTooLarge(size=len(raw), limit=MAX_BODY)
    return raw


def _query(model: type[BaseModel] | None, request: Request) -> BaseModel | None:
    values: dict[str, str] = {}
    for name in request.query_params or ():
        each = request.query_params.getlist(name) if request.query_params else []
        if len(each) > 1:
            raise InvalidRequest(errors=({"where": f"query.{name}", "problem": "is given more than once"},))
        values[name] = each[0]
    if model is None:
        if values:
            raise InvalidRequest(errors=({"where": f"query.{min(values)}", "problem": "is not a parameter here"},))
        return None
    return _valid(lambda: model.model_validate(values), "query")


def _body(model: type[BaseModel] | None, headers: Mapping[str, str], raw: bytes) -> BaseModel | None:
    if model is None:
        return None
    kind = headers.get("content-type", "application/json")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise UnsupportedMediaType(content_type=kind[:100])
    optional = not any(each.is_required() for each in model.model_fields.values())
    return _valid(lambda: model.model_validate_json(raw or (b"{}" if optional else b"")), "body")


def _valid(parse: Callable[[], BaseModel], where: str) -> BaseModel:
    try:
        return parse()
    except ValidationError as fault:
        raise mistakes(fault, where) from None


def _once(route: Route, request: Request, principal: Principal, raw: bytes, services: Services) -> Once | None:
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        mistake = {"where": "header.Idempotency-Key", "problem": "must be 1 to 255 visible ASCII characters"}
        raise InvalidRequest(errors=(mistake,))
    asked = json.dumps(
        [route.name, request.uri_params or {}, request.headers.get("if-match"), _canonical_json(raw)], sort_keys=True
    )
    return Once(
        key=f"{principal.user_id}/{key}",
        fingerprint=hashlib.sha256(asked.encode()).hexdigest(),
        expires_at=services.clock.now() + KEPT,
    )


def _canonical_json(raw: bytes) -> str:
    """The body with its spaces and order of fields taken out; it has been parsed once already."""
    return json.dumps(json.loads(raw), sort_keys=True) if raw else ""


def _if_match(headers: Mapping[str, str]) -> str | None:
    given = headers.get("if-match")
    if given is None:
        return None
    tag = _TAG.fullmatch(given.strip())
    if tag is None:
        mistake = {"where": "header.If-Match", "problem": "must be one entity tag: the id of the revision you edited"}
        raise InvalidRequest(errors=(mistake,))
    return tag.group(1)
