"""Making the index anew from the table, and mending what is not as the table has it (rule S11)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import batched, chain

from chalicelib.domain.errors import NotFound, SearchUnavailable
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.time import Clock
from chalicelib.search.embedding import card_of, digest, embedded_texts, matched
from chalicelib.search.indexing import IndexItem
from chalicelib.search.ports import (
    Catalogue,
    Embedder,
    EmbeddingMismatch,
    Held,
    Later,
    RevisionText,
    SearchIndex,
    Vector,
)

_TOGETHER = 100
"""Items that are compared at a time."""
_MARGIN = timedelta(minutes=5)
"""Clocks may differ by so much, and a worker be so slow."""
_UNDERWAY = timedelta(minutes=1)
"""An item that changed so recently is still on its way to the index."""


@dataclass(slots=True)
class Drift:
    """Where index and table differ: ids of items."""

    missing: list[str] = field(default_factory=list)
    """Published, and not in the index."""
    outdated: list[str] = field(default_factory=list)
    """In the index at another version than in the table."""
    shown: list[str] = field(default_factory=list)
    """In the index, and not published."""
    leftover: list[str] = field(default_factory=list)
    """In the index, and deleted."""
    unembedded: list[str] = field(default_factory=list)
    """Without all their vectors."""
    compared: int = 0
    """Items that were looked at."""
    finished: bool = True
    """Whether all were."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many items there are of each kind."""
        return {
            "missing": len(self.missing),
            "outdated": len(self.outdated),
            "shown": len(self.shown),
            "leftover": len(self.leftover),
            "unembedded": len(self.unembedded),
        }


@dataclass(frozen=True, slots=True)
class Reconcile:
    """Compares the index with the table, and mends the index."""

    catalogue: Catalogue
    index: SearchIndex
    index_item: IndexItem
    embedder: Embedder
    later: Later
    clock: Clock

    def __call__(self, going: Callable[[], bool] = lambda: True, *, repair: bool = True) -> Drift:
        """Look at every item as long as `going()`. Returns what was found, before it was mended.

        Raises SearchUnavailable if the engine does not answer.
        """
        drift = Drift()
        changed_before = self.clock.now() - _UNDERWAY
        for some in batched(self.catalogue.everything(), _TOGETHER):
            if not going():
                drift.finished = False
                return drift
            settled = [each for each in some if each.updated_at <= changed_before]
            held = self.index.held([each.id for each in settled])
            for each in settled:
                self._note(drift, each, held.get(each.id))
        for names in batched(self.index.known(), _TOGETHER):
            drift.leftover += sorted(set(names) - self.catalogue.existing(names))
        if repair:
            self._repair(drift)
        return drift

    def _note(self, drift: Drift, item: Item, held: Held | None) -> None:
        drift.compared += 1
        if item.status is not ItemStatus.PUBLISHED:
            if held is not None and held.passages:
                drift.shown.append(item.id)
        elif held is None or not held.passages:
            drift.missing.append(item.id)
        elif held.version != item.version:
            drift.outdated.append(item.id)
        elif self.embedder.model is not None and held.embedded < held.passages:
            drift.unembedded.append(item.id)

    def _repair(self, drift: Drift) -> None:
        for item_id in chain(drift.missing, drift.outdated, drift.shown):
            self.index_item(item_id)
        for item_id in drift.unembedded:
            self.later(item_id)
        if drift.leftover:
            self.index.erase(drift.leftover)


@dataclass(slots=True)
class Progress:
    """How far a new index is."""

    items: int = 0
    passages: int = 0
    embedded: int = 0
    """Passages that had to be embedded; for the others there was a vector."""


@dataclass(frozen=True, slots=True)
class Reindex:
    """Makes a new index beside the old one, which goes on answering until the new one takes over."""

    catalogue: Catalogue
    text: RevisionText
    index: SearchIndex
    index_item: IndexItem
    embedder: Embedder
    clock: Clock

    def reason(self) -> str:
        """Why it has to be done; empty if it has not. Raises SearchUnavailable."""
        return self.index.misfit()

    def __call__(self, tell: Callable[[Progress], None] = lambda _: None) -> Progress:
        """Fill a new index from the table, let it take over, and index what changed meanwhile.

        Vectors of the same model are taken over, others are made. `tell` is called after each item.

        Raises:
            SearchUnavailable: the engine does not answer; the old index stays.
            EmbeddingsUnavailable: the embedder does not answer; the old index stays.
        """
        begun = self.clock.now()
        new = self.index.beside()
        progress = Progress()
        for item in self.catalogue.everything():
            self._put(new, item, progress)
            tell(progress)
        self.index.take_over(new)
        for item in self._changed(begun - _MARGIN):
            self.index_item(item.id)
        return progress

    def _changed(self, since: datetime) -> Iterator[Item]:
        yield from (each for each in self.catalogue.everything() if each.updated_at >= since)

    def _put(self, new: SearchIndex, item: Item, progress: Progress) -> None:
        if item.status is not ItemStatus.PUBLISHED:
            new.withdraw(item.id, item.version)
            return
        try:
            card = card_of(item, self.text(item.id, item.current_revision_id))
        except NotFound:  # deleted meanwhile
            return
        known = self._known(item.id)
        if self.embedder.model is not None:
            progress.embedded += self._embed(embedded_texts(card), known)
        new.put(card, matched(card, known) if known else ())
        progress.items += 1
        progress.passages += len(card.passages)

    def _known(self, item_id: str) -> dict[str, Vector]:
        """Vectors of the old index, if they and it can be used at all."""
        try:
            return dict(self.index.embeddings(item_id)) if self.embedder.model else {}
        except (EmbeddingMismatch, SearchUnavailable):
            return {}

    def _embed(self, texts: Sequence[str], known: dict[str, Vector]) -> int:
        """Make the vectors that are not known. Returns how many."""
        missing = {name: text for text in texts if (name := digest(text)) not in known}
        if missing:
            known.update(zip(missing, self.embedder.passages(list(missing.values())), strict=True))
        return len(missing)
