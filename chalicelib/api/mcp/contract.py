"""The contract of the MCP door as data: which profile shows which tool, and what each tool is.

`config/mcp-documentation-contract.json` is this, written by `make docs`; a test compares the two.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from chalicelib.access.profiles import Profile
from chalicelib.api.mcp import schemas
from chalicelib.api.mcp.table import TOOLS
from chalicelib.api.mcp.tools import Tool, in_profile


def contract(tools: Sequence[Tool] = TOOLS) -> dict[str, Any]:
    """The whole contract."""
    return {
        "contract": 1,
        "endpoint": "/mcp",
        "protocol_versions": ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"],
        "profiles": {str(each): _profile(tuple(tools), each) for each in Profile},
        "tools": {each.name: _tool(each) for each in tools},
    }


def _profile(tools: tuple[Tool, ...], profile: Profile) -> Mapping[str, Any]:
    found = in_profile(tools, profile)
    return {"tools": [each.name for each in found], "scopes": sorted({each.scope for each in found})}


def _tool(tool: Tool) -> Mapping[str, Any]:
    return {
        "title": tool.title,
        "description": tool.description,
        "scope": tool.scope,
        "annotations": tool.annotations,
        "input_schema": schemas.arguments(tool.arguments),
        "output_schema": schemas.answer(tool.answer),
    }
