"""Memory on the embedded engine itself, where a handful of records is all there is."""

from pathlib import Path
from typing import Any

import pytest

from chalicelib.adapters.memory_search import IndexedMemory
from chalicelib.adapters.sqlite_search.index import SqliteIndex
from tests.unit.api.world import Person, World

pytestmark = pytest.mark.promise("A7")

QUESTION = {"query": "what do we do about a stale revision"}
KEPT = "Stale revisions: we always merge by hand, in the console."
DOCUMENTS = {
    "Conflicts": "## What to do with a stale revision\n\nRead the current revision, merge your text, send it again.",
    "Phrases": 'Put words in double quotes to require them in that order: "stale revision".',
    "Laptop": "What we do on a laptop: begin again with make reset.",
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    knowledge: Any = SqliteIndex(tmp_path / "knowledge.sqlite3")
    return World(memory_search=IndexedMemory(SqliteIndex(tmp_path / "memory.sqlite3")), index=knowledge)


@pytest.fixture
def ana(world: World) -> Person:
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    for title, content in DOCUMENTS.items():
        world.item(ana, base, "publish", title=title, content=content)
    return ana


@pytest.mark.parametrize("indexed", [True, False])
def test_the_very_first_record_stands_beside_the_documents(world: World, ana: Person, *, indexed: bool) -> None:
    """An engine says of a lone text that what it has in common with all texts is worth nothing."""
    kept = world.ok(ana, "POST", "/v1/memories", {"content": KEPT})
    if indexed:
        world.index_all()
    pack = world.ok(ana, "POST", "/v1/recall/context", {**QUESTION, "max_items": 3})
    found = {each["id"]: each for each in pack["items"]}
    assert found[kept["id"]]["score"] > 0.25
    alone = world.ok(ana, "POST", "/v1/recall/context", {**QUESTION, "include_knowledge": False})
    assert [each["id"] for each in alone["items"]] == [kept["id"]]


def test_what_hardly_matches_is_not_lifted_above_what_does(world: World, ana: Person) -> None:
    good = world.ok(ana, "POST", "/v1/memories", {"content": KEPT})
    poor = world.ok(ana, "POST", "/v1/memories", {"content": "We like what Ben cooks."})
    world.index_all()
    pack = world.ok(ana, "POST", "/v1/recall/context", QUESTION)
    ranks = [each["id"] for each in pack["items"]]
    assert ranks.index(good["id"]) < ranks.index(poor["id"])
    assert ranks[0] != poor["id"]
