"""The port `SearchIndex` on the embedded file."""

import json
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import batched
from pathlib import Path
from typing import Any

from chalicelib.adapters.sqlite_search import vectors as nearness
from chalicelib.adapters.sqlite_search import words
from chalicelib.adapters.sqlite_search.columns import rows
from chalicelib.adapters.sqlite_search.file import FAULTS, IndexFile, UnusableFile
from chalicelib.adapters.sqlite_search.upkeep import sweep, tidy
from chalicelib.adapters.sqlite_search.writing import attach, claim, fill, forget
from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import (
    Candidate,
    Card,
    Embedding,
    EmbeddingModel,
    EmbeddingsUnavailable,
    Held,
    Leg,
    Legs,
    Outcome,
    Passage,
    Question,
    SearchIndex,
    Vector,
    Within,
)
from chalicelib.search.query import parse

_SHOWN = """
SELECT passages.id, cards.item_id, cards.base_id, cards.space_id, cards.revision_id,
       passages.position, passages.heading_path, passages.content, vectors.id IS NOT NULL
FROM passages JOIN cards ON cards.id = passages.card LEFT JOIN vectors ON vectors.passage = passages.id
WHERE passages.id IN (SELECT value FROM json_each(?))
"""
_COUNT = """
SELECT count(*) FROM passages JOIN cards ON cards.id = passages.card
WHERE cards.item_id IN (SELECT value FROM json_each(?))
"""
_HELD = """
SELECT cards.item_id, cards.version, count(passages.id), count(vectors.id) FROM cards
LEFT JOIN passages ON passages.card = cards.id LEFT JOIN vectors ON vectors.passage = passages.id
WHERE cards.item_id IN (SELECT value FROM json_each(?)) GROUP BY cards.id
"""
_VECTORS = """
SELECT passages.position, vectors.digest, vectors.vector FROM cards
JOIN passages ON passages.card = cards.id JOIN vectors ON vectors.passage = passages.id WHERE cards.item_id = ?
"""
_SAME = """
SELECT cards.id FROM cards WHERE item_id = ? AND version = ? AND base_id = ? AND space_id = ? AND revision_id = ?
AND ? = (SELECT count(*) FROM passages WHERE card = cards.id)
"""
_TOGETHER = 100
"""Items erased in one transaction."""
_INSTRUCTIONS = 200
"""Of SQLite's machine, between two looks at the clock: some dozens of passages."""


