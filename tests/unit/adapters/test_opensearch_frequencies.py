"""What is remembered of how frequent words are, and what is counted each time."""

import math

import pytest

from chalicelib.adapters.opensearch.frequencies import FRESH_S, LARGE, Counting, Frequent

pytestmark = pytest.mark.promise("S2")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def answer(counting: Counting, passages: int, **holding: int) -> dict[str, object]:
    """What a server says that holds so many passages, and so many with each word."""
    body = counting.body(1.0)
    assert body is not None
    filters = body["aggs"].get("holding", {}).get("filters", {}).get("filters", {})
    buckets = {name: {"doc_count": holding[each["term"]["terms"]]} for name, each in filters.items()}
    counts = {"passages": {"doc_count": passages}} if "passages" in body["aggs"] else {}
    return {"aggregations": {**counts, **({"holding": {"buckets": buckets}} if buckets else {})}}


def asked(counting: Counting) -> set[str]:
    """The words that the server is to count."""
    body = counting.body(1.0)
    filters = {} if body is None else body["aggs"].get("holding", {}).get("filters", {}).get("filters", {})
    return {each["term"]["terms"] for each in filters.values()}


def counted(frequent: Frequent, passages: int = LARGE, **holding: int) -> Counting:
    """A query of these words, from beginning to end."""
    counting = frequent.counting(tuple(holding))
    counting.note(answer(counting, passages, **holding))
    frequent.remember(counting)
    return counting


def test_words_are_worth_more_the_rarer_they_are() -> None:
    counting = counted(Frequent(), 9, the=9, door=1)
    assert counting.expected == math.log(1 + 0.5 / 9.5) + math.log(1 + 8.5 / 1.5)


def test_without_a_count_nothing_is_expected() -> None:
    counting = Frequent().counting(("door",))
    counting.note({"error": {"type": "busy"}})
    assert counting.expected == 0.0


def test_only_rare_words_are_counted_again() -> None:
    frequent = Frequent()
    first = counted(frequent, the=LARGE // 2, door=7)
    again = frequent.counting(("the", "door"))
    assert asked(again) == {"door"}
    body = again.body(1.0)
    assert body is not None
    assert body["query"] == {"terms": {"terms": ["door"]}}, "only passages with one of them are looked at"
    again.note(answer(again, LARGE, door=7))
    assert again.expected == first.expected


def test_nothing_is_asked_where_all_is_remembered() -> None:
    frequent = Frequent()
    first = counted(frequent, the=LARGE // 2)
    again = frequent.counting(("the",))
    assert again.body(1.0) is None
    assert again.expected == first.expected


def test_a_query_without_words_asks_for_no_words() -> None:
    assert asked(Frequent().counting(())) == set()


def test_a_small_index_is_counted_each_time() -> None:
    frequent = Frequent()
    counted(frequent, LARGE - 1, the=LARGE // 2)
    assert asked(frequent.counting(("the",))) == {"the"}


def test_counts_are_forgotten_after_a_while_also_if_they_are_used_all_the_time() -> None:
    clock = Clock()
    frequent = Frequent(clock)
    counted(frequent, the=LARGE // 2)
    clock.now += FRESH_S / 2
    frequent.remember(frequent.counting(("the",)))
    clock.now += FRESH_S / 2
    counting = frequent.counting(("the",))
    assert asked(counting) == {"the"}
    body = counting.body(1.0)
    assert body is not None
    assert "passages" in body["aggs"]


def test_a_remembered_number_of_passages_may_be_less_than_hold_a_word_now() -> None:
    frequent = Frequent()
    counted(frequent, the=LARGE // 2)
    counting = frequent.counting(("the", "new"))
    counting.note(answer(counting, LARGE, new=2 * LARGE))
    assert counting.expected > 0
