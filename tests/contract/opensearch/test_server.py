"""What is special about the engine that is a cluster: writers that meet, vectors, what is left on disk."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from chalicelib.adapters.opensearch.cluster import Answer, Cluster, connect
from chalicelib.adapters.opensearch.frequencies import Counting
from chalicelib.adapters.opensearch.home import UnfitIndex
from chalicelib.adapters.opensearch.index import OpenSearchIndex
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import (
    Card,
    Embedding,
    EmbeddingMismatch,
    EmbeddingModel,
    Leg,
    Passage,
    Question,
    Within,
)
from infra.opensearch import Node
from tests.contract.opensearch.servers import PATIENT, fresh_index
from tests.halves import by_meaning, by_words

HERE = Within(frozenset({"space_here"}))
FOUR = EmbeddingModel("test", 4)
NORTH, EAST, SOUTH = (0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, -1.0, 0.0, 0.0)


def a_card(item_id: str, *texts: str, version: int = 1, space_id: str = "space_here") -> Card:
    passages = tuple(Passage(number, (), text) for number, text in enumerate(texts))
    return Card(item_id, "kb_here", space_id, f"rev_{version}", version, "Untitled", "somewhere", passages)


@pytest.fixture
def vectors(opensearch: Node) -> Iterator[OpenSearchIndex]:
    with fresh_index(opensearch, model=FOUR) as fresh:
        yield fresh


def found(index: OpenSearchIndex, query: str) -> list[tuple[str, str, int]]:
    return sorted((each.item_id, each.revision_id, each.passage.position) for each in by_words(index, query, HERE, 100))


@pytest.mark.promise("S5")
def test_where_nothing_was_indexed_nothing_is_found_counted_or_erased(index: OpenSearchIndex) -> None:
    assert by_words(index, "alpha", HERE, 5) == ()
    assert index.count(["item"]) == index.erase(["item"]) == 0
    assert index.sweep()


@pytest.mark.promise("S11")
def test_what_was_put_is_searchable_when_the_call_returns_and_that_takes_less_than_a_second(opensearch: Node) -> None:
    taken = []
    with fresh_index(opensearch, refresh="wait_for") as index:
        index.put(a_card("first", "alpha"))
        for number in range(20):
            begin = time.monotonic()
            index.put(a_card("item", f"word{number}", version=number + 1))
            taken.append(time.monotonic() - begin)
            assert found(index, f"word{number}") == [("item", f"rev_{number + 1}", 0)]
    assert sorted(taken)[18] < 1.0


@pytest.mark.promise("S2")
def test_rare_words_are_counted_alike_when_the_frequent_ones_are_remembered(
    opensearch: Node, index: OpenSearchIndex
) -> None:
    for number in range(8):
        index.put(a_card(f"item_{number}", f"common word{number % 4}"))
    cluster = Cluster(connect(opensearch.url), PATIENT)
    terms = ("common", "word1", "absent")
    afresh, remembered = Counting(terms), Counting(terms, 8, {"common": 8})
    for counting in (afresh, remembered):
        body = counting.body(PATIENT.reading_s)
        counting.note(cluster.searches([({"index": index.layout.alias}, body)], PATIENT.reading_s)[0])
    cluster.close()
    assert afresh.holding == remembered.holding == {"common": 8, "word1": 2, "absent": 0}
    assert afresh.passages == 8
    assert afresh.expected == remembered.expected > 0


@pytest.mark.promise("S10")
def test_of_a_shorter_revision_no_passage_of_the_longer_one_stays(index: OpenSearchIndex) -> None:
    index.put(a_card("item", "alpha", "alpha", "alpha", version=1))
    index.put(a_card("item", "alpha", version=2))
    assert found(index, "alpha") == [("item", "rev_2", 0)]
    assert index.count(["item"]) == 1


@pytest.mark.promise("S10")
def test_whatever_order_writers_come_in_the_newest_version_is_what_stays(opensearch: Node) -> None:
    versions = [3, 1, 4, 8, 5, 9, 2, 6, 7]
    with fresh_index(opensearch, refresh="false") as index, ThreadPoolExecutor(len(versions)) as crowd:
        for item in range(4):
            start = threading.Barrier(len(versions))

            def write(version: int, item: int = item, start: threading.Barrier = start) -> bool:
                start.wait()
                if version % 4 == 0:
                    return index.withdraw(f"item_{item}", version)
                return index.put(a_card(f"item_{item}", *["alpha"] * (20 - 2 * version), version=version))

            accepted = dict(zip(versions, crowd.map(write, versions), strict=True))
            assert accepted[9]
        assert index.count(["item_0", "item_1", "item_2", "item_3"]) == 4 * 2
        assert found(index, "alpha") == [(f"item_{item}", "rev_9", n) for item in range(4) for n in range(2)]


class Interrupted(Cluster):
    """A cluster during one of whose bulk writes something else happens: before it or after it."""

    def __init__(self, url: str, happens: Callable[[], object], *, after: bool) -> None:
        super().__init__(connect(url), PATIENT)
        self._happens: Callable[[], object] | None = happens
        self._after = after

    def bulk(self, many: Sequence[Sequence[object]], left: float, **parameters: object) -> list[object]:
        if not self._after:
            self._happen()
        done = super().bulk(many, left, **parameters)
        self._happen()
        return done

    def _happen(self) -> None:
        happens, self._happens = self._happens, None
        if happens:
            happens()


def interrupted(node: Node, index: OpenSearchIndex, happens: Callable[[], object], *, after: bool) -> OpenSearchIndex:
    return OpenSearchIndex(Interrupted(node.url, happens, after=after), index.layout, "true")


@pytest.mark.promise("S10")
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("texts", [("beta",), ("beta",) * 5, ()])
def test_a_writer_that_is_outrun_halfway_leaves_nothing(
    opensearch: Node, index: OpenSearchIndex, texts: tuple[str, ...], *, after: bool
) -> None:
    def outrun() -> None:
        if texts:
            index.put(a_card("item", *texts, version=6))
        else:
            index.withdraw("item", 6)

    index.put(a_card("item", "gamma", version=1))
    slow = interrupted(opensearch, index, outrun, after=after)
    assert not slow.put(a_card("item", "alpha", "alpha", "alpha", version=5))
    slow.close()
    assert found(index, "alpha gamma") == []
    assert index.count(["item"]) == len(texts)


@pytest.mark.promise("S10")
def test_a_writer_whose_item_is_erased_halfway_writes_all_of_it_again(opensearch: Node, index: OpenSearchIndex) -> None:
    slow = interrupted(opensearch, index, lambda: index.erase(["item"]), after=True)
    assert slow.put(a_card("item", "alpha", "alpha", version=5))
    slow.close()
    assert index.count(["item"]) == 2  # who indexes looks at the table once more afterwards, and erases it


@pytest.mark.promise("S10")
def test_a_writer_that_died_halfway_leaves_nothing_that_the_next_does_not_clear(
    opensearch: Node, index: OpenSearchIndex
) -> None:
    def die() -> None:
        raise KeyboardInterrupt

    index.put(a_card("item", *["alpha"] * 4, version=1))
    slow = interrupted(opensearch, index, die, after=True)
    with pytest.raises(KeyboardInterrupt):
        slow.put(a_card("item", *["beta"] * 6, version=2))
    slow.close()
    index.put(a_card("item", "gamma", version=3))
    assert found(index, "alpha beta gamma") == [("item", "rev_3", 0)]


@pytest.mark.promise("S4")
def test_neighbours_come_by_cosine_whatever_their_length(vectors: OpenSearchIndex) -> None:
    given = [SOUTH, EAST, tuple(9 * each for each in NORTH)]
    vectors.put(a_card("item", "a", "b", "c"), [Embedding(str(number), each) for number, each in enumerate(given)])
    found = by_meaning(vectors, NORTH, HERE, 5)
    assert [each.passage.content for each in found] == ["c", "b", "a"]
    assert [each.score for each in found] == pytest.approx([1.0, 0.0, -1.0], abs=1e-5)


@pytest.mark.promise("S4")
@pytest.mark.parametrize("model", [None, EmbeddingModel("another", 4), EmbeddingModel("test", 8)])
def test_an_index_of_another_model_takes_and_finds_words_and_refuses_vectors(
    opensearch: Node, vectors: OpenSearchIndex, model: EmbeddingModel | None
) -> None:
    vectors.put(a_card("item", "alpha"), [Embedding("x", NORTH)])
    vector = [1.0] * (model.dimension if model else 4)
    cluster = Cluster(connect(opensearch.url), PATIENT)
    wrong = OpenSearchIndex(cluster, replace(vectors.layout, model=model), "true")
    assert wrong.put(a_card("other", "alpha"))
    with pytest.raises(EmbeddingMismatch):
        wrong.put(a_card("other", "alpha"), [Embedding("x", vector)])
    with pytest.raises(EmbeddingMismatch):
        wrong.embeddings("item")
    legs = wrong.search(Question("alpha", vector), HERE, 5)
    assert isinstance(legs.lexical, Leg)
    assert {each.item_id for each in legs.lexical.candidates} == {"item", "other"}
    assert isinstance(legs.semantic, EmbeddingMismatch)
    assert bool(wrong.misfit()) == (model is not None)
    wrong.close()


@pytest.mark.promise("S4")
def test_an_index_of_another_version_is_refused_before_anything_is_written(
    opensearch: Node, index: OpenSearchIndex
) -> None:
    cluster = Cluster(connect(opensearch.url), PATIENT)
    body = index.layout.body(index.layout.alias)
    body["mappings"]["_meta"] = {"acervo": {"schema": 1}}
    cluster.call("PUT", f"/{index.layout.first_index}", body)
    with pytest.raises(SearchUnavailable) as refusal:
        index.put(a_card("item", "alpha"))
    assert isinstance(refusal.value.__cause__, UnfitIndex)
    assert "schema" in index.misfit()
    index.take_over(index.beside())
    assert index.misfit() == ""
    assert index.put(a_card("item", "alpha"))
    cluster.close()


@pytest.mark.promise("S10")
def test_when_the_alias_moves_reads_and_writes_follow(opensearch: Node, index: OpenSearchIndex) -> None:
    index.put(a_card("item", "alpha"))
    layout: Layout = index.layout
    other = layout.index(2)
    cluster = Cluster(connect(opensearch.url), PATIENT)
    cluster.call("PUT", f"/{other}", layout.body())
    moves = [
        {"remove": {"index": layout.first_index, "alias": layout.alias}},
        {"add": {"index": other, "alias": layout.alias, "is_write_index": True}},
    ]
    assert cluster.call("POST", "/_aliases", {"actions": moves}).ok
    assert found(index, "alpha") == []
    index.put(a_card("item", "beta", version=2))
    assert found(index, "beta") == [("item", "rev_2", 0)]
    cluster.call("DELETE", f"/{other}")
    cluster.close()


@pytest.mark.promise("K16")
def test_an_item_that_comes_back_after_it_was_erased_is_found_whatever_its_version(index: OpenSearchIndex) -> None:
    index.put(a_card("item", "alpha", "alpha", version=5))
    index.erase(["item"])
    assert index.put(a_card("item", "beta", "beta", version=1))
    assert found(index, "alpha beta") == [("item", "rev_1", 0), ("item", "rev_1", 1)]


class Meddled(Cluster):
    """A cluster where something is written just before a first deletion, which has not seen it."""

    def __init__(self, url: str, write: Callable[[], object]) -> None:
        super().__init__(connect(url), PATIENT)
        self._writes = [write]

    def call(self, method: str, path: str, body: object = None, **parameters: object) -> Answer:
        if path.endswith("/_delete_by_query"):
            while self._writes:
                self._writes.pop()()
        return super().call(method, path, body, **parameters)


@pytest.mark.promise("K16", "S10")
def test_what_is_written_anew_while_it_is_erased_goes_too_however_seldom_the_server_looks(opensearch: Node) -> None:
    with fresh_index(opensearch, refresh="false", model=FOUR, refresh_ms=3_600_000) as index:
        index.put(a_card("item", "alpha"))
        cluster = Meddled(opensearch.url, lambda: index.put(a_card("item", "beta", version=2)))
        assert OpenSearchIndex(cluster, index.layout).erase(["item"]) == 1
        cluster.close()
        assert index.count(["item"]) == 0
        assert index.held(["item"]) == {}


@pytest.mark.promise("K16")
def test_no_file_of_the_server_holds_what_was_erased_once_it_is_swept(opensearch: Node, index: OpenSearchIndex) -> None:
    index.put(a_card("kept", "a lasting word"))
    index.put(a_card("gone", "zqxsecret of the first revision", version=1))
    index.put(a_card("gone", "zqxsecret of the second revision", version=2))
    assert index.erase(["gone"]) == 1
    assert found(index, "zqxsecret") == []
    deadline = time.monotonic() + 180
    while not index.sweep() and time.monotonic() < deadline:
        time.sleep(1)
    assert not _files_with(opensearch.data, b"zqxsecret")
    assert found(index, "lasting") == [("kept", "rev_1", 0)]


def _files_with(folder: Path, text: bytes) -> list[Path]:
    return [each for each in folder.rglob("*") if each.is_file() and text in each.read_bytes()]
