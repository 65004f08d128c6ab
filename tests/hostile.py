"""Hostile and careless requests, and the clear error that each gets; used in process and on the deployed stack."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

ITEMS = "/api/v1/knowledge/bases/{base}/items"
ITEM = "/api/v1/knowledge/items/{item}"
SEARCH = "/api/v1/knowledge/search"
BASES = "/api/v1/knowledge/bases"


@dataclass(frozen=True, slots=True)
class Bad:
    """One request that should not have been made."""

    name: str
    method: str
    path: str
    status: int
    code: str
    raw: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    mentions: str = ""
    """What the answer has to speak of."""


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _edit(**fields: object) -> bytes:
    return _json({"expected_revision_id": "{revision}", **fields})


_OK = {"title": "T", "content": "c"}
_DEEP = b"[" * 100_000 + b"]" * 100_000

REQUESTS = (
    Bad("no token", "GET", BASES, 401, "unauthenticated", headers={"authorization": ""}),
    Bad("another scheme", "GET", BASES, 401, "unauthenticated", headers={"authorization": "Basic YTpi"}),
    Bad("a token of the right shape", "GET", BASES, 401, "unauthenticated", headers={"authorization": f"Bearer acv_{'0' * 26}_{'0' * 43}"}),
    Bad("a token with a NUL", "GET", BASES, 401, "unauthenticated", headers={"authorization": "Bearer acv_%00"}),
    Bad("broken JSON", "POST", ITEMS, 400, "invalid_request", b'{"title": ', mentions="JSON"),
    Bad("no body", "POST", ITEMS, 400, "invalid_request", b"", mentions="needs"),
    Bad("a list for an object", "POST", ITEMS, 400, "invalid_request", b"[]"),
    Bad("null for an object", "POST", ITEMS, 400, "invalid_request", b"null"),
    Bad("JSON nested 100,000 deep", "POST", ITEMS, 400, "invalid_request", _DEEP),
    Bad("an unknown field", "POST", ITEMS, 400, "invalid_request", _json({**_OK, "colour": 1}), mentions="body.colour"),
    Bad("a missing field", "POST", ITEMS, 400, "invalid_request", _json({"title": "T"}), mentions="content"),
    Bad("a number for a title", "POST", ITEMS, 400, "invalid_request", _json({**_OK, "title": 5}), mentions="body.title"),
    Bad("a blank title", "POST", ITEMS, 400, "invalid_request", _json({**_OK, "title": "  "}), mentions="blank"),
    Bad("a title of 301 characters", "POST", ITEMS, 400, "invalid_request", _json({**_OK, "title": "x" * 301}), mentions="body.title"),
    Bad("a title of two lines", "POST", ITEMS, 400, "invalid_request", _json({**_OK, "title": "a\nb"}), mentions="one line"),
    Bad("a NUL in a title", "POST", ITEMS, 400, "invalid_request", _json({**_OK, "title": "a\0b"}), mentions="control"),
    Bad("a bidirectional override in a title", "POST", ITEMS, 400, "invalid_request", _json({**_OK, "title": "a\u202eb"}), mentions="control"),
    Bad("a lone surrogate", "POST", ITEMS, 400, "invalid_request", b'{"title": "\\ud800", "content": "c"}'),
    Bad("content over 2 MiB", "POST", ITEMS, 413, "content_too_large", _json({**_OK, "content": "x" * (2 * 1024 * 1024)}), mentions="Split"),
    Bad("another content type", "POST", ITEMS, 415, "unsupported_media_type", _json(_OK), {"content-type": "text/plain"}, "text/plain"),
    Bad("a form", "POST", ITEMS, 415, "unsupported_media_type", b"title=T", {"content-type": "application/x-www-form-urlencoded"}),
    Bad("an edit that names no revision", "PATCH", ITEM, 428, "expected_revision_required", _json({"title": "U"})),
    Bad("an edit of a revision that never was", "PATCH", ITEM, 409, "stale_revision", _json({"title": "U", "expected_revision_id": "rev_none"}), mentions="merge"),
    Bad("an If-Match that is no tag", "PATCH", ITEM, 400, "invalid_request", _json({"title": "U"}), {"if-match": 'W/*, "x y"'}, "If-Match"),
    Bad("an id with capitals and quotes", "GET", "/api/v1/knowledge/items/Item'--", 400, "invalid_request", mentions="id"),
    Bad("an id that climbs", "GET", "/api/v1/knowledge/items/..%5C..%5Cetc", 400, "invalid_request", mentions="id"),
    Bad("an id of 3,000 characters", "GET", f"/api/v1/knowledge/items/{'a' * 3000}", 400, "invalid_request", mentions="id"),
    Bad("an id of another kind", "GET", "/api/v1/knowledge/items/{base}", 404, "not_found"),
    Bad("an id that never was", "GET", "/api/v1/knowledge/items/item_none", 404, "not_found"),
    Bad("a cursor made up", "GET", BASES + "?cursor=abc", 400, "invalid_cursor", mentions="without one"),
    Bad("a cursor that is no JSON", "GET", BASES + "?cursor=%C3%B1%00", 400, "invalid_cursor"),
    Bad("a limit of 0", "GET", BASES + "?limit=0", 400, "invalid_request", mentions="query.limit"),
    Bad("a limit of 101", "GET", BASES + "?limit=101", 400, "invalid_request", mentions="query.limit"),
    Bad("a limit that is a word", "GET", BASES + "?limit=many", 400, "invalid_request", mentions="query.limit"),
    Bad("a limit given twice", "GET", BASES + "?limit=1&limit=2", 400, "invalid_request", mentions="more than once"),
    Bad("an unknown parameter", "GET", BASES + "?page=2", 400, "invalid_request", mentions="query.page"),
    Bad("a parameter where none is", "GET", ITEM + "?verbose=1", 400, "invalid_request", mentions="query.verbose"),
    Bad("an unknown status", "GET", ITEMS + "?status=lost", 400, "invalid_request", mentions="query.status"),
    Bad("a negative offset", "POST", SEARCH, 400, "invalid_request", _json({"knowledge_item_id": "item_x", "offset": -1}), mentions="body.offset"),
    Bad("a read of 10,001 characters", "POST", SEARCH, 400, "invalid_request", _json({"knowledge_item_id": "item_x", "limit_chars": 10_001}), mentions="body.limit_chars"),
    Bad("a search for nothing", "POST", SEARCH, 400, "invalid_request", _json({}), mentions="query"),
    Bad("a search for blanks", "POST", SEARCH, 400, "invalid_request", _json({"query": "   "}), mentions="blank"),
    Bad("a search and a read at once", "POST", SEARCH, 400, "invalid_request", _json({"query": "x", "knowledge_item_id": "item_x"})),
    Bad("a query of 2,001 characters", "POST", SEARCH, 400, "invalid_request", _json({"query": "x" * 2001}), mentions="body.query"),
    Bad("an alpha of 2", "POST", SEARCH, 400, "invalid_request", _json({"query": "x", "alpha": 2}), mentions="body.alpha"),
    Bad("an alpha that is not a number", "POST", SEARCH, 400, "invalid_request", b'{"query": "x", "alpha": NaN}', mentions="alpha"),
    Bad("an alpha in quotes", "POST", SEARCH, 400, "invalid_request", _json({"query": "x", "alpha": "0.5"}), mentions="body.alpha"),
    Bad("51 results", "POST", SEARCH, 400, "invalid_request", _json({"query": "x", "max_results": 51}), mentions="body.max_results"),
    Bad("a mode that is none", "POST", SEARCH, 400, "invalid_request", _json({"query": "x", "mode": "grep"}), mentions="body.mode"),
    Bad("a pin without its item", "POST", SEARCH, 400, "pin_without_item", _json({"knowledge_revision_id": "rev_x"})),
    Bad("a key of two lines of words", "POST", ITEMS, 400, "invalid_request", _json(_OK), {"idempotency-key": "two words"}, "Idempotency-Key"),
    Bad("a deletion without confirmation", "DELETE", ITEM, 400, "invalid_request", b"{}", mentions="body.confirm"),
    Bad("a deletion with another name", "DELETE", ITEM, 422, "confirmation_mismatch", _json({"confirm": "Something else"})),
    Bad("a move that is not legal", "POST", ITEM + "/withdraw", 409, "illegal_move", mentions="draft"),
    Bad("a role that is none", "POST", "/api/v1/teams/{space}/members", 400, "invalid_request", _json({"user_id": "user_x", "role": "king"}), mentions="body.role"),
    Bad("a member of a personal space", "POST", "/api/v1/teams/{space}/members", 409, "personal_space", _json({"user_id": "user_x", "role": "viewer"})),
    Bad("a scope that is none", "POST", "/api/v1/tokens", 400, "invalid_request", _json({"name": "t", "scopes": ["all"]}), mentions="body.scopes"),
    Bad("a space that is not one's own", "POST", BASES, 404, "not_found", _json({"space_id": "space_none", "name": "B"})),
    Bad("a locator of 513 characters", "POST", ITEMS, 400, "invalid_request", _json({**_OK, "locator": "x" * 513}), mentions="body.locator"),
)  # fmt: skip


def filled(bad: Bad, ids: Mapping[str, str]) -> tuple[str, bytes]:
    """Path and body with the ids of what is there."""
    path, raw = bad.path, bad.raw
    for name, value in ids.items():
        path = path.replace(f"{{{name}}}", value)
        raw = raw.replace(f"{{{name}}}".encode(), value.encode())
    return path, raw


def table(rows: list[tuple[str, str, str, int, str, str]]) -> str:
    """The table that people read: request, and what it got."""
    lines = ["| request | answer | code | detail |", "|---|---|---|---|"]
    lines += [
        f"| {name} (`{method} {path[:60]}`) | {status} | `{code}` | {detail[:110]} |"
        for name, method, path, status, code, detail in rows
    ]
    return "\n".join(lines)
