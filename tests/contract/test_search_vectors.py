"""What every search engine does with vectors, and what it tells of what it holds."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.search.ports import Candidate, Embedding, EmbeddingModel, Held, Leg, Passage, Question, SearchIndex
from tests.contract.test_search_index import HERE, a_card, found
from tests.fakes.search import MemoryIndex
from tests.halves import by_meaning, by_words

FOUR = EmbeddingModel("test", 4)
NORTH, EAST, SOUTH = (0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, -1.0, 0.0, 0.0)
NORTH_EAST = (0.6, 0.8, 0.0, 0.0)
ENGINES: dict[str, Callable[[Path], SearchIndex]] = {
    "sqlite": lambda folder: SqliteIndex(folder / "index.sqlite", model=FOUR),
    "memory": lambda _: MemoryIndex(FOUR),
}
TEXTS = ("alpha", "beta", "gamma")
THREE = tuple(Passage(number, (), text) for number, text in enumerate(TEXTS))


@pytest.fixture(params=ENGINES)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> SearchIndex:
    return ENGINES[request.param](tmp_path)


def embedding(vector: tuple[float, ...], digest: str = "") -> Embedding:
    return Embedding(digest or str(vector), vector)


def near(index: SearchIndex, vector: tuple[float, ...] = NORTH, **scope: object) -> list[str]:
    within = replace(HERE, **scope)  # type: ignore[arg-type]
    return [each.item_id for each in by_meaning(index, vector, within, 50)]


@pytest.mark.promise("S4")
def test_the_nearest_come_first_with_their_cosine(index: SearchIndex) -> None:
    index.put(a_card("item", passages=THREE), [embedding(SOUTH), embedding(NORTH_EAST), embedding(NORTH)])
    hits = by_meaning(index, NORTH, HERE, 50)
    assert [each.passage.content for each in hits] == ["gamma", "beta", "alpha"]
    assert [each.score for each in hits] == pytest.approx([1.0, 0.8, -1.0], abs=1e-5)
    assert hits[0] == Candidate("item", "kb_here", "space_here", "rev_item", THREE[2], hits[0].score, embedded=True)
    assert by_meaning(index, NORTH, HERE, 1) == hits[:1]


@pytest.mark.promise("S9")
def test_meaning_keeps_to_the_spaces_and_the_base_and_leaves_out_what_it_is_told_to(index: SearchIndex) -> None:
    index.put(a_card("mine", "alpha"), [embedding(NORTH)])
    index.put(a_card("other_base", "alpha", base_id="kb_other"), [embedding(EAST)])
    index.put(a_card("foreign", "alpha", space_id="space_foreign"), [embedding(NORTH)])
    assert near(index) == ["mine", "other_base"]
    assert near(index, base_id="kb_other") == ["other_base"]
    assert near(index, without=frozenset({"mine"})) == ["other_base"]
    assert near(index, without=frozenset({"kb_here"})) == ["other_base"]
    assert near(index, only=frozenset({"mine"})) == ["mine"]
    assert near(index, only=frozenset({"kb_here"})) == ["mine"]
    assert near(index, only=frozenset({"item_none"})) == []
    assert near(index, spaces=frozenset()) == []
    assert near(index, spaces=frozenset({"space_nowhere"})) == []


@pytest.mark.promise("S11")
def test_vectors_may_come_after_the_words_and_no_late_words_take_them_away(index: SearchIndex) -> None:
    card = a_card("item", passages=THREE)
    assert index.put(card)
    assert near(index) == []
    assert [each.embedded for each in by_words(index, "alpha", HERE, 5)] == [False]
    assert index.put(card, [embedding(NORTH), None, embedding(EAST)])
    assert index.put(card)
    assert [each.embedded for each in by_words(index, "alpha", HERE, 5)] == [True]
    assert [each.embedded for each in by_words(index, "beta", HERE, 5)] == [False]
    assert index.held(["item"]) == {"item": Held(1, 3, 2)}
    assert index.put(card, [embedding(NORTH), embedding(SOUTH), embedding(EAST)])
    assert index.held(["item"]) == {"item": Held(1, 3, 3)}
    assert [each.passage.content for each in by_meaning(index, NORTH, HERE, 50)] == ["alpha", "gamma", "beta"]
    assert index.count(["item"]) == 3


@pytest.mark.promise("S10")
def test_a_newer_version_has_only_its_own_vectors(index: SearchIndex) -> None:
    index.put(a_card("item", "alpha"), [embedding(NORTH)])
    index.put(a_card("item", "beta", version=2, revision_id="rev_2"))
    assert near(index) == []
    assert not index.put(a_card("item", "alpha"), [embedding(NORTH)])
    assert near(index) == []
    index.put(a_card("item", "beta", version=2, revision_id="rev_2"), [embedding(EAST)])
    index.withdraw("item", 3)
    assert near(index) == []
    assert index.held(["item"]) == {"item": Held(3, 0, 0)}


@pytest.mark.promise("K16")
def test_vectors_go_with_what_they_are_of(index: SearchIndex) -> None:
    for number in range(5):
        index.put(a_card(f"item_{number}", "alpha"), [embedding(NORTH)])
    assert len(near(index)) == 5
    index.erase(["item_0", "item_1"])
    assert sorted(near(index)) == ["item_2", "item_3", "item_4"]
    assert index.embeddings("item_0") == {}


@pytest.mark.promise("S11")
def test_vectors_are_given_back_by_what_they_were_made_of(index: SearchIndex) -> None:
    assert index.embeddings("item") == {}
    index.put(a_card("item", passages=THREE), [embedding(NORTH, "one"), None, embedding(NORTH_EAST, "three")])
    kept = index.embeddings("item")
    assert set(kept) == {"one", "three"}
    assert list(kept["three"]) == pytest.approx(NORTH_EAST, abs=1e-3)


@pytest.mark.promise("S2")
def test_what_words_are_worth_together_is_about_what_a_passage_that_has_them_scores(index: SearchIndex) -> None:
    for number in range(40):
        index.put(a_card(f"item_{number}", f"filler number{number} " * 10))
    index.put(
        a_card("both", "a hangar for some zeppelin and a few words that stand beside it, about as many as elsewhere")
    )
    index.put(a_card("one", "zeppelin and a few words that stand beside it, more or less as many as elsewhere"))

    def leg(query: str) -> Leg:
        outcome = index.search(Question(query), HERE, 10).lexical
        assert isinstance(outcome, Leg)
        return outcome

    both, half = leg("zeppelin hangar"), leg("zeppelin dirigible")
    assert 0.4 < both.candidates[0].score / both.expected < 2.5
    assert half.candidates[0].score / half.expected < 0.7
    assert leg("dirigible").candidates == ()
    assert leg("dirigible").expected > 0
    assert leg("***") == Leg()


@pytest.mark.promise("S11")
def test_it_tells_of_which_items_it_holds_anything(index: SearchIndex) -> None:
    assert list(index.known()) == []
    assert index.held(["item"]) == {}
    index.put(a_card("item", passages=THREE))
    index.put(a_card("gone", "alpha"))
    index.erase(["gone"])
    index.withdraw("away", 4)
    assert sorted(index.known()) == ["away", "item"]
    assert index.held(["item", "away", "gone"]) == {"item": Held(1, 3, 0), "away": Held(4, 0, 0)}


@pytest.mark.promise("S4")
def test_an_index_of_our_own_need_not_be_made_anew(index: SearchIndex) -> None:
    assert index.misfit() == ""
    index.put(a_card("item", "alpha"), [embedding(NORTH)])
    assert index.misfit() == ""


@pytest.mark.promise("S11")
def test_an_index_made_beside_takes_over_as_a_whole(index: SearchIndex) -> None:
    index.put(a_card("old", "alpha"), [embedding(NORTH)])
    index.beside().put(a_card("unfinished", "alpha"))
    new = index.beside()
    new.put(a_card("new", "alpha"), [embedding(EAST)])
    assert found(index, "alpha") == ["old"]
    index.take_over(new)
    assert found(index, "alpha") == ["new"]
    assert near(index) == ["new"]
    assert sorted(index.known()) == ["new"]
    index.put(a_card("later", "alpha"), [embedding(NORTH)])
    assert near(index) == ["later", "new"]
    index.take_over(index.beside())
    assert list(index.known()) == []
