"""The MCP endpoint as HTTP sees it: who may come in, and in what form it is answered.

What the transport itself says is the SDK's business (`bridge`); here is what comes before it: methods, origins,
tokens, scopes. Sources: MCP 2025-11-25 and 2026-07-28, "Transports" and "Authorization".
"""

import json
from collections.abc import Mapping
from typing import Any, TypeGuard
from urllib.parse import urlsplit

from chalicelib.api.auth import bearer
from chalicelib.api.errors import MethodNotAllowed, NoSuchRoute, PayloadTooLarge, problem
from chalicelib.api.mcp.calling import Caller
from chalicelib.api.mcp.tools import Tool, in_profile, shown
from chalicelib.api.raw import Asked, Raw, RawRoute
from chalicelib.domain.errors import ForeignOrigin, InsufficientScope, Unauthenticated
from chalicelib.domain.spaces import Door, Principal

MAX_BODY = 1_000_000
"""Bytes of one message; no tool takes nearly as much."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_PASSED_ON = ("content-type", "mcp-protocol-version", "mcp-session-id")

_HEADER_CASE = {"content-type": "Content-Type", "allow": "Allow"}

_METADATA = "/.well-known/oauth-protected-resource"

_INSUFFICIENT = -32003
"""JSON-RPC code of a refusal for scopes; from the range left to servers."""


def serve(asked: Asked) -> Raw:
    """Answer one request.

    Raises:
        MethodNotAllowed: not a POST; there is no stream to open and no session to end.
        ForeignOrigin: a page of another site sent it.
        PayloadTooLarge: more than any message needs.
    """
    if asked.method != "POST":
        raise MethodNotAllowed(allowed=("POST",))
    headers = {name: value.strip() for name, value in asked.headers.items()}
    demand_near(headers, asked.services.mcp_origins)
    if len(asked.body) > MAX_BODY:
        raise PayloadTooLarge(size=len(asked.body), limit=MAX_BODY)
    try:
        principal = asked.services.authenticate(bearer(headers), Door.MCP)
    except Unauthenticated as error:
        return _unauthenticated(asked, error)
    refusal = malformed(asked.body)
    if refusal is not None:
        return refusal
    message = json.loads(asked.body)
    tool = _called(message, principal)
    if tool is not None and tool.scope not in principal.scopes:
        return _insufficient(message, tool, asked.request_id)
    tools = shown(_tools(), principal)
    caller = Caller(asked.services, principal, asked.base_url, asked.request_id, tools)
    return _bridged(caller, headers, asked.body)


def demand_near(headers: Mapping[str, str], allowed: frozenset[str]) -> None:
    """Browsers say which page asks; only pages of this host, of this machine and of the settings may.

    Raises:
        ForeignOrigin: another one asks.
    """
    origin = headers.get("origin")
    if origin is None or origin in allowed:
        return
    asking = urlsplit(origin)
    # Of this host only by https: a name that was bound to this machine has no certificate.
    own = urlsplit(f"//{headers.get('host', '')}").hostname if asking.scheme == "https" else None
    if asking.hostname is None or asking.hostname not in {own, *_LOOPBACK}:
        raise ForeignOrigin(origin=origin[:200])


def _is_message(found: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether it is one request or notification. The SDK would quote whatever else was sent in its refusal."""
    if not isinstance(found, Mapping) or found.get("jsonrpc") != "2.0" or not isinstance(found.get("method"), str):
        return False
    name = found.get("id", 0)
    return isinstance(name, str | int) and not isinstance(name, bool) and isinstance(found.get("params", {}), Mapping)


