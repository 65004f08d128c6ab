"""Concurrent writers and searchers: nothing lost, no gap, nothing stale (rules K3, S10).

`python -m tests.bench.stress` runs 10,000 operations by 8 workers on the real tables of a local cloud, in process, with
the embedded engine and the stream's worker beside them; then 1,000 over HTTP through the deployed stack. It prints
counts, and ends with 1 if one of them should be zero and is not.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infra.local.laptop import laptop
from infra.local.places import Places
from infra.local.stack import Stack
from tests.bench.desks import direct, remote
from tests.bench.ledger import WORKERS, Desk, run


@contextmanager
def cloud() -> Iterator[Stack]:
    """A local cloud of its own."""
    with tempfile.TemporaryDirectory() as folder, laptop(Places(home=Path(folder)), persist=False) as running:
        yield running.stack


def report(name: str, counts: Counter[str], seconds: float) -> bool:
    """Print the counts; whether all that should be zero is."""
    print(f"\n{name}: {counts['operations']} operations by {WORKERS} workers in {seconds:.0f} s")
    for what in ("writes", "races lost", "searches", "hits judged", "stale", "gaps", "lost"):
        print(f"  {what:12} {counts[what]}")
    return not (counts["stale"] or counts["gaps"] or counts["lost"])


def timed(name: str, desk: Desk, operations: int) -> bool:
    """Run and report."""
    begun = time.monotonic()
    counts = run(desk, operations)
    return report(name, counts, time.monotonic() - begun)


def main() -> int:
    """Both runs."""
    with cloud() as stack:
        good = timed("In process, on the tables", direct(stack), 10_000)
        good = timed("Over HTTP, deployed", remote(stack), 1_000) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
