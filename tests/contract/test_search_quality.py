"""The figures of search quality, on the judged sets (rule S12); the whole table is `make bench-search`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.search.request import Mode
from tests.bench.judged import DATA, Judged, eslint, quality, scifact, without_accents, xquad
from tests.bench.ours import MODEL, Ours, ours

pytestmark = [
    pytest.mark.promise("S12"),
    pytest.mark.skipif(not DATA.exists(), reason=f"NO JUDGED SETS in {DATA}, so nothing is proved about quality"),
]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SqliteIndex]:
    index = SqliteIndex(tmp_path / "index.sqlite", model=MODEL)
    yield index
    index.close()


def ndcg(searches: Ours, judged: Judged, mode: Mode) -> float:
    return quality(judged, lambda number: searches.ids(judged.queries[number][0], mode)).ndcg


def test_scientific_claims(engine: SqliteIndex) -> None:
    judged = scifact()
    searches = ours(engine, judged)
    assert ndcg(searches, judged, Mode.LEXICAL) >= 0.68
    assert ndcg(searches, judged, Mode.HYBRID) >= 0.735


def test_questions_in_the_language_of_the_text_with_and_without_accents(engine: SqliteIndex) -> None:
    judged = xquad("es", "es")
    searches = ours(engine, judged)
    assert ndcg(searches, judged, Mode.HYBRID) >= 0.977
    bare = without_accents(judged)
    unaccented = searches.asked(bare)
    for mode in (Mode.LEXICAL, Mode.HYBRID):
        assert abs(ndcg(searches, judged, mode) - ndcg(unaccented, bare, mode)) <= 0.005


@pytest.mark.parametrize(("asked", "answered"), [("en", "es"), ("es", "en")])
def test_questions_in_another_language(engine: SqliteIndex, asked: str, answered: str) -> None:
    judged = xquad(asked, answered)
    searches = ours(engine, judged)
    semantic = ndcg(searches, judged, Mode.SEMANTIC)
    assert ndcg(searches, judged, Mode.HYBRID) >= semantic - 0.01
    assert ndcg(searches, judged, Mode.RRF) >= semantic - 0.05


def test_names_of_rules(engine: SqliteIndex) -> None:
    judged = eslint()
    searches = ours(engine, judged)
    for mode, least in ((Mode.LEXICAL, 0.99), (Mode.HYBRID, 0.97), (Mode.RRF, 0.95)):
        found = quality(judged, lambda number, mode=mode: searches.ids(judged.queries[number][0], mode))  # type: ignore[misc]
        assert found.mrr >= least, mode
