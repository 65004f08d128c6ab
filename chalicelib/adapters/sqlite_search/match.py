"""The MATCH expression of a query, kept cheap on a large index.

FTS5 scores every passage that matches, and most of a question's words match half of the index. So a passage must
hold one of the rarest words, which are as many as together occur in a limited number of passages; the others
only add to its score. What this leaves out scores lower than what it keeps, but for rare exceptions: it is
the idea of MaxScore (H. Turtle, J. Flood: Query evaluation: strategies and optimizations, 1995) in one expression.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from chalicelib.adapters.sqlite_search.columns import PHRASES, base_term, space_term
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
    return _expression(query, within, _alternatives(kept, query, _telling(query, kept)), ())


def pruned(query: Query, within: Within, frequencies: Frequencies) -> str:
    """The expression that the rarer words satisfy; empty if the query has no word."""
    kept = _rarest(query, frequencies, COMMON)
    totals = accumulate(map(frequencies.of, kept))
    needed = kept[: max(1, sum(total <= BUDGET for total in totals))]
    others = [*map(_quoted, kept[len(needed) :]), *map(_sequence, _telling(query, kept))]
    return _expression(query, within, _alternatives(needed, query, ()), others)


def _rarest(query: Query, frequencies: Frequencies, share: float) -> list[str]:
    """The words that occur in at most that share of all passages, or all if none does; rarest first."""
    ranked = sorted(words(query), key=frequencies.of)
    limit = frequencies.passages * share
    return ([word for word in ranked if frequencies.of(word) <= limit] or ranked)[:_MOST]


def _telling(query: Query, kept: Collection[str]) -> list[tuple[str, str]]:
    """The pairs of neighbours that both say something."""
    telling = set(kept)
    return [pair for pair in query.pairs if telling.issuperset(pair)][:_MOST]


def _alternatives(terms: Iterable[str], query: Query, pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [*map(_quoted, terms), *map(_sequence, [*query.chains[:_MOST], *pairs])]


def _expression(query: Query, within: Within, needed: list[str], others: Iterable[str]) -> str:
    """Scope, required phrases, one of `needed`; what is required already makes all the others optional."""
    if not needed:
        return ""
    required = [f"{PHRASES} : {_quoted(' '.join(phrase))}" for phrase in query.required]
    optional = list(others)
    clauses = [*_scope(within), *required]
    if required:
        clauses.append(_any([*required, *needed, *optional]))
    elif optional:
        # FTS5 has no "should": the second clause adds to the score of what the first lets through. It holds the
        # first as well, since it must be true; so rare words count twice where frequent ones count once.
        clauses += [_any(needed), _any([*needed, *optional])]
    else:
        clauses.append(_any(needed))
    return " AND ".join(f"({clause})" for clause in clauses)


def _scope(within: Within) -> list[str]:
    spaces = _any([_quoted(space_term(each)) for each in sorted(within.spaces)])
    bases = [] if within.base_id is None else [_quoted(base_term(within.base_id))]
    return [f"scope : ({clause})" for clause in [*bases, spaces]]


def _any(clauses: Iterable[str]) -> str:
    return " OR ".join(clauses)


def _sequence(parts: Iterable[str]) -> str:
    return f"parts : {_quoted(' '.join(parts))}"


def _quoted(term: str) -> str:
    return f'"{term}"'
