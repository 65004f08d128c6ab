"""The door of searching and reading by address."""

import pytest

from tests.fakes.search import MemoryEmbedder, MemoryIndex
from tests.unit.api.world import KNOWLEDGE, World

pytestmark = pytest.mark.promise("S4")


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize(
    ("asked", "weights"),
    [
        ({"mode": "lexical"}, {"lexical": 1.0, "semantic": 0.0}),
        ({"mode": "semantic"}, {"lexical": 0.0, "semantic": 1.0}),
        ({"mode": "hybrid", "alpha": 0}, {"lexical": 0.0, "semantic": 1.0}),
        ({"mode": "hybrid", "alpha": 0.0}, {"lexical": 0.0, "semantic": 1.0}),
        ({"mode": "hybrid", "alpha": 1}, {"lexical": 1.0, "semantic": 0.0}),
        ({"mode": "hybrid", "alpha": None}, {"lexical": 0.5, "semantic": 0.5}),
        ({"mode": "hybrid", "alpha": 0.25}, {"lexical": 0.25, "semantic": 0.75}),
        ({}, {"lexical": 0.5, "semantic": 0.5}),
        ({"mode": "rrf", "rrf_k": 10}, None),
    ],
)
def test_every_mode_answers_and_says_what_it_did(
    world: World, asked: dict[str, object], weights: dict[str, float] | None
) -> None:
    ana = world.person("Ana")
    item = world.item(ana, world.base(ana, ana.account.personal_space_id), "publish", content="Turn it off and on.")
    answer = world.search(ana, "off and on", **asked).json
    mode = asked.get("mode", "hybrid")
    # Where words alone were asked for, less was not done.
    lexical = mode == "lexical" or asked.get("alpha") == 1
    used = mode if lexical else "lexical"
    assert (answer["type"], answer["mode"], answer["mode_used"]) == ("knowledge_search", mode, used)
    assert answer["degraded"] == (None if lexical else {"reason": "embeddings_unavailable"})
    assert answer["weights"] == weights
    (hit,) = answer["results"]
    assert hit["reference"] == item["reference"]
    assert (hit["title"], hit["content"].strip()) == ("Restarting", "Turn it off and on.")


@pytest.mark.promise("S8")
def test_the_title_is_the_tables_and_what_was_dropped_is_counted(world: World) -> None:
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    shown, hidden = (world.item(ana, base, "publish", content="Turn it off.") for _ in range(2))
    rename = {"expected_revision_id": shown["current_revision_id"], "title": "Renamed"}
    world.ok(ana, "PATCH", f"{KNOWLEDGE}/items/{shown['id']}", rename)
    world.ok(ana, "POST", f"{KNOWLEDGE}/items/{hidden['id']}/withdraw")
    results = world.search(ana, "off").json["results"]
    assert [each["title"] for each in results] == ["Renamed"]
    counted = {name: (value, facts) for name, value, facts in world.meter.counted}
    assert counted == {
        "search_dropped": (1, {"reason": "unpublished"}),
        "search_degraded": (1, {"reason": "embeddings_unavailable"}),
    }


@pytest.mark.promise("S1", "S7")
def test_a_search_by_meaning_explains_itself() -> None:
    world = World(embedder=(embedder := MemoryEmbedder(same={"automobile": "car"})), index=MemoryIndex(embedder.model))
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    for content in ("An automobile.", "A car.", "Leaves and trees."):
        item = world.item(ana, base, "publish", content=content)
        world.services.embed_item(item["id"])
    for mode in ("hybrid", "rrf", "semantic"):
        answer = world.search(ana, "automobile", mode=mode).json
        assert (answer["mode_used"], answer["degraded"]) == (mode, None)
        best, second, *_ = answer["results"]
        assert (best["content"].strip(), second["content"].strip()) == ("An automobile.", "A car.")
        explained = best["explain"]
        assert explained["semantic"] > 0
        assert (explained["lexical"] is None) == (mode == "semantic")
        if mode == "hybrid":
            assert best["score"] == pytest.approx((explained["lexical"] + explained["semantic"]) / 2)


@pytest.mark.promise("K14", "K12")
def test_an_addressed_read_is_paged_and_cites(world: World) -> None:
    ana = world.person("Ana")
    item = world.item(ana, world.base(ana, ana.account.personal_space_id), "publish", content="0123456789")
    body = {"knowledge_item_id": item["id"], "offset": 2, "limit_chars": 3}
    answer = world.ok(ana, "POST", f"{KNOWLEDGE}/search", body)
    assert (answer["type"], answer["content"], answer["next_offset"]) == ("knowledge_item", "234", 5)
    assert (answer["reference"], answer["revision_number"]) == (item["reference"], 1)
    pinned = {**body, "knowledge_revision_id": item["current_revision_id"]}
    assert world.ok(ana, "POST", f"{KNOWLEDGE}/search", pinned) == answer


@pytest.mark.promise("S5")
def test_words_of_the_query_are_marked_if_asked_to(world: World) -> None:
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    world.item(ana, base, "publish", title="Restarting", content="😀 Turn it off.")
    (plain,) = world.search(ana, "restart off").json["results"]
    assert plain["matched"] is None
    (hit,) = world.search(ana, "restart off", highlight=True).json["results"]
    assert hit["matched"]["title"] == [[0, 10]]
    assert [hit["content"][begin:end] for begin, end in hit["matched"]["content"]] == ["off"]
