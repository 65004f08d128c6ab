"""Ranking by words, by meaning and by both, and what is left of it when a part fails."""

from dataclasses import replace
from typing import Any

import pytest

from chalicelib.domain.bases import BaseStatus
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.asking import Degraded
from chalicelib.search.embedding import Embedded
from chalicelib.search.ports import EmbeddingMismatch, EmbeddingModel, Legs, Outcome, Question, Within
from chalicelib.search.request import GroupBy, Mode
from chalicelib.search.visibility import Dropped
from tests.fakes.search import MemoryEmbedder, MemoryIndex
from tests.unit.search.desk import Desk

FAULT = SearchUnavailable()
SAME = {"automobile": "car"}


class Failing(MemoryIndex):
    """An engine with halves that can be told to fail."""

    def __init__(self, model: EmbeddingModel | None) -> None:
        super().__init__(model)
        self.fails: dict[str, Exception] = {}
        self.questions: list[Question] = []

    def search(self, question: Question, within: Within, limit: int) -> Legs:
        self.questions.append(question)
        return super().search(question, within, limit)

    def by_words(self, query: str, within: Within, limit: int) -> Outcome:
        return self.fails.get("words") or super().by_words(query, within, limit)  # type: ignore[return-value]

    def by_meaning(self, vector: object, within: Within, limit: int) -> Outcome:
        return self.fails.get("meaning") or super().by_meaning(vector, within, limit)  # type: ignore[arg-type, return-value]


@pytest.fixture
def embedder() -> MemoryEmbedder:
    return MemoryEmbedder(same=SAME)


@pytest.fixture
def index(embedder: MemoryEmbedder) -> Failing:
    return Failing(embedder.model)


@pytest.fixture
def desk(index: Failing, embedder: MemoryEmbedder) -> Desk:
    """Two items about cars, one of which does not say so, and some about other things."""
    desk = Desk(index, embedder)
    base = desk.base()
    for title, text in (
        ("Word", "the car in the garage"),
        ("Meaning", "an automobile automobile"),
        ("Both", "a car is an automobile"),
        ("Tree", "leaves and branches"),
        ("Sea", "waves and salt and water"),
    ):
        item = desk.item(base, text, title=title)
        assert desk.embed_item(item.id) is Embedded.DONE
    return desk


def titles(desk: Desk, **asked: Any) -> list[str]:
    return [hit.title for hit in desk.search("car", **asked).hits]


@pytest.mark.promise("S1", "S4")
def test_words_find_words_meaning_finds_meaning_and_hybrid_finds_both(desk: Desk) -> None:
    assert set(titles(desk, mode=Mode.LEXICAL)) == {"Word", "Both"}
    assert set(titles(desk, mode=Mode.SEMANTIC)[:3]) == {"Meaning", "Both", "Word"}
    assert titles(desk, mode=Mode.SEMANTIC)[0] == "Meaning"
    assert titles(desk, mode=Mode.HYBRID)[0] == "Both"
    assert set(titles(desk, mode=Mode.RRF)[:3]) == {"Meaning", "Both", "Word"}


@pytest.mark.promise("S1")
def test_alpha_at_its_ends_asks_one_leg_only_and_gives_exactly_its_order(desk: Desk, index: Failing) -> None:
    index.questions.clear()
    for alpha in (0, 0.0, -0.0):
        assert titles(desk, mode=Mode.HYBRID, alpha=alpha) == titles(desk, mode=Mode.SEMANTIC)
    for alpha in (1, 1.0):
        assert titles(desk, mode=Mode.HYBRID, alpha=alpha) == titles(desk, mode=Mode.LEXICAL)
    assert [(each.words is None, each.vector is None) for each in index.questions] == [
        *[(True, False)] * 6,
        *[(False, True)] * 4,
    ]
    assert titles(desk, mode=Mode.HYBRID, alpha=0.01)[0] == "Meaning"
    assert titles(desk, mode=Mode.HYBRID, alpha=0.99)[0] != "Meaning"


@pytest.mark.promise("S13", "S8")
@pytest.mark.parametrize("mode", Mode)
def test_every_mode_is_one_question_to_the_engine_and_one_read_of_the_table(
    desk: Desk, index: Failing, mode: Mode
) -> None:
    index.asked = desk.shelves.reads = 0
    assert desk.search("car", mode=mode).rounds == 1
    assert (index.asked, desk.shelves.reads) == (1, 1)


@pytest.mark.promise("S7")
def test_each_hit_has_the_scores_of_the_legs_that_took_part(desk: Desk) -> None:
    for mode, took_part in (
        (Mode.HYBRID, (True, True)),
        (Mode.RRF, (True, True)),
        (Mode.LEXICAL, (True, False)),
        (Mode.SEMANTIC, (False, True)),
    ):
        for hit in desk.search("car", mode=mode).hits:
            assert (hit.lexical is not None, hit.semantic is not None) == took_part
            if mode is Mode.HYBRID:
                assert hit.lexical is not None
                assert hit.semantic is not None
                assert hit.score == pytest.approx((hit.lexical + hit.semantic) / 2)


@pytest.mark.promise("S4", "S6")
@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.RRF, Mode.SEMANTIC])
def test_without_embeddings_search_is_by_words_and_says_so(desk: Desk, embedder: MemoryEmbedder, mode: Mode) -> None:
    embedder.failing = True
    found = desk.search("car", mode=mode)
    assert (found.mode_used, found.degraded) == (Mode.LEXICAL, Degraded.EMBEDDINGS_UNAVAILABLE)
    assert [hit.title for hit in found.hits] == titles(desk, mode=Mode.LEXICAL)
    assert all(hit.semantic is None for hit in found.hits)
    lexical = desk.search("car", mode=Mode.LEXICAL)
    assert (lexical.mode_used, lexical.degraded) == (Mode.LEXICAL, None)


