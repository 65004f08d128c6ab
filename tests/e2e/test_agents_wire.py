"""A client that others have written and published, XMemo's plugin for Hermes, at the deployed stack (rule A10)."""

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from infra.local.stack import Stack
from tests.e2e.agents import token_of, tool
from tests.e2e.people import Person, arrive

pytestmark = pytest.mark.promise("A10")


@pytest.fixture(scope="module")
def published() -> Any:
    """The plugin's module `client`. Its package needs Hermes; the module does not."""
    found = importlib.util.find_spec("hermes_xmemo")
    assert found
    assert found.origin
    package = ModuleType("published_xmemo")
    package.__path__ = [str(Path(found.origin).parent / "xmemo")]
    sys.modules[package.__name__] = package
    return importlib.import_module("published_xmemo.client")


@pytest.fixture(scope="module")
def ana(stack: Stack) -> Iterator[Person]:
    with httpx.Client(base_url=stack.api_url, timeout=30) as http:
        yield arrive(stack, http, "Ana")


@pytest.fixture(scope="module")
def client(stack: Stack, published: Any, ana: Person) -> Iterator[Any]:
    token = token_of(ana, "Hermes", "ordinary-full", "memory:read", "memory:write", "knowledge:read")
    with closing(published.XMemoClient(stack.api_url, token, agent_instance_id="run-7", timeout=30)) as made:
        yield made


def test_it_finds_the_server_well(client: Any) -> None:
    assert client.health()["status"] == "ok"


def test_it_recalls_explains_and_forgets(client: Any, ana: Person) -> None:
    kept = tool(ana.http, ana.token, "remember", content="The staging database is reset on Sundays", path="ops/db")
    pack = client.recall_context("when is the staging database reset", max_items=3, max_tokens=300)
    assert "reset on Sundays" in pack["context_text"]
    assert [each["id"] for each in pack["items"]] == [kept["id"]]
    assert client.get_memory(kept["id"])["content"] == kept["content"]
    client.forget(kept["id"])
    assert client.recall_context("when is the staging database reset")["items"] == []


def test_it_records_an_event(client: Any, ana: Person) -> None:
    client.record_event("Release 12 is out", event_type="release")
    assert tool(ana.http, ana.token, "get_timeline")["events"][0]["content"] == "Release 12 is out"


def test_it_tells_a_refusal_from_a_failure(stack: Stack, published: Any, client: Any) -> None:
    with closing(published.XMemoClient(stack.api_url, "acv_wrong", timeout=30)) as unknown:
        for refused, status in ((unknown, 401), (client, 404)):
            with pytest.raises(published.XMemoClientError) as caught:
                refused.get_memory("mem_00000000000000000000000000")
            assert (caught.value.status_code, caught.value.is_transient) == (status, False)
