"""The Python SDK's client, in both eras: list, call, error, missing scope, wrong profile."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal

from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

type Mode = Literal["legacy", "2026-07-28"]


@asynccontextmanager
async def _client(url: str, token: str, mode: Mode) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        create_mcp_http_client(headers=headers) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


async def _visit(url: str, tokens: Mapping[str, str], mode: Mode) -> dict[str, Any]:
    async with _client(url, tokens["full"], mode) as client:
        listed = [each.name for each in (await client.list_tools()).tools]
        content = {"content": f"Remembered by Python in {mode}"}
        called = await client.call_tool("remember", content)
        wrong = await client.call_tool("remember", {"contents": "x"})
        version = client.protocol_version
    return {
        "version": version,
        "tools": listed,
        "called": called.structured_content,
        "error": wrong.structured_content if wrong.is_error else None,
        "missing_scope": await _refusal(url, tokens["weak"], mode, "remember", {"content": "x"}),
        "wrong_profile": await _refusal(url, tokens["public"], mode, "search_knowledge", {"query": "x"}),
    }


async def _refusal(url: str, token: str, mode: Mode, tool: str, arguments: dict[str, Any]) -> str:
    """What the client makes of a refusal."""
    try:
        async with _client(url, token, mode) as client:
            await client.call_tool(tool, arguments)
    except Exception as refused:  # noqa: BLE001 - whatever the client makes of it is what is asked for
        return _text(refused)
    return "not refused"


def _text(fault: BaseException) -> str:
    inner = getattr(fault, "exceptions", None)
    return " / ".join(map(_text, inner)) if inner else f"{type(fault).__name__}: {fault}"


def visit(url: str, tokens: Mapping[str, str], mode: Mode) -> dict[str, Any]:
    """All of it, in one era."""
    return asyncio.run(_visit(url, tokens, mode))
