"""The deployed stack with a real OpenSearch behind it, over HTTP."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from infra.local.laptop import laptop
from infra.local.places import ROOT, Places
from infra.local.stack import Stack
from infra.opensearch import Node
from tests.e2e.conftest import without_wishes
from tests.e2e.people import KNOWLEDGE, Person, arrive
from tests.e2e.test_search import published, searched, until_found


@pytest.fixture(scope="module")
def clustered(opensearch: Node, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack of its own that searches on the server."""
    chosen = {"ACERVO_SEARCH": "opensearch", "ACERVO_OPENSEARCH_URL": opensearch.url}
    environment = {**without_wishes(Places().environment), **chosen}
    with laptop(Places(home=tmp_path_factory.mktemp("cloud"), environment=environment), persist=False) as started:
        yield started.stack


@pytest.fixture
def ana(clustered: Stack) -> Iterator[Person]:
    with httpx.Client(base_url=clustered.api_url, timeout=60) as http:
        yield arrive(clustered, http, "Ana")


def admin(stack: Stack, *arguments: str) -> str:
    """An operator's command on the stack."""
    environment = {**os.environ, **stack.environment()}
    command = [sys.executable, "-m", "infra.cli", "admin", *arguments]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.promise("S11", "S10", "K16")
def test_an_item_lives_and_dies_in_a_cluster(clustered: Stack, ana: Person, tmp_path: Path) -> None:
    item = published(ana, "Frenos", "El coche frena porque la fricción calienta los discos.")
    until_found(ana, "fricción", item)
    found = until_found(ana, "how does an automobile slow down", item, mode="semantic")
    assert (found["mode_used"], found["degraded"]) == ("semantic", None)

    first = found["results"][0]["knowledge_revision_id"]
    edit = {"expected_revision_id": first, "content": "El coche frena con corrientes parásitas."}
    ana.ok("PATCH", f"{KNOWLEDGE}/items/{item}", edit)
    assert all(hit["knowledge_revision_id"] != first for hit in searched(ana, "fricción")["results"])
    until_found(ana, "parásitas", item)

    assert "0 left over" in admin(clustered, "reconcile")
    assert "items in" in admin(clustered, "reindex")
    until_found(ana, "parásitas", item)
    until_found(ana, "how does an automobile slow down", item, mode="semantic")

    purge = ana.ok("DELETE", f"{KNOWLEDGE}/items/{item}", {"confirm": "Frenos"})
    assert searched(ana, "parásitas")["results"] == []
    assert json.dumps(purge)
