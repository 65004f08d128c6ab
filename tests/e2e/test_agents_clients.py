"""The Python SDK's client over the deployed stack, in both eras. `make clients` runs the others as well."""

from collections.abc import Iterator

import httpx
import pytest

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
