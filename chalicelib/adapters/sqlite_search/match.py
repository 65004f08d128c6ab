"""The MATCH expression of a query, kept cheap on a large index.

FTS5 scores every passage that matches, and most of a question's words match half of the index. So a passage must
hold one of the rarest words, which are as many as together occur in a limited number of passages; the others
only add to its score. What this leaves out scores lower than what it keeps, but for rare exceptions: it is
the idea of MaxScore (H. Turtle, J. Flood: Query evaluation: strategies and optimizations, 1995) in one expression.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from chalicelib.adapters.sqlite_search.columns import PHRASES, SEQUENCES, base_term, space_term
from chalicelib.search.ports import Within
from chalicelib.search.query import Query

BUDGET = 4000
"""In how many passages the words together may occur of which one must be there."""
COMMON = 0.25
"""Share of all passages from which on a word says next to nothing; at a half, BM25's weight for it is nought."""
SPARSE = 1 / 500
"""Share of all passages from which on occurrences are counted; what is rarer is taken to be just as frequent."""
_MOST = 64
"""Words and sequences of a long query that are looked for, the rarest first."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many passages there are, and in how many of them the frequent terms occur."""

    passages: int
    counted: Mapping[str, int]

    def of(self, term: str) -> float:
        """In about how many passages a term occurs."""
        return self.counted.get(term, self.passages * SPARSE)


def words(query: Query) -> tuple[str, ...]:
    """All that is looked for by itself. Stems are no terms of another kind: a text's word may be a query's stem."""
    return query.terms + query.stems


def everything(query: Query, within: Within, frequencies: Frequencies) -> str:
    """The expression that any word satisfies which weighs anything; empty if the query has no word."""
    kept = _rarest(query, frequencies, 0.5)
    return _expression(query, within, [*map(_quoted, kept), *_sequences(query, kept)], [])


def pruned(query: Query, within: Within, frequencies: Frequencies) -> str:
    """The expression that the rarer words satisfy; empty if the query has no word."""
    kept = _rarest(query, frequencies, COMMON)
    totals = accumulate(map(frequencies.of, kept))
    few = max(1, sum(total <= BUDGET for total in totals))
    if few == len(kept):
        return everything(query, within, frequencies)
    return _expression(
        query, within, list(map(_quoted, kept[:few])), [*map(_quoted, kept[few:]), *_sequences(query, kept)]
    )


def _rarest(query: Query, frequencies: Frequencies, share: float) -> list[str]:
    """The words that occur in at most that share of all passages, or all if none does; rarest first."""
    ranked = sorted(words(query), key=frequencies.of)
    limit = frequencies.passages * share
    return ([word for word in ranked if frequencies.of(word) <= limit] or ranked)[:_MOST]


def _sequences(query: Query, kept: Collection[str]) -> list[str]:
    """The parts of tokens in order, and the pairs of neighbours that both say something."""
    telling = set(kept)
    pairs = [pair for pair in query.pairs if telling.issuperset(pair)]
    return [f"{SEQUENCES} : {_quoted(' '.join(each))}" for each in [*query.chains[:_MOST], *pairs[:_MOST]]]


def _expression(query: Query, within: Within, needed: list[str], others: list[str]) -> str:
    """Scope, required phrases, one of `needed`; what is required already makes all the others optional."""
    required = [f"{PHRASES} : {_quoted(' '.join(phrase))}" for phrase in query.required]
    clauses = [*_scope(within), *required]
    if others and not required:
        # FTS5 has no "should": the second clause adds to the score of what the first lets through. It holds the
        # first as well, since it must be true; so rare words count twice where frequent ones count once.
        clauses.append(_any(needed))
    clauses.append(_any([*required, *needed, *others]))
    return " AND ".join(f"({clause})" for clause in clauses)


def _scope(within: Within) -> list[str]:
    spaces = _any([_quoted(space_term(each)) for each in sorted(within.spaces)])
    bases = [] if within.base_id is None else [_quoted(base_term(within.base_id))]
    return [f"scope : ({clause})" for clause in [*bases, spaces]]


def _any(clauses: Iterable[str]) -> str:
    return " OR ".join(clauses)


def _quoted(term: str) -> str:
    return f'"{term}"'
