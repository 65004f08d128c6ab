"""Vectors of passages: what is embedded, what is known already, and making the rest (rule S11).

Words are indexed first and can be found at once; vectors follow, made by another worker that may take its time.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import batched

from chalicelib.domain.items import Item, ItemStatus
from chalicelib.search.passages import passages
from chalicelib.search.ports import (
    Card,
    Embedder,
    Embedding,
    EmbeddingModel,
    EmbeddingsUnavailable,
    Later,
    Passage,
    RevisionText,
    SearchIndex,
    Shelf,
    Vector,
)

_BLANK = (Passage(position=0, heading_path=(), content=""),)
"""An item without text is found by its title."""
_TOGETHER = 16
"""Passages between two looks at the clock."""
_REMEMBERED = 512
"""Queries whose vectors a process remembers."""


def card_of(item: Item, text: str) -> Card:
    """What the index is to keep of a published item with this text."""
    return Card(
        item_id=item.id,
        base_id=item.base_id,
        space_id=item.space_id,
        revision_id=item.current_revision_id,
        version=item.version,
        title=item.title,
        locator=item.locator,
        passages=passages(text) or _BLANK,
    )


def embedded_texts(card: Card) -> list[str]:
    """What is embedded of each passage: where it stands, and what it says."""
    return ["\n".join([card.title, *each.heading_path, each.content]) for each in card.passages]


def digest(text: str) -> str:
    """Tells texts apart: half of their SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def matched(card: Card, known: Mapping[str, Vector]) -> list[Embedding | None]:
    """For each passage its vector, or None where none is known."""
    digests = map(digest, embedded_texts(card))
    return [Embedding(each, known[each]) if each in known else None for each in digests]


def unit(vector: Sequence[float], model: EmbeddingModel) -> Vector:
    """The vector at length 1. Raises EmbeddingsUnavailable if it is none of the model's."""
    length = math.hypot(*vector)
    if len(vector) != model.dimension or not math.isfinite(length) or length == 0:
        message = f"{model.name} gave {len(vector)} numbers of length {length}, not {model.dimension} of any other."
        raise EmbeddingsUnavailable(message)
    return [each / length for each in vector]


class Remembering:
    """The port `Embedder` over another one, which is asked for the vector of the same query only once."""

    def __init__(self, embedder: Embedder) -> None:
        self.model = embedder.model
        self.passages = embedder.passages
        self._query = lru_cache(_REMEMBERED)(embedder.query)

    def query(self, text: str) -> Vector:
        """The vector of what somebody looks for. Raises EmbeddingsUnavailable, which is not remembered."""
        return self._query(text)


class Embedded(StrEnum):
    """What became of the vectors of an item."""

    DONE = "done"
    PARTLY = "partly"
    """Time was over; the rest follows."""
    NOTHING = "nothing"
    """There is nothing to embed."""


@dataclass(frozen=True, slots=True)
class EmbedItem:
    """Gives an item's passages the vectors that they lack, as often and in whatever order it is asked."""

    shelf: Shelf
    text: RevisionText
    index: SearchIndex
    embedder: Embedder
    later: Later

    def __call__(self, item_id: str, going: Callable[[], bool] = lambda: True) -> Embedded:
        """Embed as long as `going()`; what is made is kept, and the rest asked for again.

        Raises:
            EmbeddingsUnavailable: the embedder does not answer, or the index holds vectors of another model.
            SearchUnavailable: the engine does not answer.
        """
        item = self.shelf.item(item_id)
        if item is None or item.status is not ItemStatus.PUBLISHED or self.embedder.model is None:
            return Embedded.NOTHING
        card = card_of(item, self.text(item.id, item.current_revision_id))
        known = dict(self.index.embeddings(item_id))
        missing = {digest(text): text for text in embedded_texts(card)}
        missing = {each: text for each, text in missing.items() if each not in known}
        try:
            done = self._embed(missing, known, going)
        finally:
            if missing and self.shelf.item(item_id) is not None:
                self.index.put(card, matched(card, known))
                if self.shelf.item(item_id) is None:  # deleted this very moment: nobody else would erase it
                    self.index.erase([item_id])
        if not done:
            self.later(item_id)
        return Embedded.DONE if done else Embedded.PARTLY

    def _embed(self, missing: Mapping[str, str], known: dict[str, Vector], going: Callable[[], bool]) -> bool:
        """Make vectors, and note them as known. Returns whether all are made."""
        for some in batched(missing.items(), _TOGETHER):
            if not going():
                return False
            vectors = self.embedder.passages([text for _, text in some])
            known.update(zip((each for each, _ in some), vectors, strict=True))
        return True


def lacking(embeddings: Iterable[Embedding | None]) -> bool:
    """Whether some passage has no vector."""
    return any(each is None for each in embeddings)
