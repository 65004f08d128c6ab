"""How long a visitor waits: a turn without a model, over a page with a thousand passages, and two hundred at once.

The stack is the laptop cloud, whose tables answer slower than DynamoDB does (facts of the emulator: one to ten
milliseconds a call); so the figures hold there too. Questions differ, so that no answer comes from the cache.
"""

import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from infra.cli.client import Client
from infra.local.laptop import laptop
from infra.local.places import Places
from infra.local.stack import Stack
from tests.e2e.visitors import Visited, visited

PASSAGES = 1000
TURNS = 60
AT_ONCE = 200
_WORDS = ("clinic", "doctor", "nurse", "visit", "price", "opening", "hours", "card", "report", "blood", "child")


@dataclass(frozen=True, slots=True)
class Waited:
    """Milliseconds of one turn."""

    first: float
    whole: float


def _knowledge(page: Visited, stack: Stack) -> None:
    """A thousand passages, twenty in an item."""
    draw = random.Random(7)
    for number in range(PASSAGES // 20):
        sections = []
        for part in range(20):
            words = " ".join(draw.choice(_WORDS) for _ in range(60))
            sections.append(f"## Part {number}-{part}\n\nThe {words}. It costs {draw.randrange(10, 90)} euros.\n")
        body = {"title": f"Guide {number}", "locator": f"guide-{number}.md", "content": "\n".join(sections)}
        item = page.client.call("POST", f"/api/v1/knowledge/bases/{page.base_id}/items", body)
        page.client.call("POST", f"/api/v1/knowledge/items/{item['id']}/publish")
    _wait(page.client, page.base_id, stack)


def _wait(client: Client, base_id: str, stack: Stack) -> None:
    """Until everything is indexed and embedded, so that nothing else is at work."""
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        items = client.pages(f"/api/v1/knowledge/bases/{base_id}/items", "items")
        if all(each["search"]["state"] == "indexed" for each in items) and not _queued(stack):
            return
        time.sleep(1)


def _queued(stack: Stack) -> int:
    """Items that wait for vectors, or get some now."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    queue = stack.outputs["EmbedQueue"]
    found = stack.admin_session().client("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=names)
    return sum(map(int, found["Attributes"].values()))


def _question(number: int) -> str:
    draw = random.Random(number)
    return f"What is the price of a {draw.choice(_WORDS)} {draw.choice(_WORDS)} visit, case {number}?"


def _address(number: int) -> dict[str, str]:
    """Each visitor's own, as a proxy of ours would tell."""
    return {"x-forwarded-for": f"198.51.{number % 50_000 // 250}.{number % 250}"}


def _session(page: Visited, client: httpx.Client, number: int) -> str:
    """A visitor's, who pays for it from the allowance of their own address."""

    def call(method: str, path: str, body: str) -> Mapping[str, Any]:
        headers = {"content-type": "application/json", **_address(number)}
        answer: Mapping[str, Any] = (
            client.request(method, path, content=body, headers=headers).raise_for_status().json()
        )
        return answer

    return page.session_over(call)


async def _turn(client: httpx.AsyncClient, url: str, session: str, number: int) -> tuple[Waited, list[str]]:
    begun, first = time.perf_counter(), 0.0
    kinds: list[str] = []
    async with client.stream(
        "POST", url, json={"question": _question(number)}, headers={"x-acervo-session": session, **_address(number)}
    ) as response:
        assert response.status_code == 200, await response.aread()
        async for line in response.aiter_lines():
            if line.startswith("data: "):
                first = first or time.perf_counter()
                kinds.append("[DONE]" if line == "data: [DONE]" else json.loads(line[6:])["type"])
    return Waited((first - begun) * 1000, (time.perf_counter() - begun) * 1000), kinds


async def _one_by_one(url: str, sessions: Sequence[str]) -> list[Waited]:
    async with httpx.AsyncClient(timeout=60) as client:
        for number in range(5):
            await _turn(client, url, sessions[0], -number)
        return [(await _turn(client, url, sessions[0], number))[0] for number in range(TURNS)]


async def _at_once(url: str, sessions: Sequence[str]) -> tuple[int, float]:
    """How many streams were not whole and in order, and the seconds that all took."""
    async with httpx.AsyncClient(timeout=120, limits=httpx.Limits(max_connections=AT_ONCE)) as client:
        begun = time.perf_counter()
        told = await asyncio.gather(*(_turn(client, url, sessions[number], 1000 + number) for number in range(AT_ONCE)))
        return sum(not _is_in_order(kinds) for _, kinds in told), time.perf_counter() - begun


def _is_in_order(kinds: list[str]) -> bool:
    order = ["start", "data-conversation", "data-status", "text-start", "text-end", "data-sections", "finish", "[DONE]"]
    places = [kinds.index(each) for each in order if each in kinds]
    return len(places) == len(order) and places == sorted(places)


def _measured(page: Visited, stack: Stack) -> tuple[list[Waited], int, float]:
    _knowledge(page, stack)
    with httpx.Client(base_url=page.url.partition("/p/")[0], timeout=60) as client:
        sessions = [_session(page, client, number) for number in range(AT_ONCE)]
    url = page.url.replace("/p/", "/pages/") + "/turns"
    waited = asyncio.run(_one_by_one(url, sessions))
    return waited, *asyncio.run(_at_once(url, sessions))


def main() -> None:
    """Print what a visitor waits."""
    with tempfile.TemporaryDirectory() as home:
        places = Places(
            home=Path(home), environment={**Places().environment, "ACERVO_PROOF": "none", "ACERVO_TRUSTED_PROXIES": "1"}
        )
        with laptop(places, persist=False) as running, visited(running) as page:
            waited, broken, seconds = _measured(page, running.stack)
    first, whole = (sorted(getattr(each, name) for each in waited) for name in ("first", "whole"))
    print(f"{PASSAGES} passages, {TURNS} turns one after the other, no model, warm (ms)")
    print(f"  first event  p50 {statistics.median(first):6.1f}  p95 {first[len(first) * 95 // 100]:6.1f}  goal 30")
    print(f"  whole turn   p50 {statistics.median(whole):6.1f}  p95 {whole[len(whole) * 95 // 100]:6.1f}  goal 250")
    print(f"{AT_ONCE} turns at once: {broken} of them lost or out of order, {seconds:.1f} s for all")


if __name__ == "__main__":
    main()
