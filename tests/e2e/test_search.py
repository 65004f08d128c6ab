"""Search on the deployed stack: by words at once, by meaning soon after."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from infra.local.places import ROOT
from infra.local.stack import Stack
from tests.e2e.people import KNOWLEDGE, Person, arrive

PATIENCE_S = 60.0


@pytest.fixture
def ana(stack: Stack) -> Iterator[Person]:
    with httpx.Client(base_url=stack.api_url, timeout=60) as http:
        yield arrive(stack, http, "Ana")


def published(person: Person, title: str, content: str) -> str:
    base = person.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": person.space, "name": title})["id"]
    item = person.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": title, "content": content})["id"]
    person.ok("POST", f"{KNOWLEDGE}/items/{item}/publish")
    return str(item)


def searched(person: Person, query: str, **asked: object) -> Any:
    return person.ok("POST", f"{KNOWLEDGE}/search", {"query": query, **asked})


def until_found(person: Person, query: str, item: str, **asked: object) -> Any:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        answer = searched(person, query, **asked)
        if any(each["knowledge_item_id"] == item for each in answer["results"]):
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{item} was not found by {query!r} within {PATIENCE_S} s")


@pytest.mark.promise("S11", "S1")
def test_what_is_published_is_found_by_its_words_and_soon_by_its_meaning(ana: Person) -> None:
    brakes = published(ana, "Frenos", "El coche frena porque la fricción calienta los discos.")
    published(ana, "Ballenas", "Las ballenas cantan en el océano.")
    by_words = until_found(ana, "fricción", brakes)
    assert by_words["degraded"] is None
    # Nothing in common but what it means, in another language.
    by_meaning = until_found(ana, "how does an automobile slow down", brakes, mode="semantic")
    assert by_meaning["mode_used"] == "semantic"
    best, *_ = searched(ana, "how does an automobile slow down")["results"]
    assert best["knowledge_item_id"] == brakes
    assert best["explain"]["semantic"] > 0


@pytest.mark.promise("S11")
def test_the_nightly_comparison_finds_nothing_amiss_and_mends_what_is(stack: Stack, ana: Person) -> None:
    item = published(ana, "Tungsten", "A metal.")
    until_found(ana, "tungsten", item)
    functions = stack.admin_session().client("lambda")
    event = (ROOT / "events" / "schedule.reconcile.json").read_bytes()
    answer = functions.invoke(FunctionName=stack.function_name("Reconcile"), Payload=event)
    told = json.loads(answer["Payload"].read())
    assert "FunctionError" not in answer, told
    assert told["finished"] == 1
    assert told["leftover"] == 0
