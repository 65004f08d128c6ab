"""The file of the embedded engine: its tables, and one connection per process and thread."""

import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from chalicelib.adapters.sqlite_search.columns import TERM_CHARACTERS, WEIGHTS
from chalicelib.domain.errors import SearchUnavailable

SCHEMA = 2
"""Of the tables *and* of how text becomes terms: change it with either, then the file is to be made anew."""
_PAUSE = 0.01
_APPLICATION = 0x41435256
"""Says whose file it is ("ACRV")."""

_TABLES = f"""
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO facts VALUES
    ('passages', 0), ('counted', 0), ('unswept', 0), ('vectors', 0), ('generation', abs(random()));
CREATE TABLE cards (
    id INTEGER PRIMARY KEY, item_id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
    base_id TEXT, space_id TEXT, revision_id TEXT
);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, card INTEGER NOT NULL, position INTEGER NOT NULL,
    heading_path TEXT NOT NULL, content TEXT NOT NULL, terms BLOB NOT NULL
);
CREATE INDEX passages_of_card ON passages (card);
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT, passage INTEGER NOT NULL UNIQUE, digest TEXT NOT NULL, vector BLOB NOT NULL
);
CREATE TABLE model (
    name TEXT NOT NULL, dimension INTEGER NOT NULL, query_prefix TEXT NOT NULL, passage_prefix TEXT NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5(
    {", ".join(WEIGHTS)}, content='', tokenize="ascii tokenchars '{TERM_CHARACTERS.replace("'", "''")}'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
CREATE TABLE frequent (term TEXT PRIMARY KEY, passages INTEGER NOT NULL) WITHOUT ROWID;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {SCHEMA};
"""  # noqa: S608 - everything in it is written in this package
"""FTS5 keeps no copy of what it indexes; `terms` holds it compressed, because taking a passage out of the index
takes exactly the terms that went in. Numbers of vectors are never used twice, and neither is a generation: by them
processes tell what is new (`vectors.py`)."""


class UnusableFile(Exception):
    """The file is no index of this version; it has to be moved away or deleted, then `reindex` fills a new one."""


FAULTS = (sqlite3.Error, OSError, UnusableFile, zlib.error, ValueError, LookupError, TypeError)
"""What comes of a file that cannot be used. The last four: values that a damaged file makes up."""


@dataclass(slots=True)
class IndexFile:
    """Gives each process and thread its own connection to the file, which is made on first use."""

    path: Path
    wait: float
    """Seconds to wait for another process's write."""
    _own: threading.local = field(default_factory=threading.local)
    _lost: list[sqlite3.Connection] = field(default_factory=list)

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """The connection. Every fault of the file or of SQLite becomes SearchUnavailable."""
        try:
            yield self._connection()
        except FAULTS as fault:
            self.close()
            raise SearchUnavailable from fault

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """The connection in a transaction that writes, committed at the end."""
        with self.open() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.execute("COMMIT")

    @contextmanager
    def raw(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own, whatever the file holds: to overwrite all of it."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=self.wait, isolation_level=None)
            try:
                connection.execute("PRAGMA secure_delete = ON")
                yield connection
            finally:
                connection.close()
        except FAULTS as fault:
            raise SearchUnavailable from fault

    def close(self) -> None:
        """Close this thread's connection; the next use opens one again."""
        held = self._held()
        self._own.held = None
        if held is not None:
            held.close()

    def _held(self) -> sqlite3.Connection | None:
        held: tuple[sqlite3.Connection, tuple[int, int, int]] | None = getattr(self._own, "held", None)
        if held is None or held[1] == self._identity():
            return held[0] if held else None
        # The connection came over a fork, or its file was deleted. In neither case may it be closed: that would
        # remove the log by its name, which others are using.
        self._lost.append(held[0])
        self._own.held = None
        return None

    def _connection(self) -> sqlite3.Connection:
        held = self._held()
        if held is not None:
            return held
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # It holds what people wrote, so nobody else on the machine is to read it; its log gets the same mode.
        self.path.touch(mode=0o600)
        connection = sqlite3.connect(self.path, timeout=self.wait, isolation_level=None)
        try:
            _prepare(connection, self.wait)
            self._own.held = (connection, self._identity())
        except BaseException:
            connection.close()
            raise
        return connection

    def _identity(self) -> tuple[int, int, int]:
        """Tells this process and this file from others."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return os.getpid(), 0, 0
        return os.getpid(), status.st_dev, status.st_ino


def _prepare(connection: sqlite3.Connection, wait: float) -> None:
    # What is deleted is overwritten with noughts (rule K16).
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -16384")
    if _is_ours(connection):
        return
    _log_ahead(connection, wait)
    connection.execute("BEGIN IMMEDIATE")
    if not _is_ours(connection):  # another process may have been faster
        for statement in _TABLES.split(";\n"):
            connection.execute(statement)
    connection.execute("COMMIT")


def _log_ahead(connection: sqlite3.Connection, wait: float) -> None:
    """Write a log ahead of the file from now on. SQLite itself would not wait for who is writing (`SQLITE_BUSY`)."""
    until = time.monotonic() + wait
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the tables are there; False for a new file. Raises UnusableFile."""
    # One statement, so that another process does not make the tables between two looks.
    tables, application, version = connection.execute(
        "SELECT (SELECT count(*) FROM sqlite_schema), application_id, user_version "
        "FROM pragma_application_id, pragma_user_version"
    ).fetchone()
    if tables == version == application == 0:
        return False
    if application != _APPLICATION or version != SCHEMA:
        raise UnusableFile(f"The file has schema {version} of application {application:#x}, not {SCHEMA} of ours.")
    return True
