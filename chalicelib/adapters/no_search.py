"""The search engine that is none, for a deployment without search."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import Card, Embedding, Held, Legs, Question, SearchIndex, Vector, Within


class NoSearch:
    """The port `SearchIndex` that keeps nothing: publishing and reading work, searching says it does not."""

    def search(self, question: Question, within: Within, limit: int) -> Legs:
        """Both halves fail."""
        return Legs(SearchUnavailable(), SearchUnavailable())

    def put(self, card: Card, embeddings: Sequence[Embedding | None] = ()) -> bool:
        """Raises SearchUnavailable, so that nothing is ever marked as indexed."""
        raise SearchUnavailable

    def embeddings(self, item_id: str) -> Mapping[str, Vector]:
        """None are held."""
        return {}

    def withdraw(self, item_id: str, version: int) -> bool:
        """There is nothing to withdraw."""
        return True

    def count(self, item_ids: Collection[str]) -> int:
        """None."""
        return 0

    def erase(self, item_ids: Collection[str]) -> int:
        """None were there."""
        return 0

    def held(self, item_ids: Collection[str]) -> Mapping[str, Held]:
        """Nothing."""
        return {}

    def known(self) -> Iterator[str]:
        """Nothing."""
        return iter(())

    def misfit(self) -> str:
        """There is nothing to make."""
        return ""

    def beside(self) -> SearchIndex:
        """Raises SearchUnavailable."""
        raise SearchUnavailable

    def take_over(self, new: SearchIndex) -> None:
        """Raises SearchUnavailable."""
        raise SearchUnavailable
