"""What the embedded engine does with its file."""

import math
import multiprocessing
import os
import random
import sqlite3
import string
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chalicelib.adapters.sqlite_search import words
from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.adapters.sqlite_search.vectors import Vectors
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import Card, Embedding, EmbeddingMismatch, EmbeddingModel, Leg, Passage, Question, Within
from chalicelib.search.query import parse
from tests.contract.test_search_index import HERE, a_card, fill, found
from tests.fakes.search import MemoryIndex
from tests.freshness import Hands, work
from tests.halves import by_meaning, by_words

pytestmark = pytest.mark.promise("S5")

USES: tuple[Callable[[SqliteIndex], object], ...] = (
    lambda index: by_words(index, "alpha", HERE, 10),
    lambda index: index.put(a_card("item_9", "alpha")),
    lambda index: index.withdraw("item_9", 2),
    lambda index: index.count(["item_9"]),
    lambda index: index.erase(["item_9"]),
)


def _erase_all(index: SqliteIndex) -> int:
    return index.erase([f"item_{number}" for number in range(12)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


def assert_unavailable(path: Path) -> None:
    for use in USES:
        with pytest.raises(SearchUnavailable):
            use(SqliteIndex(path, wait=0.05))


def test_the_file_and_its_folder_are_made_on_first_use(tmp_path: Path) -> None:
    path = tmp_path / "some" / "folder" / "index.sqlite"
    index = SqliteIndex(path)
    assert not path.exists()
    assert found(index, "alpha") == []
    assert path.exists()


def test_what_one_process_wrote_another_finds(path: Path) -> None:
    fill(SqliteIndex(path), item="alpha")
    assert found(SqliteIndex(path), "alpha") == ["item"]


def test_a_closed_index_opens_again_when_it_is_used(path: Path) -> None:
    index = SqliteIndex(path)
    fill(index, item="alpha")
    index.close()
    index.close()
    assert found(index, "alpha") == ["item"]


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"This is a letter to my aunt. " * 100)
    assert_unavailable(path)
    assert path.read_bytes() == b"This is a letter to my aunt. " * 100


def test_a_database_of_something_else_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE aunts (name TEXT)")
    connection.close()
    before = path.read_bytes()
    assert_unavailable(path)
    assert path.read_bytes() == before


def test_an_index_of_another_schema_is_refused_and_the_cause_says_so(path: Path) -> None:
    SqliteIndex(path).count([])
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert_unavailable(path)
    with pytest.raises(SearchUnavailable) as caught:
        SqliteIndex(path).count([])
    assert "schema 99" in str(caught.value.__cause__)


@pytest.mark.parametrize("place", ["/proc/acervo/index.sqlite", "/dev/null/index.sqlite"])
def test_a_place_that_cannot_be_written_is_unavailable(place: str) -> None:
    assert_unavailable(Path(place))


def test_a_folder_in_place_of_the_file_is_unavailable(path: Path) -> None:
    path.mkdir()
    assert_unavailable(path)


def test_an_index_that_may_only_be_read_is_searched_and_not_written(path: Path) -> None:
    fill(SqliteIndex(path), item="alpha")
    index = SqliteIndex(path)
    with index._file.open() as connection:
        connection.execute("PRAGMA query_only = ON")
    assert found(index, "alpha") == ["item"]
    with pytest.raises(SearchUnavailable):
        fill(index, other="beta")


def test_a_file_that_was_deleted_is_noticed_and_made_anew(path: Path) -> None:
    index = SqliteIndex(path)
    fill(index, old="alpha")
    for each in path.parent.glob("index.sqlite*"):
        each.unlink()
    assert found(index, "alpha") == []
    fill(index, new="alpha")
    assert found(SqliteIndex(path), "alpha") == ["new"]


@settings(max_examples=40)
@given(st.integers(min_value=0), st.integers(1, 400))
def test_damage_anywhere_is_never_more_than_unavailable(seed: int, amount: int) -> None:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        index = SqliteIndex(path)
        for number in range(12):
            fill(index, **{f"item_{number}": "alpha beta gamma " * 30})
        index.close()
        damaged = bytearray(path.read_bytes())
        for _ in range(amount):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged if amount % 5 else damaged[: chance.randrange(len(damaged))])
        for use in (*USES, _erase_all):
            reopened = SqliteIndex(path, wait=0.05)
            with suppress(SearchUnavailable):
                use(reopened)
            reopened.close()


