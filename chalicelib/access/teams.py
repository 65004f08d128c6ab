"""Teams: spaces with members and roles (rule K10)."""

from dataclasses import dataclass

from chalicelib.access.ports import KeyStore, TeamStore
from chalicelib.domain.errors import AlreadyMember, NotFound, PersonalSpace, TokenLimited, TooMany, UnknownUser
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.spaces import Action, Membership, Principal, Role, Space, SpaceKind, demand
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once

MAX_SPACES = 200
"""Spaces one person can be in; their roles are read with every request."""

MAX_MEMBERS = 500
"""Members of one team."""


@dataclass(frozen=True, slots=True)
class ListSpaces:
    """List the spaces one is in, with one's role."""

    teams: TeamStore

    def __call__(self, principal: Principal) -> tuple[tuple[Space, Role], ...]:
        """Space and role, in the order of ids."""
        spaces = self.teams.spaces(tuple(sorted(principal.roles)))
        return tuple((each, principal.roles[each.id]) for each in spaces)


@dataclass(frozen=True, slots=True)
class CreateTeam:
    """Make a team, owned by who makes it."""

    teams: TeamStore
    keys: KeyStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, name: str, once: Once | None) -> Space:
        """The new team. Raises TokenLimited, TooMany, IdempotencyKeyReused."""
        if principal.limited:
            raise TokenLimited
        demand_room(self.keys, principal.user_id)
        now = self.clock.now()
        space = Space(self.ids.new(Kind.SPACE), SpaceKind.TEAM, name, now)
        return self.teams.add_team(space, Membership(space.id, principal.user_id, Role.OWNER, now), once)


@dataclass(frozen=True, slots=True)
class ListMembers:
    """List who is in a space."""

    teams: TeamStore

    def __call__(self, principal: Principal, space_id: str) -> tuple[Membership, ...]:
        """All memberships. Raises NotFound."""
        demand(principal, Action.READ, space_id)
        return self.teams.members(space_id)


@dataclass(frozen=True, slots=True)
class SetMember:
    """Let someone into a team, or change their role."""

    teams: TeamStore
    keys: KeyStore
    clock: Clock

    def __call__(self, principal: Principal, space_id: str, user_id: str, role: Role) -> Membership:
        """The membership. Only an owner makes or unmakes an owner.

        Raises NotFound, NotAllowed, PersonalSpace, LastOwner, UnknownUser, TooMany, MembershipChanged.
        """
        members = _team(self.teams, principal, space_id)
        before = members.get(user_id)
        if Role.OWNER in {role, before.role if before else None}:
            demand(principal, Action.ADMIN_OWNERS, space_id)
        if before is None:
            if len(members) >= MAX_MEMBERS:
                raise TooMany(what="members in one team", limit=MAX_MEMBERS)
            demand_room(self.keys, user_id)
        if before is not None and before.role is role:
            return before
        since = before.since if before else self.clock.now()
        return self.teams.put_member(before, Membership(space_id, user_id, role, since))


@dataclass(frozen=True, slots=True)
class AddMember:
    """Let someone into a team who is not in it."""

    set_member: SetMember

    def __call__(self, principal: Principal, space_id: str, user_id: str, role: Role) -> Membership:
        """The new membership; the one there is, if it has that role.

        Raises AlreadyMember and what SetMember raises.
        """
        before = _team(self.set_member.teams, principal, space_id).get(user_id)
        if before is not None and before.role is not role:
            raise AlreadyMember(role=before.role)
        return before or self.set_member(principal, space_id, user_id, role)


@dataclass(frozen=True, slots=True)
class RemoveMember:
    """Take someone out of a team, or leave it."""

    teams: TeamStore

    def __call__(self, principal: Principal, space_id: str, user_id: str) -> None:
        """Nothing is left of the membership.

        Raises NotFound, NotAllowed, PersonalSpace, LastOwner, MembershipChanged.
        """
        if user_id == principal.user_id:
            demand(principal, Action.READ, space_id)
            members = {each.user_id: each for each in self.teams.members(space_id)}
        else:
            members = _team(self.teams, principal, space_id)
        before = members.get(user_id)
        if before is None:
            raise NotFound
        if before.role is Role.OWNER and user_id != principal.user_id:
            demand(principal, Action.ADMIN_OWNERS, space_id)
        self.teams.remove_member(before)


def demand_room(keys: KeyStore, user_id: str) -> None:
    """Let someone pass who can be in one more space.

    Raises UnknownUser, TooMany.
    """
    found = keys.account(user_id)
    if found is None:
        raise UnknownUser(user_id=user_id)
    if len(found[1]) >= MAX_SPACES:
        raise TooMany(what="spaces for one account", limit=MAX_SPACES)


def _team(teams: TeamStore, principal: Principal, space_id: str) -> dict[str, Membership]:
    demand(principal, Action.ADMIN_MEMBERS, space_id)
    space = teams.space(space_id)
    if space is None:
        raise NotFound
    if space.kind is SpaceKind.PERSONAL:
        raise PersonalSpace
    return {each.user_id: each for each in teams.members(space_id)}
