"""What is asked of a search; lengths and limits are checked at the doors."""

from dataclasses import dataclass
from enum import StrEnum


class Mode(StrEnum):
    """How results are ranked."""

    HYBRID = "hybrid"
    RRF = "rrf"
    SEMANTIC = "semantic"
    LEXICAL = "lexical"


class GroupBy(StrEnum):
    """What counts as one result."""

    ITEM = "item"
    PASSAGE = "passage"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query, how it is to be ranked, and where it looks."""

    query: str
    mode: Mode = Mode.HYBRID
    alpha: float = 0.5
    """Of `hybrid`, 0 to 1: near 1 favours exact words, near 0 favours meaning."""
    rrf_k: int = 60
    max_results: int = 10
    base_id: str | None = None
    space_id: str | None = None
    group_by: GroupBy = GroupBy.ITEM

    @property
    def by_words(self) -> bool:
        """Whether words count at all."""
        return self.mode is not Mode.SEMANTIC and not (self.mode is Mode.HYBRID and self.alpha == 0)

    @property
    def by_meaning(self) -> bool:
        """Whether meaning counts at all."""
        return self.mode is not Mode.LEXICAL and not (self.mode is Mode.HYBRID and self.alpha == 1)
