"""Making one ranking of two: by words and by meaning (rules S1, S2, S3, S7).

Both legs are normalised by what a match is worth, not by what the best of the list happens to be, so the best of a bad
list stays bad. Decision record 0014 tells what else was tried on the judged sets, with figures.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from chalicelib.search.ports import Candidate

CROWD = 30
"""From this rank on, a list is taken for the crowd, which is no match."""
_SURE = 0.75
"""What a sure match by words has at least: this share of what the words of the query are worth together."""
_POSSIBLE = 0.5
"""The same of a possible match, where only ranks count."""
_NEARER = 0.2
"""A sure match by meaning is nearer to the query than the crowd is, by at least this share of the crowd's distance."""

type Key = Hashable
"""What is one result: an item, or a passage."""
type Shares = dict[Key, float]
"""How much of a full score each result has, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one leg found."""

    found: Mapping[Key, Candidate]
    """The best candidate of each result, best first."""
    expected: float = 0.0
    """Of words: about what a passage scores that has every word of the query once."""
    complete: bool = False
    """Whether that is all there is."""

    @property
    def scores(self) -> list[float]:
        """Highest first."""
        return [each.score for each in self.found.values()]


@dataclass(frozen=True, slots=True)
class Sides:
    """Both legs of a search; None for one that took no part."""

    lexical: Side | None
    semantic: Side | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A result with its place in the ranking."""

    candidate: Candidate
    score: float
    """0 to 1."""
    lexical: float | None
    """The share of each leg, 0 to 1; None if it took no part."""
    semantic: float | None


def hybrid(sides: Sides, alpha: float) -> list[Ranked]:
    """The results by `alpha · lexical + (1 - alpha) · semantic`, best first.

    What one leg does not list gets nothing from it, for there it is no better than the crowd.
    """
    return _fused(sides, _shares(sides.lexical, _by_words), _shares(sides.semantic, _by_meaning), alpha)


def rrf(sides: Sides, k: int) -> list[Ranked]:
    """The results by reciprocal rank fusion, `Σ 1/(k + rank)`, best first; scores are shares of the highest possible.

    As long as there is a ranking by meaning, a passage without a possible match's share of the words has no rank by
    words: who asks in another language than the texts are in would else be given what shares a preposition.
    Source: G. Cormack, C. Clarke, S. Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual Rank
    Learning Methods, 2009.
    """
    lexical = sides.lexical
    if lexical is not None and sides.semantic is not None:
        least = _POSSIBLE * lexical.expected
        lexical = Side({key: each for key, each in lexical.found.items() if each.score >= least})
    kept = Sides(lexical, sides.semantic)
    return _fused(kept, _shares(lexical, _by_rank(k)), _shares(sides.semantic, _by_rank(k)), 0.5)


def _fused(sides: Sides, words: Shares, meaning: Shares, alpha: float) -> list[Ranked]:
    """Every result by the weighted sum of its shares; the better rank decides between equals, words first."""

    def ranked(key: Key) -> Ranked:
        by_words, by_meaning = alpha * words.get(key, 0.0), (1 - alpha) * meaning.get(key, 0.0)
        candidate = _shown(sides, key, words_count_more=by_words >= by_meaning)
        score = by_words + by_meaning
        if sides.semantic is None or (key not in meaning and not candidate.embedded):
            # What has no vector yet counts by its words alone: it is not pushed down for that (rule S11).
            score = words[key]
        elif sides.lexical is None:
            score = meaning[key]
        return Ranked(
            candidate,
            score,
            None if sides.lexical is None else words.get(key, 0.0),
            None if sides.semantic is None else meaning.get(key, 0.0),
        )

    return sorted(map(ranked, _in_turn(words, meaning)), key=lambda each: -each.score)


def _shown(sides: Sides, key: Key, *, words_count_more: bool) -> Candidate:
    """The passage that a result is shown by: that of the leg which speaks more for it."""
    found = [side.found.get(key) for side in (sides.lexical, sides.semantic) if side is not None]
    first, *others = [each for each in found if each is not None]
    return first if words_count_more or not others else others[0]


def _in_turn(words: Shares, meaning: Shares) -> dict[Key, None]:
    """All results by their better rank."""
    ranks = sorted(
        [(rank, leg, key) for leg, shares in enumerate((words, meaning)) for rank, key in enumerate(shares)],
        key=lambda each: each[:2],
    )
    return dict.fromkeys(key for _, _, key in ranks)


def _shares(side: Side | None, share: Callable[[Side], list[float]]) -> Shares:
    return {} if side is None or not side.found else dict(zip(side.found, share(side), strict=True))


def _by_words(side: Side) -> list[float]:
    """Nought is half of what the crowd has; one is the best, if that is a sure match."""
    scores = side.scores
    sure = max(scores[0], _SURE * side.expected)
    floor = scores[min(CROWD, len(scores)) - 1] / 2
    return [_clamped(score - floor, sure - floor) for score in scores]


def _by_meaning(side: Side) -> list[float]:
    """Nought is the crowd; one is the best, if that is a sure match.

    If that is all there is, there may be no crowd behind the last: it is taken to be half a match further off.
    """
    scores = side.scores
    last = scores[min(CROWD, len(scores)) - 1]
    alone = side.complete and len(scores) < CROWD
    floor = last - _NEARER / 2 * (1 - last) if alone else last
    sure = max(scores[0], floor + _NEARER * (1 - floor))
    return [_clamped(score - floor, sure - floor) for score in scores]


def _by_rank(k: int) -> Callable[[Side], list[float]]:
    return lambda side: [(k + 1) / (k + rank) for rank in range(1, len(side.found) + 1)]


def _clamped(part: float, whole: float) -> float:
    """The part as a share of the whole; what nothing can be nearer than is all of it."""
    return min(1.0, max(0.0, part / whole)) if whole > 0 else 1.0
