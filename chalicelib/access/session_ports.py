"""What signing in with a browser needs from outside."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

UNUSED_LIFE = timedelta(hours=12)
"""A session ends when nobody used it for so long."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that somebody signed in with. Of its secret only the hash is kept."""

    secret_hash: str
    user_id: str
    scopes: frozenset[str]
    """What it may be used for, if it came from no token; else its token says so each time."""
    token_id: str | None
    """The token it came from, and dies with."""
    began_at: datetime
    used_at: datetime
    ends_at: datetime
    """When it ends however much it is used."""

    @property
    def expires_at(self) -> datetime:
        """When it ends if it is not used again."""
        return min(self.used_at + UNUSED_LIFE, self.ends_at)


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A link that signs one person in, once. Of its secret only the hash is kept."""

    secret_hash: str
    user_id: str
    scopes: frozenset[str]
    expires_at: datetime


class SessionStore(Protocol):
    """Where sessions and links to sign in with are kept. All reads are strongly consistent."""

    def add_session(self, session: Session) -> None:
        """Write a new session."""
        ...

    def session(self, secret_hash: str) -> Session | None:
        """The session, or None; it may be over."""
        ...

    def used_session(self, session: Session) -> None:
        """Note when a session was used; one that was ended meanwhile stays ended."""
        ...

    def end_session(self, secret_hash: str) -> None:
        """Remove a session, if it is there."""
        ...

    def add_link(self, link: SignInLink) -> None:
        """Write a new link."""
        ...

    def take_link(self, secret_hash: str) -> SignInLink:
        """Remove a link and return it; of two who take it at once, one gets it. It may be over. Raises NotFound."""
        ...


class Pseudonym(Protocol):
    """Names for addresses that hold for a day and lead nobody back to the address."""

    def __call__(self, address: str, now: datetime) -> str:
        """The name of an address."""
        ...
