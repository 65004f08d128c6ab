"""The nearest of all vectors by exact cosine, from a copy in memory that follows the file.

Reading a hundred thousand vectors takes a third of a second, comparing them a hundredth: so each process keeps what
it has read, and a search reads only what came since. numpy is not shipped to Lambda, where this engine makes no sense.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from chalicelib.search.ports import EmbeddingMismatch, EmbeddingModel, EmbeddingsUnavailable, Vector, Within

if TYPE_CHECKING:
    import numpy as np

_DEAD = 1024
"""Vectors that are kept although they are gone from the file, before it is read anew; or a quarter of all."""
_NEW = """
SELECT vectors.id, vectors.passage, vectors.vector, cards.space_id, cards.base_id, cards.item_id
FROM vectors JOIN passages ON passages.id = vectors.passage JOIN cards ON cards.id = passages.card
WHERE vectors.id > ? ORDER BY vectors.id
"""


def demand(connection: sqlite3.Connection, model: EmbeddingModel | None) -> None:
    """Raises EmbeddingMismatch if there are vectors, and of another model."""
    found = _model(connection)
    if found is not None and found != model:
        raise EmbeddingMismatch(f"The index holds vectors of {found}, and the embedder is {model}.")


def claim(connection: sqlite3.Connection, model: EmbeddingModel | None) -> None:
    """Note that vectors of the model come in, which are the first or of the same model. Raises EmbeddingMismatch."""
    demand(connection, model)
    if model is None:
        raise EmbeddingMismatch("The index was opened for no model.")
    if _model(connection) is None:
        values = [model.name, model.dimension, model.query_prefix, model.passage_prefix]
        connection.execute("INSERT INTO model VALUES (?, ?, ?, ?)", values)


def packed(vector: Vector) -> bytes:
    """The bytes of a vector."""
    import numpy as np

    return np.asarray(vector, dtype="<f4").tobytes()


def unpacked(blob: bytes) -> list[float]:
    """The vector of the bytes."""
    import numpy as np

    return [float(each) for each in np.frombuffer(blob, dtype="<f4")]


def _model(connection: sqlite3.Connection) -> EmbeddingModel | None:
    found = connection.execute("SELECT name, dimension, query_prefix, passage_prefix FROM model").fetchone()
    return None if found is None else EmbeddingModel(*found)


@dataclass(slots=True)
class Codes:
    """Numbers for names."""

    known: dict[str, int] = field(default_factory=dict)

    def of(self, name: str) -> int:
        """The number of a name, which it keeps."""
        return self.known.setdefault(name, len(self.known))

    def those(self, names: Sequence[str] | frozenset[str]) -> list[int]:
        """The numbers of those names that have one."""
        return [self.known[each] for each in names if each in self.known]


@dataclass(slots=True)
class _Copy:
    """The vectors of one generation of a file, as far as they have been read."""

    generation: int
    dimension: int
    last: int = 0
    size: int = 0
    names: Codes = field(default_factory=Codes)
    matrix: Any = None
    """Rows of vectors; more than `size`, to grow into."""
    marks: Any = None
    """For each row: passage, space, base and item."""

    def add(self, rows: Sequence[tuple[int, int, bytes, str, str, str]]) -> None:
        import numpy as np

        if not rows:
            return
        self._make_room(len(rows))
        code = self.names.of
        end = self.size + len(rows)
        vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype="<f4").reshape(len(rows), -1)
        self.matrix[self.size : end] = vectors
        self.marks[self.size : end] = [(row[1], code(row[3]), code(row[4]), code(row[5])) for row in rows]
        self.size, self.last = end, rows[-1][0]

    def _make_room(self, more: int) -> None:
        import numpy as np

        needed = self.size + more
        room = 0 if self.matrix is None else len(self.matrix)
        if needed <= room:
            return
        room = max(needed, room * 3 // 2)
        matrix, marks = np.empty((room, self.dimension), dtype="<f4"), np.empty((room, 4), dtype=np.int64)
        if self.size:
            matrix[: self.size], marks[: self.size] = self.matrix[: self.size], self.marks[: self.size]
        self.matrix, self.marks = matrix, marks


@dataclass(frozen=True, slots=True)
class _View:
    """What one search looks at."""

    matrix: Any
    marks: Any
    names: Codes

    def nearest(self, vector: Any, within: Within, limit: int) -> list[tuple[int, float]]:  # noqa: ANN401 - of numpy
        """Passages and their cosines, nearest first."""
        import numpy as np

        chosen = self._chosen(within)
        if not len(chosen):
            return []
        everything = len(chosen) == len(self.matrix)
        # In this thread alone, and twice as fast as `@`: the threads of that wait for more by spinning, for longer
        # than all of it takes, on the core on which SQLite looks for the words.
        cosines = np.vecdot(self.matrix if everything else self.matrix[chosen], vector)
        best = _best(cosines, limit)
        passages = self.marks[chosen[best], 0]
        return [(int(passage), float(cosine)) for passage, cosine in zip(passages, cosines[best], strict=True)]

    def _chosen(self, within: Within) -> "np.ndarray[Any, Any]":
        """The rows that may be looked at."""
        import numpy as np

        allowed = np.isin(self.marks[:, 1], self.names.those(within.spaces))
        if within.base_id is not None:
            allowed &= np.isin(self.marks[:, 2], self.names.those([within.base_id]))
        if within.only:
            named = self.names.those(within.only)
            allowed &= np.isin(self.marks[:, 2], named) | np.isin(self.marks[:, 3], named)
        hidden = self.names.those(within.without)
        if hidden:
            allowed &= ~(np.isin(self.marks[:, 2], hidden) | np.isin(self.marks[:, 3], hidden))
        return np.flatnonzero(allowed)


class Vectors:
    """Finds the nearest vectors of a file. One for any number of threads."""

    def __init__(self, model: EmbeddingModel | None) -> None:
        self._model = model
        self._lock = Lock()
        self._copy: _Copy | None = None

    def search(
        self, connection: sqlite3.Connection, vector: Vector, within: Within, limit: int
    ) -> Callable[[], list[tuple[int, float]]]:
        """Note what there is to look at, for which it takes the connection, in a transaction.

        What it returns looks, without the connection and in any thread, and gives passages and their cosines, nearest
        first: at least `limit` that are there still, if there are as many. Raises EmbeddingsUnavailable.
        """
        demand(connection, self._model)
        try:
            import numpy as np
        except ModuleNotFoundError:  # pragma: no cover - a laptop without its environment
            raise EmbeddingsUnavailable("numpy is not installed.") from None

        with self._lock:
            copy, dead = self._follow(connection)
            # Others may add rows behind these meanwhile, or make new arrays: these stay as they are.
            view = None if copy is None else _View(copy.matrix[: copy.size], copy.marks[: copy.size], copy.names)
        return lambda: [] if view is None else view.nearest(np.asarray(vector, dtype="<f4"), within, limit + dead)

    def _follow(self, connection: sqlite3.Connection) -> tuple[_Copy | None, int]:
        """The copy, up to date, and how many vectors in it are gone from the file."""
        facts = dict(connection.execute("SELECT name, value FROM facts"))
        live, generation = facts["vectors"], facts["generation"]
        if not live or self._model is None:
            self._copy = None
            return None, 0
        copy = self._copy
        if copy is None or copy.generation != generation:
            copy = _Copy(generation, self._model.dimension)
        copy.add(connection.execute(_NEW, [copy.last]).fetchall())
        dead = max(0, copy.size - live)
        if dead > max(_DEAD, live // 4):
            copy = _Copy(generation, self._model.dimension)
            copy.add(connection.execute(_NEW, [0]).fetchall())
            dead = 0
        self._copy = copy
        return copy, dead


def _best(cosines: "np.ndarray[Any, Any]", limit: int) -> "np.ndarray[Any, Any]":
    """Where the highest are, highest first; of equal ones the first."""
    import numpy as np

    if limit < len(cosines):
        few = np.argpartition(-cosines, limit - 1)[:limit]
        few.sort()
    else:
        few = np.arange(len(cosines))
    return few[np.argsort(-cosines[few], kind="stable")]
