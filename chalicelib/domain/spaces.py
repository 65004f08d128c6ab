"""Spaces, roles, and the one place that says who may do what (rules K10, K11)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chalicelib.domain.errors import NotAllowed, NotFound


class SpaceKind(StrEnum):
    """A personal space has one owner and nobody else; a team has members."""

    PERSONAL = "personal"
    TEAM = "team"


class Role(StrEnum):
    """What a member is in a space."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    VIEWER = "viewer"


class Action(StrEnum):
    """What a role may allow."""

    READ = "space:read"
    READ_DRAFTS = "item:read_drafts"
    WRITE_ITEMS = "item:write"
    WRITE_MEMORY = "memory:write"
    DELETE_ITEMS = "item:delete"
    ADMIN_BASES = "base:admin"
    ADMIN_PAGES = "page:admin"
    ADMIN_MEMBERS = "members:admin"
    ADMIN_OWNERS = "owners:admin"


class Door(StrEnum):
    """Which way a person or program came in."""

    REST = "rest"
    MCP = "mcp"
    STREAM = "stream"
    CONSOLE = "console"
    WORKER = "worker"


_VIEWER = frozenset({Action.READ})
_MEMBER = _VIEWER | {Action.READ_DRAFTS, Action.WRITE_ITEMS, Action.WRITE_MEMORY}
_ADMIN = _MEMBER | {Action.DELETE_ITEMS, Action.ADMIN_BASES, Action.ADMIN_PAGES, Action.ADMIN_MEMBERS}

ALLOWED: Mapping[Role, frozenset[Action]] = {
    Role.VIEWER: _VIEWER,
    Role.MEMBER: _MEMBER,
    Role.ADMIN: _ADMIN,
    Role.OWNER: _ADMIN | {Action.ADMIN_OWNERS},
}


@dataclass(frozen=True, slots=True)
class Space:
    """Where knowledge lives."""

    id: str
    kind: SpaceKind
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Membership:
    """One person's role in one space."""

    space_id: str
    user_id: str
    role: Role
    since: datetime


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking, with what the table said of them when the request began."""

    user_id: str
    roles: Mapping[str, Role]
    """Role by space id, already narrowed to the spaces of the token."""
    scopes: frozenset[str]
    door: Door
    token_id: str | None = None
    knowledge_enabled: bool = True
    limited: bool = False
    """Whether the token reaches some of its owner's spaces only."""
    personal_space_id: str | None = None
    """Where their own memory lies; the token may not reach it."""
    profile: str = "ordinary-full"
    """The client profile of the token (rule A3)."""
    token_name: str | None = None
    """As its owner named it; None for a token of an identity provider."""


def may(principal: Principal, action: Action, space_id: str) -> bool:
    """Whether the principal may do that in that space. Every door and use case asks here."""
    role = principal.roles.get(space_id)
    return role is not None and action in ALLOWED[role]


def demand(principal: Principal, action: Action, space_id: str) -> None:
    """Let the principal pass, or refuse.

    Raises:
        NotFound: they are not in the space, so nothing in it exists for them.
        NotAllowed: they are, and their role is too small.
    """
    role = principal.roles.get(space_id)
    if role is None:
        raise NotFound
    if action not in ALLOWED[role]:
        raise NotAllowed(action=action, role=role)
