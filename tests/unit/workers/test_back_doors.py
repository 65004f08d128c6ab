"""The workers, on the sample events in `events/`."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chalicelib.answers.defence_ports import Purpose
from chalicelib.domain.errors import StoreBusy
from chalicelib.workers import follow
from chalicelib.workers.extract import extract
from chalicelib.workers.follow import WIND_DOWN_MS
from chalicelib.workers.stream import changed, each
from tests.fakes.search import MemoryEmbedder, MemoryIndex
from tests.unit.api.world import KNOWLEDGE, World
from tests.web import Pages

pytestmark = pytest.mark.promise("S11")

_EVENTS = Path(__file__).parents[3] / "events"


def _event(name: str) -> Any:
    return json.loads((_EVENTS / f"{name}.json").read_text())


def _about(name: str, key: str) -> Any:
    event = _event(name)
    event["Records"][0]["dynamodb"]["Keys"]["pk"]["S"] = key
    return event


def _index(world: World, event: Any) -> Any:
    return follow.index(event, world.services, world.journal)


def _export(world: World, event: Any) -> Any:
    return follow.export(event, world.services, world.journal)


def _purge(world: World, event: Any, milliseconds: int = 60_000) -> Any:
    return follow.purge(event, lambda: milliseconds, world.services, world.journal)


@pytest.mark.parametrize("name", ["dynamodb.export", "dynamodb.item", "dynamodb.memory", "dynamodb.purge"])
def test_what_is_gone_by_now_is_no_failure(name: str) -> None:
    handle = {"dynamodb.export": _export, "dynamodb.item": _index, "dynamodb.memory": _index, "dynamodb.purge": _purge}[
        name
    ]
    assert handle(World(), _event(name)) == {"batchItemFailures": []}


def test_every_sample_event_is_accepted_by_its_door() -> None:
    world = World()
    assert {each.stem for each in _EVENTS.glob("*.json")} == {
        "apigateway.mcp",
        "apigateway.search",
        "dynamodb.export",
        "dynamodb.item",
        "dynamodb.memory",
        "dynamodb.purge",
        "schedule.reconcile",
        "schedule.reset",
        "schedule.sweep",
        "sqs.documents",
        "sqs.embed",
    }
    assert follow.sweep(world.services) == {
        "purges_woken": 0,
        "closures_woken": 0,
        "objects_removed": 0,
        "documents_woken": 0,
        "pages_settled": 0,
    }
    assert follow.reset(world.services) == {}
    assert follow.reconcile(lambda: 60_000, world.services)["finished"]
    assert follow.embed(_event("sqs.embed"), lambda: 60_000, world.services, world.journal)["batchItemFailures"] == []
    for name in ("apigateway.mcp", "apigateway.search"):
        answer = world.web.app(_event(name), None)
        assert (answer["statusCode"], json.loads(answer["body"])["code"]) == (401, "unauthenticated")


@pytest.mark.promise("N8", "N9")
def test_at_midnight_the_day_is_recorded_and_its_addresses_are_forgotten() -> None:
    world = World()
    today = world.clock.now().date()
    world.fuses.take(today, world.services.allowance)
    world.fuses.add(today, 7)
    key = world.defences.key(Purpose.ADDRESS, today)
    world.clock.pass_(hours=12)
    assert world.clock.now().hour == 0
    assert follow.reset(world.services) == {"turns": 1, "tokens": 7}
    assert world.defences.known(Purpose.ADDRESS, today) is None
    assert world.defences.key(Purpose.ADDRESS, today) != key
    assert follow.reset(world.services) == {}
    assert world.fuses.fuse(world.clock.now().date()).used.turns == 0
    assert ("day_turns", 1, {}) in world.meter.counted


def test_the_index_follows_an_item() -> None:
    world = World()
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    body = {"title": "Restarting", "content": "Turn it off and on."}
    item = world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    world.ok(ana, "POST", f"{KNOWLEDGE}/items/{item['id']}/publish")
    assert world.ok(ana, "GET", f"{KNOWLEDGE}/items/{item['id']}")["search"]["state"] == "pending"
    _index(world, _about("dynamodb.item", item["id"]))
    assert world.ok(ana, "GET", f"{KNOWLEDGE}/items/{item['id']}")["search"]["state"] == "indexed"
    assert len(world.search(ana, "off and on").json["results"]) == 1


@pytest.mark.promise("I2", "I3")
def test_the_extraction_worker_takes_what_the_queue_brings() -> None:
    world = World()
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    event = _event("sqs.documents")
    assert extract(event, world.services, world.journal) == {"batchItemFailures": []}
    key = f"inbox/{base}/How we work (draft).md"
    version = world.blobs.drop(key, b"# How we work\n")
    record = event["Records"][0]
    record["body"] = record["body"].replace("kb_01k3v9m6b0000000000000000a", base)
    record["body"] = record["body"].replace("096fKKXTRTtl3on89fVO.nfljtsv6qko", version)
    assert extract(event, world.services, world.journal) == {"batchItemFailures": []}
    (item,) = world.shelves.items_.values()
    assert (item.title, item.locator) == ("How we work", "How we work (draft).md")


@pytest.mark.promise("K16")
def test_a_purge_goes_on_until_its_time_is_up() -> None:
    world = World()
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    world.item(ana, base, "publish")
    purge = world.ok(ana, "DELETE", f"{KNOWLEDGE}/bases/{base}", {"confirm": "Runbooks"})
    path = f"{KNOWLEDGE}/purges/{purge['id']}"
    _purge(world, _about("dynamodb.purge", purge["id"]), WIND_DOWN_MS)
    assert world.ok(ana, "GET", path)["status"] == "running"
    _purge(world, _about("dynamodb.purge", purge["id"]))
    done = world.ok(ana, "GET", path)
    assert (done["status"], done["removed"]["items"], done["removed"]["passages"]) == ("done", 1, 1)


def test_a_batch_stops_at_the_record_that_fails_and_says_which() -> None:
    records = [("a", "1"), ("b", "2"), ("c", "3")]
    handled: list[str] = []

    def handle(key: str) -> None:
        handled.append(key)
        if key == "b":
            raise RuntimeError

    pages = Pages()
    assert each(records, handle, "index", pages) == {"batchItemFailures": [{"itemIdentifier": "2"}]}
    assert handled == ["a", "b"]
    assert [outcome.code for _, _, outcome in pages.entries] == [None, "worker_failed"]


def test_each_key_is_handled_once_a_batch_and_other_kinds_are_passed_over() -> None:
    def record(pk: str, sk: str, number: str) -> Any:
        return {"dynamodb": {"Keys": {"pk": {"S": pk}, "sk": {"S": sk}}, "SequenceNumber": number}}

    event = {
        "Records": [
            record("a", "item", "1"),
            record("a", "search", "2"),
            record("b", "item", "3"),
            record("a", "item", "4"),
        ]
    }
    assert list(changed(event, "item")) == [("a", "1"), ("b", "3")]


def test_an_item_is_embedded_and_a_message_that_fails_comes_back() -> None:
    embedder = MemoryEmbedder()
    world = World(embedder=embedder, index=MemoryIndex(embedder.model))
    ana = world.person("Ana")
    item = world.item(ana, world.base(ana, ana.account.personal_space_id), "publish", content="Turn it off and on.")
    event = _event("sqs.embed")
    event["Records"][0]["body"] = item["id"]
    embedder.failing = True
    failed = follow.embed(event, lambda: 60_000, world.services, world.journal)
    assert failed == {"batchItemFailures": [{"itemIdentifier": event["Records"][0]["messageId"]}]}
    embedder.failing = False
    assert follow.embed(event, lambda: 60_000, world.services, world.journal) == {"batchItemFailures": []}
    assert world.index.held([item["id"]])[item["id"]].embedded == 1
    assert ("items_embedded", 1, {"outcome": "done"}) in world.meter.counted


def test_drift_is_counted_and_mended() -> None:
    world = World()
    ana = world.person("Ana")
    item = world.item(ana, world.base(ana, ana.account.personal_space_id), "publish", content="Turn it off and on.")
    world.index.cards.clear()
    world.clock.pass_(minutes=5)
    assert follow.reconcile(lambda: 60_000, world.services) == {
        "missing": 1,
        "outdated": 0,
        "shown": 0,
        "leftover": 0,
        "unembedded": 0,
        "compared": 1,
        "finished": 1,
    }
    assert ("index_drift", 1, {"kind": "missing"}) in world.meter.counted
    assert list(world.index.known()) == [item["id"]]
    assert follow.reconcile(lambda: WIND_DOWN_MS, world.services)["finished"] == 0


@pytest.mark.promise("A6")
def test_the_index_follows_items_and_memory_in_the_order_of_the_stream() -> None:
    """What stands before a failure is done, whatever it is; what stands after it comes again."""
    world = World()
    ana = world.person("Ana")
    memory = world.ok(ana, "POST", "/v1/memories", {"content": "We deploy on Tuesdays"})["id"]
    base = world.base(ana, ana.account.personal_space_id)
    item = world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "T", "content": "x"})["id"]
    world.ok(ana, "POST", f"{KNOWLEDGE}/items/{item}/publish")
    first, second = _about("dynamodb.memory", memory)["Records"][0], _about("dynamodb.item", item)["Records"][0]
    second["dynamodb"]["SequenceNumber"] = "113"
    world.shelves.revisions_.clear()
    assert _index(world, {"Records": [first, second]}) == {"batchItemFailures": [{"itemIdentifier": "113"}]}
    found = world.memory_search.find("Tuesdays", frozenset({ana.account.personal_space_id}), 5)
    assert [each.memory_id for each in found] == [memory]


def _record(pk: str, sk: str, number: str = "1") -> Any:
    return {"dynamodb": {"Keys": {"pk": {"S": pk}, "sk": {"S": sk}}, "SequenceNumber": number}}


@pytest.mark.promise("N3")
def test_what_makes_topic_maps_old_is_handed_on_once_a_batch_and_compiled() -> None:
    world = World()
    ana = world.person("Ana")
    page = world.page(ana, ana.account.personal_space_id)["page"]
    (topic,) = world.pages.pages_[page].topics
    (base,) = topic.base_ids
    world.item(ana, base, "publish")
    records = [_record(base, "changes", str(number)) for number in range(50)]
    event = {"Records": [*records, _record(page, "page"), *_about("dynamodb.item", "item_gone")["Records"]]}
    assert _index(world, event) == {"batchItemFailures": []}
    assert world.later == [base, page]
    message = _event("sqs.embed")
    for key, compiled in ((base, 1), (page, 0)):
        message["Records"][0]["body"] = key
        assert follow.embed(message, lambda: 60_000, world.services, world.journal) == {"batchItemFailures": []}
        assert world.meter.counted[-1] == ("maps_compiled", compiled, {})


@pytest.mark.promise("N3", "S11")
def test_a_map_that_cannot_be_asked_for_keeps_nothing_from_being_indexed() -> None:
    world = World()
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    item = world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "T", "content": "x"})["id"]
    world.ok(ana, "POST", f"{KNOWLEDGE}/items/{item}/publish")

    def closed(_: str) -> None:
        raise StoreBusy

    services = replace(world.services, later=closed)
    event = {"Records": [_record(base, "changes"), *_about("dynamodb.item", item)["Records"]]}
    assert follow.index(event, services, world.journal) == {"batchItemFailures": []}
    assert list(world.index.known()) == [item]
    assert [outcome.code for name, _, outcome in world.journal.entries if name == "compile_later"] == ["store_busy"]


@pytest.mark.promise("N3", "K16")
def test_the_map_that_went_with_a_deleted_item_is_compiled_anew() -> None:
    world = World()
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    item = world.item(ana, base, "publish")
    purge = world.ok(ana, "DELETE", f"{KNOWLEDGE}/items/{item['id']}", {"confirm": item["title"]})
    world.later.clear()
    _purge(world, _about("dynamodb.purge", purge["id"]))
    assert world.later == [base]
