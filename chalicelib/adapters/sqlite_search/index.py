"""The port `SearchIndex` on the embedded file."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import batched
from pathlib import Path

from chalicelib.adapters.sqlite_search import match
from chalicelib.adapters.sqlite_search.columns import WEIGHTS, rows
from chalicelib.adapters.sqlite_search.file import IndexFile
from chalicelib.adapters.sqlite_search.upkeep import sweep, tidy
from chalicelib.adapters.sqlite_search.writing import claim, fill, forget
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import Candidate, Card, Passage, Within
from chalicelib.search.query import parse

_SEARCH = f"""
SELECT cards.item_id, cards.base_id, cards.space_id, cards.revision_id,
       passages.position, passages.heading_path, passages.content, -hits.score
FROM (
    SELECT rowid, bm25(words, {", ".join(map(str, WEIGHTS.values()))}) AS score
    FROM words WHERE words MATCH ? AND rowid NOT IN (
        SELECT passages.id FROM passages JOIN cards ON cards.id = passages.card, json_each(?) AS without
        WHERE without.value IN (cards.item_id, cards.base_id)
    )
    ORDER BY score, rowid LIMIT ?
) AS hits
JOIN passages ON passages.id = hits.rowid JOIN cards ON cards.id = passages.card
ORDER BY hits.score, hits.rowid
"""  # noqa: S608 - names and weights of columns, written in this package
"""BM25 over all columns as one field, occurrences weighted by column, k1 = 1.2, b = 0.75 (SQLite: FTS5, `bm25`;
S. Robertson, H. Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond, 2009)."""
_COUNT = """
SELECT count(*) FROM passages JOIN cards ON cards.id = passages.card
WHERE cards.item_id IN (SELECT value FROM json_each(?))
"""
_TOGETHER = 100
"""Items erased in one transaction."""


class SqliteIndex:
    """Keeps cards in one file, which is made when it is first needed.

    All spaces share one full-text table: the query itself names the spaces it may look into (rule S9), so no text of
    others leaves the file, and all that they have in common is how frequent a word is.
    Any number of processes and threads may use the same file at once: readers never wait, a writer waits at most
    `wait` seconds for another. Raises SearchUnavailable where the file cannot be read or written, is damaged or
    was made by another version; the cause says which.
    """

    def __init__(self, path: Path, wait: float = 10.0) -> None:
        self._file = IndexFile(path, wait)

    def close(self) -> None:
        """Close this thread's connection."""
        self._file.close()

    def lexical(self, query: str, within: Within, limit: int) -> tuple[Candidate, ...]:
        """The best passages for the words of a query, best first."""
        asked = parse(query)
        if not asked.terms or not within.spaces:
            return ()
        with self._file.open() as connection:
            frequencies = _frequencies(connection, match.words(asked))
            found: tuple[Candidate, ...] = ()
            for expression in match.attempts(asked, within, frequencies):
                found = _search(connection, expression, within, limit)
                if len(found) == limit:
                    return found
            return found or _search(connection, match.last_resort(asked, within, frequencies), within, limit)

    def put(self, card: Card) -> bool:
        """Keep the card instead of what is there of the item; False if a newer version is there already."""
        columns = list(rows(card))  # the slow part, before anybody has to wait
        with self._file.write() as connection:
            number = claim(connection, card.item_id, card.version, (card.base_id, card.space_id, card.revision_id))
            if number is None:
                return False
            fill(connection, number, card.passages, columns)
        with suppress(SearchUnavailable), self._file.open() as connection:  # the next one makes up for it
            tidy(connection)
        return True

    def withdraw(self, item_id: str, version: int) -> bool:
        """Keep nothing of the item but its version; False if a newer version is there already."""
        with self._file.write() as connection:
            return claim(connection, item_id, version, (None, None, None)) is not None

    def count(self, item_ids: Collection[str]) -> int:
        """How many passages it holds of the items."""
        with self._file.open() as connection:
            (number,) = connection.execute(_COUNT, [json.dumps(list(item_ids))]).fetchone()
            return int(number)

    def erase(self, item_ids: Collection[str]) -> int:
        """Forget the items entirely: afterwards the file holds no byte of them (rule K16).

        That rewrites the full-text table, in steps between which others can write, however little was erased:
        erase many items at once. If it is stopped halfway or raises SearchUnavailable, the next call goes on with it,
        whatever items that one names.
        """
        gone = 0
        for some in batched(item_ids, _TOGETHER):
            with self._file.write() as connection:
                gone += sum(forget(connection, item_id) for item_id in some)
        with self._file.open() as connection:
            sweep(connection, self._file.wait)
        return gone


def _frequencies(connection: sqlite3.Connection, terms: Sequence[str]) -> match.Frequencies:
    (passages,) = connection.execute("SELECT value FROM facts WHERE name = 'passages'").fetchone()
    counted = connection.execute(
        "SELECT term, passages FROM frequent WHERE term IN (SELECT value FROM json_each(?))", [json.dumps(terms)]
    )
    return match.Frequencies(passages, dict(counted))


def _search(connection: sqlite3.Connection, expression: str, within: Within, limit: int) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(item_id, base_id, space_id, revision_id, Passage(position, tuple(json.loads(path)), content), score)
        for item_id, base_id, space_id, revision_id, position, path, content, score in connection.execute(
            _SEARCH, [expression, json.dumps(sorted(within.without)), limit]
        )
    )
