"""Knowledge on the deployed stack, over HTTP, with every role's policy enforced."""

import hashlib
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.local.stack import Stack
from tests.e2e.people import KNOWLEDGE, Person, arrive, until
from tests.hostile import REQUESTS, filled

pytestmark = pytest.mark.promise("P1")


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack.api_url, timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
def ana(stack: Stack, http: httpx.Client) -> Person:
    return arrive(stack, http, "Ana")


@pytest.fixture(scope="module")
def ben(stack: Stack, http: httpx.Client) -> Person:
    return arrive(stack, http, "Ben")


def _base(person: Person, name: str = "Runbooks") -> str:
    return str(person.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": person.space, "name": name})["id"])


def _item(person: Person, base: str, content: str, title: str = "Restarting", locator: str = "restarting") -> Any:
    return person.ok(
        "POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": title, "locator": locator, "content": content}
    )


def _move(person: Person, item: Any, move: str) -> Any:
    return person.ok("POST", f"{KNOWLEDGE}/items/{item['id']}/{move}")


def _edit(person: Person, item: Any, content: str) -> httpx.Response:
    body = {"expected_revision_id": item["current_revision_id"], "content": content}
    return person.ask("PATCH", f"{KNOWLEDGE}/items/{item['id']}", body)


def _found(person: Person, query: str, item: Any) -> bool:
    return any(hit["knowledge_item_id"] == item["id"] for hit in person.search(query))


def _scan(stack: Stack, table: str) -> list[dict[str, Any]]:
    client = stack.admin_session().client("dynamodb")
    pages = client.get_paginator("scan").paginate(TableName=stack.outputs[table])
    return [row for page in pages for row in page["Items"]]


def _versions(stack: Stack) -> list[dict[str, Any]]:
    client = stack.admin_session().client("s3")
    pages = client.get_paginator("list_object_versions").paginate(Bucket=stack.outputs["ContentBucket"])
    return [each for page in pages for kind in ("Versions", "DeleteMarkers") for each in page.get(kind, [])]


