"""What the faults of a cluster become: another try, one leg less, or SearchUnavailable; never a vendor's exception."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from chalicelib.adapters.opensearch.cluster import Cluster, ClusterFault, Patience, Signing, connect
from chalicelib.adapters.opensearch.index import OpenSearchIndex
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import Card, EmbeddingMismatch, EmbeddingModel, Leg, Passage, Question, Within
from infra.local.places import free_port
from tests.contract.opensearch.double import Asked, Reply, Script, double
from tests.halves import by_words

HERE = Within(frozenset({"space_here"}))
VECTOR = (1.0, 0.0)
CARD = Card("item", "kb_here", "space_here", "rev_1", 1, "T", "l", tuple(Passage(n, (), "alpha") for n in range(3)))
HIT = {
    "_score": 1.0,
    "_source": {
        "item_id": "item",
        "base_id": "kb_here",
        "space_id": "space_here",
        "revision_id": "rev_1",
        "position": 0,
        "heading_path": [],
        "content": "alpha",
    },
}
FOUND: dict[str, Any] = {"status": 200, "timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": [HIT]}}
COUNTS: dict[str, Any] = {
    "status": 200,
    "aggregations": {"passages": {"doc_count": 9}, "holding": {"buckets": {"0": {"doc_count": 1}}}},
}
WORDS = [FOUND, COUNTS]
TURNED_AWAY = {"status": 429, "error": {"type": "rejected_execution_exception", "reason": "alpha"}}


@dataclass
class Machine:
    """Time that passes only while somebody waits, and a coin that always falls the same way."""

    now: float = 0.0
    pauses: list[float] = field(default_factory=list)

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    def patience(self) -> Patience:
        return Patience(reading_s=1.4, writing_s=20.0, pause=self.pause, draw=lambda: 0.5, clock=lambda: self.now)


@contextmanager
def engine(url: str, patience: Patience | None = None, signing: Signing | None = None) -> Iterator[OpenSearchIndex]:
    cluster = Cluster(connect(url, signing), patience or Machine().patience())
    index = OpenSearchIndex(cluster, Layout(model=EmbeddingModel("test", 2)))
    yield index
    index.close()


def answers(*bodies: object) -> Script:
    """Each request gets the next of them, and the last again and again."""
    replies = [each if isinstance(each, Reply) else Reply(each) for each in bodies]
    return lambda number, _: replies[min(number, len(replies) - 1)]


def size(outcome: object) -> int:
    assert isinstance(outcome, Leg)
    return len(outcome.candidates)


def cause(fault: pytest.ExceptionInfo[SearchUnavailable]) -> ClusterFault:
    found = fault.value.__cause__
    assert isinstance(found, ClusterFault)
    return found


@pytest.mark.promise("S13")
def test_a_search_is_one_round_trip_with_both_legs_and_searches_share_connections() -> None:
    with double(lambda _, asked: Reply({"responses": [FOUND, COUNTS, FOUND][: len(asked.lines) // 2]})) as server:
        with engine(server.url) as index:
            for _ in range(5):
                legs = index.search(Question("alpha beta", VECTOR), HERE, 7)
                assert (size(legs.lexical), size(legs.semantic)) == (1, 1)
            assert len(by_words(index, "alpha", HERE, 7)) == 1
        assert [len(each.lines) for each in server.asked] == [6] * 5 + [4]
        assert {each.path for each in server.asked} == {"/_msearch"}
        assert len(server.connections) == 1


@pytest.mark.promise("S9")
def test_what_cannot_match_is_not_asked() -> None:
    with double(answers({})) as server, engine(server.url) as index:
        assert by_words(index, "***", HERE, 5) == by_words(index, "alpha", Within(frozenset()), 5) == ()
        assert server.asked == []


@pytest.mark.promise("H2")
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_cluster_is_asked_again_after_a_pause_that_grows(status: int) -> None:
    machine = Machine()
    busy = Reply({"error": {"type": "busy"}, "status": status}, status)
    with (
        double(answers(busy, busy, {"responses": WORDS})) as server,
        engine(server.url, machine.patience()) as index,
    ):
        assert len(by_words(index, "alpha", HERE, 5)) == 1
    assert machine.pauses == [0.05, 0.1]


@pytest.mark.promise("H2")
def test_patience_ends_with_the_time_of_a_search_or_its_attempts() -> None:
    busy = Reply({}, 503)
    hasty = replace(Machine().patience(), first_s=100.0, most_s=100.0)  # the pause would outlast the search
    for patience, tries in ((Machine().patience(), 5), (hasty, 1)):
        with double(answers(busy)) as server, engine(server.url, patience) as index:
            with pytest.raises(SearchUnavailable):
                by_words(index, "alpha", HERE, 5)
            assert len(server.asked) == tries


@pytest.mark.promise("H2")
@pytest.mark.parametrize(
    "reply",
    [
        Reply({"responses": WORDS}, cut=True),
        Reply(b'{"responses": ['),
        Reply(b"<html>Bad gateway</html>"),
        Reply({"responses": [TURNED_AWAY, COUNTS]}),
        Reply({"responses": [FOUND | {"timed_out": True}, COUNTS]}),
        Reply({"responses": [FOUND | {"_shards": {"failed": 1}}, COUNTS]}),
    ],
)
def test_half_an_answer_is_none_and_is_asked_for_again(reply: Reply) -> None:
    def script(number: int, asked: Asked) -> Reply:
        return Reply({"responses": WORDS[: len(asked.lines) // 2]}) if number else reply

    with double(script) as server, engine(server.url) as index:
        assert len(by_words(index, "alpha", HERE, 5)) == 1
        assert len(server.asked) == 2
    with double(answers(reply)) as server, engine(server.url) as index, pytest.raises(SearchUnavailable):
        by_words(index, "alpha", HERE, 5)


@pytest.mark.promise("H2")
@pytest.mark.parametrize(
    "reply",
    [
        Reply({"error": {"type": "security_exception", "reason": "alpha"}}, 401),
        Reply({"message": "alpha is not authorised"}, 403),
        Reply({"error": {"type": "parsing_exception", "reason": "alpha"}}, 400),
        Reply(b"alpha", 413),
        Reply({"error": "alpha"}, 500),
        Reply({"responses": []}),
        Reply({}),
        Reply([]),
        Reply({"responses": [{"status": 400, "error": {"type": "query_shard_exception", "reason": "alpha"}}, COUNTS]}),
    ],
)
def test_what_does_not_pass_is_reported_at_once_without_what_was_asked(reply: Reply) -> None:
    with double(answers(reply)) as server, engine(server.url) as index:
        with pytest.raises(SearchUnavailable) as fault:
            by_words(index, "alpha", HERE, 5)
        assert len(server.asked) == 1
        assert "alpha" not in str(cause(fault))


@pytest.mark.promise("H2")
def test_nobody_at_the_other_end() -> None:
    with engine(f"http://127.0.0.1:{free_port()}") as index:
        for call in (
            lambda: by_words(index, "alpha", HERE, 5),
            lambda: index.put(CARD),
            lambda: index.withdraw("item", 1),
            lambda: index.count(["item"]),
            lambda: index.erase(["item"]),
            index.sweep,
        ):
            with pytest.raises(SearchUnavailable):
                call()


@pytest.mark.promise("H2")
def test_a_cluster_that_hangs_costs_no_more_than_the_time_of_a_search() -> None:
    never = threading.Event()
    with double(answers(Reply({"responses": WORDS}, after=never))) as server:
        with engine(server.url, Patience(reading_s=0.2)) as index:
            begin = time.monotonic()
            legs = index.search(Question("alpha", VECTOR), HERE, 5)
            assert time.monotonic() - begin < 2
            assert isinstance(legs.lexical, SearchUnavailable)
            assert isinstance(legs.semantic, SearchUnavailable)
        never.set()


@pytest.mark.promise("S6")
def test_only_the_leg_that_was_turned_away_is_asked_again() -> None:
    with double(answers({"responses": [TURNED_AWAY, COUNTS, FOUND]}, {"responses": [FOUND]})) as server:
        with engine(server.url) as index:
            legs = index.search(Question("alpha", VECTOR), HERE, 5)
        assert (size(legs.lexical), size(legs.semantic)) == (1, 1)
        assert "knn" not in server.asked[1].lines[1]["query"]


@pytest.mark.promise("S6")
def test_a_leg_that_keeps_failing_does_not_take_the_answer_of_the_other() -> None:
    with (
        double(answers({"responses": [*WORDS, TURNED_AWAY]}, {"responses": [TURNED_AWAY]})) as server,
        engine(server.url) as index,
    ):
        legs = index.search(Question("alpha", VECTOR), HERE, 5)
    assert size(legs.lexical) == 1
    assert isinstance(legs.semantic, SearchUnavailable)


@pytest.mark.promise("S6")
def test_words_that_were_not_counted_are_found_all_the_same() -> None:
    with double(answers({"responses": [FOUND, TURNED_AWAY]})) as server, engine(server.url) as index:
        found = index.search(Question("alpha"), HERE, 5).lexical
        assert len(server.asked) == 1
    assert isinstance(found, Leg)
    assert (len(found.candidates), found.expected) == (1, 0.0)


@pytest.mark.promise("S6")
def test_a_server_that_knows_no_such_vectors_has_those_of_another_model() -> None:
    refusal = {"status": 400, "error": {"type": "query_shard_exception", "reason": "alpha"}}
    with double(answers({"responses": [*WORDS, refusal]})) as server, engine(server.url) as index:
        legs = index.search(Question("alpha", VECTOR), HERE, 5)
    assert size(legs.lexical) == 1
    assert isinstance(legs.semantic, EmbeddingMismatch)


@dataclass
class Shelf:
    """As much of a server as a write of one card needs; bulk answers come from the test."""

    bulks: Sequence[Sequence[int]]
    sent: list[list[str]] = field(default_factory=list)

    def __call__(self, _: int, asked: Asked) -> Reply:
        if asked.path.endswith("_mapping"):
            made = Layout(model=EmbeddingModel("test", 2)).body()["mappings"]
            return Reply({"acervo-v2-000001": {"mappings": made}})
        if not asked.path.startswith("/_bulk"):
            missing = asked.method == "GET"
            return Reply({"found": False} if missing else {"_seq_no": 6, "_primary_term": 1}, 404 if missing else 201)
        self.sent.append(
            [line[action]["_id"] for line in asked.lines for action in line if action in {"index", "delete"}]
        )
        statuses = self.bulks[min(len(self.sent), len(self.bulks)) - 1]
        return Reply({"items": [{"index": {"status": each, "error": {"type": "x"}}} for each in statuses]})


@pytest.mark.promise("S11")
def test_only_the_writes_that_were_turned_away_are_sent_again() -> None:
    shelf, machine = Shelf([[201, 429, 503], [429, 201], [201]]), Machine()
    with double(shelf) as server, engine(server.url, machine.patience()) as index:
        assert index.put(CARD)
    assert shelf.sent == [["0:item", "1:item", "2:item"], ["1:item", "2:item"], ["1:item"]]
    assert len(machine.pauses) == 2


@pytest.mark.promise("S11")
@pytest.mark.parametrize(("statuses", "tries"), [([201, 201, 400], 1), ([201, 201], 1), ([429, 429, 429], 5)])
def test_a_card_that_cannot_be_written_whole_is_not_reported_as_written(statuses: list[int], tries: int) -> None:
    shelf = Shelf([statuses])
    with double(shelf) as server, engine(server.url) as index:
        with pytest.raises(SearchUnavailable):
            index.put(CARD)
        assert len(shelf.sent) == tries
        assert not any('"settled": true' in str(each.lines) for each in server.asked)


@pytest.mark.promise("S11")
def test_a_big_card_goes_in_portions_of_a_few_megabytes() -> None:
    passages = tuple(Passage(number, (), " ".join(f"word{number}x{n}" for n in range(1000))) for number in range(100))
    big = Card("item", "kb_here", "space_here", "rev_1", 1, "T", "l", passages)

    def script(number: int, asked: Asked) -> Reply:
        if asked.path.startswith("/_bulk"):
            return Reply({"items": [{"index": {"status": 201}}] * (len(asked.lines) // 2)})
        return Shelf([])(number, asked)

    with double(script) as server, engine(server.url) as index:
        assert index.put(big)
        sizes = [int(each.headers["content-length"]) for each in server.asked if each.path.startswith("/_bulk")]
    assert len(sizes) > 1
    assert max(sizes) < 5 * 1024 * 1024


@pytest.mark.promise("H2")
@pytest.mark.parametrize("service", ["es", "aoss"])
def test_requests_are_signed_where_that_is_asked_for(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with double(answers({"responses": WORDS})) as server:
        with engine(server.url, signing=Signing("eu-west-1", service)) as index:
            by_words(index, "alpha", HERE, 5)
        (asked,) = server.asked
    assert f"/eu-west-1/{service}/aws4_request" in asked.headers["authorization"]
    assert asked.headers["x-amz-content-sha256"]


@pytest.mark.promise("H4")
def test_no_log_line_holds_what_was_asked(caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level("DEBUG"),
        double(answers(Reply({"error": "alpha"}, 500))) as server,
        engine(server.url) as index,
    ):
        legs = index.search(Question("alpha", VECTOR), HERE, 5)
    assert isinstance(legs.lexical, SearchUnavailable)
    assert "alpha" not in caplog.text
