"""Keeping topic maps fresh: compiled when what is public in a base has changed, and asked for again only then.

A worker compiles and stores the map of a base that live pages draw on, soon after a change (`compiling.py`). Whoever
looks before that refreshes it: what a visitor sees is never stale. What is stored is a copy that may be lost, outdated
or damaged without harm.
"""

import json
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from threading import Lock

from chalicelib.answers.ports import KnowledgeState, MapStore
from chalicelib.answers.topicmap import BaseMap, Mapped, mapped
from chalicelib.domain.errors import KnownError, NotFound
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.knowledge.ports import KnowledgeStore
from chalicelib.search.embedding import card_of
from chalicelib.search.ports import Passage, RevisionText

FORMAT = 1
"""Of what is stored; another one is compiled anew."""
MOST_PASSAGES = 20_000
"""Of one base; beyond that it is for the index alone."""
RECOUNTED = 1000
"""Changes after which a base that had too many passages is looked at again."""
FEW = 3
"""Changes that are compiled sooner than a map is fetched: 15 ms an item, 40 ms a map of a thousand passages."""
_TOGETHER = 100


class MapTooLarge(Exception):
    """The base has more passages than a map is kept of."""


class TopicMaps:
    """The maps of this process. One for any number of threads."""

    def __init__(self, store: KnowledgeStore, text: RevisionText, state: KnowledgeState, kept: MapStore) -> None:
        self._store, self._text, self._state, self._kept = store, text, state, kept
        self._maps: dict[str, BaseMap] = {}
        self._locks: dict[str, Lock] = {}
        self._lock = Lock()

    def of(self, base_ids: tuple[str, ...], space_id: str) -> list[BaseMap]:
        """The maps of these bases as they are now: one read of the table, if nothing changed.

        Raises:
            MapTooLarge: one of them has too many passages.
            KnownError: what it would have to be compiled from cannot be read.
        """
        changes = self._state.changes(base_ids)
        found = [self._fresh(each, space_id, changes.get(each, 0)) for each in base_ids]
        if any(each.too_large for each in found):
            raise MapTooLarge
        return found

    def compile(self, base_id: str, space_id: str, going: Callable[[], bool]) -> int:
        """Have what is stored of a base as new as the table, as long as `going()`; nothing of it is held here.

        In any order and by any number of workers: each looks at the counter again after it has stored a map, so that
        whoever stores last, stores the newest.

        Returns how often it had to be compiled.

        Raises:
            KnownError: what it would have to be compiled from cannot be read, or the map not be stored.
        """
        compiled, stored = 0, self._stored(base_id, space_id)
        while going() and not _holds(stored, changes := self._state.changes([base_id]).get(base_id, 0)):
            stored = self._compiled(base_id, space_id, changes, stored)
            self._kept.put_map(base_id, packed(stored))
            compiled += 1
        return compiled

    def _fresh(self, base_id: str, space_id: str, changes: int) -> BaseMap:
        held = self._maps.get(base_id)
        if held is not None and _holds(held, changes):
            return held
        with self._lock:
            lock = self._locks.setdefault(base_id, Lock())
        with lock:
            held = self._maps.get(base_id)
            if held is None or not _holds(held, changes):
                self._maps[base_id] = held = self._refreshed(base_id, space_id, changes, held)
            return held

    def _refreshed(self, base_id: str, space_id: str, changes: int, held: BaseMap | None) -> BaseMap:
        """While somebody waits: by what is held, what is stored, and at last by compiling."""
        if held is not None and 0 < changes - held.changes <= FEW:
            return self._compiled(base_id, space_id, changes, held)
        stored = self._stored(base_id, space_id)
        if stored is not None and _holds(stored, changes):
            return stored
        newest = max(filter(None, (stored, held)), key=lambda each: each.changes, default=None)
        made = self._compiled(base_id, space_id, changes, newest)
        # If it cannot be stored, the next process compiles it anew.
        with suppress(KnownError):
            self._kept.put_map(base_id, packed(made))
        return made

    def _compiled(self, base_id: str, space_id: str, changes: int, before: BaseMap | None) -> BaseMap:
        """The map as the table is now, `changes` being counted before; of a base that is too large, an empty one."""
        known = before.items if before else {}
        items: list[Mapped] = []
        passages, after = 0, None
        while True:
            page = self._store.items(base_id, after, _TOGETHER)
            for item in page.entries:
                if item.status is ItemStatus.PUBLISHED and (found := self._mapped(item, known)) is not None:
                    items.append(found)
                    passages += len(found.passages)
            if passages > MOST_PASSAGES:
                return BaseMap(base_id, space_id, changes, (), too_large=True)
            after = page.after
            if after is None:
                return BaseMap(base_id, space_id, changes, items)

    def _mapped(self, item: Item, known: Mapping[str, Mapped]) -> Mapped | None:
        found = known.get(item.id)
        if found is not None and found.version == item.version:
            return found
        try:
            return mapped(card_of(item, self._text(item.id, item.current_revision_id)))
        except NotFound:  # it is being deleted
            return None

    def _stored(self, base_id: str, space_id: str) -> BaseMap | None:
        try:
            return unpacked(self._kept.map(base_id), base_id, space_id)
        except (KnownError, ValueError, LookupError, TypeError, zlib.error):
            return None


def _holds(found: BaseMap | None, changes: int) -> bool:
    """Whether a map is still right after so many changes; that a base is too large is believed for a while."""
    if found is None:
        return False
    return found.changes == changes or (found.too_large and 0 <= changes - found.changes < RECOUNTED)


def packed(made: BaseMap) -> bytes:
    """A map as it is stored."""
    shape = {
        "format": FORMAT,
        "changes": made.changes,
        "too_large": made.too_large,
        "items": [asdict(each) for each in made.items.values()],
    }
    return zlib.compress(json.dumps(shape, ensure_ascii=False, separators=(",", ":")).encode(), 1)


def unpacked(content: bytes, base_id: str, space_id: str) -> BaseMap | None:
    """The map that was packed; None for one of another format."""
    shape = json.loads(zlib.decompress(content))
    if shape["format"] != FORMAT:
        return None
    items = (
        Mapped(
            each["item_id"],
            each["version"],
            each["revision_id"],
            tuple(Passage(one["position"], tuple(one["heading_path"]), one["content"]) for one in each["passages"]),
            tuple(each["counts"]),
        )
        for each in shape["items"]
    )
    return BaseMap(base_id, space_id, shape["changes"], items, too_large=shape["too_large"])
