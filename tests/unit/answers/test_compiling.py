"""Topic maps are compiled and stored before a visitor asks, in whatever order workers come."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.answers import mapping
from chalicelib.answers.compiling import CompileMaps
from chalicelib.answers.mapping import MapTooLarge, TopicMaps, unpacked
from chalicelib.domain.bases import BaseStatus
from chalicelib.domain.errors import StoreBusy
from chalicelib.domain.items import ItemStatus
from chalicelib.domain.pages import Page, PageStatus
from tests.factories import a_base, a_page, a_topic, new_id
from tests.fakes.pages import MemoryMaps, MemoryPages
from tests.unit.answers.shelf import Shelf
from tests.unit.answers.test_mapping import Counting

pytestmark = pytest.mark.promise("N3")


class Bench:
    """A shelf, pages that draw on it, and a worker."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        self.base = self.shelf.base
        self.pages = MemoryPages()
        self.later: list[str] = []
        self.texts = Counting(self.shelf.text)
        self.maps = self.worker()
        self.compile = CompileMaps(self.pages, self.shelf.shelves, lambda: self.maps, self.later.append)

    def worker(self, kept: MemoryMaps | None = None) -> TopicMaps:
        return TopicMaps(self.shelf.shelves, self.texts, self.shelf.state, kept or self.shelf.kept)

    def page(self, status: PageStatus = PageStatus.LIVE, **facts: Any) -> Page:
        made = a_page(self.base.space_id, **{"topics": (self.shelf.topic,), "status": status, **facts})
        return self.pages.add_page(made, None)

    @property
    def stored(self) -> int | None:
        """How many changes the stored map knows of."""
        content = self.shelf.kept.maps.get(self.base.id)
        found = None if content is None else unpacked(content, self.base.id, self.base.space_id)
        return None if found is None else found.changes

    @property
    def changes(self) -> int:
        return self.shelf.shelves.changes[self.base.id]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_the_first_visitor_after_a_change_reads_what_a_worker_compiled(bench: Bench) -> None:
    bench.page()
    item = bench.shelf.item("One pool.")
    for change in (lambda: None, lambda: bench.shelf.edit(item, "One pool, warm.\n"), lambda: bench.shelf.item("Two.")):
        change()
        assert bench.compile(bench.base.id) == 1
        bench.texts.read = 0
        (found,) = bench.worker().of((bench.base.id,), bench.base.space_id)
        assert (bench.texts.read, found.changes) == (0, bench.changes)


def test_to_be_told_twice_compiles_once(bench: Bench) -> None:
    bench.page()
    bench.shelf.item("One pool.")
    assert [bench.compile(bench.base.id) for _ in range(3)] == [1, 0, 0]


@pytest.mark.parametrize("status", [PageStatus.PAUSED, None])
def test_nothing_is_compiled_for_a_base_that_no_live_page_draws_on(bench: Bench, status: PageStatus | None) -> None:
    bench.shelf.item("One pool.")
    bench.page(topics=(a_topic(bench.shelf.shelves.add_base(a_base(space_id=bench.base.space_id), None)),))
    if status:
        bench.page(status)
    assert bench.compile(bench.base.id) == 0
    assert bench.shelf.kept.maps == {}


