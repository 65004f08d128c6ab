"""The MATCH expression of a query, kept cheap on a large index.

FTS5 scores every passage that matches, and most of a question's words match half of the index. So a passage must
hold one of the rarest words, which are as many as together occur in a limited number of passages; the others
only add to its score. What this leaves out scores lower than what it keeps, but for rare exceptions: it is
the idea of MaxScore (H. Turtle, J. Flood: Query evaluation: strategies and optimizations, 1995) in one expression.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from chalicelib.adapters.sqlite_search.columns import PHRASES, SEQUENCES, base_term, space_term
from chalicelib.search.ports import Within
from chalicelib.search.query import Query

SMALL = 2000
"""Up to so many passages every word is looked for, however frequent it is."""
BUDGETS = (2000, 16_000, math.inf)
"""In how many passages the words together may occur of which one must be there, attempt by attempt."""
COMMON = 0.15
"""Share of all passages above which a word says next to nothing; at a half, BM25's weight for it is nought."""
_FEW = 25
"""Passages that are no such share of anything."""
MOST = 64
"""Words of a long query that are looked for, the rarest."""
_CHAINS = 16
_PAIRS = 8
"""Sequences of a long query that are looked for, the first."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many passages there are, and in how many of them each term occurs."""

    passages: int
    counted: Mapping[str, int]

    def of(self, term: str) -> int:
        """In about how many passages a term occurs."""
        return self.counted[term]


def words(query: Query) -> tuple[str, ...]:
    """All that is looked for by itself. Stems are no terms of another kind: a text's word may be a query's stem."""
    return query.terms + query.stems


def attempts(query: Query, within: Within, frequencies: Frequencies) -> Iterator[str]:
    """Expressions to try until there are enough results: rare words first, then less rare ones; none for no words.

    A word that most passages hold is not tried as long as there are others.
    """
    ranked = sorted(words(query), key=frequencies.of)
    common = max(_FEW, frequencies.passages * COMMON)
    telling = [word for word in ranked if frequencies.of(word) <= common]
    if frequencies.passages <= SMALL or query.required:
        yield _expression(query, within, ranked[:MOST], [], telling)
        return
    # A stem of a frequent word may be rare, and tells no more than the word.
    told = any(frequencies.of(word) for word in telling if word in query.terms)
    kept = (telling if told else ranked)[:MOST]
    totals = list(accumulate(map(frequencies.of, kept)))
    for few in dict.fromkeys(max(1, sum(total <= budget for total in totals)) for budget in BUDGETS):
        yield _expression(query, within, kept[:few], kept[few:], kept)


def last_resort(query: Query, within: Within, frequencies: Frequencies) -> str:
    """The expression that any word satisfies, for when the rarer ones occur nowhere within the scope."""
    return _expression(query, within, sorted(words(query), key=frequencies.of)[:MOST], [], ())


def _expression(query: Query, within: Within, needed: list[str], others: list[str], telling: Collection[str]) -> str:
    """Scope, required phrases, one of `needed`; what is required already makes all the others optional.

    `telling` are the words whose pairs count.
    """
    required = [f"{PHRASES} : {_quoted(' '.join(phrase))}" for phrase in query.required]
    scored = [*required, *map(_quoted, (*needed, *others)), *_sequences(query, set(telling), set(needed))]
    clauses = [*_scope(within), *required]
    if others and not required:
        # FTS5 has no "should": the last clause adds to the score of what this one lets through. It holds the same
        # words again, since it must be true; so rare words count twice where frequent ones count once.
        clauses.append(_any(map(_quoted, needed)))
    return " AND ".join(f"({clause})" for clause in [*clauses, _any(scored)])


def _sequences(query: Query, telling: set[str], rare: set[str]) -> list[str]:
    """The parts of tokens in order, and the pairs of neighbours that both say something, one of them a rare word."""
    pairs = [pair for pair in query.pairs if telling.issuperset(pair) and not rare.isdisjoint(pair)]
    return [f"{SEQUENCES} : {_quoted(' '.join(each))}" for each in [*query.chains[:_CHAINS], *pairs[:_PAIRS]]]


def _scope(within: Within) -> list[str]:
    spaces = _any([_quoted(space_term(each)) for each in sorted(within.spaces)])
    bases = [] if within.base_id is None else [_quoted(base_term(within.base_id))]
    return [f"scope : ({clause})" for clause in [*bases, spaces]]


def _any(clauses: Iterable[str]) -> str:
    return " OR ".join(clauses)


def _quoted(term: str) -> str:
    return f'"{term}"'
