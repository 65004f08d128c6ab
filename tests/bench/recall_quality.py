"""How good and how fast recall is, on a small judged set of our own: memory and knowledge, mixed.

`python -m tests.bench.recall_quality`: over the embedded engine, by words. The set was written for this: a project's
notes, guidelines and chatter, questions that one or two of them answer, and near-duplicates that must not both come.
"""

import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chalicelib.adapters.memory_search import IndexedMemory
from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.memory.budget import tokens_of
from tests.unit.api.world import World

MEMORIES = {
    "pnpm": "We use pnpm in every repository; npm and yarn lock files are deleted in review.",
    "pnpm-again": "In every repository we use pnpm. Lock files of npm and yarn are deleted in review!",
    "tuesday": "The payment gateway is deployed on Tuesdays before noon, never on Fridays.",
    "vegetarian": "The user is vegetarian and allergic to hazelnuts.",
    "lisbon": "The user lives in Lisbon and works from Berlin in summer.",
    "jitter": "Retries in http/retry.py use full jitter since incident 42; the base delay is 200 ms.",
    "flaky": "test_webhooks is flaky because it binds port 8080; run it alone.",
    "adr": "The team decided against GraphQL in March: caching at the edge was harder.",
    "color": "Primary buttons are teal #0f766e; danger is red-700.",
    "oncall": "Mia is on call in even weeks, Tomás in odd weeks.",
    "invoice": "Customer Acme gets invoices as PDF in Spanish, net 45.",
    "db": "Long migrations run with lock_timeout 2s and are retried by hand.",
    "feature": "Feature flags live in config/flags.yaml; remove a flag within 30 days of full rollout.",
    "es": "El cliente prefiere que los informes mensuales lleguen el primer lunes.",
    "zh": "客户要求所有报表使用人民币结算。",
    "error": "ERR_POOL_EXHAUSTED means the pool in db/pool.py is too small; raise max_overflow first.",
}
KNOWLEDGE = {
    "deploying": (
        "Deploying",
        "# Deploying\n\nServices are deployed by the pipeline. The payment gateway has a freeze on Fridays.",
    ),
    "retries": (
        "Retries",
        "# Retries\n\nEvery client retries idempotent calls at most three times with exponential backoff.",
    ),
    "style": ("Style guide", "# Style\n\nUse teal for primary buttons. Contrast must reach 4.5 to 1."),
    "incident": ("Incident 42", "# Incident 42\n\nA retry storm took down the gateway; jitter was missing."),
    "vacation": ("Vacation", "# Vacation\n\nAsk your lead two weeks ahead. Public holidays follow your contract."),
    "flags": ("Feature flags", "# Feature flags\n\nFlags are evaluated on the server. Every flag has an owner."),
    "migrations": (
        "Migrations",
        "# Migrations\n\nA migration takes no lock longer than two seconds; set lock_timeout.",
    ),
    "packages": (
        "Packages",
        "# Packages\n\nWe use pnpm in every repository; npm and yarn lock files are deleted in review.",
    ),
}
QUESTIONS: dict[str, set[str]] = {
    "which package manager do we use": {"pnpm"},
    "when is the payment gateway deployed": {"tuesday", "deploying"},
    "what can the user eat, is the user vegetarian": {"vegetarian"},
    "where does the user live": {"lisbon"},
    "how do retries use jitter": {"jitter", "incident"},
    "why is test_webhooks flaky": {"flaky"},
    "did we decide on GraphQL": {"adr"},
    "color of primary buttons": {"color", "style"},
    "who is on call in odd weeks": {"oncall"},
    "how does Acme get invoices": {"invoice"},
    "lock_timeout for migrations": {"db", "migrations"},
    "where do feature flags live": {"feature", "flags"},
    "informes mensuales del cliente": {"es"},
    "人民币 报表": {"zh"},
    "ERR_POOL_EXHAUSTED": {"error"},
    "what happened in incident 42": {"incident", "jitter"},
    "how many days of vacation notice": {"vacation"},
}
SAME = {"pnpm": "pnpm", "pnpm-again": "pnpm", "packages": "pnpm"}
"""What says the same; one of them is enough, and more than one is a fault."""
BUDGET = 400
REPEATS = 20


@dataclass
class Judged:
    """What one question got."""

    reciprocal: float
    recall: float
    duplicates: int
    tokens: int
    milliseconds: float


def _world(folder: Path, between: int) -> tuple[World, Any, dict[str, str]]:
    knowledge: Any = SqliteIndex(folder / "knowledge.sqlite3")
    world = World(memory_search=IndexedMemory(SqliteIndex(folder / "memory.sqlite3")), index=knowledge)
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    names = {}
    for name, content in MEMORIES.items():
        names[world.ok(ana, "POST", "/v1/memories", {"content": content})["id"]] = name
    for name, (title, content) in KNOWLEDGE.items():
        names[world.item(ana, base, "publish", title=title, content=content)["id"]] = name
    for number in range(between):
        world.ok(
            ana, "POST", "/v1/memories", {"content": f"Note {number}: meeting about topic {number % 17}, no decision."}
        )
    world.index_all()
    return world, ana, names


def _judge(world: World, ana: Any, names: dict[str, str], question: str, expected: set[str]) -> Judged:
    body = {"query": question, "max_items": 6, "max_tokens": BUDGET}
    times = []
    pack: Any = None
    for _ in range(REPEATS):
        begun = time.perf_counter()
        pack = world.ok(ana, "POST", "/v1/recall/context", body)
        times.append((time.perf_counter() - begun) * 1000)
    found = [SAME.get(names.get(each["id"], ""), names.get(each["id"], "")) for each in pack["items"]]
    ranks = [found.index(each) + 1 for each in expected if each in found]
    return Judged(
        reciprocal=1 / min(ranks) if ranks else 0.0,
        recall=len(ranks) / len(expected),
        duplicates=sum(found.count(each) - 1 for each in set(found) if each in SAME.values()),
        tokens=tokens_of(pack["context_text"]),
        milliseconds=statistics.median(times),
    )


def main() -> None:
    """Print the figures."""
    for between in (200, 0):  # among many records, and where these few are all
        _measure(between)


def _measure(between: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world, ana, names = _world(Path(folder), between)
        judged = {question: _judge(world, ana, names, question, each) for question, each in QUESTIONS.items()}
    for question, each in judged.items():
        print(f"{question[:44]:46} 1/rank {each.reciprocal:.2f}  recall {each.recall:.2f}  {each.tokens:4} tokens")
    values = list(judged.values())
    print(
        f"{len(values)} questions, {len(MEMORIES) + between} records, {len(KNOWLEDGE)} documents, by words: "
        f"MRR {statistics.mean(each.reciprocal for each in values):.3f}, "
        f"recall@6 {statistics.mean(each.recall for each in values):.3f}, "
        f"duplicates {sum(each.duplicates for each in values)}, "
        f"over budget {sum(each.tokens > BUDGET for each in values)}, "
        f"median {statistics.median(each.milliseconds for each in values):.1f} ms in process\n"
    )


if __name__ == "__main__":
    main()
