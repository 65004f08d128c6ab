"""Reading by address, history and comparing."""

from dataclasses import replace
from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.domain.errors import ContentDamaged, KnowledgeArchived, NotFound, PinWithoutItem
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.spaces import Principal
from chalicelib.knowledge.comparing import MAX_CHARS, Change, ChangeKind, between
from chalicelib.knowledge.content import INLINE_BYTES, ReadText
from chalicelib.knowledge.marking import PieceKind
from chalicelib.knowledge.reading import Address, Reading
from tests.factories import PROVENANCE
from tests.unit.knowledge.conftest import Desk

pytestmark = pytest.mark.promise("K12")


def _read(desk: Desk, who: Principal, item_id: str | None, revision_id: str | None = None) -> Reading:
    return desk.read(who, Address(item_id, revision_id, 0, 4000))


def test_without_a_pin_the_current_revision_of_a_published_item_is_read(desk: Desk) -> None:
    item = desk.published(desk.base())
    edited = desk.edit(item, "Two.")
    reading = _read(desk, desk.viewer, item.id)
    assert (reading.slice.text, reading.revision.id) == ("Two.\n", edited.current_revision_id)


def test_a_pin_reads_the_same_bytes_after_any_number_of_edits(desk: Desk) -> None:
    item = desk.published(desk.base())
    pinned = _read(desk, desk.viewer, item.id, item.current_revision_id)
    current = item
    for number in range(20):
        current = desk.edit(current, f"Edit {number}.")
    desk.move(current, Move.WITHDRAW, Move.ARCHIVE)
    again = _read(desk, desk.viewer, item.id, item.current_revision_id)
    assert (again.slice, again.revision) == (pinned.slice, pinned.revision)


@pytest.mark.promise("K13")
def test_only_what_was_public_once_can_be_pinned(desk: Desk) -> None:
    draft = desk.item(desk.base())
    public = desk.move(desk.edit(draft, "Two."), Move.PUBLISH)
    hidden = desk.edit(desk.move(public, Move.WITHDRAW), "Three.")
    assert _read(desk, desk.owner, draft.id, public.current_revision_id).slice.text == "Two.\n"
    for secret in (draft.current_revision_id, hidden.current_revision_id):
        with pytest.raises(NotFound):
            _read(desk, desk.owner, draft.id, secret)
    assert desk.read_revision(desk.member, draft.id, hidden.current_revision_id)[2] == "Three.\n"


def test_what_is_not_published_is_not_read_without_a_pin(desk: Desk) -> None:
    item = desk.item(desk.base())
    with pytest.raises(NotFound):
        _read(desk, desk.owner, item.id)
    with pytest.raises(NotFound):
        _read(desk, desk.owner, desk.move(item, Move.ARCHIVE).id)


def test_a_pin_needs_its_own_item(desk: Desk) -> None:
    base = desk.base()
    item, other = desk.published(base), desk.published(base, locator="b")
    with pytest.raises(PinWithoutItem):
        _read(desk, desk.viewer, None, item.current_revision_id)
    with pytest.raises(NotFound):
        _read(desk, desk.viewer, other.id, item.current_revision_id)


@pytest.mark.promise("K11")
def test_strangers_and_the_unknown_get_the_same_answer(desk: Desk) -> None:
    item = desk.published(desk.base())
    for who, item_id in ((desk.stranger, item.id), (desk.owner, "item_unknown")):
        with pytest.raises(NotFound) as refused:
            _read(desk, who, item_id)
        assert refused.value.facts() == {}


@pytest.mark.promise("K15")
def test_an_archived_base_suspends_every_read_and_restoring_brings_it_back(desk: Desk) -> None:
    base = desk.base()
    item = desk.published(base)
    desk.bases.archive(desk.owner, base.id, None)
    for pin in (None, item.current_revision_id):
        with pytest.raises(KnowledgeArchived):
            _read(desk, desk.owner, item.id, pin)
        with pytest.raises(NotFound):
            _read(desk, desk.stranger, item.id, pin)
    desk.bases.restore(desk.owner, base.id, None)
    assert _read(desk, desk.viewer, item.id).slice.text == "One.\n"
    del desk.shelves.bases_[base.id]
    with pytest.raises(NotFound):
        _read(desk, desk.viewer, item.id)


@pytest.mark.promise("K14")
def test_a_long_text_is_read_in_pages(desk: Desk) -> None:
    item = desk.published(desk.base(), "0123456789")
    first = desk.read(desk.viewer, Address(item.id, None, 0, 4))
    assert (first.slice.text, first.slice.total_chars, first.slice.next_offset) == ("0123", 11, 4)


@pytest.mark.promise("K8")
def test_damaged_content_is_never_returned(desk: Desk) -> None:
    item = desk.published(desk.base(), "a" * (INLINE_BYTES + 1))
    key = next(iter(desk.blobs.objects))
    desk.blobs.objects[key] = b"something else"
    with pytest.raises(ContentDamaged):
        _read(desk, desk.viewer, item.id)


def test_the_text_of_a_revision_is_read_for_other_rooms(desk: Desk) -> None:
    item = desk.published(desk.base())
    read = ReadText(desk.shelves, desk.blobs)
    assert read(item.id, item.current_revision_id) == "One.\n"
    with pytest.raises(NotFound):
        read(item.id, "rev_none")


