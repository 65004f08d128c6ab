"""Topic maps: fresh, shared between processes, and harmless when damaged."""

import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chalicelib.answers import mapping
from chalicelib.answers.mapping import TopicMaps, packed, unpacked
from chalicelib.answers.retrieval import MAP_UNAVAILABLE
from chalicelib.domain.errors import StoreBusy
from tests.fakes.pages import MemoryMaps
from tests.unit.answers.shelf import Shelf

pytestmark = pytest.mark.promise("N3")


class Counting:
    """Texts of revisions, counted as they are read."""

    def __init__(self, text: Any) -> None:
        self.text, self.read = text, 0

    def __call__(self, item_id: str, revision_id: str) -> str:
        self.read += 1
        return str(self.text(item_id, revision_id))


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def texts(shelf: Shelf) -> Counting:
    return Counting(shelf.text)


def maps(shelf: Shelf, texts: Counting, kept: MemoryMaps | None = None) -> TopicMaps:
    return TopicMaps(shelf.shelves, texts, shelf.state, kept or shelf.kept)


def test_only_what_changed_is_compiled_anew(shelf: Shelf, texts: Counting) -> None:
    one, _ = shelf.item("One pool."), shelf.item("Two pools.")
    held = maps(shelf, texts)
    (first,) = held.of((shelf.base.id,), shelf.base.space_id)
    assert texts.read == 2
    assert held.of((shelf.base.id,), shelf.base.space_id) == [first]
    assert texts.read == 2
    shelf.edit(one, "One pool, warm.\n")
    (second,) = held.of((shelf.base.id,), shelf.base.space_id)
    assert texts.read == 3
    assert set(second.items) == set(first.items)


def test_a_process_that_starts_takes_what_is_stored(shelf: Shelf, texts: Counting) -> None:
    shelf.item("One pool.")
    (first,) = maps(shelf, texts).of((shelf.base.id,), shelf.base.space_id)
    (second,) = maps(shelf, texts).of((shelf.base.id,), shelf.base.space_id)
    assert texts.read == 1
    assert (second.items, second.changes, second.postings) == (first.items, first.changes, first.postings)
    shelf.item("Two pools.")
    maps(shelf, texts).of((shelf.base.id,), shelf.base.space_id)
    assert texts.read == 2


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"rubbish",
        zlib.compress(b"{}"),
        zlib.compress(b"[]"),
        zlib.compress(b'{"format": 0}'),
        zlib.compress(b'{"format": 1, "changes": 1, "items": [{}]}'),
        zlib.compress(b'{"format": 1, "changes": 1, "items": 7}'),
        zlib.compress(b"\xff"),
    ],
)
def test_what_is_stored_may_be_damaged(shelf: Shelf, texts: Counting, damaged: bytes) -> None:
    shelf.item("One pool.")
    shelf.kept.maps[shelf.base.id] = damaged
    (found,) = maps(shelf, texts).of((shelf.base.id,), shelf.base.space_id)
    assert found.passages == 1
    again = unpacked(shelf.kept.maps[shelf.base.id], shelf.base.id, shelf.base.space_id)
    assert again is not None
    assert packed(again) == packed(found)


def test_a_process_that_fell_behind_takes_what_is_stored(shelf: Shelf, texts: Counting) -> None:
    """A few changes are compiled sooner than a map is fetched; more are not."""
    item, behind = shelf.item("One pool."), maps(shelf, texts)
    behind.of((shelf.base.id,), shelf.base.space_id)
    for changes, read in ((mapping.FEW, 1), (mapping.FEW + 1, 0)):
        for number in range(changes):
            item = shelf.edit(item, f"{changes} pools, {number} warm.\n")
        maps(shelf, texts).compile(shelf.base.id, shelf.base.space_id, lambda: True)
        texts.read = 0
        (found,) = behind.of((shelf.base.id,), shelf.base.space_id)
        assert (texts.read, found.changes) == (read, shelf.shelves.changes[shelf.base.id])
        assert found.items[item.id].version == item.version


def test_what_cannot_be_stored_is_compiled_and_used(shelf: Shelf, texts: Counting) -> None:
    class Full(MemoryMaps):
        def put_map(self, base_id: str, content: bytes) -> None:
            raise StoreBusy

    shelf.item("One pool.")
    assert maps(shelf, texts, Full()).of((shelf.base.id,), shelf.base.space_id)[0].passages == 1


def test_an_item_that_is_being_deleted_is_left_out(shelf: Shelf, texts: Counting) -> None:
    one, two = shelf.item("One pool."), shelf.item("Two pools.")
    shelf.shelves.erase_revisions(one.id)
    (found,) = maps(shelf, texts).of((shelf.base.id,), shelf.base.space_id)
    assert set(found.items) == {two.id}


def test_many_who_ask_at_once_compile_once(shelf: Shelf, texts: Counting) -> None:
    shelf.item("One pool.")
    held = maps(shelf, texts)
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda _: held.of((shelf.base.id,), shelf.base.space_id)[0], range(64)))
    assert all(each is found[0] for each in found)
    assert texts.read == 1


def test_a_base_that_is_too_large_is_for_the_index_alone(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.item("One pool.")
    shelf.item("Two pools.")
    monkeypatch.setattr(mapping, "MOST_PASSAGES", 1)
    found = shelf.read(shelf.page, shelf.topic, "pool")
    assert found.degraded == MAP_UNAVAILABLE
    assert len(found.passages) == 2
