"""Tokens, scopes, accounts and teams."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.access.accounts import CreateAccount, ReadAccount, operator_for
from chalicelib.access.ports import Account
from chalicelib.access.scopes import Scope, demand_scopes
from chalicelib.access.teams import (
    MAX_MEMBERS,
    MAX_SPACES,
    AddMember,
    CreateTeam,
    ListMembers,
    ListSpaces,
    RemoveMember,
    SetMember,
)
from chalicelib.access.tokens import (
    MAX_TOKENS,
    USE_NOTED_EVERY,
    Authenticate,
    Issued,
    IssueToken,
    ListTokens,
    NewToken,
    RevokeToken,
)
from chalicelib.domain.errors import (
    AlreadyMember,
    InsufficientScope,
    LastOwner,
    NotAllowed,
    NotFound,
    PersonalSpace,
    ScopeTooWide,
    TokenLimited,
    TooMany,
    Unauthenticated,
    UnknownUser,
)
from chalicelib.domain.spaces import ALLOWED, Action, Door, Membership, Principal, Role, may
from tests.factories import a_principal
from tests.fakes.keys import MemoryKeys
from tests.fakes.machine import CountingIds, CountingSecrets, StillClock

pytestmark = pytest.mark.promise("A1")


class Office:
    """The use cases of the room over fakes, with one account."""

    def __init__(self) -> None:
        self.keys, self.clock, self.ids = MemoryKeys(), StillClock(), CountingIds()
        self.create = CreateAccount(self.keys, self.ids, self.clock)
        self.issue = IssueToken(self.keys, CountingSecrets(), self.ids, self.clock)
        self.authenticate = Authenticate(self.keys, self.clock)
        self.revoke = RevokeToken(self.keys, self.clock)
        self.team = CreateTeam(self.keys, self.keys, self.ids, self.clock)
        self.set_member = SetMember(self.keys, self.keys, self.clock)
        self.add_member = AddMember(self.set_member)
        self.remove_member = RemoveMember(self.keys)
        self.ana = self.create("Ana")
        self.operator = operator_for(self.ana)

    def token(self, *scopes: Scope, spaces: frozenset[str] | None = None, days: int | None = None) -> Issued:
        expires_in = timedelta(days=days) if days else None
        return self.issue(self.operator, NewToken("laptop", frozenset(scopes), spaces, expires_in))

    def principal(self, issued: Issued) -> Principal:
        return self.authenticate(issued.bearer, Door.REST)

    def as_(self, account: Account) -> Principal:
        found = self.keys.account(account.user_id)
        assert found is not None
        return a_principal({each.space_id: each.role for each in found[1]}, account.user_id)


@pytest.fixture
def office() -> Office:
    return Office()


def test_a_token_is_shown_once_and_stored_as_a_hash(office: Office) -> None:
    issued = office.token(Scope.KNOWLEDGE_READ)
    secret = issued.bearer.rpartition("_")[2]
    assert issued.bearer == f"acv_{issued.token.id.removeprefix('tok_')}_{secret}"
    assert secret not in repr(office.keys.tokens_)
    principal = office.principal(issued)
    assert (principal.user_id, set(principal.scopes)) == (office.ana.user_id, {"knowledge:read"})
    assert principal.roles == {office.ana.personal_space_id: Role.OWNER}


@pytest.mark.parametrize("wrong", ["", "acv_", "acv_1_2", "Bearer x", "acv_" + "0" * 26 + "_" + "0" * 43])
def test_what_is_not_a_token_is_refused(office: Office, wrong: str) -> None:
    with pytest.raises(Unauthenticated):
        office.authenticate(wrong, Door.REST)


def test_another_secret_is_refused(office: Office) -> None:
    issued = office.token(Scope.KNOWLEDGE_READ)
    with pytest.raises(Unauthenticated):
        office.authenticate(issued.bearer[:-1] + "x", Door.REST)


def test_a_revoked_token_is_refused_in_the_next_request_and_stays_revoked(office: Office) -> None:
    issued = office.token(Scope.KNOWLEDGE_READ)
    principal = office.principal(issued)
    first = office.revoke(principal, issued.token.id)
    with pytest.raises(Unauthenticated):
        office.principal(issued)
    office.clock.pass_(hours=1)
    assert office.revoke(principal, issued.token.id).revoked_at == first.revoked_at


def test_an_expired_token_is_refused(office: Office) -> None:
    issued = office.token(Scope.KNOWLEDGE_READ, days=1)
    office.clock.pass_(hours=23)
    assert office.principal(issued).token_id == issued.token.id
    office.clock.pass_(hours=1)
    with pytest.raises(Unauthenticated):
        office.principal(issued)


def test_a_token_of_an_account_that_is_gone_is_refused(office: Office) -> None:
    issued = office.token(Scope.KNOWLEDGE_READ)
    del office.keys.accounts[office.ana.user_id]
    with pytest.raises(Unauthenticated):
        office.principal(issued)


def test_the_last_use_is_noted_now_and_then(office: Office) -> None:
    issued = office.token(Scope.KNOWLEDGE_READ)
    begun = office.clock.now()
    office.principal(issued)
    office.clock.pass_(minutes=1)
    office.principal(issued)
    assert office.keys.tokens_[issued.token.id].last_used_at == begun
    office.clock.pass_(seconds=USE_NOTED_EVERY.total_seconds())
    office.principal(issued)
    assert office.keys.tokens_[issued.token.id].last_used_at == office.clock.now()


def test_nobody_sees_or_revokes_the_tokens_of_others(office: Office) -> None:
    issued = office.token(Scope.KNOWLEDGE_READ)
    ben = office.as_(office.create("Ben"))
    assert ListTokens(office.keys)(ben) == ()
    assert ListTokens(office.keys)(office.operator) == (issued.token,)
    for token_id in (issued.token.id, "tok_none"):
        with pytest.raises(NotFound):
            office.revoke(ben, token_id)


def test_an_account_has_a_bounded_number_of_tokens_in_use(office: Office) -> None:
    made = [office.token(Scope.KNOWLEDGE_READ) for _ in range(MAX_TOKENS)]
    with pytest.raises(TooMany):
        office.token(Scope.KNOWLEDGE_READ)
    office.revoke(office.operator, made[0].token.id)
    assert office.token(Scope.KNOWLEDGE_READ).token.revoked_at is None


@pytest.mark.promise("A2")
@given(
    st.frozensets(st.sampled_from(Scope)), st.frozensets(st.sampled_from(Scope)), st.frozensets(st.sampled_from(Scope))
)
def test_a_narrower_scope_never_allows_more(
    wide: frozenset[Scope], narrow: frozenset[Scope], needed: frozenset[Scope]
) -> None:
    narrow &= wide
    principal = a_principal({})
    few, many = (replace(principal, scopes=frozenset(str(each) for each in scopes)) for scopes in (narrow, wide))

    def passes(who: Principal) -> bool:
        try:
            demand_scopes(who, sorted(needed))
        except InsufficientScope as refused:
            assert set(refused.required) == needed  # noqa: PT017 - the refusal is what is looked at
            return False
        return True

    assert passes(many) or not passes(few)


@pytest.mark.promise("A2")
@given(st.dictionaries(st.sampled_from("abc"), st.sampled_from(Role)), st.frozensets(st.sampled_from("abc")))
def test_a_token_limited_to_spaces_never_does_more_than_its_owner(
    roles: dict[str, Role], limit: frozenset[str]
) -> None:
    office = Office()
    for space, role in roles.items():
        member = Membership(space, office.ana.user_id, role, office.clock.now())
        office.keys.members_[space, office.ana.user_id] = member
    operator = office.as_(office.ana)
    asked = frozenset(limit & roles.keys())
    issued = office.issue(operator, NewToken("limited", frozenset({Scope.KNOWLEDGE_READ}), asked or None))
    limited = office.principal(issued)
    for space in "abc":
        for action in Action:
            assert not may(limited, action, space) or action in ALLOWED[roles[space]]
            if asked and space not in asked:
                assert not may(limited, action, space)


@pytest.mark.promise("A2")
def test_a_token_gives_no_more_than_the_token_that_makes_it_has(office: Office) -> None:
    space = frozenset({office.ana.personal_space_id})
    maker = office.principal(office.token(Scope.TOKENS_ADMIN, Scope.KNOWLEDGE_READ, spaces=space))
    with pytest.raises(ScopeTooWide) as refused:
        office.issue(maker, NewToken("wider", frozenset({Scope.KNOWLEDGE_WRITE, Scope.KNOWLEDGE_READ})))
    assert refused.value.scopes == ("knowledge:write",)
    child = office.issue(maker, NewToken("child", frozenset({Scope.KNOWLEDGE_READ})))
    assert child.token.spaces == space
    with pytest.raises(NotFound):
        office.issue(maker, NewToken("elsewhere", frozenset({Scope.KNOWLEDGE_READ}), frozenset({"space_x"})))


@pytest.mark.promise("K10")
def test_roles_decide_who_lets_whom_in(office: Office) -> None:
    ben, cleo = office.create("Ben"), office.create("Cleo")
    team = office.team(office.operator, "Ops", None)
    owner = office.as_(office.ana)
    office.add_member(owner, team.id, ben.user_id, Role.ADMIN)
    admin = office.as_(ben)
    assert office.add_member(admin, team.id, cleo.user_id, Role.VIEWER).role is Role.VIEWER
    assert office.add_member(admin, team.id, cleo.user_id, Role.VIEWER).role is Role.VIEWER
    with pytest.raises(AlreadyMember):
        office.add_member(admin, team.id, cleo.user_id, Role.MEMBER)
    for role_change in ((cleo.user_id, Role.OWNER), (office.ana.user_id, Role.ADMIN)):
        with pytest.raises(NotAllowed):
            office.set_member(admin, team.id, *role_change)
    with pytest.raises(NotAllowed):
        office.remove_member(admin, team.id, office.ana.user_id)
    viewer = office.as_(cleo)
    with pytest.raises(NotAllowed):
        office.set_member(viewer, team.id, cleo.user_id, Role.ADMIN)
    with pytest.raises(NotAllowed):
        office.remove_member(viewer, team.id, ben.user_id)
    assert [each.user_id for each in ListMembers(office.keys)(viewer, team.id)] == sorted(office.keys.accounts)
    office.remove_member(viewer, team.id, cleo.user_id)
    with pytest.raises(NotFound):
        office.remove_member(owner, team.id, cleo.user_id)
    with pytest.raises(NotFound):
        ListMembers(office.keys)(office.as_(cleo), team.id)


@pytest.mark.promise("K10")
def test_the_last_owner_cannot_leave_and_can_once_there_is_another(office: Office) -> None:
    ben = office.create("Ben")
    team = office.team(office.operator, "Ops", None)
    owner = office.as_(office.ana)
    with pytest.raises(LastOwner):
        office.remove_member(owner, team.id, office.ana.user_id)
    with pytest.raises(LastOwner):
        office.set_member(owner, team.id, office.ana.user_id, Role.ADMIN)
    assert office.set_member(owner, team.id, ben.user_id, Role.OWNER).role is Role.OWNER
    office.remove_member(owner, team.id, office.ana.user_id)
    assert [each.user_id for each in office.keys.members(team.id)] == [ben.user_id]


@pytest.mark.promise("K10")
def test_a_personal_space_has_no_members(office: Office) -> None:
    ben = office.create("Ben")
    space = office.ana.personal_space_id
    owner = office.as_(office.ana)
    with pytest.raises(PersonalSpace):
        office.add_member(owner, space, ben.user_id, Role.VIEWER)
    with pytest.raises(LastOwner):
        office.remove_member(owner, space, office.ana.user_id)
    with pytest.raises(NotFound):
        office.set_member(office.as_(ben), space, ben.user_id, Role.OWNER)
    del office.keys.spaces_[space]
    with pytest.raises(NotFound):
        office.set_member(owner, space, ben.user_id, Role.VIEWER)


@pytest.mark.promise("K10")
def test_teams_and_spaces_are_bounded_and_people_known(office: Office) -> None:
    team = office.team(office.operator, "Ops", None)
    owner = office.as_(office.ana)
    with pytest.raises(UnknownUser):
        office.set_member(owner, team.id, "user_none", Role.VIEWER)
    for number in range(MAX_MEMBERS):
        office.keys.members_[team.id, f"user_{number}"] = Membership(
            team.id, f"user_{number}", Role.VIEWER, office.clock.now()
        )
    with pytest.raises(TooMany):
        office.set_member(owner, team.id, office.create("Ben").user_id, Role.VIEWER)


@pytest.mark.promise("K10")
def test_nobody_is_in_more_spaces_than_can_be_read_with_every_request(office: Office) -> None:
    crowded = office.create("Crowded")
    for number in range(MAX_SPACES):
        space = f"space_{number}"
        member = Membership(space, crowded.user_id, Role.VIEWER, office.clock.now())
        office.keys.members_[space, crowded.user_id] = member
    team = office.team(office.operator, "Ops", None)
    with pytest.raises(TooMany):
        office.set_member(office.as_(office.ana), team.id, crowded.user_id, Role.VIEWER)
    narrowed = replace(office.as_(crowded), roles={})
    with pytest.raises(TooMany):
        office.team(narrowed, "One more", None)


@pytest.mark.promise("A2")
def test_a_limited_token_makes_no_team_and_neither_sees_nor_revokes_wider_ones(office: Office) -> None:
    wide = office.token(Scope.TOKENS_ADMIN, Scope.KNOWLEDGE_WRITE)
    limit = frozenset({office.ana.personal_space_id})
    narrow = office.token(Scope.TOKENS_ADMIN, Scope.KNOWLEDGE_WRITE, spaces=limit)
    limited = office.principal(narrow)
    with pytest.raises(TokenLimited):
        office.team(limited, "Ops", None)
    assert [each.id for each in ListTokens(office.keys)(limited)] == [narrow.token.id]
    with pytest.raises(NotFound):
        office.revoke(limited, wide.token.id)
    child = office.issue(limited, NewToken("child", frozenset({Scope.TOKENS_ADMIN})))
    assert office.revoke(limited, child.token.id).revoked_at is not None


@pytest.mark.promise("A2")
def test_no_token_outlives_the_one_that_made_it(office: Office) -> None:
    maker = office.principal(office.token(Scope.TOKENS_ADMIN, days=1))
    for asked in (None, timedelta(days=30)):
        child = office.issue(maker, NewToken("child", frozenset({Scope.TOKENS_ADMIN}), expires_in=asked))
        assert child.token.expires_at == office.clock.now() + timedelta(days=1)


@pytest.mark.promise("K10")
def test_one_sees_ones_spaces_and_ones_account(office: Office) -> None:
    team = office.team(office.operator, "Ops", None)
    spaces = ListSpaces(office.keys)(office.as_(office.ana))
    assert {(space.id, role) for space, role in spaces} == {
        (team.id, Role.OWNER),
        (office.ana.personal_space_id, Role.OWNER),
    }
    assert ReadAccount(office.keys)(office.operator) == office.ana
    with pytest.raises(NotFound):
        ReadAccount(office.keys)(a_principal({}))