@pytest.mark.promise("K13")
def test_viewers_see_the_history_that_was_public_and_editors_all_of_it(desk: Desk) -> None:
    draft = desk.item(desk.base())
    desk.move(desk.edit(draft, "Two."), Move.PUBLISH)
    _, seen = desk.list_revisions(desk.viewer, draft.id, None, 10)
    assert [each.number for each in seen.entries] == [2]
    assert [each.number for each in desk.list_revisions(desk.member, draft.id, None, 10)[1].entries] == [2, 1]
    with pytest.raises(NotFound):
        desk.read_revision(desk.viewer, draft.id, draft.current_revision_id)
    author = replace(desk.member, roles=desk.viewer.roles, user_id=PROVENANCE.author)
    assert desk.read_revision(author, draft.id, draft.current_revision_id)[2] == "One.\n"
    creator = replace(desk.member, roles=desk.viewer.roles)
    with pytest.raises(NotFound):
        desk.read_revision(creator, draft.id, draft.current_revision_id)


@pytest.mark.promise("K6")
def test_two_revisions_are_compared(desk: Desk) -> None:
    item = desk.item(desk.base(), "\n".join(str(number) for number in range(20)))
    edited = desk.edit(item, "\n".join("ten" if number == 10 else str(number) for number in range(20)))
    _, difference = desk.compare(desk.member, item.id, (item.current_revision_id, edited.current_revision_id))
    assert (difference.old.number, difference.new.number) == (1, 2)
    found = difference.by
    assert (found.inserted, found.deleted, found.truncated) == (1, 1, False)
    assert [(each.kind, each.lines) for each in found.changes] == [
        (ChangeKind.SKIPPED, 7),
        (ChangeKind.EQUAL, 3),
        (ChangeKind.DELETED, 1),
        (ChangeKind.INSERTED, 1),
        (ChangeKind.EQUAL, 3),
        (ChangeKind.SKIPPED, 6),
    ]


_LINES = st.lists(st.sampled_from(["a", "b", "c", "", "d e"])).map(lambda lines: "".join(f"{each}\n" for each in lines))


@pytest.mark.promise("K6")
@given(_LINES, _LINES)
def test_a_difference_accounts_for_every_line(before: str, after: str) -> None:
    found = between(before, after)
    kept = sum(each.lines for each in found.changes if each.kind in {ChangeKind.EQUAL, ChangeKind.SKIPPED})
    assert kept + found.deleted == before.count("\n")
    assert kept + found.inserted == after.count("\n")
    old = "".join(each.text for each in found.changes if each.kind is ChangeKind.DELETED)
    assert old.count("\n") == found.deleted


_LINES = st.lists(st.text(alphabet=st.sampled_from("ab é\u0301नि日本😀.,-'\u2028\x0b"), max_size=12), max_size=8).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


@pytest.mark.promise("K6")
@given(before=_LINES, after=_LINES)
def test_the_pieces_of_replaced_lines_are_the_lines(before: str, after: str) -> None:
    found = between(before, after, words=True)
    assert replace(found, changes=()) == replace(between(before, after), changes=())
    for change, following in pairwise((*found.changes, None)):
        assert change is not None
        if change.pieces is None:
            continue
        assert "".join(each.text for each in change.pieces) == change.text
        changed = PieceKind.DELETE if change.kind is ChangeKind.DELETED else PieceKind.INSERT
        assert {each.kind for each in change.pieces} <= {PieceKind.EQUAL, changed}
        if change.kind is ChangeKind.DELETED:
            assert following is not None
            assert following.pieces is not None
            assert _equal(change) == _equal(following)


def _equal(change: Change) -> str:
    return "".join(each.text for each in change.pieces or () if each.kind is PieceKind.EQUAL)


@pytest.mark.promise("K6")
def test_whole_words_are_marked() -> None:
    before, after = "Same.\nThe quick brown fox.\n", "Same.\nThe quiet brown fox, dear.\nNew.\n"
    found = between(before, after, words=True)
    old, new = ([(each.kind, each.text) for each in change.pieces or ()] for change in found.changes[1:])
    assert (PieceKind.DELETE, "quick") in old
    assert (PieceKind.INSERT, "quiet") in new
    assert found.changes[0].pieces is None
    alone = between("a\n", "a\nb\n", words=True)
    assert [each.pieces for each in alone.changes] == [None, None]


@pytest.mark.promise("K6")
def test_words_are_marked_in_bounded_time_and_of_so_many_characters() -> None:
    lines = [("a b " * 9000 + f"{n}\n", "b a a " * 6000 + f"{n}\n") for n in range(4)]
    before = "same\n".join(each for each, _ in lines)
    after = "same\n".join(each for _, each in lines)
    begun = perf_counter()
    found = between(before, after, words=True)
    assert perf_counter() - begun < 10
    marked = [each.pieces is not None for each in found.changes if each.kind is not ChangeKind.EQUAL]
    assert marked == [True] * 2 + [False] * 6


@pytest.mark.promise("K6")
def test_a_difference_too_long_to_show_is_cut_and_says_so() -> None:
    found = between("", "x\n" * MAX_CHARS)
    assert found.truncated
    assert sum(len(each.text) for each in found.changes) == MAX_CHARS
    assert found.inserted == MAX_CHARS
    exact = between("y" * (MAX_CHARS - 1) + "\n", "z\n")
    assert (exact.truncated, [each.kind for each in exact.changes]) == (True, [ChangeKind.DELETED])
