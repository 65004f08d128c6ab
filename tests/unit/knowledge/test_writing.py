"""Bases and items as their writers use them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from chalicelib.domain.errors import (
    ContentTooLarge,
    ExpectedRevisionRequired,
    IdempotencyKeyReused,
    IllegalMove,
    ItemArchived,
    KnowledgeArchived,
    NotAllowed,
    NotFound,
    StaleRevision,
)
from chalicelib.domain.items import ItemStatus
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.text import MAX_BYTES
from chalicelib.knowledge.content import INLINE_BYTES
from chalicelib.knowledge.drafts import Edit, NewItem
from chalicelib.knowledge.listing import Wanted
from tests.factories import PROVENANCE, a_principal, once
from tests.unit.knowledge.conftest import SPACE, Desk

pytestmark = pytest.mark.promise("K2")


@pytest.mark.promise("K10")
def test_only_owners_and_admins_make_and_change_bases(desk: Desk) -> None:
    base = desk.bases.create(desk.admin, SPACE, "Runbooks", "", None)
    for person in (desk.member, desk.viewer):
        with pytest.raises(NotAllowed):
            desk.bases.create(person, SPACE, "Runbooks", "", None)
        with pytest.raises(NotAllowed):
            desk.bases.archive(person, base.id, None)
    with pytest.raises(NotFound):
        desk.bases.create(desk.stranger, SPACE, "Runbooks", "", None)
    changed = desk.bases.change(desk.owner, base.id, "Playbooks", None, None)
    assert (changed.name, changed.description, changed.version) == ("Playbooks", "", 2)
    assert desk.bases.change(desk.owner, base.id, "Playbooks", None, None) == changed


@pytest.mark.promise("K10")
def test_bases_of_all_spaces_are_listed_space_by_space_without_gap_or_repeat(desk: Desk) -> None:
    many = a_principal(
        {"space_a": desk.owner.roles[SPACE], "space_b": desk.owner.roles[SPACE], SPACE: desk.owner.roles[SPACE]}
    )
    made = {
        desk.bases.create(many, space, f"{space} {n}", "", None).id
        for space in ("space_a", "space_b")
        for n in range(3)
    }
    for limit in (1, 2, 3, 4, 10):
        seen, after = [], None
        while True:
            page = desk.bases.list(many, None, after, limit)
            seen += [each.id for each in page.entries]
            after = page.after
            if after is None:
                break
        assert len(seen) == len(made)
        assert set(seen) == made
    with pytest.raises(NotFound):
        desk.bases.list(desk.stranger, SPACE, None, 10)


@pytest.mark.promise("K5")
def test_an_item_starts_as_a_draft_with_revision_one(desk: Desk) -> None:
    item = desk.item(desk.base())
    assert (item.status, item.current_number) == (ItemStatus.DRAFT, 1)
    _, revision, text = desk.read_revision(desk.member, item.id, item.current_revision_id)
    assert (revision.number, text) == (1, "One.\n")


@pytest.mark.promise("K4")
def test_saving_what_is_there_already_writes_nothing(desk: Desk) -> None:
    item = desk.item(desk.base(), "One.")
    same = desk.edit(item, "\ufeffOne.  \r\n\r\n")
    assert same == item
    assert len(desk.shelves.revisions_) == 1


def test_an_edit_says_which_revision_it_was_made_on(desk: Desk) -> None:
    item = desk.item(desk.base())
    with pytest.raises(ExpectedRevisionRequired):
        desk.edit_item(desk.member, item.id, Edit(None, "Two."), PROVENANCE, None)
    edited = desk.edit(item, "Two.")
    with pytest.raises(StaleRevision) as refused:
        desk.edit(item, "Three.")
    assert refused.value.facts() == {
        "expected": item.current_revision_id,
        "actual": edited.current_revision_id,
        "number": 2,
    }


def test_title_and_locator_change_without_a_revision_and_together_with_one(desk: Desk) -> None:
    item = desk.item(desk.base())
    named = desk.edit_item(
        desk.member, item.id, Edit(item.current_revision_id, title="Stopping", locator="b"), PROVENANCE, None
    )
    assert (named.title, named.locator, named.current_number, named.version) == ("Stopping", "b", 1, 2)
    both = desk.edit_item(
        desk.member, item.id, Edit(item.current_revision_id, content="Two.", title="Third"), PROVENANCE, None
    )
    assert (both.title, both.current_number, both.version) == ("Third", 2, 3)
    assert desk.find_item(desk.member, item.base_id, "a") is None
    assert desk.find_item(desk.member, item.base_id, "b") == both


@pytest.mark.promise("K3")
def test_concurrent_writers_leave_dense_numbers_and_one_winner_each(desk: Desk) -> None:
    item = desk.item(desk.base())

    def write(writer: int) -> int:
        won = 0
        for attempt in range(40):
            seen = desk.read_item(desk.member, item.id)
            try:
                desk.edit(seen, f"{writer} {attempt}")
            except StaleRevision:
                continue
            won += 1
        return won

    with ThreadPoolExecutor(8) as pool:
        won = sum(pool.map(write, range(8)))
    revisions = sorted(desk.shelves.revisions_.values(), key=lambda each: each.id)
    assert [each.number for each in revisions] == list(range(1, won + 2))


@pytest.mark.promise("K5")
def test_an_archived_item_is_not_edited(desk: Desk) -> None:
    item = desk.move(desk.item(desk.base()), Move.ARCHIVE)
    with pytest.raises(ItemArchived):
        desk.edit(item, "Two.")
    with pytest.raises(IllegalMove):
        desk.move(item, Move.PUBLISH)


@pytest.mark.promise("K6")
def test_restoring_a_version_repeats_its_content_and_says_so(desk: Desk) -> None:
    item = desk.item(desk.base(), "One.")
    edited = desk.edit(item, "Two.")
    pin = (item.id, item.current_revision_id)
    restored = desk.restore_revision(desk.member, pin, edited.current_revision_id, PROVENANCE, None)
    assert restored.current_number == 3
    _, revision, text = desk.read_revision(desk.member, item.id, restored.current_revision_id)
    assert (text, revision.provenance.restored_from) == ("One.\n", item.current_revision_id)
    again = desk.restore_revision(desk.member, pin, restored.current_revision_id, PROVENANCE, None)
    assert again == restored
    with pytest.raises(ExpectedRevisionRequired):
        desk.restore_revision(desk.member, pin, None, PROVENANCE, None)
    with pytest.raises(NotFound):
        desk.restore_revision(desk.member, (item.id, "rev_none"), restored.current_revision_id, PROVENANCE, None)


@pytest.mark.promise("K8")
def test_big_content_lies_apart_and_is_read_back_and_restored(desk: Desk) -> None:
    big = "a" * (INLINE_BYTES + 1)
    item = desk.item(desk.base(), big)
    assert len(desk.blobs.objects) == 1
    _, revision, text = desk.read_revision(desk.member, item.id, item.current_revision_id)
    assert (revision.inline, text) == (None, big + "\n")
    edited = desk.edit(item, "small")
    restored = desk.restore_revision(
        desk.member, (item.id, item.current_revision_id), edited.current_revision_id, PROVENANCE, None
    )
    assert desk.read_revision(desk.member, item.id, restored.current_revision_id)[2] == big + "\n"
    with pytest.raises(ContentTooLarge):
        desk.edit(restored, "a" * MAX_BYTES)


@pytest.mark.promise("K7")
def test_every_write_with_a_key_happens_once(desk: Desk) -> None:
    base = desk.bases.create(desk.owner, SPACE, "Runbooks", "", once("base"))
    assert desk.bases.create(desk.owner, SPACE, "Runbooks", "", once("base")) == base
    new = NewItem("Restarting", "a", "One.")
    item = desk.create(desk.member, base.id, new, PROVENANCE, once("item"))
    assert desk.create(desk.member, base.id, new, PROVENANCE, once("item")) == item
    edit = Edit(item.current_revision_id, "Two.")
    edited = desk.edit_item(desk.member, item.id, edit, PROVENANCE, once("edit"))
    assert desk.edit_item(desk.member, item.id, edit, PROVENANCE, once("edit")) == edited
    published = desk.move_item(desk.member, item.id, Move.PUBLISH, once("move"))
    assert desk.move_item(desk.member, item.id, Move.PUBLISH, once("move")) == published
    pin = (item.id, item.current_revision_id)
    expected = edited.current_revision_id
    restored = desk.restore_revision(desk.member, pin, expected, PROVENANCE, once("restore"))
    assert desk.restore_revision(desk.member, pin, expected, PROVENANCE, once("restore")) == restored
    archived = desk.bases.archive(desk.owner, base.id, once("archive"))
    assert desk.bases.archive(desk.owner, base.id, once("archive")) == archived
    changed = desk.bases.change(desk.owner, base.id, "Other", None, once("change"))
    assert desk.bases.change(desk.owner, base.id, "Other", None, once("change")) == changed
    with pytest.raises(IdempotencyKeyReused):
        desk.move_item(desk.member, item.id, Move.ARCHIVE, once("move", "another"))
    assert len(desk.shelves.revisions_) == 3


@pytest.mark.promise("K15")
def test_in_an_archived_base_nothing_is_written_and_restoring_brings_all_back(desk: Desk) -> None:
    base = desk.base()
    item = desk.published(base)
    desk.bases.archive(desk.owner, base.id, None)
    writes: tuple[Callable[[], object], ...] = (
        lambda: desk.item(base, locator="b"),
        lambda: desk.edit(item, "Two."),
        lambda: desk.move(item, Move.WITHDRAW),
        lambda: desk.restore_revision(
            desk.member, (item.id, item.current_revision_id), item.current_revision_id, PROVENANCE, None
        ),
    )
    for write in writes:
        with pytest.raises(KnowledgeArchived):
            write()
    assert desk.read_item(desk.member, item.id) == item
    with pytest.raises(KnowledgeArchived):
        desk.read_item(desk.viewer, item.id)
    with pytest.raises(KnowledgeArchived):
        desk.list_items(desk.viewer, base.id, Wanted(), None, 10)
    with pytest.raises(KnowledgeArchived):
        desk.find_item(desk.viewer, base.id, "a")
    assert desk.list_items(desk.member, base.id, Wanted(), None, 10).entries == (item,)
    desk.bases.restore(desk.owner, base.id, None)
    assert desk.read_item(desk.viewer, item.id) == item


@pytest.mark.promise("K10")
def test_viewers_see_what_is_published_and_authors_their_own_drafts(desk: Desk) -> None:
    base = desk.base()
    draft, published = desk.item(base, locator="draft"), desk.published(base, locator="published")
    assert desk.list_items(desk.viewer, base.id, Wanted(), None, 10).entries == (published,)
    assert desk.find_item(desk.viewer, base.id, "draft") is None
    with pytest.raises(NotFound):
        desk.read_item(desk.viewer, draft.id)
    demoted = replace(desk.member, roles=desk.viewer.roles)
    assert set(desk.list_items(demoted, base.id, Wanted(), None, 10).entries) == {draft, published}
    with pytest.raises(NotAllowed):
        desk.move_item(desk.viewer, published.id, Move.WITHDRAW, None)
    with pytest.raises(NotFound):
        desk.read_item(desk.stranger, published.id)


def test_items_are_listed_by_status_and_a_page_may_be_short(desk: Desk) -> None:
    base = desk.base()
    published = desk.published(base, locator="first")
    for number in range(8):
        desk.item(base, locator=f"draft {number}")
    page = desk.list_items(desk.viewer, base.id, Wanted(), None, 1)
    assert page.entries == ()
    assert page.after is not None
    rest = desk.list_items(desk.viewer, base.id, Wanted(), page.after, 5)
    assert rest.entries == (published,)
    drafts = desk.list_items(desk.member, base.id, Wanted(ItemStatus.DRAFT), None, 50)
    assert len(drafts.entries) == 8


def test_an_item_whose_base_is_gone_does_not_exist(desk: Desk) -> None:
    base = desk.base()
    item = desk.published(base)
    del desk.shelves.bases_[base.id]
    with pytest.raises(NotFound):
        desk.read_item(desk.member, item.id)
