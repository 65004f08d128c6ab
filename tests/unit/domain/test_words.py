"""Ids, citations, roles, marks and the table of moves."""

import itertools
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from chalicelib.domain import citations, errors
from chalicelib.domain.errors import IllegalMove, NotAllowed, NotFound
from chalicelib.domain.ids import Kind, compose, is_id, later
from chalicelib.domain.items import ItemStatus, PublicMark
from chalicelib.domain.lifecycle import Move, move
from chalicelib.domain.locators import locator_of
from chalicelib.domain.spaces import ALLOWED, Action, Role, demand, may
from tests.factories import a_base, a_principal, an_item, new_id
from tests.fakes.machine import START

MOMENTS = st.integers(0, 2**47)
RANDOMNESS = st.binary(min_size=10, max_size=10)


@pytest.mark.promise("H1")
@given(st.sampled_from(Kind), MOMENTS, RANDOMNESS)
def test_an_id_names_its_kind(kind: Kind, moment: int, randomness: bytes) -> None:
    made = compose(kind, moment, randomness)
    assert is_id(made, kind)
    assert not any(is_id(made, other) for other in Kind if other is not kind)


@pytest.mark.promise("H1")
@given(MOMENTS, MOMENTS, RANDOMNESS, RANDOMNESS)
def test_ids_sort_by_time(first: int, second: int, one: bytes, other: bytes) -> None:
    earlier, after = sorted([first, second])
    if earlier != after:
        assert compose(Kind.ITEM, earlier, one) < compose(Kind.ITEM, after, other)


@pytest.mark.promise("K3")
@given(MOMENTS, MOMENTS, RANDOMNESS, RANDOMNESS)
def test_a_later_id_sorts_after_the_one_it_follows_whatever_the_clocks_say(
    first: int, second: int, one: bytes, other: bytes
) -> None:
    seen = compose(Kind.REVISION, first, one)
    made = later(compose(Kind.REVISION, second, other), seen)
    assert made > seen
    assert is_id(made, Kind.REVISION)


@pytest.mark.promise("K12")
def test_a_reference_is_parsed_back_and_nothing_else_is_one() -> None:
    item, revision = new_id(Kind.ITEM), new_id(Kind.REVISION)
    assert citations.parse(citations.cite(item, revision)) == (item, revision)
    for wrong in ("", item, f"knowledge:{item}", f"knowledge:{revision}@{item}", f"knowledge:{item}@{revision} "):
        with pytest.raises(ValueError, match="reference looks like"):
            citations.parse(wrong)


@pytest.mark.promise("K10")
@given(st.sampled_from(Role), st.sampled_from(Action))
def test_a_role_allows_what_the_table_says_in_its_space_and_nothing_elsewhere(role: Role, action: Action) -> None:
    principal = a_principal({"space_a": role})
    assert may(principal, action, "space_a") == (action in ALLOWED[role])
    assert not may(principal, action, "space_b")
    with pytest.raises(NotFound):
        demand(principal, action, "space_b")
    if not may(principal, action, "space_a"):
        with pytest.raises(NotAllowed):
            demand(principal, action, "space_a")


@pytest.mark.promise("K10")
def test_each_role_may_all_that_the_one_below_it_may() -> None:
    ladder = [Role.VIEWER, Role.MEMBER, Role.ADMIN, Role.OWNER]
    for lower, higher in itertools.pairwise(ladder):
        assert ALLOWED[lower] < ALLOWED[higher]


@pytest.mark.promise("K13")
@given(st.lists(st.booleans(), max_size=40))
def test_the_mark_holds_exactly_the_numbers_it_was_given(public: list[bool]) -> None:
    mark = PublicMark()
    for number, was in enumerate(public, start=1):
        if was:
            mark = mark.including(number).including(number)
    assert [number in mark for number in range(1, len(public) + 1)] == public
    assert 0 not in mark
    assert len(mark.ranges) <= (len(public) + 1) // 2


@pytest.mark.promise("H2")
def test_every_error_says_its_code_and_what_to_do() -> None:
    known = errors.KnownError.__subclasses__()
    assert {each.code for each in known} >= {"stale_revision", "illegal_move", "content_too_large"}
    assert all(each.advice.endswith(".") for each in known)


_LEGAL = {
    (ItemStatus.DRAFT, Move.PUBLISH): ItemStatus.PUBLISHED,
    (ItemStatus.PUBLISHED, Move.WITHDRAW): ItemStatus.DRAFT,
    (ItemStatus.DRAFT, Move.ARCHIVE): ItemStatus.ARCHIVED,
    (ItemStatus.PUBLISHED, Move.ARCHIVE): ItemStatus.ARCHIVED,
}


class LifeCycle(RuleBasedStateMachine):
    """An item moved and edited at random, beside the simplest thing that could be meant."""

    def __init__(self) -> None:
        super().__init__()
        self.item = an_item(a_base())
        self.status = ItemStatus.DRAFT
        self.before_archive: ItemStatus | None = None
        self.public: set[int] = set()

    @rule(asked=st.sampled_from(Move))
    def move(self, asked: Move) -> None:
        target = _LEGAL.get((self.status, asked))
        if self.status is ItemStatus.ARCHIVED and asked is Move.RESTORE:
            target = self.before_archive
        if target is None:
            with pytest.raises(IllegalMove) as refused:
                move(self.item, asked, START)
            assert refused.value.facts()["from"] == self.status
            return
        if target is ItemStatus.ARCHIVED:
            self.before_archive = self.status
        self.item = move(self.item, asked, START + timedelta(hours=1))
        self.status = target

    @precondition(lambda self: self.status is not ItemStatus.ARCHIVED)
    @rule()
    def edit(self) -> None:
        self.item = self.item.following(new_id(Kind.REVISION), START)

    @invariant()
    def holds(self) -> None:
        if self.status is ItemStatus.PUBLISHED:
            self.public.add(self.item.current_number)
        assert self.item.status is self.status
        assert {
            number for number in range(1, self.item.current_number + 1) if number in self.item.public
        } == self.public


TestLifeCycle = LifeCycle.TestCase
TestLifeCycle.pytestmark = [pytest.mark.promise("K5", "K13")]  # type: ignore[attr-defined]


@pytest.mark.promise("K5")
@pytest.mark.parametrize(
    ("title", "locator"),
    [
        ("Restarting the worker", "restarting-the-worker"),
        ("Cómo: guía 2.0!", "cómo-guía-2.0"),
        ("हिन्दी में लिखना", "हिन्दी-में-लिखना"),
        ("知識ベース", "知識ベース"),
        ("?!", "item"),
        ("\ufdfa" * 300, locator_of("\ufdfa" * 300)),
    ],
)
def test_a_locator_is_made_of_the_letters_of_any_script_and_never_too_long(title: str, locator: str) -> None:
    assert locator_of(title) == locator
    assert 1 <= len(locator) <= 512