def test_a_writer_waits_a_bounded_time_for_another_and_readers_do_not_wait(path: Path) -> None:
    index = SqliteIndex(path, wait=0.2)
    fill(index, item="alpha")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    start = time.monotonic()
    assert found(index, "alpha") == ["item"]
    with pytest.raises(SearchUnavailable):
        fill(index, other="beta")
    assert time.monotonic() - start < 5
    other.execute("ROLLBACK")
    other.close()
    fill(index, other="beta")
    assert found(index, "beta") == ["other"]


def test_a_write_that_fails_leaves_nothing_of_itself(path: Path) -> None:
    index = SqliteIndex(path)
    fill(index, item="alpha")
    broken = a_card("item", passages=(Passage(0, (), "beta"), Passage(None, (), "gamma")), version=2)  # type: ignore[arg-type]
    with pytest.raises(SearchUnavailable):
        index.put(broken)
    assert (found(index, "alpha"), found(index, "beta")) == (["item"], [])


def test_many_threads_use_a_new_file_at_once(path: Path) -> None:
    index = SqliteIndex(path)
    start = threading.Barrier(12)
    faults: list[BaseException] = []

    def use(number: int) -> None:
        try:
            start.wait()
            fill(index, **{f"item_{number}": "alpha"})
        except BaseException as fault:  # noqa: BLE001 - asserted below
            faults.append(fault)

    threads = [threading.Thread(target=use, args=[number]) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(found(index, "alpha")) == 12


def _write_and_search(path: Path, worker: int) -> int:
    index = SqliteIndex(path, wait=60)
    for number in range(25):
        fill(index, **{f"item_{worker}_{number}": "alpha beta"})
        if number % 5 == 0:
            index.erase([f"item_{worker}_{number}"])
        assert len(found(index, "alpha")) > 0 or number == 0
    index.close()
    return worker


def test_many_processes_write_and_search_a_new_file_at_once(path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert pool.starmap(_write_and_search, [(path, worker) for worker in range(4)]) == [0, 1, 2, 3]
    index = SqliteIndex(path)
    assert index.count([f"item_{worker}_{number}" for worker in range(4) for number in range(25)]) == 80


@pytest.mark.promise("S10")
def test_a_new_file_that_somebody_else_is_just_making_is_waited_for(path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(SearchUnavailable):
        found(SqliteIndex(path, wait=0.05), "alpha")
    done = threading.Timer(0.3, other.execute, ["COMMIT"])
    done.start()
    fill(SqliteIndex(path), item="alpha")
    done.join()
    other.close()
    assert found(SqliteIndex(path), "alpha") == ["item"]


def test_a_connection_does_not_cross_a_fork(path: Path) -> None:
    index = SqliteIndex(path)
    fill(index, item="alpha")
    child = os.fork()
    if child == 0:
        try:
            fill(index, born="alpha")
            os._exit(0 if found(index, "alpha") == ["item", "born"] else 1)
        except BaseException:  # noqa: BLE001 - the exit status tells
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert found(index, "alpha") == ["item", "born"]


@pytest.mark.promise("S10")
def test_concurrent_writers_and_searchers_of_the_file_never_see_a_stale_result(path: Path) -> None:
    hands = Hands(SqliteIndex(path, wait=60), items=10)
    assert work(hands, workers=8, steps=40) == []
    assert hands.stale == []
    assert hands.hits > 0
    hands.settle()
    assert hands.missing() == []


class Bytes:
    """The raw bytes of the file and its log, and items of words that nothing else holds."""

    def __init__(self, path: Path, seed: int = 5) -> None:
        self.path, self.random = path, random.Random(seed)
        self.words: dict[str, list[str]] = {}
        self.common = [self.word() for _ in range(500)]

    def word(self) -> str:
        return "".join(self.random.choices(string.ascii_lowercase, k=12))

    def card(self, item_id: str, version: int = 1) -> Card:
        own = [self.word() for _ in range(12)]
        self.words.setdefault(item_id, []).extend([*own, item_id])
        texts: list[Passage] = []
        for _ in range(self.random.randint(1, 4)):
            text = own[3:] + self.random.choices(self.common, k=self.random.randint(5, 300))
            self.random.shuffle(text)
            texts.append(Passage(len(texts), (own[0],), " ".join(text)))
        return a_card(item_id, title=own[1], locator=own[2], version=version, passages=tuple(texts))

    def holding(self, item_ids: list[str]) -> list[str]:
        files = [self.path, self.path.with_name(f"{self.path.name}-wal")]
        raw = b"".join(each.read_bytes() for each in files if each.exists())
        return [word for item_id in item_ids for word in self.words[item_id] if word.encode() in raw]


def a_name(number: int) -> str:
    return f"item_{number:03d}x"


@pytest.mark.promise("K16")
def test_after_erasing_neither_file_nor_log_holds_a_byte_of_the_items(path: Path) -> None:
    index, raw = SqliteIndex(path), Bytes(path)
    everything = [a_name(number) for number in range(90)]
    for item_id in everything:
        index.put(raw.card(item_id))
    for item_id in raw.random.sample(everything, 40):
        index.put(raw.card(item_id, version=2))
    for item_id in raw.random.sample(everything, 15):
        index.withdraw(item_id, 3)
    gone, kept = everything[::3], [each for each in everything if each not in everything[::3]]
    assert len(raw.holding(gone)) > 200
    index.erase(gone)
    assert raw.holding(gone) == []
    assert len(raw.holding(kept)) > 400
    index.erase(kept)
    assert raw.holding(everything) == []


@pytest.mark.promise("K16")
def test_an_erasure_that_could_not_be_finished_is_finished_by_the_next_one(path: Path) -> None:
    index, raw = SqliteIndex(path, wait=0.2), Bytes(path)
    index.put(raw.card("item_one"))
    index.put(raw.card("item_two"))
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM cards").fetchone()
    with pytest.raises(SearchUnavailable):
        index.erase(["item_one"])
    assert index.count(["item_one"]) == 0
    assert found(index, raw.words["item_one"][5]) == []
    reader.execute("ROLLBACK")
    reader.close()
    assert index.erase(["item_one"]) == 0
    assert raw.holding(["item_one"]) == []


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> SqliteIndex:
    """More passages than up to which every word is looked for."""
    index = SqliteIndex(tmp_path_factory.mktemp("large") / "index.sqlite")
    for number in range(22):
        texts = tuple(
            Passage(position, (), f"the server says half{position % 2} fifth{position % 5} tenth{position % 10}")
            for position in range(100)
        )
        index.put(a_card(f"item_{number}", passages=texts))
    fill(index, needle="the zeppelin over the server", pin="fifth1 tenth9 apart", other="zeppelin tenth3 quoted here")
    return index


def test_a_large_index_knows_its_frequent_words_and_finds_the_rare_ones(large: SqliteIndex) -> None:
    assert [each.item_id for each in by_words(large, "the zeppelin over the server", HERE, 2)] == ["needle", "other"]
    with large._file.open() as connection:
        counted = dict(connection.execute("SELECT term, passages FROM frequent"))
    assert counted["server"] > 1000
    assert "zeppelin" not in counted


@pytest.mark.parametrize("query", ["the server", "half0 half1", "the", "fifth1", "unknown server", "zeppelin tenth1"])
def test_a_large_index_gives_as_many_results_as_there_are(large: SqliteIndex, query: str) -> None:
    assert len(by_words(large, query, HERE, 50)) == 50


def test_passages_that_hold_nothing_but_what_most_hold_are_no_results_where_there_are_others(
    large: SqliteIndex,
) -> None:
    assert len(by_words(large, "the zeppelin over the server", HERE, 50)) == 2


def test_frequent_words_still_add_to_what_rare_ones_find(large: SqliteIndex) -> None:
    first = by_words(large, "zeppelin tenth3 fifth3 half1", HERE, 1)
    assert [each.item_id for each in first] == ["other"]


def test_a_phrase_is_required_in_a_large_index_too(large: SqliteIndex) -> None:
    assert [each.item_id for each in by_words(large, '"quoted here" the server zeppelin', HERE, 50)] == ["other"]


@pytest.mark.promise("S13")
@pytest.mark.parametrize(("without", "only", "seen"), [((), (), 2), (("other",), (), 1), ((), ("needle",), 1)])
def test_a_search_reads_no_passages_but_those_that_match(
    large: SqliteIndex, path: Path, without: Sequence[str], only: Sequence[str], seen: int
) -> None:
    few = SqliteIndex(path)
    fill(few, needle="the zeppelin over the server", other="zeppelin tenth3 quoted here")
    within = Within(HERE.spaces, without=frozenset(without), only=frozenset(only))

    def steps(index: SqliteIndex) -> int:
        """Instructions of SQLite's machine, in dozens."""
        taken: list[int] = []
        with index._file.open() as connection:
            connection.set_progress_handler(lambda: taken.append(1), 12)
            found, _ = words.search(connection, parse("zeppelin"), within, 5)
            connection.set_progress_handler(None, 0)
        assert len(found) == seen
        return len(taken)

    assert steps(large) < steps(few) + 100


@pytest.mark.promise("S13", "N3")
def test_a_search_within_a_base_looks_for_the_words_once_and_not_for_each_of_its_passages(large: SqliteIndex) -> None:
    def looks(within: Within) -> int:
        """Statements that SQLite runs, those by which the full-text table reads its own rows among them."""
        run: list[str] = []
        with large._file.open() as connection:
            connection.set_trace_callback(run.append)
            found, _ = words.search(connection, parse("zeppelin"), within, 5)
            connection.set_trace_callback(None)
        assert len(found) == 2
        return len(run)

    assert looks(Within(HERE.spaces, only=frozenset({"kb_here"}))) < looks(HERE) + 10


@pytest.mark.promise("K16")
def test_counted_words_of_erased_items_are_forgotten(large: SqliteIndex, tmp_path: Path) -> None:
    large.close()
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes((large._file.path).read_bytes())
    index = SqliteIndex(copy)
    index.erase([f"item_{number}" for number in range(22)])
    assert b"half0" not in copy.read_bytes()
    assert set(found(index, "zeppelin")) == {"other", "needle"}


@pytest.mark.promise("S4")
def test_a_file_with_vectors_of_another_model_takes_words_and_refuses_vectors(path: Path) -> None:
    two, other = EmbeddingModel("test", 2), EmbeddingModel("another", 2)
    ours, theirs = SqliteIndex(path, model=two), SqliteIndex(path, model=other)
    assert ours.put(a_card("item", "alpha"), [Embedding("x", (1.0, 0.0))])
    assert theirs.put(a_card("other", "alpha"))
    for call in (
        lambda: theirs.put(a_card("other", "alpha"), [Embedding("x", (1.0, 0.0))]),
        lambda: theirs.put(a_card("third", "alpha"), [Embedding("x", (1.0, 0.0))]),
        lambda: theirs.embeddings("item"),
        lambda: SqliteIndex(path).put(a_card("other", "alpha"), [Embedding("x", (1.0, 0.0))]),
        lambda: by_meaning(theirs, (1.0, 0.0), HERE, 5),
    ):
        with pytest.raises(EmbeddingMismatch):
            call()
    assert len(by_words(theirs, "alpha", HERE, 5)) == 2
    assert "another" in theirs.misfit()
    theirs.take_over(theirs.beside())
    assert theirs.misfit() == ""
    assert "test" not in theirs.misfit()
    assert theirs.put(a_card("item", "alpha"), [Embedding("x", (1.0, 0.0))])
    assert isinstance(ours.search(Question(None, (1.0, 0.0)), HERE, 5).semantic, EmbeddingMismatch)


@pytest.mark.promise("S11")
def test_a_file_of_another_version_is_made_anew_beside_and_overwritten(path: Path) -> None:
    with sqlite3.connect(path) as old:
        old.executescript(
            "CREATE TABLE cards (id INTEGER); PRAGMA application_id = 1094931030; PRAGMA user_version = 1"
        )
    index = SqliteIndex(path)
    assert "schema 1" in index.misfit()
    new = index.beside()
    new.put(a_card("item", "alpha"))
    index.take_over(new)
    assert index.misfit() == ""
    assert [each.item_id for each in by_words(index, "alpha", HERE, 5)] == ["item"]
    assert sorted(each.name for each in path.parent.iterdir() if "next" in each.name) == []
    with pytest.raises(TypeError):
        index.take_over(MemoryIndex())


@pytest.mark.promise("S6", "S13")
def test_half_a_search_that_takes_too_long_is_given_up(path: Path) -> None:
    index = SqliteIndex(path, model=EmbeddingModel("test", 2), budget_s=0.0)
    for number in range(300):
        index.put(a_card(f"item_{number}", "alpha " * 50), [Embedding(str(number), (1.0, 0.0))])
    legs = index.search(Question("alpha", (1.0, 0.0)), HERE, 300)
    assert isinstance(legs.lexical, SearchUnavailable)
    assert "interrupted" in str(legs.lexical.__cause__)
    assert SqliteIndex(path).search(Question("alpha"), HERE, 1).lexical.candidates  # type: ignore[union-attr]


@pytest.mark.promise("S4", "S10")
def test_what_other_processes_embed_replace_and_take_away_shows_in_the_next_search(path: Path) -> None:
    model = EmbeddingModel("test", 2)
    one, other = SqliteIndex(path, model=model), SqliteIndex(path, model=model)

    def near(index: SqliteIndex) -> list[str]:
        return [each.item_id for each in by_meaning(index, (1.0, 0.0), HERE, 5)]

    for number in range(2000):
        one.put(a_card(f"item_{number}", "x"), [Embedding("x", (math.cos(number), math.sin(number)))])
        if number % 700 == 0:
            assert near(one) == near(other)
    best = near(one)
    one.withdraw(best[0], 2)
    assert near(other) == near(one)
    assert near(other)[:4] == best[1:]
    one.erase([f"item_{number}" for number in range(1500)])
    assert near(other) == near(one)
    assert len(near(other)) == 5
    other.take_over(other.beside())
    assert near(one) == []
    other.put(a_card("item_0", "x"), [Embedding("x", (1.0, 0.0))])
    assert near(one) == ["item_0"]


@pytest.mark.promise("S10", "S13")
def test_a_search_by_meaning_looks_at_what_there_was_when_it_began(path: Path) -> None:
    model = EmbeddingModel("test", 2)
    index, vectors = SqliteIndex(path, model=model), Vectors(model)
    index.put(a_card("item_0", "x"), [Embedding("x", (0.6, 0.8))])
    with sqlite3.connect(path) as connection:
        look = vectors.search(connection, (1.0, 0.0), HERE, 5)
        for number in range(1, 100):
            index.put(a_card(f"item_{number}", "x"), [Embedding("x", (1.0, 0.0))])
        assert len(vectors.search(connection, (1.0, 0.0), HERE, 5)()) == 5
        assert [(passage, round(cosine, 3)) for passage, cosine in look()] == [(1, 0.6)]


@pytest.mark.promise("S6")
def test_a_half_that_fails_does_not_keep_the_other_from_its_time(path: Path) -> None:
    slow = SqliteIndex(path, model=EmbeddingModel("test", 2), budget_s=0.2)
    for number in range(50):
        slow.put(a_card(f"item_{number}", "alpha"), [Embedding(str(number), (1.0, 0.0))])
    with sqlite3.connect(path) as other:
        other.execute("DROP TABLE frequent")
    legs = slow.search(Question("alpha", (1.0, 0.0)), HERE, 5)
    assert isinstance(legs.lexical, SearchUnavailable)
    assert isinstance(legs.semantic, Leg)
    assert len(legs.semantic.candidates) == 5
