"""Ten thousand operations by eight writers and searchers at once, in all modes, on each engine."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.search.ports import SearchIndex
from infra.opensearch import running_opensearch
from tests.contract.opensearch.servers import fresh_index
from tests.fakes.search import MemoryEmbedder
from tests.freshness import Hands, work

MODEL = MemoryEmbedder().model


@contextmanager
def sqlite(folder: Path) -> Iterator[SearchIndex]:
    yield SqliteIndex(folder / "index.sqlite", wait=60, model=MODEL, budget_s=20)


@contextmanager
def opensearch(_: Path) -> Iterator[SearchIndex]:
    with running_opensearch(heap="512m") as node, fresh_index(node, model=MODEL) as index:
        yield index


@pytest.mark.promise("S8", "S10")
@pytest.mark.parametrize("engine", [sqlite, opensearch])
def test_ten_thousand_operations_by_eight_at_once_show_nothing_stale(engine: object, tmp_path: Path) -> None:
    assert callable(engine)
    with engine(tmp_path) as index:
        hands = Hands(index, embedder=MemoryEmbedder())
        start = time.perf_counter()
        assert work(hands, workers=8, steps=1250) == []
        taken = time.perf_counter() - start
        counts = f"{hands.searches} searches, {hands.hits} hits, {len(hands.stale)} stale"
        print(f"\n10,000 operations, {counts}, {taken:.0f} s")
        assert hands.stale == []
        hands.settle()
        assert hands.missing() == []