@pytest.mark.promise("S6")
@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.RRF, Mode.SEMANTIC])
@pytest.mark.parametrize(
    ("fault", "reason"),
    [(FAULT, Degraded.SEMANTIC_UNAVAILABLE), (EmbeddingMismatch(), Degraded.EMBEDDING_MISMATCH)],
)
def test_without_meaning_the_words_answer(
    desk: Desk, index: Failing, mode: Mode, fault: Exception, reason: Degraded
) -> None:
    index.fails["meaning"] = fault
    found = desk.search("car", mode=mode)
    assert (found.mode_used, found.degraded) == (Mode.LEXICAL, reason)
    assert [hit.title for hit in found.hits] == titles(desk, mode=Mode.LEXICAL)
    assert found.rounds == (2 if mode is Mode.SEMANTIC else 1)


@pytest.mark.promise("S6")
@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.RRF])
def test_without_words_the_meaning_answers(desk: Desk, index: Failing, mode: Mode) -> None:
    index.fails["words"] = FAULT
    found = desk.search("car", mode=mode)
    assert (found.mode_used, found.degraded) == (Mode.SEMANTIC, Degraded.LEXICAL_UNAVAILABLE)
    assert [hit.title for hit in found.hits] == titles(desk, mode=Mode.SEMANTIC)


@pytest.mark.promise("S6")
@pytest.mark.parametrize("mode", Mode)
def test_only_if_nothing_answers_search_is_unavailable(
    desk: Desk, index: Failing, embedder: MemoryEmbedder, mode: Mode
) -> None:
    index.fails = {"words": FAULT, "meaning": FAULT}
    with pytest.raises(SearchUnavailable) as caught:
        desk.search("car", mode=mode)
    assert caught.value.__cause__ is FAULT
    embedder.failing = True
    with pytest.raises(SearchUnavailable):
        desk.search("car", mode=mode)


@pytest.mark.promise("S11")
def test_new_text_is_found_by_its_words_and_first_while_it_has_no_vector_yet(desk: Desk, index: Failing) -> None:
    base = next(iter(desk.shelves.bases_.values()))
    item = desk.item(base, "car car car", title="New")
    assert desk.later[-1] == item.id
    for mode in (Mode.HYBRID, Mode.RRF):
        assert titles(desk, mode=mode)[0] == "New"
    assert "New" not in titles(desk, mode=Mode.SEMANTIC)
    desk.embed_item(item.id)
    assert "New" in titles(desk, mode=Mode.SEMANTIC)


@pytest.mark.promise("S8")
@pytest.mark.parametrize("mode", Mode)
def test_hidden_hits_starve_no_leg(desk: Desk, mode: Mode) -> None:
    base, archived = next(iter(desk.shelves.bases_.values())), desk.base()
    for _ in range(45):
        desk.embed_item(desk.item(archived, "car automobile", title="Hidden").id)
    desk.put_base(archived, status=BaseStatus.ARCHIVED)
    assert base.status is BaseStatus.ACTIVE
    found = desk.search("car", mode=mode, max_results=3)
    shown = {hit.title for hit in found.hits}
    assert shown == ({"Word", "Both"} if mode is Mode.LEXICAL else {"Word", "Both", "Meaning"})
    assert 28 <= found.dropped[Dropped.BASE_ARCHIVED] <= 30


@pytest.mark.promise("S6")
@pytest.mark.parametrize("group_by", GroupBy)
def test_a_leg_that_fails_on_the_way_leaves_what_it_had_found(desk: Desk, index: Failing, group_by: GroupBy) -> None:
    archived = desk.base()
    for _ in range(45):
        desk.embed_item(desk.item(archived, "car automobile", title="Hidden").id)
    desk.put_base(archived, status=BaseStatus.ARCHIVED)
    ask = index.search

    def failing_later(question: Question, within: Within, limit: int) -> Legs:
        legs = ask(question, within, limit)
        index.fails = {"words": FAULT}
        return legs

    index.search = failing_later  # type: ignore[method-assign]
    found = desk.search("car", mode=Mode.HYBRID, group_by=group_by)
    assert (found.mode_used, found.degraded) == (Mode.HYBRID, Degraded.LEXICAL_UNAVAILABLE)
    assert any(hit.lexical for hit in found.hits)


@pytest.mark.promise("S8")
@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.RRF, Mode.SEMANTIC])
def test_passages_are_results_of_their_own_if_asked_for(desk: Desk, mode: Mode) -> None:
    base = next(iter(desk.shelves.bases_.values()))
    sections = "\n\n".join(f"## Part {n}\n\ncar {'word ' * 200}" for n in range(12))
    long = desk.item(base, sections, title="Long")
    desk.embed_item(long.id)
    hits = desk.search("car", mode=mode, group_by=GroupBy.PASSAGE, max_results=20).hits
    positions = [hit.passage.position for hit in hits if hit.item_id == long.id]
    assert len(positions) == len(set(positions)) == 12
    once = [hit.item_id for hit in desk.search("car", mode=mode, max_results=20).hits]
    assert len(once) == len(set(once))


@pytest.mark.promise("S4")
def test_the_vector_of_a_query_is_asked_for_only_where_meaning_counts(desk: Desk) -> None:
    desk.retrieve = replace(desk.retrieve, embedder=Forbidden())
    assert titles(desk, mode=Mode.LEXICAL)
    assert titles(desk, mode=Mode.HYBRID, alpha=1)


class Forbidden(MemoryEmbedder):
    def query(self, text: str) -> list[float]:
        raise AssertionError
