"""What every store of accounts, tokens and teams does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.access.ports import Account, Token
from chalicelib.domain.errors import LastOwner, MembershipChanged, NotFound, UnknownUser
from chalicelib.domain.ids import Kind
from chalicelib.domain.spaces import Membership, Role, Space, SpaceKind
from tests.factories import new_id, once
from tests.fakes.machine import START
from tests.stores import Stores

pytestmark = pytest.mark.promise("A1")


def _account(stores: Stores) -> Account:
    space = Space(new_id(Kind.SPACE), SpaceKind.PERSONAL, "Ana", START)
    account = Account(new_id(Kind.USER), "Ana", space.id, START)
    stores.keys.add_account(account, space)
    return account


def _team(stores: Stores, owner: Account) -> Space:
    space = Space(new_id(Kind.SPACE), SpaceKind.TEAM, "Ops", START)
    return stores.teams.add_team(space, Membership(space.id, owner.user_id, Role.OWNER, START), None)


def _token(account: Account, **changes: object) -> Token:
    token = Token(
        id=new_id(Kind.TOKEN),
        user_id=account.user_id,
        name="laptop",
        secret_hash="0" * 64,
        scopes=frozenset({"knowledge:read"}),
        spaces=None,
        created_at=START,
    )
    return replace(token, **changes)  # type: ignore[arg-type]


def test_an_account_comes_back_with_its_personal_space_and_every_team(stores: Stores) -> None:
    account = _account(stores)
    team = _team(stores, account)
    found = stores.keys.account(account.user_id)
    assert found is not None
    assert found[0] == account
    assert {each.space_id: each.role for each in found[1]} == {
        account.personal_space_id: Role.OWNER,
        team.id: Role.OWNER,
    }
    assert stores.keys.account(new_id(Kind.USER)) is None


@pytest.mark.promise("K18")
def test_knowledge_is_switched_for_one_account(stores: Stores) -> None:
    account = _account(stores)
    stores.keys.set_knowledge(account.user_id, enabled=False)
    found = stores.keys.account(account.user_id)
    assert found is not None
    assert not found[0].knowledge_enabled
    with pytest.raises(NotFound):
        stores.keys.set_knowledge(new_id(Kind.USER), enabled=False)


def test_tokens_are_kept_listed_used_and_revoked_for_good(stores: Stores) -> None:
    account = _account(stores)
    first = _token(account, spaces=frozenset({"space_x"}), expires_at=START + timedelta(days=1))
    second = _token(account)
    stores.keys.add_token(first)
    stores.keys.add_token(second)
    assert stores.keys.token(first.id) == first
    assert stores.keys.tokens(account.user_id) == (second, first)
    stores.keys.used_token(first.id, START)
    stores.keys.revoke_token(first.id, START)
    revoked = stores.keys.revoke_token(first.id, START + timedelta(days=1))
    assert (revoked.last_used_at, revoked.revoked_at) == (START, START)
    assert stores.keys.token(new_id(Kind.TOKEN)) is None
    with pytest.raises(NotFound):
        stores.keys.revoke_token(new_id(Kind.TOKEN), START)


@pytest.mark.promise("K10")
def test_members_come_change_and_go(stores: Stores) -> None:
    ana, ben = _account(stores), _account(stores)
    team = _team(stores, ana)
    viewer = Membership(team.id, ben.user_id, Role.VIEWER, START)
    stores.teams.put_member(None, viewer)
    member = stores.teams.put_member(viewer, replace(viewer, role=Role.MEMBER))
    assert member in stores.teams.members(team.id)
    found = stores.keys.account(ben.user_id)
    assert found is not None
    assert member in found[1]
    stores.teams.remove_member(member)
    assert [each.user_id for each in stores.teams.members(team.id)] == [ana.user_id]


@pytest.mark.promise("K10")
def test_a_membership_that_changed_meanwhile_is_not_replaced(stores: Stores) -> None:
    ana, ben = _account(stores), _account(stores)
    team = _team(stores, ana)
    viewer = Membership(team.id, ben.user_id, Role.VIEWER, START)
    stores.teams.put_member(None, viewer)
    with pytest.raises(MembershipChanged):
        stores.teams.put_member(None, viewer)
    stores.teams.put_member(viewer, replace(viewer, role=Role.MEMBER))
    with pytest.raises(MembershipChanged):
        stores.teams.put_member(viewer, replace(viewer, role=Role.ADMIN))
    with pytest.raises(MembershipChanged):
        stores.teams.remove_member(viewer)


@pytest.mark.promise("K10")
def test_the_last_owner_stays_whatever_is_tried(stores: Stores) -> None:
    ana, ben = _account(stores), _account(stores)
    team = _team(stores, ana)
    owner = Membership(team.id, ana.user_id, Role.OWNER, START)
    with pytest.raises(LastOwner):
        stores.teams.remove_member(owner)
    with pytest.raises(LastOwner):
        stores.teams.put_member(owner, replace(owner, role=Role.VIEWER))
    stores.teams.put_member(None, Membership(team.id, ben.user_id, Role.OWNER, START))
    stores.teams.remove_member(owner)
    assert [each.user_id for each in stores.teams.members(team.id)] == [ben.user_id]


@pytest.mark.promise("K10")
def test_nobody_unknown_gets_in(stores: Stores) -> None:
    team = _team(stores, _account(stores))
    with pytest.raises(UnknownUser):
        stores.teams.put_member(None, Membership(team.id, new_id(Kind.USER), Role.MEMBER, START))


@pytest.mark.promise("K7")
def test_a_team_is_made_once(stores: Stores) -> None:
    ana = _account(stores)
    spaces = [Space(new_id(Kind.SPACE), SpaceKind.TEAM, "Ops", START) for _ in range(2)]
    made = [stores.teams.add_team(each, Membership(each.id, ana.user_id, Role.OWNER, START), once()) for each in spaces]
    assert made == [spaces[0], spaces[0]]
    assert stores.teams.spaces((spaces[0].id, spaces[1].id)) == (spaces[0],)
    assert stores.teams.space(spaces[1].id) is None


@pytest.mark.promise("K11")
def test_people_are_named_to_those_who_share_the_space(stores: Stores) -> None:
    ana, ben = _account(stores), _account(stores)
    team = _team(stores, ana)
    asked = [(team.id, ana.user_id), (team.id, ben.user_id), (team.id, new_id(Kind.USER)), (team.id, ana.user_id)]
    assert stores.teams.names(asked) == {ana.user_id: "Ana"}
    stores.teams.put_member(None, Membership(team.id, ben.user_id, Role.VIEWER, START))
    assert stores.teams.names(asked) == {ana.user_id: "Ana", ben.user_id: "Ana"}
    assert stores.teams.names([]) == {}
