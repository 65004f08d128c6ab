"""Writes the pages of `docs/reference/` that are made from the code: `make docs`. A test holds them current."""

import dataclasses
import inspect
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from chalicelib.answers.catalogue.schemas import document as document_of_components
from chalicelib.api.errors import STATUS
from chalicelib.api.mcp.contract import contract
from chalicelib.api.rest.openapi import document
from chalicelib.api.rest.table import OPEN_ROUTES, ROUTES, VISIT_ROUTES
from chalicelib.domain.errors import IllegalMove, KnownError
from chalicelib.settings import PREFIX, Settings

_ERRORS = """# Errors
Every error is an RFC 9457 problem (`application/problem+json`) with `type`, `title`, `status`, `detail`, `code`,
`request_id`, and the facts listed below. The `code` is stable; the sentence in `detail` may change. What is not listed
is `internal_error` with a request id and no details. 503s come with `Retry-After` and can be sent again; with an
`Idempotency-Key` that is always safe.
"""

_SETTINGS = f"""# Settings
Read once, when a process begins, from the environment; every value that cannot be used is reported together. An empty
value counts as not set. A name that begins with `{PREFIX}` and is not listed here is refused, so that a slip of the pen
does not go unnoticed; `ACERVO_URL` and `ACERVO_TOKEN` (the command line's) and `ACERVO_PORT` (the laptop's) may be
there and mean nothing to it. AWS's own variables (`AWS_REGION`, `AWS_ENDPOINT_URL`, …) are read by boto3.

| variable | default | meaning |
|---|---|---|
"""


_MCP = """# MCP tools
The endpoint is `/mcp`: Streamable HTTP, stateless, JSON answers, protocol versions 2024-11-05 to 2025-11-25 and
2026-07-28. Send a token as `Authorization: Bearer acv_…`. Which tools a client is shown is its token's *profile*; of
these, those whose scope the token has. The same as data: `config/mcp-documentation-contract.json`.

Every answer holds its complete JSON twice, as `structuredContent` and as text. A mistake that can be mended comes back
with `isError` and `{"error": {"code", "message", …}}`; what is null is left out.

| profile | tools |
|---|---|
"""


def errors() -> str:
    """A heading for each error, with its status, what happened, what to do, and its facts."""
    sections = [
        _section(error, status) for error, status in sorted(STATUS.items(), key=lambda row: (row[1], row[0].code))
    ]
    return _ERRORS + "\n" + "\n".join(sections)


def _section(error: type[KnownError], status: int) -> str:
    names = ("from", "to") if error is IllegalMove else [each.name for each in dataclasses.fields(error)]  # type: ignore[arg-type]
    facts = "\nFacts: " + ", ".join(f"`{name}`" for name in names) + ".\n" if names else ""
    return f"## {error.code}\n**{status}.** {inspect.getdoc(error)}\n\n> {error.advice}\n{facts}"


def settings() -> str:
    """A row for each setting."""
    rows = [
        f"| `{PREFIX}{name.upper()}` | `{field.default}` | {field.description} |\n"
        for name, field in Settings.model_fields.items()
    ]
    return _SETTINGS + "".join(rows)


def openapi() -> str:
    """The document that every deployment serves at `/openapi.json`."""
    return json.dumps(json.loads(document(ROUTES, VISIT_ROUTES, OPEN_ROUTES)), indent=1, ensure_ascii=False) + "\n"


def mcp_contract() -> str:
    """What the MCP door shows to whom, for tools that read it."""
    return json.dumps(contract(), indent=1, ensure_ascii=False) + "\n"


def mcp_tools() -> str:
    """A heading for each tool of the MCP door, with what it takes."""
    found = contract()
    rows = "".join(
        f"| `{name}` | {', '.join(f'`{each}`' for each in profile['tools'])} |\n"
        for name, profile in found["profiles"].items()
    )
    return _MCP + rows + "\n" + "\n".join(_tool(name, tool) for name, tool in found["tools"].items())


def _tool(name: str, tool: Mapping[str, Any]) -> str:
    kind = "read-only" if tool["annotations"]["readOnlyHint"] else "writes"
    if tool["annotations"]["destructiveHint"]:
        kind = "removes"
    head = f"## {name}\n**{tool['scope']}**, {kind}. {tool['description']}\n"
    schema = tool["input_schema"]
    rows = [
        f"| `{field}`{' (required)' if field in schema.get('required', []) else ''} | {_kind(each)} "
        f"| {each.get('description', '')} |\n"
        for field, each in schema["properties"].items()
    ]
    return head + ("\n| argument | type | meaning |\n|---|---|---|\n" + "".join(rows) if rows else "")


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if "items" in schema:
        return f"list of {_kind(schema['items'])}"
    return str(schema.get("const", schema.get("type", "any")))


def components() -> str:
    """The catalogue of answers' components, for whoever renders them."""
    return json.dumps(document_of_components(), indent=1, ensure_ascii=False) + "\n"


ROOT = Path(__file__).parents[1]

PAGES: Mapping[str, Callable[[], str]] = {
    "docs/reference/errors.md": errors,
    "docs/reference/openapi.json": openapi,
    "docs/reference/settings.md": settings,
    "docs/reference/mcp-tools.md": mcp_tools,
    "docs/reference/components.schema.json": components,
    "config/mcp-documentation-contract.json": mcp_contract,
}

if __name__ == "__main__":
    for name, write in PAGES.items():
        (ROOT / name).write_text(write())
