"""What signing in with an identity provider needs from outside."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chalicelib.access.ports import Identity


@dataclass(frozen=True, slots=True)
class Proofs:
    """What ties the provider's answers to the browser that began. Derived from the browser's secret; kept nowhere."""

    verifier: str
    """PKCE's, 64 characters (RFC 7636, section 4.1)."""
    nonce: str
    """Comes back in the ID token."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Somebody went to the identity provider and is not back yet. Of both secrets only hashes are kept."""

    state_hash: str
    browser_hash: str
    then: str
    """Where in the console they want to go."""
    expires_at: datetime


class AttemptStore(Protocol):
    """Where attempts to sign in are kept for a few minutes. All reads are strongly consistent."""

    def add_attempt(self, attempt: Attempt) -> None:
        """Write a new attempt."""
        ...

    def take_attempt(self, state_hash: str) -> Attempt:
        """Remove an attempt and return it; of two who take it at once, one gets it. It may be over. Raises NotFound."""
        ...


class IdentityProvider(Protocol):
    """Where people sign in."""

    def address(self, state: str, proofs: Proofs, back: str) -> str:
        """Where the browser goes, to come back to the address `back`. Raises IdentityUnavailable."""
        ...

    def redeem(self, code: str, proofs: Proofs, back: str) -> Identity:
        """Who signed in, and for what. Raises Unauthenticated, IdentityUnavailable."""
        ...