def malformed(body: bytes) -> Raw | None:
    """The refusal of a body that is no message; None if it is one."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return _malformed(-32700, "Parse error")
    if _is_message(message):
        return None
    return _malformed(-32600, "The body has to be one JSON-RPC 2.0 request or notification; batches are not taken")


def _tools() -> tuple[Tool, ...]:
    """All tools; whoever only speaks REST does not wait for their schemas."""
    from chalicelib.api.mcp.table import TOOLS

    return TOOLS


def _malformed(code: int, message: str) -> Raw:
    """What is no message. Codes of JSON-RPC 2.0, section 5.1."""
    return Raw(json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}), 400)


def _called(message: Mapping[str, Any], principal: Principal) -> Tool | None:
    """The tool of the caller's profile that the message calls, if it calls one."""
    params = message.get("params")
    if message.get("method") != "tools/call" or not isinstance(params, Mapping):
        return None
    return next((each for each in in_profile(_tools(), principal.profile) if each.name == params.get("name")), None)


def _unauthenticated(asked: Asked, error: Unauthenticated) -> Raw:
    """401; with the way to the identity provider, if there is one (RFC 9728, section 5.1)."""
    status, body, headers = problem(error, asked.request_id)
    if asked.services.oidc_issuer:
        headers["WWW-Authenticate"] += f', resource_metadata="{asked.base_url}{_METADATA}"'
        body["resource_metadata"] = f"{asked.base_url}{_METADATA}"
    return Raw(json.dumps(body, ensure_ascii=False), status, headers, headers["Content-Type"])


def _metadata(asked: Asked) -> Raw:
    """Whose tokens are taken (RFC 9728), published only where there is an issuer to publish.

    Raises:
        NoSuchRoute: there is none.
    """
    if not asked.services.oidc_issuer:
        raise NoSuchRoute
    found = {
        "resource": f"{asked.base_url}/mcp",
        "authorization_servers": [asked.services.oidc_issuer],
        "scopes_supported": sorted({each.scope for each in _tools()}),
        "bearer_methods_supported": ["header"],
        "resource_name": "Acervo",
    }
    return Raw(json.dumps(found))


def _insufficient(message: Mapping[str, Any], tool: Tool, request_id: str) -> Raw:
    """403 with the scopes, where an HTTP client looks and where a JSON-RPC client does."""
    status, body, headers = problem(InsufficientScope(required=(tool.scope,)), request_id)
    name = message.get("id")
    error = {"code": _INSUFFICIENT, "message": body["detail"], "data": body}
    answer = {"jsonrpc": "2.0", "id": name if isinstance(name, str | int) else None, "error": error}
    return Raw(json.dumps({**answer, **body}), status, {"WWW-Authenticate": headers["WWW-Authenticate"]})


def passed_on(headers: Mapping[str, str]) -> dict[str, str]:
    """What the transport is to see. Whoever accepts less than it wants is served all the same: it is JSON anyway."""
    passed = {name: value for name, value in headers.items() if name in _PASSED_ON or name.startswith("mcp-")}
    passed |= {"accept": "application/json, text/event-stream", "host": headers.get("host", "")}
    passed.setdefault("content-type", "application/json")
    return passed


def _bridged(caller: Caller, headers: Mapping[str, str], body: bytes) -> Raw:
    from chalicelib.api.mcp.bridge import exchange
    from chalicelib.api.mcp.server import CALLER, FAULT, server

    passed = passed_on(headers)
    faults: list[BaseException] = []
    done = exchange(server(), "POST", passed, body, {CALLER: caller, FAULT: faults})
    answered = {_HEADER_CASE[name]: value for name, value in done.headers.items() if name in _HEADER_CASE}
    media_type = answered.pop("Content-Type", "application/json")
    return Raw(done.body.decode(), done.status, answered, media_type, fault=next(iter(faults), None))


ROUTES = (
    RawRoute(("POST", "GET", "DELETE"), "/mcp", "mcp", "The MCP endpoint, Streamable HTTP", serve),
    RawRoute(("GET",), _METADATA, "readResourceMetadata", "Learn whose tokens are taken", _metadata),
    RawRoute(("GET",), f"{_METADATA}/mcp", "readMcpResourceMetadata", "Learn whose tokens /mcp takes", _metadata),
)
