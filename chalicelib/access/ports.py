"""What the keys need from outside."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from chalicelib.domain.spaces import Membership, Space
from chalicelib.domain.writes import Once


@dataclass(frozen=True, slots=True)
class Account:
    """A person, as far as Acervo knows them."""

    user_id: str
    name: str
    personal_space_id: str
    created_at: datetime
    knowledge_enabled: bool = True
    plan: str = "free"
    """A label shown to people; nothing is ever refused because of it (rule K19)."""


@dataclass(frozen=True, slots=True)
class Token:
    """A personal access token, without its secret."""

    id: str
    user_id: str
    name: str
    secret_hash: str
    """SHA-256, hexadecimal. The secret has 256 random bits, so a slow hash would add nothing."""
    scopes: frozenset[str]
    spaces: frozenset[str] | None
    """The spaces it is limited to; None for all of its owner's."""
    created_at: datetime
    profile: str = "ordinary-full"
    """The client profile (rule A3)."""
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """Who an identity provider's token stands for."""

    subject_hash: str
    """SHA-256, hexadecimal, of the issuer and its name for the person."""
    name: str
    scopes: frozenset[str]


class IdentityTokens(Protocol):
    """Tokens of an identity provider."""

    def verify(self, token: str) -> Identity:
        """Who it stands for. Raises Unauthenticated: it is not genuine, not for us, or expired."""
        ...


class KeyStore(Protocol):
    """Where accounts and tokens are kept. All reads are strongly consistent."""

    def add_account(self, account: Account, space: Space, subject_hash: str | None = None) -> None:
        """Write an account with its personal space, owned by it; for whom of an identity provider, if for one.

        Raises StoreBusy if that one has an account already.
        """
        ...

    def user_of(self, subject_hash: str) -> str | None:
        """The account of somebody of an identity provider, or None."""
        ...

    def account(self, user_id: str) -> tuple[Account, tuple[Membership, ...]] | None:
        """The account with all its memberships, or None."""
        ...

    def set_knowledge(self, user_id: str, *, enabled: bool) -> None:
        """Switch knowledge on or off for an account. Raises NotFound."""
        ...

    def token(self, token_id: str) -> Token | None:
        """The token, or None."""
        ...

    def tokens(self, user_id: str) -> tuple[Token, ...]:
        """The tokens of an account, newest first."""
        ...

    def add_token(self, token: Token) -> None:
        """Write a new token."""
        ...

    def revoke_token(self, token_id: str, now: datetime) -> Token:
        """Revoke a token, for good; the first moment counts. Raises NotFound."""
        ...

    def used_token(self, token_id: str, now: datetime) -> None:
        """Note that a token was used."""
        ...


class TeamStore(Protocol):
    """Where spaces and memberships are kept. All reads are strongly consistent."""

    def add_team(self, space: Space, owner: Membership, once: Once | None) -> Space:
        """Write a team with its first owner; a repeat returns the first result."""
        ...

    def space(self, space_id: str) -> Space | None:
        """The space, or None."""
        ...

    def spaces(self, space_ids: tuple[str, ...]) -> tuple[Space, ...]:
        """Those of the spaces that exist, in the order asked for."""
        ...

    def members(self, space_id: str) -> tuple[Membership, ...]:
        """Everyone in a space, in the order of their ids."""
        ...

    def names(self, people: Collection[tuple[str, str]]) -> Mapping[str, str]:
        """Names by user id of those of the people, each a space and a user id, who are in that space."""
        ...

    def put_member(self, before: Membership | None, after: Membership) -> Membership:
        """Let someone in, or change their role, if they still are what `before` says.

        Raises LastOwner, MembershipChanged, UnknownUser.
        """
        ...

    def remove_member(self, before: Membership) -> None:
        """Take someone out, if they still are what `before` says. Raises LastOwner, MembershipChanged."""
        ...


class DeviceStatus(StrEnum):
    """What became of a device login."""

    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class DeviceLogin:
    """A command-line client that waits to be let in. Neither of its secrets is kept, only their hashes."""

    device_hash: str
    user_code: str
    """Eight letters, as a person types them, without the hyphen."""
    client_id: str
    scopes: frozenset[str]
    """What was asked for; once approved, what was given."""
    requested_at: datetime
    expires_at: datetime
    version: int = 1
    status: DeviceStatus = DeviceStatus.PENDING
    polled_at: datetime | None = None
    interval_s: int = 5
    """Seconds the client has to wait between two questions; each one that comes too soon adds some."""
    page_hash: str | None = None
    """Of the secret in the page that asks for the decision."""
    user_id: str | None = None
    """Who looks at that page, and then who decided."""
    token_id: str | None = None
    """With which of their tokens; it is asked again whether that is valid before anything is given."""


class DeviceStore(Protocol):
    """Where device logins are kept for a few minutes. All reads are strongly consistent."""

    def add_login(self, login: DeviceLogin) -> None:
        """Write a new login. Raises StoreBusy if its code is in use."""
        ...

    def login(self, device_hash: str) -> DeviceLogin | None:
        """The login, or None; it may be expired."""
        ...

    def login_of(self, user_code: str) -> DeviceLogin | None:
        """The login with that code, or None; it may be expired."""
        ...

    def change_login(self, before: DeviceLogin, after: DeviceLogin) -> DeviceLogin:
        """Replace a login that still is at `before`'s version. Raises NotFound, ConcurrentChange."""
        ...

    def take_login(self, login: DeviceLogin) -> None:
        """Remove a login that still is as seen, so that it gives one token. Raises NotFound, ConcurrentChange."""
        ...


class LimitStore(Protocol):
    """Counts of what may not happen too often."""

    def hit(self, name: str, until: datetime) -> int:
        """Count once more under a name that is forgotten after a moment. Returns the count."""
        ...


class Secrets(Protocol):
    """Where secrets come from; handed in."""

    def new(self) -> str:
        """A fresh secret of 256 random bits, URL-safe."""
        ...
