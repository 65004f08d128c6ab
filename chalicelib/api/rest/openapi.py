"""The OpenAPI 3.1 document, made from the routes and the very models that parse requests."""

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from chalicelib.api.browsers import COOKIE
from chalicelib.api.errors import (
    PROBLEM_JSON,
    STATUS,
    InternalError,
    InvalidCursor,
    InvalidRequest,
    PayloadTooLarge,
    ReplyTooLarge,
    UnsupportedMediaType,
)
from chalicelib.api.rest.routes import OpenRoute, Route, VisitRoute
from chalicelib.domain.errors import (
    CsrfFailed,
    IdempotencyKeyReused,
    InsufficientScope,
    KnowledgeRuntimeDisabled,
    KnownError,
    StoreBusy,
    Unauthenticated,
)

_REF = "#/components/schemas/{model}"

_PROBLEM = {
    "type": "object",
    "description": "RFC 9457 problem details. `code` is stable; more facts may stand beside it.",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "request_id": {"type": "string"},
    },
}

_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key and request answer the same result for 24 hours; nothing is done twice.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}

_IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": "The entity tag of the item you edited; stands in for `expected_revision_id`.",
    "schema": {"type": "string", "pattern": '^"?[a-z0-9_]{1,80}"?$'},
}


_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer", "bearerFormat": "acv_<id>_<secret>"},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "Of a browser (`POST /api/v1/session`). All but GET then needs the header X-CSRF-Token with the "
        "session's `csrf_token`. Not looked at where there is an Authorization header.",
    },
}


def document(routes: Sequence[Route], visits: Sequence[VisitRoute], open_routes: Sequence[OpenRoute]) -> str:
    """The document as JSON text."""
    return _document(tuple(routes), tuple(visits), tuple(open_routes))


@cache
def _document(routes: tuple[Route, ...], visits: tuple[VisitRoute, ...], open_routes: tuple[OpenRoute, ...]) -> str:
    schemas = _schemas((*routes, *visits), open_routes)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    for visit in visits:
        paths.setdefault(visit.path, {})[visit.method.lower()] = _visit_operation(visit)
    for each in open_routes:
        paths.setdefault(each.path, {})["get"] = _open_operation(each)
    return json.dumps(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Acervo",
                "version": "1",
                "description": "Knowledge that keeps every version. Errors are RFC 9457 problem details with a `code`.",
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": "/"}],
            "security": [{"token": []}, {"session": []}],
            "paths": paths,
            "components": {
                "schemas": {**schemas, "Problem": _PROBLEM},
                "securitySchemes": _SCHEMES,
            },
        },
        ensure_ascii=False,
    )


def _schemas(routes: tuple[Route | VisitRoute, ...], open_routes: tuple[OpenRoute, ...]) -> dict[str, Any]:
    requests = {each.body for each in routes if each.body}
    answers: set[type[BaseModel]] = {each.answer for each in routes}
    answers |= {each.answer for each in open_routes if each.answer}
    by_name = sorted(requests, key=lambda each: each.__name__)
    models: list[tuple[type[BaseModel], Any]] = [(each, "validation") for each in by_name]
    models += [(each, "serialization") for each in sorted(answers, key=lambda each: each.__name__)]
    _, top = models_json_schema(models, ref_template=_REF)
    return dict(top["$defs"])


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "tags": [_tag(route.path)],
        "description": _scopes(route),
        "parameters": _parameters(route),
        "responses": _responses(route),
    }
    if route.body is not None:
        operation["requestBody"] = _request_body(route.body)
    return operation


def _visit_operation(route: VisitRoute) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.summary,
        "tags": [_tag(route.path)],
        "security": [{"session": []}] if route.cookie else [],
        "responses": _responses(route),
    }
    if route.body is not None:
        operation["requestBody"] = _request_body(route.body)
    return operation