class SqliteIndex:
    """Keeps cards in one file, which is made when it is first needed.

    All spaces share one full-text table: the query itself names the spaces it may look into (rule S9), so no text of
    others leaves the file, and all that they have in common is how frequent a word is.
    Any number of processes and threads may use the same file at once: readers never wait, a writer waits at most
    `wait` seconds for another. Half a search takes at most `budget_s`. Raises SearchUnavailable where the file cannot
    be read or written, is damaged or was made by another version; the cause says which.
    """

    def __init__(
        self, path: Path, wait: float = 10.0, model: EmbeddingModel | None = None, budget_s: float = 1.5
    ) -> None:
        self._file = IndexFile(path, wait)
        self._model = model
        self._budget_s = budget_s
        self._vectors = nearness.Vectors(model)

    def close(self) -> None:
        """Close this thread's connection."""
        self._file.close()

    def search(self, question: Question, within: Within, limit: int) -> Legs:
        """The best passages for the words and for the vector, best first."""
        if not within.spaces:
            return Legs()
        try:
            with self._file.open() as connection:
                legs = self._legs(connection, question, within, limit)
        except SearchUnavailable as fault:
            return Legs(Leg() if question.words is None else fault, Leg() if question.vector is None else fault)
        if isinstance(legs.lexical, SearchUnavailable) or isinstance(legs.semantic, SearchUnavailable):
            self._file.close()  # it may be the file; the next search opens it again
        return legs

    def _legs(self, connection: sqlite3.Connection, question: Question, within: Within, limit: int) -> Legs:
        """Both halves, of one state of the file.

        SQLite and numpy let other threads run, so that both take about as long as the longer one.
        """
        text, vector = question.words, question.vector
        lexical: Outcome = Leg()
        semantic: Outcome = Leg()
        with ThreadPoolExecutor(max_workers=1) as beside, _one_state(connection):
            looking = (
                None
                if vector is None
                else self._half(
                    connection, lambda: beside.submit(self._vectors.search(connection, vector, within, limit))
                )
            )
            if text is not None:
                lexical = self._half(connection, lambda: _by_words(connection, text, within, limit))
            if isinstance(looking, Future):
                semantic = self._half(connection, lambda: Leg(_candidates(connection, looking.result())[:limit], 1.0))
            elif looking is not None:
                semantic = looking
        return Legs(lexical, semantic)

    def _half[T](
        self, connection: sqlite3.Connection, work: Callable[[], T]
    ) -> T | SearchUnavailable | EmbeddingsUnavailable:
        """What the work gives, which may take as long as half a search; or the fault that it met."""
        until = time.monotonic() + self._budget_s
        connection.set_progress_handler(lambda: time.monotonic() > until, _INSTRUCTIONS)
        try:
            return work()
        except EmbeddingsUnavailable as fault:
            return fault
        except FAULTS as cause:
            unavailable = SearchUnavailable()
            unavailable.__cause__ = cause
            return unavailable
        finally:
            connection.set_progress_handler(None, 0)

    def put(self, card: Card, embeddings: Sequence[Embedding | None] = ()) -> bool:
        """Keep the card instead of what is there of the item; False if a newer version is there already."""
        given = {
            position: (each.digest, nearness.packed(each.vector))
            for position, each in enumerate(embeddings)
            if each is not None
        }
        if given and self._added(card, given):
            return True
        columns = list(rows(card))  # the slow part, before anybody has to wait
        where = (card.base_id, card.space_id, card.revision_id)
        with self._file.write() as connection:
            same = connection.execute(_SAME, _identity(card)).fetchone()
            kept = {} if same is None else {row[0]: row[1:] for row in connection.execute(_VECTORS, [card.item_id])}
            number = claim(connection, card.item_id, card.version, where)
            if number is None:
                return False
            fill(connection, number, card.passages, columns)
            self._attach(connection, number, {**kept, **given})
        with suppress(SearchUnavailable), self._file.open() as connection:  # the next one makes up for it
            tidy(connection)
        return True

    def _added(self, card: Card, vectors: Mapping[int, tuple[str, bytes]]) -> bool:
        """Put vectors beside the passages, if those are there already; else nothing."""
        with self._file.write() as connection:
            same = connection.execute(_SAME, _identity(card)).fetchone()
            if same is not None:
                self._attach(connection, same[0], vectors)
            return same is not None

    def _attach(self, connection: sqlite3.Connection, card: int, vectors: Mapping[int, tuple[str, bytes]]) -> None:
        if vectors:
            nearness.claim(connection, self._model)
            attach(connection, card, vectors)

    def embeddings(self, item_id: str) -> Mapping[str, Vector]:
        """The vectors that are held of the item, by digest. Raises EmbeddingMismatch."""
        with self._file.open() as connection:
            nearness.demand(connection, self._model)
            return {row[1]: nearness.unpacked(row[2]) for row in connection.execute(_VECTORS, [item_id])}

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

    def held(self, item_ids: Collection[str]) -> Mapping[str, Held]:
        """What is held of the items, by item id."""
        with self._file.open() as connection:
            found = connection.execute(_HELD, [json.dumps(list(item_ids))])
            return {item_id: Held(*numbers) for item_id, *numbers in found}

    def known(self) -> Iterator[str]:
        """The id of every item that it holds anything of."""
        last = 0
        while True:
            with self._file.open() as connection:
                found = connection.execute(
                    "SELECT id, item_id FROM cards WHERE id > ? ORDER BY id LIMIT 1000", [last]
                ).fetchall()
            if not found:
                return
            yield from (item_id for _, item_id in found)
            last = found[-1][0]

    def misfit(self) -> str:
        """Why the file has to be made anew; empty if it has not."""
        try:
            with self._file.open() as connection:
                if self._model is not None:
                    nearness.demand(connection, self._model)
        except EmbeddingsUnavailable as fault:
            return str(fault)
        except SearchUnavailable as fault:
            if isinstance(fault.__cause__, UnusableFile):
                return str(fault.__cause__)
            raise
        return ""

    def beside(self) -> "SqliteIndex":
        """A new, empty file beside this one."""
        path = self._file.path.with_name(f"{self._file.path.name}.next")
        _remove(path)
        return SqliteIndex(path, self._file.wait, self._model, self._budget_s)

    def take_over(self, new: SearchIndex) -> None:
        """Overwrite this file with the new one, in one transaction that other processes see as a whole."""
        if not isinstance(new, SqliteIndex):
            raise TypeError("Only an index that `beside` gave can be taken over.")
        with new._file.open() as source, self._file.raw() as target:  # noqa: SLF001 - its own kind
            source.backup(target)
        new.close()
        _remove(new._file.path)  # noqa: SLF001 - as above


@contextmanager
def _one_state(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that sees one state of the file, whatever others write meanwhile."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.rollback()


def _by_words(connection: sqlite3.Connection, text: str, within: Within, limit: int) -> Leg:
    asked = parse(text)
    if not asked.terms:
        return Leg()
    found, expected = words.search(connection, asked, within, limit)
    return Leg(_candidates(connection, found), expected)


def _identity(card: Card) -> list[object]:
    return [card.item_id, card.version, card.base_id, card.space_id, card.revision_id, len(card.passages)]


def _candidates(connection: sqlite3.Connection, found: Sequence[tuple[int, float]]) -> tuple[Candidate, ...]:
    """The passages of these numbers with their scores, in order; what is gone is left out."""
    rows_: dict[int, tuple[Any, ...]] = {
        row[0]: row[1:] for row in connection.execute(_SHOWN, [json.dumps([number for number, _ in found])])
    }
    return tuple(_candidate(rows_[number], score) for number, score in found if number in rows_)


def _candidate(row: tuple[Any, ...], score: float) -> Candidate:
    item_id, base_id, space_id, revision_id, position, path, content, embedded = row
    passage = Passage(position, tuple(json.loads(path)), content)
    return Candidate(item_id, base_id, space_id, revision_id, passage, score, bool(embedded))


def _remove(path: Path) -> None:
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
