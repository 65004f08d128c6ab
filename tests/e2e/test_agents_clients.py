"""The Python SDK's client over the deployed stack, in both eras. `make clients` runs the others as well."""

import json
from collections.abc import Iterator

import httpx
import pytest

from chalicelib.api.clients import configurations
from infra.local.stack import Stack
from tests.clients.__main__ import held
from tests.clients.python_sdk import Mode, visit
from tests.e2e.agents import token_of
from tests.e2e.people import arrive

pytestmark = pytest.mark.promise("A5", "A3")


@pytest.fixture(scope="module")
def tokens(stack: Stack) -> Iterator[dict[str, str]]:
    with httpx.Client(base_url=stack.api_url, timeout=30) as http:
        ana = arrive(stack, http, "Ana")
        yield {
            "full": ana.token,
            "weak": token_of(ana, "weak", "ordinary-full", "memory:read"),
            "public": token_of(ana, "public", "generic-public", "knowledge:read", "memory:read"),
        }


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_real_client_lists_calls_and_is_refused(stack: Stack, tokens: dict[str, str], mode: Mode) -> None:
    found = visit(f"{stack.api_url}/mcp", tokens, mode)
    assert held(f"Python SDK, {mode}", found), found


@pytest.mark.parametrize("program", ["Cursor", "VS Code", "Gemini CLI"])
def test_what_people_paste_reaches_the_tools(stack: Stack, tokens: dict[str, str], program: str) -> None:
    """The address and the header, as the pasted file has them."""
    pasted = {each.program: each for each in configurations(f"{stack.api_url}/mcp", tokens["full"])}[program]
    content = json.loads(pasted.text)
    server = content.get("servers", content.get("mcpServers"))["acervo"]
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = httpx.post(server.get("httpUrl") or server["url"], json=message, headers=server["headers"], timeout=30)
    assert answer.status_code == 200, answer.text
    assert "search_knowledge" in {each["name"] for each in answer.json()["result"]["tools"]}
