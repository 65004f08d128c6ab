"""Looking over the items of a base: filtering, sorting, counting."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.domain.errors import KnowledgeArchived, ListTooLong
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.spaces import Principal
from chalicelib.knowledge.drafts import Edit, NewItem
from chalicelib.knowledge.listing import CountBase, ListItems, Order, Wanted
from tests.factories import PROVENANCE, a_document
from tests.unit.knowledge.conftest import Desk

pytestmark = pytest.mark.promise("K10")


def _titled(desk: Desk, base_id: str, *titles: str) -> list[Item]:
    made = []
    for title in titles:
        desk.clock.pass_(seconds=1)
        made.append(desk.create(desk.member, base_id, NewItem(title, None, "x"), PROVENANCE, None))
    return made


def _all(desk: Desk, who: Principal, base_id: str, wanted: Wanted, limit: int = 2) -> list[str]:
    found: list[Item] = []
    after = None
    for _ in range(100):
        page = desk.list_items(who, base_id, wanted, after, limit)
        assert len(page.entries) <= limit
        found += page.entries
        after = page.after
        if after is None:
            return [each.title for each in found]
    raise AssertionError("the list has no end")


def test_items_are_sorted_by_title_by_last_change_and_by_age(desk: Desk) -> None:
    base = desk.base()
    items = _titled(desk, base.id, "zebra", "Árbol", "apple", "Zebra", "mango")
    assert _all(desk, desk.member, base.id, Wanted(order=Order.TITLE)) == ["apple", "Árbol", "mango", "zebra", "Zebra"]
    desk.clock.pass_(seconds=1)
    desk.edit(items[1], "other")
    by_change = ["Árbol", "mango", "Zebra", "apple", "zebra"]
    assert _all(desk, desk.member, base.id, Wanted(order=Order.UPDATED)) == by_change
    assert _all(desk, desk.member, base.id, Wanted()) == ["mango", "Zebra", "apple", "Árbol", "zebra"]


def test_words_are_found_in_title_and_locator_whatever_their_case_and_accents(desk: Desk) -> None:
    base = desk.base()
    _titled(desk, base.id, "Guía de Instalación", "Instalar", "Other")
    for order in Order:
        assert _all(desk, desk.member, base.id, Wanted(contains="GUIA instalacion", order=order)) == [
            "Guía de Instalación"
        ]
        assert sorted(_all(desk, desk.member, base.id, Wanted(contains="instal", order=order), 1)) == [
            "Guía de Instalación",
            "Instalar",
        ]
    assert _all(desk, desk.member, base.id, Wanted(ItemStatus.PUBLISHED, "instal")) == []
    assert (
        desk.list_items(desk.member, base.id, Wanted(contains="guia-de"), None, 5).entries[0].locator
        == "guía-de-instalación"
    )


def test_a_viewer_sorts_only_what_is_published(desk: Desk) -> None:
    base = desk.base()
    item, _ = _titled(desk, base.id, "One", "Two")
    desk.move(item, Move.PUBLISH)
    for order in Order:
        assert _all(desk, desk.viewer, base.id, Wanted(order=order)) == ["One"]


@given(titles=st.lists(st.text(alphabet="aáBz ", min_size=1, max_size=70), max_size=9), limit=st.integers(1, 4))
def test_pages_put_together_are_the_list(titles: Sequence[str], limit: int) -> None:
    desk = Desk()
    base = desk.base()
    for number, title in enumerate(titles):
        desk.create(desk.member, base.id, NewItem(title, f"l{number}", "x"), PROVENANCE, None)
    for order in Order:
        assert sorted(_all(desk, desk.member, base.id, Wanted(order=order), limit)) == sorted(titles)


def test_a_page_ends_where_it_ended_whatever_became_of_its_last_item(desk: Desk) -> None:
    base = desk.base()
    items = _titled(desk, base.id, "a", "b", "c", "d")
    wanted = Wanted(order=Order.TITLE)
    page = desk.list_items(desk.member, base.id, wanted, None, 2)
    edit = Edit(expected_revision_id=items[1].current_revision_id, title="z")
    desk.edit_item(desk.member, items[1].id, edit, PROVENANCE, None)
    rest = desk.list_items(desk.member, base.id, wanted, page.after, 5)
    assert [each.title for each in rest.entries] == ["c", "d", "z"]


def test_a_long_filtered_list_answers_short_pages_and_ends(desk: Desk) -> None:
    base = desk.base()
    for number in range(1200):
        title = "needle" if number in {3, 700, 1199} else "hay"
        desk.create(desk.member, base.id, NewItem(title, f"l{number}", "x"), PROVENANCE, None)
    lister = ListItems(desk.shelves, rounds=1)
    pages: list[int] = []
    after = None
    while not pages or after:
        page = lister(desk.member, base.id, Wanted(contains="needle"), after, 2)
        after = page.after
        pages.append(len(page.entries))
    assert (len(pages), sum(pages)) == (3, 3)


def test_what_is_too_long_is_not_sorted_and_counted_as_at_least(desk: Desk) -> None:
    base = desk.base()
    _titled(desk, base.id, "a", "b", "c")
    with pytest.raises(ListTooLong):
        ListItems(desk.shelves, most=2)(desk.member, base.id, Wanted(order=Order.TITLE), None, 1)
    counted = CountBase(desk.shelves, desk.shelves, most=2)(desk.member, base.id)
    assert (counted.items[ItemStatus.DRAFT], counted.at_least) == (2, True)


def test_counts_are_of_what_one_sees_and_of_what_a_deletion_removes(desk: Desk) -> None:
    base = desk.base()
    first, second, third = _titled(desk, base.id, "a", "b", "c")
    public = desk.edit(desk.edit(desk.move(desk.edit(first, "two"), Move.PUBLISH), "three"), "four")
    desk.move(second, Move.ARCHIVE)
    document = a_document(base)
    desk.shelves.documents_[document.id] = document
    desk.shelves.filed.setdefault(base.id, set()).add(document.id)
    counted = desk.count_base(desk.member, base.id)
    assert counted.items == {ItemStatus.DRAFT: 1, ItemStatus.PUBLISHED: 1, ItemStatus.ARCHIVED: 1}
    assert (counted.revisions, counted.documents, counted.at_least) == (6, 1, False)
    of_viewer = desk.count_base(desk.viewer, base.id)
    assert of_viewer.items == {ItemStatus.DRAFT: 0, ItemStatus.PUBLISHED: 1, ItemStatus.ARCHIVED: 0}
    assert (of_viewer.revisions, of_viewer.documents) == (3, None)
    assert desk.count_item(desk.member, public.id).revisions == desk.shelves.count_revisions(public.id) == 4
    assert desk.count_item(desk.viewer, public.id).revisions == 3
    assert desk.count_item(desk.member, third.id).documents == 0
    desk.bases.archive(desk.owner, base.id, None)
    assert desk.count_base(desk.member, base.id).revisions == 6
    with pytest.raises(KnowledgeArchived):
        desk.count_base(desk.viewer, base.id)
