"""Making memory's index anew from the table."""

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import batched

from chalicelib.domain.time import Clock
from chalicelib.memory.ports import MemoryIndex, MemoryStore
from chalicelib.memory.records import IndexMemory

_MARGIN = timedelta(minutes=5)
"""Clocks may differ by so much, and a worker be so slow."""

_TOGETHER = 100
"""Records that are looked up at a time."""


@dataclass(frozen=True, slots=True)
class ReindexMemory:
    """Makes a new index beside the old one, which goes on answering until the new one takes over."""

    store: MemoryStore
    index: MemoryIndex
    index_memory: IndexMemory
    clock: Clock

    def reason(self) -> str:
        """Why it has to be done; empty if it has not. Raises SearchUnavailable."""
        return self.index.misfit()

    def __call__(self) -> int:
        """Fill a new index from the table, let it take over, and index what changed meanwhile.

        Returns how many records there are. Raises SearchUnavailable if the engine does not answer; the old index stays.
        """
        since = self.clock.now() - _MARGIN
        new = self.index.beside()
        into = replace(self.index_memory, index=new)
        records = 0
        for each in self.store.everything():
            into(each.id)
            records += 1
        self.index.take_over(new)
        for each in self.store.everything():
            if each.updated_at >= since:
                self.index_memory(each.id)
        self._forget_deleted()
        return records

    def _forget_deleted(self) -> None:
        for names in batched(self.index.known(), _TOGETHER):
            gone = set(names) - self.store.memories(names).keys()
            if gone:
                self.index.erase(gone)
