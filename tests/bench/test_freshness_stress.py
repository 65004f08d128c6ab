"""Ten thousand operations by eight writers and searchers at once on the embedded engine."""

import time
from pathlib import Path

import pytest

from chalicelib.adapters.sqlite_search.index import SqliteIndex
from tests.freshness import Hands, work


@pytest.mark.promise("S10")
def test_ten_thousand_operations_by_eight_at_once_show_nothing_stale(tmp_path: Path) -> None:
    hands = Hands(SqliteIndex(tmp_path / "index.sqlite", wait=60))
    start = time.perf_counter()
    assert work(hands, workers=8, steps=1250) == []
    taken = time.perf_counter() - start
    print(f"\n10,000 operations, {hands.searches} searches, {hands.hits} hits, {len(hands.stale)} stale, {taken:.0f} s")
    assert hands.stale == []
    hands.settle()
    assert hands.missing() == []
