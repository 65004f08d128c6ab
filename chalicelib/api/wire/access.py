"""Shapes of accounts, tokens, spaces, members and plans."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Self

from pydantic import Field

from chalicelib.access.ports import Account, Token
from chalicelib.access.profiles import Profile
from chalicelib.access.scopes import Scope
from chalicelib.api.wire.words import NAME, Answer, Id, Name, Shape
from chalicelib.domain.spaces import ALLOWED, Action, Membership, Role, Space, SpaceKind


class MeAnswer(Answer):
    """Who a token stands for."""

    user_id: str
    name: str
    personal_space_id: str
    knowledge_enabled: bool
    plan: str
    scopes: list[str]

    @classmethod
    def of(cls, account: Account, scopes: frozenset[str]) -> Self:
        """The shape of an account, with the scopes of the token that asks."""
        return cls(
            user_id=account.user_id,
            name=account.name,
            personal_space_id=account.personal_space_id,
            knowledge_enabled=account.knowledge_enabled,
            plan=account.plan,
            scopes=sorted(scopes),
        )


class NewTokenBody(Shape):
    """A token to be made; it may do no more than the one that makes it."""

    name: Name
    scopes: Annotated[list[Annotated[Scope, Field(strict=False)]], Field(min_length=1, max_length=len(Scope))]
    spaces: Annotated[
        list[Id] | None, Field(min_length=1, max_length=200, description="Limit the token to these spaces.")
    ] = None
    expires_in_days: Annotated[int | None, Field(ge=1, le=3650)] = None
    profile: Annotated[Profile, Field(strict=False, description="Which tools an MCP client with this token sees.")] = (
        Profile.ORDINARY_FULL
    )


class TokenAnswer(Answer):
    """A token without its secret."""

    id: str
    name: str
    scopes: list[str]
    spaces: list[str] | None
    profile: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None

    @classmethod
    def of(cls, token: Token) -> Self:
        """The shape of a token."""
        return cls(
            id=token.id,
            name=token.name,
            scopes=sorted(token.scopes),
            spaces=sorted(token.spaces) if token.spaces is not None else None,
            profile=token.profile,
            created_at=token.created_at,
            expires_at=token.expires_at,
            last_used_at=token.last_used_at,
            revoked_at=token.revoked_at,
        )


class IssuedAnswer(Answer):
    """A new token. This is the only time its secret is shown."""

    token: str
    details: TokenAnswer


class TokensAnswer(Answer):
    """One's own tokens, newest first."""

    tokens: list[TokenAnswer]


class NewTeamBody(Shape):
    """A team to be made."""

    name: Name


class SpaceAnswer(Answer):
    """A space, and the caller's role in it."""

    id: str
    kind: SpaceKind
    name: str
    role: Role
    allowed: Annotated[list[Action], Field(description="What the role allows; the scopes of a token may narrow it.")]
    created_at: datetime

    @classmethod
    def of(cls, space: Space, role: Role) -> Self:
        """The shape of a space."""
        return cls(
            id=space.id,
            kind=space.kind,
            name=space.name,
            role=role,
            allowed=sorted(ALLOWED[role]),
            created_at=space.created_at,
        )


class SpacesAnswer(Answer):
    """The spaces the caller is in."""

    spaces: list[SpaceAnswer]


class NewMemberBody(Shape):
    """Someone to be let into a team."""

    user_id: Id
    role: Annotated[Role, Field(strict=False)]


class RoleBody(Shape):
    """What someone is to be in a team."""

    role: Annotated[Role, Field(strict=False)]


class MemberAnswer(Answer):
    """Someone in a space."""

    user_id: str
    name: Annotated[str | None, NAME]
    role: Role
    since: datetime

    @classmethod
    def of(cls, member: Membership, names: Mapping[str, str]) -> Self:
        """The shape of a membership."""
        return cls(user_id=member.user_id, name=names.get(member.user_id), role=member.role, since=member.since)


class MembersAnswer(Answer):
    """Everyone in a space."""

    members: list[MemberAnswer]


class PlanAnswer(Answer):
    """What a plan sets aside. Shown to people; nothing is refused because of it."""

    id: str
    name: str
    bases: int
    items: int
    storage_mib: int


class PlansAnswer(Answer):
    """All plans."""

    plans: list[PlanAnswer]


class HealthAnswer(Answer):
    """That the door is open."""

    status: str
