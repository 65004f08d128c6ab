"""What concurrent writers and searchers did, and whether the answers were right."""

import random
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

WORKERS = 8
ITEMS = 12


class Lost(Exception):
    """Someone else's write came first."""


class Desk(Protocol):
    """What a worker does, by whichever door."""

    def state(self, item: int) -> tuple[str, str]:
        """Current revision id and status of an item."""
        ...

    def edit(self, item: int, seen: str, text: str) -> str:
        """Edit on the revision seen; the new revision's id. Raises Lost."""
        ...

    def move(self, item: int, move: str) -> None:
        """Move an item. Raises Lost."""
        ...

    def search(self, word: str) -> list[tuple[int, str]]:
        """Item and revision of every hit."""
        ...

    def numbers(self, item: int) -> list[int]:
        """The numbers of an item's revisions, newest first."""
        ...


@dataclass
class Ledger:
    """What was acknowledged, to hold the answers against."""

    current: dict[int, str] = field(default_factory=dict)
    published: dict[int, bool] = field(default_factory=dict)
    under_way: Counter[int] = field(default_factory=Counter)
    """Writes of an item that have begun and not ended."""
    begun: Counter[int] = field(default_factory=Counter)
    edits: Counter[int] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str) -> None:
        with self.lock:
            self.counts[what] += 1

    @contextmanager
    def writing(self, item: int) -> Iterator[None]:
        """A write that may lose its race."""
        with self.lock:
            self.under_way[item] += 1
            self.begun[item] += 1
        try:
            yield
            self.count("writes")
        except Lost:
            self.count("races lost")
        finally:
            with self.lock:
                self.under_way[item] -= 1

    def edited(self, item: int, made: str) -> None:
        """Ids of an item sort as its numbers, so the highest that was acknowledged is current."""
        with self.lock:
            self.edits[item] += 1
            self.current[item] = max(self.current[item], made)


def operate(desk: Desk, ledger: Ledger, movers: list[threading.Lock], operations: int, seed: int) -> None:
    """One worker's share of the operations: 4 in 10 search, 4 edit, 2 publish or withdraw."""
    chance = random.Random(seed)
    for number in range(operations):
        item, kind = chance.randrange(ITEMS), chance.randrange(10)
        if kind < 4:
            _search(desk, ledger)
        elif kind < 8:
            with ledger.writing(item):
                seen, _ = desk.state(item)
                ledger.edited(item, desk.edit(item, seen, f"common word{item} {seed} {number}"))
        else:
            with movers[item], ledger.writing(item):  # one mover at a time, so that the status is known
                _, status = desk.state(item)
                desk.move(item, "withdraw" if status == "published" else "publish")
                ledger.published[item] = status != "published"
        ledger.count("operations")


def _search(desk: Desk, ledger: Ledger) -> None:
    with ledger.lock:
        begun, quiet = ledger.begun.copy(), {item for item in range(ITEMS) if not ledger.under_way[item]}
        current, published = dict(ledger.current), dict(ledger.published)
    hits = desk.search("common")
    with ledger.lock:
        quiet = {item for item in quiet if ledger.begun[item] == begun[item]}
    ledger.count("searches")
    for item, revision in hits:
        if item in quiet:  # Of an item that was being written meanwhile, either answer is right.
            ledger.count("hits judged")
            if not published[item] or revision != current[item]:
                ledger.count("stale")


def run(desk: Desk, operations: int) -> Counter[str]:
    """All workers at once; then the books are checked."""
    ledger = Ledger()
    for item in range(ITEMS):
        ledger.current[item], status = desk.state(item)
        ledger.published[item] = status == "published"
    movers = [threading.Lock() for _ in range(ITEMS)]
    with ThreadPoolExecutor(WORKERS) as pool:
        shares = [pool.submit(operate, desk, ledger, movers, operations // WORKERS, seed) for seed in range(WORKERS)]
        for each in shares:
            each.result()
    for item in range(ITEMS):
        numbers = desk.numbers(item)
        ledger.counts["gaps"] += numbers != list(range(len(numbers), 0, -1))
        ledger.counts["lost"] += abs(len(numbers) - 1 - ledger.edits[item])
    return ledger.counts
