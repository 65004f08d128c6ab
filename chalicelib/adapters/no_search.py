"""The search engine that is none, for a deployment without search."""

from collections.abc import Collection

from chalicelib.domain.errors import SearchUnavailable
from chalicelib.search.ports import Candidate, Card, Within


class NoSearch:
    """The port `SearchIndex` that keeps nothing: publishing and reading work, searching says it does not."""

    def lexical(self, query: str, within: Within, limit: int) -> tuple[Candidate, ...]:
        """Raises SearchUnavailable."""
        raise SearchUnavailable

    def put(self, card: Card) -> bool:
        """Raises SearchUnavailable, so that nothing is ever marked as indexed."""
        raise SearchUnavailable

    def withdraw(self, item_id: str, version: int) -> bool:
        """There is nothing to withdraw."""
        return True

    def count(self, item_ids: Collection[str]) -> int:
        """None."""
        return 0

    def erase(self, item_ids: Collection[str]) -> int:
        """None were there."""
        return 0
