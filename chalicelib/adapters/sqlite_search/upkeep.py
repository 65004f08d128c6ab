"""What the tables need from time to time: counting frequent terms, and sweeping out what erased items left."""

import sqlite3
import time

_FIRST = 100
"""Passages from which on it is known which words are frequent."""
_PAGES = 1000
"""Written per step of a sweep, about 4 MB."""
_STEPS = 10_000
_PAUSE = 0.02
SPARSE = 1 / 500
"""Share of all passages from which on a term's occurrences are counted beforehand; rarer ones are counted quickly."""


def tidy(connection: sqlite3.Connection) -> None:
    """Count how frequent terms are and merge the segments of the full-text table, each time it has doubled.

    Searching one segment takes half as long as searching many. Others read and write meanwhile.
    """
    passages, counted, _ = _facts(connection)
    if passages >= _FIRST and passages >= 2 * counted:
        _recount(connection, passages)
        _merge(connection)


def sweep(connection: sqlite3.Connection, wait: float) -> None:
    """Rewrite the full-text table without what was taken out of it, if something was erased since the last time.

    FTS5 notes a deletion beside the terms, and drops both when it merges the segments that hold them. Freed pages
    are overwritten (`secure_delete`); at last the log goes, which holds earlier states of pages.
    Raises sqlite3.OperationalError if for `wait` seconds others keep the log from being cut.
    """
    passages, counted, unswept = _facts(connection)
    if not unswept:
        return
    _merge(connection)
    if counted:
        _recount(connection, passages)
    _cut_log(connection, wait)
    connection.execute("UPDATE facts SET value = 0 WHERE name = 'unswept' AND value = ?", [unswept])


def _cut_log(connection: sqlite3.Connection, wait: float) -> None:
    # SQLite waits for readers and writers here, but not for another's checkpoint, which takes milliseconds.
    until = time.monotonic() + wait
    while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        if time.monotonic() >= until:
            raise sqlite3.OperationalError("The log is in use. What was erased is out of reach, not yet overwritten.")
        time.sleep(_PAUSE)


def _facts(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Passages, passages at the last count of terms, erasures since the last sweep."""
    facts = dict(connection.execute("SELECT name, value FROM facts"))
    return facts["passages"], facts["counted"], facts["unswept"]


def _merge(connection: sqlite3.Connection) -> None:
    """Merge all segments into one: a negative number begins it, positive ones go on (SQLite: FTS5, `merge`)."""
    pages = -_PAGES
    for _ in range(_STEPS):  # pragma: no branch - forty gigabytes
        before = connection.total_changes
        connection.execute("INSERT INTO words (words, rank) VALUES ('merge', ?)", [pages])
        if pages > 0 and connection.total_changes - before < 2:  # noqa: PLR2004 - FTS5: then nothing is left to do
            return
        pages = _PAGES


def _recount(connection: sqlite3.Connection, passages: int) -> None:
    frequent = connection.execute(
        "SELECT term, doc FROM vocabulary WHERE doc >= ?", [max(2, passages * SPARSE)]
    ).fetchall()
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM frequent")
    connection.executemany("INSERT INTO frequent VALUES (?, ?)", frequent)
    connection.execute("UPDATE facts SET value = ? WHERE name = 'counted'", [passages])
    connection.execute("COMMIT")
