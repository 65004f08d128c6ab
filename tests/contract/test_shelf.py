"""What search asks of the table, on DynamoDB and in memory."""

from dataclasses import replace

import pytest

from chalicelib.access.ports import Account
from chalicelib.domain import bases
from chalicelib.domain.ids import Kind
from chalicelib.domain.lifecycle import Move, move
from chalicelib.domain.spaces import Membership, Role, Space, SpaceKind
from chalicelib.search.ports import Candidate, Passage, SearchState, Standing
from tests.factories import a_base, a_purge, a_revision, an_item, new_id
from tests.fakes.machine import START
from tests.stores import Stores

pytestmark = pytest.mark.promise("S8")


def _person_in_a_team(stores: Stores) -> tuple[str, str]:
    personal = Space(new_id(Kind.SPACE), SpaceKind.PERSONAL, "Ana", START)
    account = Account(new_id(Kind.USER), "Ana", personal.id, START)
    stores.keys.add_account(account, personal)
    team = Space(new_id(Kind.SPACE), SpaceKind.TEAM, "Ops", START)
    stores.teams.add_team(team, Membership(team.id, account.user_id, Role.OWNER, START), None)
    return account.user_id, team.id


def _candidate(item_id: str, base_id: str, space_id: str) -> Candidate:
    return Candidate(item_id, base_id, space_id, new_id(Kind.REVISION), Passage(0, (), "text"), 1.0)


def test_the_records_that_decide_come_in_one_reading_and_what_is_not_there_is_left_out(stores: Stores) -> None:
    user, space = _person_in_a_team(stores)
    base, archived = (stores.knowledge.add_base(a_base(space), None) for _ in range(2))
    archived = stores.knowledge.change_base(archived, bases.archive(archived, START), None)
    item, hidden = an_item(base), an_item(base)
    for each in (item, hidden):
        stores.knowledge.add_item(each, a_revision(each), None)
    published = stores.knowledge.change_item(item, move(item, Move.PUBLISH, START), None)
    offered = [
        _candidate(item.id, base.id, space),
        _candidate(item.id, base.id, space),
        _candidate(hidden.id, archived.id, space),
        _candidate(new_id(Kind.ITEM), new_id(Kind.BASE), "space_foreign"),
    ]
    assert stores.shelf.standing(user, offered) == Standing(
        items={item.id: published, hidden.id: hidden},
        bases={base.id: base, archived.id: archived},
        roles={space: Role.OWNER},
    )
    assert stores.shelf.item(item.id) == published
    assert stores.shelf.item(new_id(Kind.ITEM)) is None


@pytest.mark.promise("S10")
def test_a_role_that_was_lost_is_not_there_in_the_next_reading(stores: Stores) -> None:
    user, space = _person_in_a_team(stores)
    other, _ = _person_in_a_team(stores)
    member = stores.teams.put_member(None, Membership(space, other, Role.VIEWER, START))
    offered = [_candidate(new_id(Kind.ITEM), new_id(Kind.BASE), space)]
    assert stores.shelf.standing(other, offered).roles == {space: Role.VIEWER}
    stores.teams.remove_member(member)
    assert stores.shelf.standing(other, offered).roles == {}
    assert stores.shelf.standing(user, offered).roles == {space: Role.OWNER}


def test_more_candidates_than_one_batch_holds_are_all_looked_at(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    items = [an_item(base) for _ in range(130)]
    for each in items:
        stores.knowledge.add_item(each, a_revision(each), None)
    found = stores.shelf.standing("user_x", [_candidate(each.id, base.id, base.space_id) for each in items])
    assert found.items.keys() == {each.id for each in items}


@pytest.mark.promise("S11")
def test_how_far_the_index_is_is_kept_per_version_and_an_older_mark_never_replaces_a_newer_one(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    item = an_item(base)
    stores.knowledge.add_item(item, a_revision(item), None)
    assert stores.states.states([item]) == {item.id: SearchState.PENDING}
    newer = replace(item, version=2)
    stores.states.mark(newer, SearchState.INDEXED)
    stores.states.mark(item, SearchState.FAILED)
    assert stores.states.states([newer]) == {item.id: SearchState.INDEXED}
    assert stores.states.states([replace(item, version=3)]) == {item.id: SearchState.PENDING}
    assert stores.states.states([]) == {}


@pytest.mark.promise("K16")
def test_no_mark_outlives_its_item(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    item = an_item(base)
    stores.knowledge.add_item(item, a_revision(item), None)
    stores.graves.bury_item(item, a_purge(base, item), None)
    stores.states.mark(item, SearchState.INDEXED)
    assert stores.states.states([item]) == {item.id: SearchState.PENDING}


@pytest.mark.promise("S11")
def test_every_item_is_told_and_which_of_some_there_are(stores: Stores) -> None:
    _, space = _person_in_a_team(stores)
    base = stores.knowledge.add_base(a_base(space), None)
    items = [an_item(base) for _ in range(3)]
    for each in items:
        stores.knowledge.add_item(each, a_revision(each), None)
    names = {each.id for each in items}
    assert names <= {each.id for each in stores.catalogue.everything()}
    assert stores.catalogue.existing([*names, new_id(Kind.ITEM)]) == names
    assert stores.catalogue.existing([]) == set()
