"""Pages on the deployed stack: authored over REST, counted exactly by many at once, reset by the clock's function."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest
from botocore.config import Config

from chalicelib.adapters.dynamodb.conversations import DynamoConversations
from chalicelib.adapters.dynamodb.defences import DynamoBuckets, DynamoDayKeys, DynamoReplays
from chalicelib.adapters.dynamodb.fuses import DynamoFuses
from chalicelib.adapters.dynamodb.tables import Tables
from chalicelib.adapters.machine import SystemSecrets
from chalicelib.answers.defence_ports import Allowance, Purpose, Rate, Usage
from chalicelib.answers.ports import Conversation
from chalicelib.domain.errors import ConcurrentChange
from infra.local.stack import Stack
from tests.e2e.people import KNOWLEDGE, Person, arrive
from tests.pictures import SECRET, drawn

pytestmark = pytest.mark.promise("N9")

_ROOT = Path(__file__).parents[2]
CLIENTS = 64
NOW = datetime(2031, 5, 6, 12, tzinfo=UTC)
TODAY = NOW.date()


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack.api_url, timeout=40) as client:
        yield client


@pytest.fixture(scope="module")
def ana(stack: Stack, http: httpx.Client) -> Person:
    return arrive(stack, http, "Ana")


@pytest.fixture(scope="module")
def tables(stack: Stack) -> Tables:
    session: Any = stack.admin_session()
    client = session.client("dynamodb", config=Config(max_pool_connections=CLIENTS, read_timeout=60))
    return Tables(
        client, stack.outputs["RecordsTable"], stack.outputs["RevisionsTable"], stack.outputs["EphemeralTable"]
    )


def at_once(call: Any) -> list[Any]:
    barrier = Barrier(CLIENTS)

    def one(number: int) -> Any:
        barrier.wait()
        return call(number)

    with ThreadPoolExecutor(CLIENTS) as pool:
        return list(pool.map(one, range(CLIENTS)))


def test_64_clients_at_once_get_exactly_what_there_is(tables: Tables) -> None:
    buckets, replays, fuses = DynamoBuckets(tables), DynamoReplays(tables), DynamoFuses(tables)
    keys = DynamoDayKeys(tables, SystemSecrets())
    for burst in (1, 5, 20):
        waits = at_once(lambda _, burst=burst: buckets.take(f"e2e/{burst}", Rate(6.0, burst), NOW))
        assert waits.count(0.0) == burst
    assert at_once(lambda _: replays.first("e2e", NOW)).count(True) == 1
    assert len(set(at_once(lambda _: keys.key(Purpose.SESSION, TODAY)))) == 1
    taken = at_once(lambda _: fuses.take(TODAY, Allowance(10, 10**6)))
    assert taken.count(True) == 10
    at_once(lambda _: fuses.add(TODAY, 10))
    at_once(lambda _: fuses.count_page("page_e2e", TODAY, Usage(1, 2)))
    assert fuses.fuse(TODAY).used == Usage(10, 640)
    assert fuses.page_days("page_e2e", [TODAY])[TODAY] == Usage(64, 128)
    tomorrow = TODAY + timedelta(days=1)
    assert at_once(lambda _: fuses.take(tomorrow, Allowance(20, 10**6))).count(True) == 20
    assert fuses.recorded(TODAY) == Usage(10, 640)


@pytest.mark.promise("N7")
def test_of_64_turns_of_one_conversation_at_once_one_is_let_in(tables: Tables) -> None:
    store = DynamoConversations(tables)
    new = Conversation("conv_e2e", "page_e2e", "session", (), 0, NOW)
    kept = store.keep(new, new)

    def hold(_: int) -> bool:
        try:
            store.hold(kept, NOW)
        except ConcurrentChange:
            return False
        return True

    assert at_once(hold).count(True) == 1


@pytest.mark.promise("N8")
def test_the_clocks_function_begins_the_day_and_forgets_yesterdays_addresses(stack: Stack, tables: Tables) -> None:
    tables.delete(tables.ephemeral, {"pk": "fuse"})
    fuses, keys = DynamoFuses(tables), DynamoDayKeys(tables, SystemSecrets())
    today = datetime.now(UTC).date()
    yesterday: date = today - timedelta(days=1)
    assert fuses.take(yesterday, Allowance(5, 5))
    fuses.add(yesterday, 3)
    keys.key(Purpose.ADDRESS, yesterday)
    invoked = (
        stack.admin_session()
        .client("lambda")
        .invoke(
            FunctionName=stack.function_name("Reset"),
            Payload=(_ROOT / "events" / "schedule.reset.json").read_bytes(),
        )
    )
    assert json.loads(invoked["Payload"].read()) == {"turns": 1, "tokens": 3}
    assert keys.known(Purpose.ADDRESS, yesterday) is None
    assert fuses.recorded(yesterday) == Usage(1, 3)
    assert fuses.fuse(today).used == Usage()


def test_an_operator_blows_the_fuse_and_mends_it_with_the_command_line(stack: Stack, tables: Tables) -> None:
    environment = {**stack.environment(), "PATH": os.environ["PATH"], "ACERVO_DAILY_TURNS": "2"}

    def fuse(what: str) -> str:
        command = [sys.executable, "-m", "infra.cli", "admin", "fuse", what]
        return subprocess.run(command, env=environment, cwd=_ROOT, capture_output=True, text=True, check=True).stdout

    fuses, today, two = DynamoFuses(tables), datetime.now(UTC).date(), Allowance(2, 100)
    tables.delete(tables.ephemeral, {"pk": "fuse"})
    assert "holds" in fuse("show")
    assert fuses.take(today, two)
    assert "blown by an operator" in fuse("blow")
    assert not fuses.take(today, two)
    assert "holds" in fuse("mend")
    assert [fuses.take(today, two) for _ in range(3)] == [True, True, False]
    shown = fuse("show")
    assert "used up" in shown
    assert "2 of 2 (3 all day)" in shown
    tables.delete(tables.ephemeral, {"pk": "fuse"})


@pytest.mark.promise("N1", "N3")
def test_a_page_is_made_tried_and_deleted_with_its_pictures(stack: Stack, ana: Person) -> None:
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "Rooms"})["id"]
    body = {"title": "Prices", "content": "A room costs 90 euros.", "locator": "prices"}
    item = ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    ana.ok("POST", f"{KNOWLEDGE}/items/{item['id']}/publish")
    new = {"space_id": ana.space, "name": "Casa Lola", "about": "A small hotel", "language": "es"}
    page_id = ana.ok("POST", "/api/v1/pages", new)["id"]
    page = f"/api/v1/pages/{page_id}"
    topic = {"title": "Rooms", "description": "What they cost", "knowledge_base_ids": [base]}
    ana.ok("POST", f"{page}/topics", topic)
    tried = ana.ok("POST", f"{page}/try", {"question": "What does a room cost?"})["topics"]
    assert [each["content"] for each in tried[0]["passages"]] == ["A room costs 90 euros."]
    announced = ana.ok("POST", f"{page}/images", {"media_type": "image/jpeg"})
    photo = drawn("JPEG", (64, 32), turn=6)
    upload = announced["upload"]
    assert httpx.post(upload["url"], data=upload["fields"], files={"file": photo}).is_success
    image = f"{page}/images/{announced['image_id']}"
    taken = ana.ok("PUT", image, {"kind": "photo", "shows": "The sea"})["images"][0]
    assert (taken["width"], taken["height"], taken["approved"]) == (32, 64, False)
    shown = httpx.get(taken["url"])
    assert shown.headers["content-type"] == "image/jpeg"
    assert SECRET not in shown.content
    assert ana.ok("PATCH", image, {"approved": True})["images"][0]["approved"]
    assert ana.ok("POST", f"{page}/go-live")["status"] == "live"
    assert ana.ok("GET", f"{page}/usage")["fuse"]["blown"] is False
    ana.ok("POST", f"{KNOWLEDGE}/items/{item['id']}/withdraw")
    assert ana.ok("POST", f"{page}/try", {"question": "What does a room cost?"})["topics"][0]["passages"] == []
    ana.ok("DELETE", page, {"confirm": "Casa Lola"})
    s3, bucket = stack.admin_session().client("s3"), stack.outputs["ContentBucket"]
    for folder in (f"pages/{page_id}/", f"incoming/{page_id}/"):
        assert "Versions" not in s3.list_object_versions(Bucket=bucket, Prefix=folder)
    assert httpx.get(taken["url"]).status_code in {403, 404}
