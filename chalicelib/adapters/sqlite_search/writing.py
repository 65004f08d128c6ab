"""Putting passages into the tables and taking them out, inside a transaction of the caller's."""

import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence

from chalicelib.adapters.sqlite_search.columns import WEIGHTS
from chalicelib.search.ports import Passage

_NAMES = ", ".join(WEIGHTS)
_MARKS = ", ".join("?" * len(WEIGHTS))
_ADD = f"INSERT INTO words (rowid, {_NAMES}) VALUES (?, {_MARKS})"  # noqa: S608 - columns named in this package
_TAKE = f"INSERT INTO words (words, rowid, {_NAMES}) VALUES ('delete', ?, {_MARKS})"  # noqa: S608 - as above
_FACT = "UPDATE facts SET value = value + ? WHERE name = ?"
_TAKE_VECTORS = "DELETE FROM vectors WHERE passage IN (SELECT id FROM passages WHERE card = ?)"
_ADD_VECTOR = """
INSERT OR IGNORE INTO vectors (passage, digest, vector) SELECT id, ?, ? FROM passages WHERE card = ? AND position = ?
"""
_SEPARATOR = "\n"


def claim(
    connection: sqlite3.Connection, item_id: str, version: int, where: tuple[str | None, str | None, str | None]
) -> int | None:
    """The number of the item's card, now at that version and empty; None if a newer version is there.

    `where` is base, space and revision, or three times None for an item that is only remembered.
    """
    found = connection.execute("SELECT id, version FROM cards WHERE item_id = ?", [item_id]).fetchone()
    if found is None:
        return connection.execute(
            "INSERT INTO cards (item_id, version, base_id, space_id, revision_id) VALUES (?, ?, ?, ?, ?)",
            [item_id, version, *where],
        ).lastrowid
    number, seen = found
    if seen > version:
        return None
    _empty(connection, number)
    connection.execute(
        "UPDATE cards SET version = ?, base_id = ?, space_id = ?, revision_id = ? WHERE id = ?",
        [version, *where, number],
    )
    return int(number)


def fill(
    connection: sqlite3.Connection, card: int, passages: Sequence[Passage], columns: Sequence[tuple[str, ...]]
) -> None:
    """Put the passages, with their terms by column, into an empty card."""
    for passage, terms in zip(passages, columns, strict=True):
        number = connection.execute(
            "INSERT INTO passages (card, position, heading_path, content, terms) VALUES (?, ?, ?, ?, ?)",
            [
                card,
                passage.position,
                json.dumps(passage.heading_path),
                passage.content,
                zlib.compress(_SEPARATOR.join(terms).encode(), 1),
            ],
        ).lastrowid
        connection.execute(_ADD, [number, *terms])
    connection.execute(_FACT, [len(passages), "passages"])


def attach(connection: sqlite3.Connection, card: int, vectors: Mapping[int, tuple[str, bytes]]) -> None:
    """Put digests and vectors beside the passages at those positions that have none."""
    added = 0
    for position, (digest, vector) in vectors.items():
        added += connection.execute(_ADD_VECTOR, [digest, vector, card, position]).rowcount
    connection.execute(_FACT, [added, "vectors"])


def forget(connection: sqlite3.Connection, item_id: str) -> int:
    """Take out the item's card. Returns how many passages went with it."""
    found = connection.execute("SELECT id FROM cards WHERE item_id = ?", [item_id]).fetchone()
    if found is None:
        return 0
    gone = _empty(connection, found[0])
    connection.execute("DELETE FROM cards WHERE id = ?", found)
    connection.execute(_FACT, [1, "unswept"])
    return gone


def _empty(connection: sqlite3.Connection, card: int) -> int:
    held = connection.execute("SELECT id, terms FROM passages WHERE card = ?", [card]).fetchall()
    for number, terms in held:
        connection.execute(_TAKE, [number, *zlib.decompress(terms).decode().split(_SEPARATOR)])
    vectors = connection.execute(_TAKE_VECTORS, [card]).rowcount
    connection.execute("DELETE FROM passages WHERE card = ?", [card])
    connection.execute(_FACT, [-len(held), "passages"])
    connection.execute(_FACT, [-vectors, "vectors"])
    return len(held)
