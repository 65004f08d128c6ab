"""What every store of pages does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.errors import ConcurrentChange, IdempotencyKeyReused, NotFound
from chalicelib.domain.pages import PageLimits, PageStatus
from tests.contract.conftest import Gates
from tests.factories import a_base, a_link, a_page, a_topic, an_image, an_item, once
from tests.fakes.machine import START

pytestmark = pytest.mark.promise("N3")


def test_a_page_comes_back_whole(gates: Gates) -> None:
    page = a_page()
    base = a_base(page.space_id)
    page = replace(
        page,
        topics=(a_topic(base, items=(an_item(base),)), a_topic()),
        images=(an_image(page.id), an_image(page.id, approved=False)),
        links=(a_link(),),
        limits=PageLimits(3, 2, 1.25),
        shows_sources=True,
        not_about="",
        origins=(),
    )
    assert gates.pages.add_page(page, None) == page
    assert gates.pages.page(page.id) == page
    assert gates.pages.page("page_none") is None


def test_of_two_changes_one_wins(gates: Gates) -> None:
    page = gates.pages.add_page(a_page(), None)
    after = replace(page.following(START + timedelta(seconds=1)), status=PageStatus.PAUSED)
    assert gates.pages.change_page(page, after, None) == after
    with pytest.raises(ConcurrentChange):
        gates.pages.change_page(page, after, None)
    assert gates.pages.page(page.id) == after


def test_a_repeat_answers_with_the_page_as_it_is_now(gates: Gates) -> None:
    page = gates.pages.add_page(a_page(), once())
    after = gates.pages.change_page(page, replace(page.following(START), name="Other"), None)
    assert gates.pages.add_page(a_page(), once()) == after
    assert gates.pages.replayed_page(once()) == after
    assert gates.pages.replayed_page(once("other")) is None
    with pytest.raises(IdempotencyKeyReused):
        gates.pages.replayed_page(once(asked="that"))
    gates.pages.remove_page(after, START)
    with pytest.raises(NotFound):
        gates.pages.replayed_page(once())


def test_pages_are_listed_by_space_newest_first(gates: Gates) -> None:
    one = gates.pages.add_page(a_page(), None)
    two = gates.pages.add_page(a_page(one.space_id), None)
    gates.pages.add_page(a_page(), None)
    first = gates.pages.pages(one.space_id, None, 1)
    assert (first.entries, first.after) == ((two,), two.id)
    second = gates.pages.pages(one.space_id, first.after, 1)
    assert (second.entries, second.after) == ((one,), None)


def test_a_removed_page_is_gone_and_its_pictures_are_noted(gates: Gates) -> None:
    page = gates.pages.add_page(a_page(), None)
    with pytest.raises(ConcurrentChange):
        gates.pages.remove_page(page.following(START), START)
    gates.pages.remove_page(page, START)
    assert gates.pages.page(page.id) is None
    assert gates.pages.pages(page.space_id, None, 10).entries == ()
    assert gates.pages.removed_pages() == ((page.id, START),)
    with pytest.raises(NotFound):
        gates.pages.remove_page(page, START)
    with pytest.raises(NotFound):
        gates.pages.change_page(page, page.following(START), None)
    gates.pages.settle_page(page.id)
    assert gates.pages.removed_pages() == ()
