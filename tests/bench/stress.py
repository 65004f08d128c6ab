"""Concurrent writers and searchers: nothing lost, no gap, nothing stale (rules K3, S8, S10).

`python -m tests.bench.stress` runs 10,000 operations by 8 workers on the real tables of a local cloud, in process, with
the embedded engine and the stream's worker beside them; then 1,000 over HTTP through the deployed stack. With
`--opensearch` the engine is a real OpenSearch. It prints counts, and ends with 1 if one of them should be zero and is
not.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from infra.local.laptop import laptop
from infra.local.places import Places
from infra.local.stack import Stack
from infra.opensearch import running_opensearch
from tests.bench.desks import direct, remote
from tests.bench.ledger import WORKERS, Desk, run


@contextmanager
def cloud(environment: Mapping[str, str]) -> Iterator[Stack]:
    """A local cloud of its own."""
    chosen = {**Places().environment, "ACERVO_EMBEDDER": "none", **environment}
    with tempfile.TemporaryDirectory() as folder:
        places = Places(home=Path(folder), environment=chosen)
        with laptop(places, persist=False) as running:
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


def main(arguments: Sequence[str]) -> int:
    """Both runs."""
    if "--opensearch" in arguments:
        with running_opensearch() as node:
            return both({"ACERVO_SEARCH": "opensearch", "ACERVO_OPENSEARCH_URL": node.url})
    return both({"ACERVO_SEARCH": "sqlite"})


def both(environment: Mapping[str, str]) -> int:
    """In process, and over HTTP."""
    with cloud(environment) as stack:
        good = timed("In process, on the tables", direct(stack), 10_000)
        good = timed("Over HTTP, deployed", remote(stack), 1_000) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