def _in_index(path: Path, words: list[str]) -> list[str]:
    """Which words stand anywhere in the index's files, after what is pending has been written."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*")).lower()
    return [word for word in words if word.lower().encode() in content]


@pytest.mark.promise("K2", "K5", "K12", "K16", "S8", "S10", "S11")
def test_the_life_of_an_item_from_creation_to_a_deletion_that_leaves_nothing(
    stack: Stack, ana: Person, ben: Person
) -> None:
    base = _base(ana, "Zanzibar base")
    big = "quokkafirst " + "filler " * 60_000
    item = _item(ana, base, f"# Restarting\n\n{big}", "Zeppelin title", "zebra/locator")
    assert item["status"] == "draft"

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda text: _edit(ana, item, text), ["quokkaone text", "quokkatwo text"]))
    assert sorted(each.status_code for each in answers) == [200, 409]
    won, lost = sorted(answers, key=lambda each: each.status_code)
    item = won.json()
    assert lost.json()["code"] in {"stale_revision", "concurrent_change"}
    assert item["current_revision_number"] == 2

    item = _move(ana, item, "publish")
    text = ana.read(item["id"]).json()["content"]
    word = text.split()[0]
    assert until(lambda: _found(ana, word, item))
    assert ana.ok("GET", f"{KNOWLEDGE}/items/{item['id']}")["search"]["state"] == "indexed"
    assert not _found(ben, word, item)

    cited = ana.read(item["id"], item["current_revision_id"]).json()
    edited = _edit(ana, item, "quokkathree text").json()
    assert not _found(ana, word, item)
    assert until(lambda: _found(ana, "quokkathree", item))
    again = ana.read(item["id"], item["current_revision_id"]).json()
    assert again == cited
    assert hashlib.sha256(again["content"].encode()).hexdigest() == again["sha256"]
    assert ben.read(item["id"], item["current_revision_id"]).json()["code"] == "not_found"

    _move(ana, edited, "archive")
    assert not _found(ana, "quokkathree", item)
    assert ana.read(item["id"]).status_code == 404
    _move(ana, edited, "restore")
    assert until(lambda: _found(ana, "quokkathree", item))

    ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/archive")
    assert not _found(ana, "quokkathree", item)
    assert ana.read(item["id"], item["current_revision_id"]).json()["code"] == "knowledge_archived"
    ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/restore")
    assert _found(ana, "quokkathree", item)

    refused = ana.ask("DELETE", f"{KNOWLEDGE}/bases/{base}", {"confirm": "Another"})
    assert (refused.status_code, refused.json()["code"]) == (422, "confirmation_mismatch")
    purge = ana.ok("DELETE", f"{KNOWLEDGE}/bases/{base}", {"confirm": "Zanzibar base"})
    assert ana.ask("GET", f"{KNOWLEDGE}/bases/{base}").status_code == 404
    assert ana.read(item["id"], item["current_revision_id"]).status_code == 404
    assert not _found(ana, "quokkathree", item)
    receipt = until(lambda: _done(ana, purge["id"]))
    assert receipt["removed"] == {"items": 1, "revisions": 3, "objects": 1, "passages": 1, "documents": 0}

    left = [f"{_scan(stack, table)}" for table in ("RecordsTable", "RevisionsTable", "EphemeralTable")]
    for word in ("quokka", "Zanzibar", "Zeppelin", "zebra/locator", item["id"]):
        assert not [store for store in left if word in store], word
    assert [each["Key"] for each in _versions(stack) if base in each["Key"]] == []
    assert _in_index(stack.index_path, ["quokka", "Zeppelin", "zebra/locator", item["id"]]) == []


def _done(person: Person, purge_id: str) -> Any:
    purge = person.ok("GET", f"{KNOWLEDGE}/purges/{purge_id}")
    return purge if purge["status"] != "running" else None


@pytest.mark.promise("K7")
def test_a_retry_over_http_does_nothing_twice(ana: Person) -> None:
    base = _base(ana)
    body = {"title": "Once", "content": "c"}
    with ThreadPoolExecutor(4) as pool:
        made = list(
            pool.map(
                lambda _: ana.ask("POST", f"{KNOWLEDGE}/bases/{base}/items", body, **{"Idempotency-Key": "same"}),
                range(4),
            )
        )
    assert {each.status_code for each in made} <= {201, 503}
    ids = {each.json()["id"] for each in made if each.status_code == 201}
    assert len(ids) == 1
    assert len(ana.ok("GET", f"{KNOWLEDGE}/bases/{base}/items")["items"]) == 1
    other = ana.ask("POST", f"{KNOWLEDGE}/bases/{base}/items", {**body, "title": "Two"}, **{"Idempotency-Key": "same"})
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


@pytest.mark.promise("K10", "K11")
def test_a_team_over_http(ana: Person, ben: Person) -> None:
    team = ana.ok("POST", "/api/v1/teams", {"name": "Ops"})["id"]
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": team, "name": "Shared"})["id"]
    item = _move(ana, _item(ana, base, "wombatshared text"), "publish")
    assert ben.ask("GET", f"{KNOWLEDGE}/items/{item['id']}").status_code == 404
    ana.ok("POST", f"/api/v1/teams/{team}/members", {"user_id": ben.user_id, "role": "viewer"})
    assert until(lambda: _found(ben, "wombatshared", item))
    assert ben.ask("POST", f"{KNOWLEDGE}/items/{item['id']}/withdraw").json()["code"] == "not_allowed"
    ana.ok("DELETE", f"/api/v1/teams/{team}/members/{ben.user_id}")
    assert not _found(ben, "wombatshared", item)
    assert ben.read(item["id"], item["current_revision_id"]).status_code == 404


@pytest.mark.promise("K8")
def test_two_mebibytes_go_in_and_come_out_through_the_gateway(ana: Person) -> None:
    content = ("ñandú 한국어 " * 200_000)[:1_000_000]
    content = content.encode()[: 2 * 1024 * 1024 - 1].decode(errors="ignore").rstrip() + "\n"
    item = _item(ana, _base(ana), content)
    path = f"{KNOWLEDGE}/items/{item['id']}/revisions/{item['current_revision_id']}"
    raw = ana.ask("GET", path, Accept="text/markdown")
    assert raw.headers["content-type"].startswith("text/markdown")
    assert raw.content.decode() == content
    page = ana.ok("GET", f"{path}?offset=10&limit_chars=20")
    assert (page["content"], page["next_offset"]) == (content[10:30], 30)


@pytest.mark.promise("A1")
def test_a_revoked_token_is_refused_in_the_next_request(ana: Person) -> None:
    issued = ana.ok("POST", "/api/v1/tokens", {"name": "short", "scopes": ["knowledge:read"]})
    guest = Person(ana.http, ana.user_id, ana.space, issued["token"])
    assert guest.ask("GET", f"{KNOWLEDGE}/bases").status_code == 200
    refused = guest.ask("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "B"})
    assert (refused.status_code, refused.json()["required"]) == (403, ["knowledge:write"])
    ana.ok("DELETE", f"/api/v1/tokens/{issued['details']['id']}")
    assert guest.ask("GET", f"{KNOWLEDGE}/bases").status_code == 401


@pytest.mark.promise("H2")
def test_bad_requests_get_the_same_clear_errors_through_the_gateway(ana: Person) -> None:
    base = _base(ana)
    item = _item(ana, base, "c")
    ids = {"base": base, "item": item["id"], "revision": item["current_revision_id"], "space": ana.space}
    wrong = []
    for bad in REQUESTS:
        path, raw = filled(bad, ids)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {ana.token}"}
        headers |= {name.title(): value for name, value in bad.headers.items()}
        answer = ana.http.request(bad.method, path, content=raw, headers=headers)
        if (answer.status_code, answer.json().get("code")) != (bad.status, bad.code):
            wrong.append((bad.name, answer.status_code, answer.text[:200]))
    assert not wrong
    assert ana.http.get("/api/v1/nowhere").status_code in {403, 404}
    assert ana.http.put(f"{KNOWLEDGE}/bases").status_code in {403, 404, 405}


@pytest.mark.promise("H4")
def test_no_log_of_the_stack_holds_what_anybody_wrote_or_a_token(stack: Stack, ana: Person) -> None:
    secret = "quetzalsecret"
    base = _base(ana, f"{secret} base")
    item = _move(ana, _item(ana, base, f"{secret} content", f"{secret} title", f"{secret}/locator"), "publish")
    assert until(lambda: _found(ana, secret, item))
    ana.ask("POST", f"{KNOWLEDGE}/search", {"query": secret, "mode": secret})
    ana.ask("GET", f"{KNOWLEDGE}/items/{secret}%00")
    ana.ask("POST", f"{KNOWLEDGE}/bases", {secret: secret})
    logs = stack.admin_session().client("logs")
    lines = []
    for group in logs.describe_log_groups()["logGroups"]:
        pages = logs.get_paginator("filter_log_events").paginate(logGroupName=group["logGroupName"])
        lines += [event["message"] for page in pages for event in page["events"]]
    assert any("searchKnowledge" in line for line in lines)
    for word in (secret, ana.token, ana.token.rpartition("_")[2]):
        assert not [line for line in lines if word in line]
