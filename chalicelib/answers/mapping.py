"""Keeping topic maps fresh: compiled when what is public in a base has changed, and asked for again only then.

A map is refreshed by whoever looks first after a change. It is stored besides, so that a process that starts does not
compile it anew; what is stored is a copy that may be lost, outdated or damaged without harm.
"""

import json
import zlib
from collections.abc import Mapping
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
        return [self._fresh(each, space_id, changes.get(each, 0)) for each in base_ids]

    def _fresh(self, base_id: str, space_id: str, changes: int) -> BaseMap:
        held = self._maps.get(base_id)
        if held is not None and held.changes == changes:
            return held
        with self._lock:
            lock = self._locks.setdefault(base_id, Lock())
        with lock:
            held = self._maps.get(base_id)
            if held is None or held.changes != changes:
                held = self._refreshed(base_id, space_id, changes, held or self._stored(base_id, space_id))
                self._maps[base_id] = held
            return held

    def _refreshed(self, base_id: str, space_id: str, changes: int, before: BaseMap | None) -> BaseMap:
        if before is not None and before.changes == changes:
            return before
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
                raise MapTooLarge
            after = page.after
            if after is None:
                break
        made = BaseMap(base_id, space_id, changes, items)
        self._keep(made)
        return made

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

    def _keep(self, made: BaseMap) -> None:
        try:
            self._kept.put_map(made.base_id, packed(made))
        except KnownError:
            return  # the next process compiles it anew


def packed(made: BaseMap) -> bytes:
    """A map as it is stored."""
    shape = {"format": FORMAT, "changes": made.changes, "items": [asdict(each) for each in made.items.values()]}
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
    return BaseMap(base_id, space_id, shape["changes"], items)