def test_every_page_of_the_space_is_looked_at(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chalicelib.answers.compiling._TOGETHER", 2)
    bench.shelf.item("One pool.")
    bench.page()
    for _ in range(5):
        bench.page(topics=())
    assert bench.compile(bench.base.id) == 1


def test_a_page_that_goes_live_has_its_maps_compiled(bench: Bench) -> None:
    paused = bench.page(PageStatus.PAUSED)
    bench.shelf.item("One pool.")
    assert bench.compile(paused.id) == 0
    bench.pages.change_page(paused, replace(paused.following(paused.updated_at), status=PageStatus.LIVE), None)
    assert bench.compile(paused.id) == 1
    assert bench.stored == bench.changes


@pytest.mark.parametrize("key", [new_id("kb"), new_id("page"), "rubbish", ""])  # type: ignore[arg-type]
def test_what_is_gone_by_now_is_nothing_to_do(bench: Bench, key: str) -> None:
    assert bench.compile(key) == 0


def test_an_archived_base_has_nothing_public(bench: Bench) -> None:
    page = bench.page()
    bench.shelf.item("One pool.")
    bench.shelf.shelves.change_base(bench.base, replace(bench.base, version=2, status=BaseStatus.ARCHIVED), None)
    assert (bench.compile(bench.base.id), bench.compile(page.id)) == (0, 0)


def test_without_time_it_is_asked_for_again(bench: Bench) -> None:
    bench.page()
    bench.shelf.item("One pool.")
    assert bench.compile(bench.base.id, lambda: False) == 0
    assert bench.later == [bench.base.id]
    assert bench.shelf.kept.maps == {}


def test_a_store_that_fails_is_told_so_that_it_is_tried_again(bench: Bench) -> None:
    class Full(MemoryMaps):
        def put_map(self, base_id: str, content: bytes) -> None:
            raise StoreBusy

    bench.page()
    bench.shelf.item("One pool.")
    bench.maps = bench.worker(Full())
    with pytest.raises(StoreBusy):
        bench.compile(bench.base.id)


def test_a_worker_that_was_overtaken_mends_what_it_stored(bench: Bench) -> None:
    """It compiled before a change, and stores after the worker that compiled after it."""
    bench.page()
    bench.shelf.item("One pool.")
    meanwhile: list[Callable[[], object]] = [
        lambda: bench.shelf.item("Two pools."),
        lambda: bench.compile(bench.base.id),
    ]

    class Slow(MemoryMaps):
        def put_map(self, base_id: str, content: bytes) -> None:
            while meanwhile:
                meanwhile.pop(0)()
            bench.shelf.kept.put_map(base_id, content)

        def map(self, base_id: str) -> bytes:
            return bench.shelf.kept.map(base_id)

    assert bench.worker(Slow()).compile(bench.base.id, bench.base.space_id, lambda: True) == 2
    assert bench.stored == bench.changes


@given(st.data())
def test_however_workers_interleave_the_last_to_store_stores_the_newest(data: st.DataObject) -> None:
    bench = Bench()
    bench.page()
    turns = 0

    class Interrupted(MemoryMaps):
        """Between compiling and storing, anything may happen: a change, another worker, a message that comes twice."""

        def put_map(self, base_id: str, content: bytes) -> None:
            nonlocal turns
            turns += 1
            for what in data.draw(st.lists(st.sampled_from(["change", "worker"]), max_size=2)) if turns < 8 else ():
                happen(what)
            bench.shelf.kept.put_map(base_id, content)

        def map(self, base_id: str) -> bytes:
            return bench.shelf.kept.map(base_id)

    def happen(what: str) -> None:
        if what == "change":
            bench.shelf.item("Another pool.")
        else:
            bench.worker(Interrupted()).compile(bench.base.id, bench.base.space_id, lambda: True)

    happen("change")
    happen("worker")
    assert bench.stored == bench.changes


def test_that_a_base_is_too_large_is_remembered_until_it_has_changed_a_lot(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mapping, "MOST_PASSAGES", 1)
    monkeypatch.setattr(mapping, "RECOUNTED", 3)
    bench.page()
    item, _ = bench.shelf.item("One pool."), bench.shelf.item("Two pools.")
    assert bench.compile(bench.base.id) == 1
    bench.texts.read = 0
    reader = bench.worker()
    for _ in range(2):
        with pytest.raises(MapTooLarge):
            reader.of((bench.base.id,), bench.base.space_id)
        assert bench.compile(bench.base.id) == 0
        item = bench.shelf.edit(item, "One pool, warm.\n")
    assert bench.texts.read == 0
    bench.shelf.move(item, ItemStatus.DRAFT)
    assert bench.compile(bench.base.id) == 1
    assert reader.of((bench.base.id,), bench.base.space_id)[0].passages == 1
