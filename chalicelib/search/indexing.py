"""Keeping the index in step with the table: one item at a time, as often and in whatever order it is asked."""

from dataclasses import dataclass
from enum import StrEnum

from chalicelib.domain.items import Item, ItemStatus
from chalicelib.search.embedding import card_of, lacking, matched
from chalicelib.search.ports import (
    Card,
    Embedder,
    Embedding,
    EmbeddingMismatch,
    Later,
    RevisionText,
    SearchIndex,
    SearchState,
    SearchStates,
    Shelf,
)


class Indexed(StrEnum):
    """What became of an item in the index."""

    PUT = "put"
    WITHDRAWN = "withdrawn"
    OUTRUN = "outrun"
    """A newer version was there already."""
    ERASED = "erased"


@dataclass(frozen=True, slots=True)
class IndexItem:
    """Makes the index hold of an item what the table says that it should.

    The table's stream tells only *which* item changed: what is indexed is read now, so a late or repeated event
    does no harm, and neither does a worker that was overtaken, since the index refuses older versions.
    """

    shelf: Shelf
    text: RevisionText
    index: SearchIndex
    states: SearchStates
    embedder: Embedder
    later: Later

    def __call__(self, item_id: str) -> Indexed:
        """Index the item as it is now.

        Raises whatever kept it from being indexed, after marking it FAILED; the queue delivers it again.
        """
        item = self.shelf.item(item_id)
        if item is None:
            return self._erased(item_id)
        try:
            done = self._follow(item)
            if done is Indexed.OUTRUN and self.shelf.item(item_id) == item:
                # The index is ahead of a table that was set back (a backup, a machine that lost its last seconds).
                # The table's word counts.
                self.index.erase([item_id])
                done = self._follow(item)
        except Exception:
            if self.shelf.item(item_id) is None:  # its text went while it was read: no failure, but the end
                return self._erased(item_id)
            self.states.mark(item, SearchState.FAILED)
            raise
        # The purge worker deletes records first and index documents after them. Whoever read the item before that
        # and writes it here after that sees now that it is gone, and erases what nobody else would.
        return done if self.shelf.item(item_id) else self._erased(item_id)

    def _follow(self, item: Item) -> Indexed:
        if item.status is not ItemStatus.PUBLISHED:
            if not self.index.withdraw(item.id, item.version):
                return Indexed.OUTRUN
            self.states.mark(item, SearchState.INDEXED)
            return Indexed.WITHDRAWN
        card = card_of(item, self.text(item.id, item.current_revision_id))
        embeddings = self._known(card)
        if not self.index.put(card, embeddings):
            return Indexed.OUTRUN
        self.states.mark(item, SearchState.INDEXED)
        if lacking(embeddings):
            self.later(item.id)
        return Indexed.PUT

    def _known(self, card: Card) -> list[Embedding | None]:
        """Vectors that the index has already of the same texts; none without an embedder."""
        if self.embedder.model is None:
            return []
        try:
            return matched(card, self.index.embeddings(card.item_id))
        except EmbeddingMismatch:
            # Words go in all the same; searches by meaning say what is wrong until the index is made anew.
            return []

    def _erased(self, item_id: str) -> Indexed:
        self.index.erase([item_id])
        return Indexed.ERASED
