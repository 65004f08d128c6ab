"""Making one ranking of two."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.search.fusion import CROWD, Ranked, Side, Sides, hybrid, rrf
from chalicelib.search.ports import Candidate, Passage


def candidate(name: str, score: float, *, embedded: bool = True, position: int = 0) -> Candidate:
    return Candidate(name, "kb", "space", "rev", Passage(position, (), name), score, embedded)


def side(expected: float = 1.0, /, **scores: float) -> Side:
    return Side({name: candidate(name, score) for name, score in scores.items()}, expected, complete=True)


def crowd(best: float, rest: float, many: int = CROWD) -> Side:
    """One good candidate before many that are alike."""
    return side(1.0, best=best, **{f"other_{number}": rest for number in range(many - 1)})


def names(ranked: list[Ranked]) -> list[str]:
    return [each.candidate.item_id for each in ranked]


def by_name(ranked: list[Ranked]) -> dict[str, Ranked]:
    return {each.candidate.item_id: each for each in ranked}


SCORES = st.dictionaries(st.sampled_from("abcdefghijklmnop"), st.floats(0, 50), max_size=16)
COSINES = st.dictionaries(st.sampled_from("abcdefghijklmnop"), st.floats(-1, 1), max_size=16)


def ordered(scores: dict[str, float], expected: float = 1.0) -> Side:
    best_first = sorted(scores.items(), key=lambda each: -each[1])
    return Side({name: candidate(name, score) for name, score in best_first}, expected)


@pytest.mark.promise("S1", "S7")
@given(SCORES, COSINES, st.floats(0, 20), st.floats(0, 1), st.integers(1, 1000))
def test_scores_are_shares_from_best_to_worst_and_every_result_is_there_once(
    words: dict[str, float], meaning: dict[str, float], expected: float, alpha: float, k: int
) -> None:
    sides = Sides(ordered(words, expected), ordered(meaning))
    mixed, by_ranks = hybrid(sides, alpha), rrf(sides, k)
    assert set(names(mixed)) == words.keys() | meaning.keys()
    assert len(mixed) == len(set(names(mixed)))
    for ranked in (mixed, by_ranks):
        shares = [share for each in ranked for share in (each.score, each.lexical, each.semantic)]
        assert all(share is not None and 0 <= share <= 1 + 1e-9 and math.isfinite(share) for share in shares)
        assert [each.score for each in ranked] == sorted((each.score for each in ranked), reverse=True)
    for each in mixed:
        assert each.lexical is not None
        assert each.semantic is not None
        assert each.score == pytest.approx(alpha * each.lexical + (1 - alpha) * each.semantic)


@pytest.mark.promise("S1")
@given(SCORES, COSINES, st.floats(0, 20))
def test_alpha_at_its_ends_is_exactly_the_order_of_one_leg(
    words: dict[str, float], meaning: dict[str, float], expected: float
) -> None:
    lexical, semantic = ordered(words, expected), ordered(meaning)
    assert names(hybrid(Sides(lexical, None), 1.0)) == list(lexical.found)
    assert names(hybrid(Sides(None, semantic), 0.0)) == list(semantic.found)


@pytest.mark.promise("S1")
def test_alpha_near_one_favours_words_and_near_nought_meaning() -> None:
    sides = Sides(side(2.0, words=2.0, both=1.0), side(1.0, meaning=0.9, both=0.6))
    assert names(hybrid(sides, 0.9))[0] == "words"
    assert names(hybrid(sides, 0.1))[0] == "meaning"


@pytest.mark.promise("S2")
def test_the_best_of_a_bad_list_by_words_stays_bad() -> None:
    """One preposition in common is no match, though nothing else has more."""
    bad, good = side(20.0, noise=2.0, more=1.9), side(20.0, match=16.0, more=1.9)
    meaning = crowd(0.9, 0.8)
    assert names(hybrid(Sides(bad, meaning), 0.5))[0] == "best"
    assert by_name(hybrid(Sides(bad, meaning), 0.5))["noise"].lexical == pytest.approx(0.075, abs=0.01)
    assert by_name(hybrid(Sides(good, meaning), 0.5))["match"].lexical == 1.0
    assert "noise" not in names(rrf(Sides(bad, meaning), 60))
    assert "match" in names(rrf(Sides(good, meaning), 60))
    assert names(rrf(Sides(bad, None), 60)) == ["noise", "more"]


@pytest.mark.promise("S2")
def test_the_nearest_of_a_crowd_by_meaning_is_no_match() -> None:
    stands_out, lost = crowd(0.92, 0.80), crowd(0.805, 0.80)
    assert by_name(hybrid(Sides(None, stands_out), 0.5))["best"].score == 1.0
    assert by_name(hybrid(Sides(None, lost), 0.5))["best"].score == pytest.approx(0.125)
    assert by_name(hybrid(Sides(None, stands_out), 0.5))["other_3"].score == 0.0


@pytest.mark.promise("S2")
def test_one_candidate_alone_is_a_match_by_words_if_it_has_them_and_half_a_one_by_meaning() -> None:
    assert [each.score for each in hybrid(Sides(side(10.0, only=10.0), None), 0.5)] == [1.0]
    assert hybrid(Sides(side(10.0, only=1.0), None), 0.5)[0].score < 0.1
    assert hybrid(Sides(None, side(1.0, only=0.7)), 0.5)[0].score == pytest.approx(0.4545, abs=1e-4)
    assert [each.score for each in rrf(Sides(side(1.0, only=1.0), None), 60)] == [1.0]


@pytest.mark.promise("S2")
@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_where_all_are_equal_none_is_better_and_they_keep_their_order(score: float) -> None:
    for many in (2, CROWD, CROWD + 5):
        equal = side(1.0, **{f"item_{number}": score for number in range(many)})
        for sides in (Sides(equal, None), Sides(None, equal), Sides(equal, equal)):
            ranked = hybrid(sides, 0.5)
            assert len({each.score for each in ranked}) == 1
            assert names(ranked) == list(equal.found)


@pytest.mark.promise("S2")
def test_a_leg_that_found_nothing_leaves_the_order_to_the_other() -> None:
    nothing, something = Side({}), side(1.0, a=0.9, b=0.7, c=0.5)
    assert names(hybrid(Sides(nothing, something), 0.5)) == names(rrf(Sides(nothing, something), 60)) == ["a", "b", "c"]
    assert names(hybrid(Sides(something, nothing), 0.5)) == names(rrf(Sides(something, nothing), 60)) == ["a", "b", "c"]
    assert hybrid(Sides(nothing, nothing), 0.5) == rrf(Sides(None, nothing), 60) == []


@pytest.mark.promise("S7")
def test_a_leg_that_took_no_part_explains_nothing_and_one_that_missed_it_nought() -> None:
    (alone,) = hybrid(Sides(side(1.0, a=1.0), None), 0.5)
    assert (alone.lexical, alone.semantic) == (1.0, None)
    (other,) = rrf(Sides(None, side(1.0, a=0.9)), 60)
    assert (other.lexical, other.semantic) == (None, 1.0)
    mixed = by_name(hybrid(Sides(side(1.0, a=1.0), crowd(0.9, 0.5)), 0.5))
    assert (mixed["a"].lexical, mixed["a"].semantic) == (1.0, 0.0)
    assert (mixed["best"].lexical, mixed["best"].semantic) == (0.0, 1.0)


@pytest.mark.promise("S11")
@pytest.mark.parametrize("fuse", [lambda sides: hybrid(sides, 0.5), lambda sides: rrf(sides, 60)])
def test_what_has_no_vector_yet_is_not_pushed_down_for_that(fuse: object) -> None:
    assert callable(fuse)
    new = candidate("new", 10.0, embedded=False)
    lexical = Side({"new": new, "old": candidate("old", 6.0)}, 10.0)
    ranked = by_name(fuse(Sides(lexical, crowd(0.9, 0.5))))
    assert ranked["new"].score == ranked["new"].lexical == 1.0
    assert ranked["old"].score < 0.6


@pytest.mark.promise("S3")
def test_rrf_is_the_sum_of_reciprocal_ranks() -> None:
    sides = Sides(side(1.0, a=9.0, b=8.0, c=7.0), side(1.0, c=0.9, a=0.8, d=0.7))
    ranked = rrf(sides, 60)
    assert names(ranked) == ["a", "c", "b", "d"]
    most = 2 / 61
    assert [each.score for each in ranked] == pytest.approx(
        [(1 / 61 + 1 / 62) / most, (1 / 63 + 1 / 61) / most, 1 / 62 / most, 1 / 63 / most]
    )


@pytest.mark.promise("S3")
@given(st.integers(1, 1000))
def test_an_exact_hit_that_only_words_find_is_among_the_first_three(k: int) -> None:
    """Where the words tell apart, few of what is near by meaning has a possible match's share of them."""
    words = Side({"exact": candidate("exact", 12.0), "mention": candidate("mention", 4.0)}, 12.0)
    assert "exact" in names(rrf(Sides(words, crowd(0.9, 0.8)), k))[:3]


@pytest.mark.promise("S7")
def test_a_result_is_shown_by_the_passage_of_the_leg_that_speaks_more_for_it() -> None:
    lexical = Side({"item": candidate("item", 5.0, position=1)}, 10.0)
    semantic = Side({"item": candidate("item", 0.9, position=2), **crowd(0.8, 0.3).found})
    assert hybrid(Sides(lexical, semantic), 0.9)[0].candidate.passage.position == 1
    assert hybrid(Sides(lexical, semantic), 0.1)[0].candidate.passage.position == 2
    assert hybrid(Sides(lexical, semantic), 0.1)[0].candidate.item_id == "item"