def _request_body(body: type[BaseModel]) -> dict[str, Any]:
    required = any(each.is_required() for each in body.model_fields.values())
    content = {"application/json": {"schema": {"$ref": _REF.format(model=body.__name__)}}}
    return {"required": required, "content": content}


def _scopes(route: Route) -> str:
    if not route.scopes:
        return "Any valid token."
    return "Needs the scope " + ", ".join(f"`{each}`" for each in route.scopes) + "."


def _parameters(route: Route) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[a-z0-9_]{1,80}$"}}
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    if route.query is not None:
        schema = route.query.model_json_schema(ref_template=_REF)
        required = schema.get("required", [])
        found += [
            {"name": name, "in": "query", "required": name in required, "schema": _inlined(each, schema)}
            for name, each in schema["properties"].items()
        ]
    if route.repeatable:
        found.append(_KEY)
    if route.conditional:
        found.append(_IF_MATCH)
    return found


def _inlined(schema: Any, top: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """A parameter's schema without references, and without the null that stands for leaving it out."""
    if "$ref" in schema:
        return top["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        chosen = next(each for each in schema["anyOf"] if each.get("type") != "null")
        kept = {name: each for name, each in schema.items() if name not in {"anyOf", "default"}}
        return {**_inlined(chosen, top), **kept}
    return schema


def _responses(route: Route | VisitRoute) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": _answer(route)}}
    if isinstance(route, Route) and route.raw:
        content[route.raw] = {"schema": {"type": "string"}}
    status = route.status if isinstance(route, Route) else 200
    responses: dict[str, Any] = {str(status): {"description": route.summary, "content": content}}
    by_status: dict[int, list[str]] = {}
    errors = _everywhere(route) if isinstance(route, Route) else _at_visits(route)
    for error in dict.fromkeys((*route.errors, *errors)):
        by_status.setdefault(STATUS[error], []).append(error.code)
    for refusal, codes in sorted(by_status.items()):
        responses[str(refusal)] = {
            "description": ", ".join(f"`{code}`" for code in codes),
            "content": {PROBLEM_JSON: {"schema": {"$ref": _REF.format(model="Problem")}}},
        }
    return responses


def _answer(route: Route | VisitRoute) -> dict[str, Any]:
    return {"$ref": _REF.format(model=route.answer.__name__)}


def _everywhere(route: Route) -> tuple[type[KnownError], ...]:
    """What a route can answer because of what it takes."""
    found: list[type[KnownError]] = [Unauthenticated, InvalidRequest, InternalError, StoreBusy]
    found += [KnowledgeRuntimeDisabled]
    if route.scopes:
        found.append(InsufficientScope)
    if route.method != "GET":
        found.append(CsrfFailed)
    if route.body is not None:
        found += [PayloadTooLarge, UnsupportedMediaType]
    if route.raw:
        found.append(ReplyTooLarge)
    if route.repeatable:
        found.append(IdempotencyKeyReused)
    if route.query is not None and "cursor" in route.query.model_fields:
        found.append(InvalidCursor)
    return tuple(found)


def _at_visits(route: VisitRoute) -> tuple[type[KnownError], ...]:
    """What a route for those without a token can answer because of what it takes."""
    found: list[type[KnownError]] = [Unauthenticated, InvalidRequest, InternalError, StoreBusy]
    found += [KnowledgeRuntimeDisabled]
    if route.body is not None:
        found += [PayloadTooLarge, UnsupportedMediaType]
    return tuple(found)


def _open_operation(route: OpenRoute) -> dict[str, Any]:
    schema = {"$ref": _REF.format(model=route.answer.__name__)} if route.answer else {"type": "object"}
    return {
        "operationId": route.name,
        "summary": route.summary,
        "tags": ["service"],
        "security": [],
        "responses": {"200": {"description": route.summary, "content": {"application/json": {"schema": schema}}}},
    }


def _tag(path: str) -> str:
    return path.removeprefix("/api").split("/")[2]
