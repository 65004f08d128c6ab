"""The best passages for words, and about what a passage with all of them scores."""

import json
import math
import sqlite3
from collections.abc import Sequence

from chalicelib.adapters.sqlite_search import match
from chalicelib.adapters.sqlite_search.columns import WEIGHTS
from chalicelib.search.ports import Within
from chalicelib.search.query import Query

_SEARCH = f"""
SELECT rowid, -bm25(words, {", ".join(map(str, WEIGHTS.values()))}) AS score
FROM words WHERE words MATCH ? {{and_rowid}} ORDER BY score DESC, rowid LIMIT ?
"""  # noqa: S608 - names and weights of columns, written in this package
"""BM25 over all columns as one field, occurrences weighted by column, k1 = 1.2, b = 0.75 (SQLite: FTS5, `bm25`;
S. Robertson, H. Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond, 2009)."""
_OF = """(
    WITH named AS (SELECT value FROM json_each(?))
    SELECT passages.id FROM cards CROSS JOIN passages ON passages.card = cards.id
    WHERE cards.item_id IN named OR cards.base_id IN named
)"""
"""Passages of items and bases. Left to itself SQLite would begin with all passages there are, which at 100,000 takes
longer than finding and scoring (SQLite: query planner, `CROSS JOIN`)."""
_LEAST = 1e-6
"""What a word counts that half of all passages hold, or more (SQLite: FTS5, `bm25`)."""


def search(
    connection: sqlite3.Connection, asked: Query, within: Within, limit: int
) -> tuple[Sequence[tuple[int, float]], float]:
    """Passages and their scores, best first; and about what one scores that has each term once."""
    frequencies = _frequencies(connection, match.words(asked))
    expected = sum(sorted((_idf(term, frequencies) for term in asked.terms), reverse=True)[: match.MOST])
    found: Sequence[tuple[int, float]] = ()
    for expression in match.attempts(asked, within, frequencies):
        found = _search(connection, expression, within, limit)
        if len(found) == limit:
            return found, expected
    return found or _search(connection, match.last_resort(asked, within, frequencies), within, limit), expected


def _search(connection: sqlite3.Connection, expression: str, within: Within, limit: int) -> Sequence[tuple[int, float]]:
    # The plus keeps SQLite from looking for the words once for each of these passages, instead of once.
    bounds = [
        (f"AND +rowid {how} {_OF}", names) for how, names in (("NOT IN", within.without), ("IN", within.only)) if names
    ]
    statement = _SEARCH.format(and_rowid=" ".join(condition for condition, _ in bounds))
    named = [json.dumps(sorted(names)) for _, names in bounds]
    return connection.execute(statement, [expression, *named, limit]).fetchall()


def _frequencies(connection: sqlite3.Connection, terms: Sequence[str]) -> match.Frequencies:
    """How frequent the terms are: frequent ones as they were counted last, the others as they are."""
    (passages,) = connection.execute("SELECT value FROM facts WHERE name = 'passages'").fetchone()
    counted = dict(
        connection.execute(
            "SELECT term, passages FROM frequent WHERE term IN (SELECT value FROM json_each(?))", [json.dumps(terms)]
        )
    )
    for term in terms:
        if term not in counted:
            found = connection.execute("SELECT doc FROM vocabulary WHERE term = ?", [term]).fetchone()
            counted[term] = found[0] if found else 0
    return match.Frequencies(passages, counted)


def _idf(term: str, frequencies: match.Frequencies) -> float:
    """The weight of a word by how rare it is, as the engine has it."""
    holding = min(frequencies.of(term), frequencies.passages)
    return max(_LEAST, math.log((frequencies.passages - holding + 0.5) / (holding + 0.5)))
