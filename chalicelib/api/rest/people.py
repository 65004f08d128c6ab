"""Routes of one's own account, tokens, spaces and teams."""

from collections.abc import Sequence
from datetime import timedelta

from chalicelib.access.scopes import Scope
from chalicelib.access.tokens import NewToken
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.access import (
    IssuedAnswer,
    MeAnswer,
    MemberAnswer,
    MembersAnswer,
    NewMemberBody,
    NewTeamBody,
    NewTokenBody,
    RoleBody,
    SpaceAnswer,
    SpacesAnswer,
    TokenAnswer,
    TokensAnswer,
)
from chalicelib.domain.errors import (
    AlreadyMember,
    LastOwner,
    MembershipChanged,
    NotAllowed,
    NotFound,
    PersonalSpace,
    ScopeTooWide,
    TokenLimited,
    TooMany,
    UnknownUser,
)
from chalicelib.domain.spaces import Membership, Role

_ADMIN = (Scope.TOKENS_ADMIN,)
_WRITE = (Scope.KNOWLEDGE_WRITE,)
_READ = (Scope.KNOWLEDGE_READ,)
_MEMBERS = "/api/v1/teams/{team_id}/members"
_MEMBER = f"{_MEMBERS}/{{user_id}}"


def _me(call: Call) -> Reply:
    return Reply(MeAnswer.of(call.services.read_account(call.principal), call.principal.scopes))


def _tokens(call: Call) -> Reply:
    return Reply(TokensAnswer(tokens=[TokenAnswer.of(each) for each in call.services.list_tokens(call.principal)]))


def _issue(call: Call) -> Reply:
    body = call.body
    asked = NewToken(
        name=body.name,
        scopes=frozenset(str(each) for each in body.scopes),
        spaces=frozenset(body.spaces) if body.spaces else None,
        expires_in=timedelta(days=body.expires_in_days) if body.expires_in_days else None,
        profile=body.profile,
    )
    issued = call.services.issue_token(call.principal, asked)
    return Reply(IssuedAnswer(token=issued.bearer, details=TokenAnswer.of(issued.token)), 201)


def _revoke(call: Call) -> Reply:
    return Reply(TokenAnswer.of(call.services.revoke_token(call.principal, call.path["token_id"])))


def _spaces(call: Call) -> Reply:
    found = call.services.list_spaces(call.principal)
    return Reply(SpacesAnswer(spaces=[SpaceAnswer.of(space, role) for space, role in found]))


def _team(call: Call) -> Reply:
    space = call.services.create_team(call.principal, call.body.name, call.once)
    return Reply(SpaceAnswer.of(space, Role.OWNER), 201)


def _named(call: Call, members: Sequence[Membership]) -> list[MemberAnswer]:
    names = call.services.names([(each.space_id, each.user_id) for each in members])
    return [MemberAnswer.of(each, names) for each in members]


def _members(call: Call) -> Reply:
    found = call.services.list_members(call.principal, call.path["team_id"])
    return Reply(MembersAnswer(members=_named(call, found)))


def _add(call: Call) -> Reply:
    member = call.services.add_member(call.principal, call.path["team_id"], call.body.user_id, call.body.role)
    return Reply(_named(call, [member])[0], 201)


def _set(call: Call) -> Reply:
    member = call.services.set_member(call.principal, call.path["team_id"], call.path["user_id"], call.body.role)
    return Reply(_named(call, [member])[0])


def _remove(call: Call) -> Reply:
    call.services.remove_member(call.principal, call.path["team_id"], call.path["user_id"])
    return Reply(MembersAnswer(members=[]))


_SET = (NotFound, NotAllowed, PersonalSpace, LastOwner, MembershipChanged, UnknownUser, TooMany)

ROUTES = (
    Route("GET", "/api/v1/me", "readMe", "Read whom this token stands for", _me, MeAnswer, errors=(NotFound,)),
    Route("GET", "/api/v1/tokens", "listTokens", "List one's own tokens", _tokens, TokensAnswer, _ADMIN),
    Route(
        "POST",
        "/api/v1/tokens",
        "createToken",
        "Make a token; its secret is shown this once",
        _issue,
        IssuedAnswer,
        _ADMIN,
        body=NewTokenBody,
        status=201,
        errors=(ScopeTooWide, NotFound, TooMany),
    ),
    Route(
        "DELETE",
        "/api/v1/tokens/{token_id}",
        "revokeToken",
        "Revoke a token, from the next request on",
        _revoke,
        TokenAnswer,
        _ADMIN,
        errors=(NotFound,),
    ),
    Route("GET", "/api/v1/spaces", "listSpaces", "List the spaces one is in", _spaces, SpacesAnswer, _READ),
    Route(
        "POST",
        "/api/v1/teams",
        "createTeam",
        "Make a team",
        _team,
        SpaceAnswer,
        _WRITE,
        body=NewTeamBody,
        status=201,
        repeatable=True,
        errors=(TokenLimited, TooMany, UnknownUser, NotFound),
    ),
    Route(
        "GET",
        _MEMBERS,
        "listMembers",
        "List who is in a team",
        _members,
        MembersAnswer,
        _READ,
        errors=(NotFound,),
    ),
    Route(
        "POST",
        _MEMBERS,
        "addMember",
        "Let someone into a team",
        _add,
        MemberAnswer,
        _WRITE,
        body=NewMemberBody,
        status=201,
        errors=(*_SET, AlreadyMember),
    ),
    Route(
        "PUT",
        _MEMBER,
        "setMember",
        "Let someone into a team, or change their role",
        _set,
        MemberAnswer,
        _WRITE,
        body=RoleBody,
        errors=_SET,
    ),
    Route(
        "DELETE",
        _MEMBER,
        "removeMember",
        "Take someone out of a team, or leave it",
        _remove,
        MembersAnswer,
        _WRITE,
        errors=(NotFound, NotAllowed, PersonalSpace, LastOwner, MembershipChanged),
    ),
)
