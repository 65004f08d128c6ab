"""The embedder that is none: search is by words, and says so where meaning was asked for (rule S4)."""

from collections.abc import Sequence

from chalicelib.search.ports import EmbeddingsUnavailable, Vector


class NoEmbeddings:
    """The port `Embedder` that makes no vectors."""

    model = None

    def query(self, text: str) -> Vector:
        """Raises EmbeddingsUnavailable."""
        raise EmbeddingsUnavailable("No embedder is configured.")

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Raises EmbeddingsUnavailable."""
        raise EmbeddingsUnavailable("No embedder is configured.")
