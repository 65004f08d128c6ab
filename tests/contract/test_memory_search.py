"""Memory on the embedded engine itself, where a handful of records is all there is."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from chalicelib.adapters.memory_search import IndexedMemory
from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.domain.memory import Memory
from chalicelib.memory.searching import FRESH
from tests.fakes.memory import MemoryRecords
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


def _found(world: World, ana: Person, query: str) -> list[str]:
    body = {"query": query, "include_knowledge": False, "max_items": 50}
    return [each["id"] for each in world.ok(ana, "POST", "/v1/recall/context", body)["items"]]


@pytest.mark.promise("S11")
def test_an_index_of_another_version_is_made_anew(world: World, ana: Person, tmp_path: Path) -> None:
    contents = ["We grow pears", "We grow plums", *(f"Topic {each}" for each in range(FRESH))]
    ids = [world.ok(ana, "POST", "/v1/memories", {"content": each})["id"] for each in contents]
    world.ok(ana, "POST", f"/v1/memories/{ids[1]}/forget", {})
    world.index_all()
    with closing(sqlite3.connect(tmp_path / "memory.sqlite3")) as file:
        file.execute("PRAGMA user_version = 1")
    index: Any = world.memory_search.index
    index.close()  # as a process does that begins
    assert world.services.notebook.reindex.reason()
    body = {"query": "pears", "include_knowledge": False}
    assert world.web("POST", "/v1/recall/context", body, token=ana.token).status == 503
    assert world.services.notebook.reindex() == len(ids)
    assert not world.services.notebook.reindex.reason()
    assert _found(world, ana, "pears") == [ids[0]]
    assert _found(world, ana, "plums") == []


@pytest.mark.promise("S11", "A8")
def test_what_changes_while_it_is_made_anew_counts(world: World, ana: Person) -> None:
    kept, gone = (world.ok(ana, "POST", "/v1/memories", {"content": each})["id"] for each in ("apples", "pears"))
    late: list[str] = []

    @dataclass
    class Meddled(MemoryRecords):
        """What is written and deleted once all was read."""

        def everything(self) -> Iterator[Memory]:
            yield from super().everything()
            if not late:
                late.append(world.ok(ana, "POST", "/v1/memories", {"content": "plums"})["id"])
                del world.memories.records[gone]

    meddled = Meddled()
    meddled.records = world.memories.records
    reindex = world.services.notebook.reindex
    assert replace(reindex, store=meddled)() == 2
    assert set(reindex.index.known()) == {kept, *late}
