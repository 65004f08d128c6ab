"""Signing in with an identity provider: there with a question that only this browser can have asked, and back."""

import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import timedelta

from chalicelib.access.identities import AdmitIdentity
from chalicelib.access.ports import Secrets
from chalicelib.access.provider_ports import Attempt, AttemptStore, IdentityProvider, Proofs
from chalicelib.access.sessions import BeginSession, SignedIn
from chalicelib.access.signing_in import SignInLimit
from chalicelib.access.tokens import hashed, is_secret
from chalicelib.domain.errors import AccessDenied, IdentityUnavailable, NotFound, SignInExpired, Unauthenticated
from chalicelib.domain.spaces import Door
from chalicelib.domain.time import Clock

LIFE = timedelta(minutes=10)
"""How long somebody may take at the provider."""

SESSION_LIFE = timedelta(days=1)
"""Whoever the provider lets go stays signed in no longer than this."""

BEGINNINGS = 3
"""Times that one address may go to the provider, for each time that it may come back."""

HOME = "/me"

_PLACE = re.compile(r"/(me)?(\?space=[a-z0-9_]{1,80})?(#[A-Za-z0-9_@/%.=-]{0,300})?")
"""Places of the console, below the deployment's base address. Nothing else is gone to from here."""

_LATER = frozenset({"server_error", "temporarily_unavailable"})


def place(then: str) -> str:
    """A place in the console: the one that was asked for, or its beginning."""
    return then if _PLACE.fullmatch(then) else HOME


def proofs_of(secret: str) -> Proofs:
    """What is derived from the secret in a browser's cookie."""
    made = [hmac.new(secret.encode(), what, hashlib.sha256).hexdigest() for what in (b"verifier", b"nonce")]
    return Proofs(*made)


@dataclass(frozen=True, slots=True)
class Departure:
    """Where a browser goes, and the secret that it keeps meanwhile."""

    url: str
    secret: str


@dataclass(frozen=True, slots=True)
class Returned:
    """With what a browser comes back from the provider."""

    state: str
    code: str
    error: str
    """The provider's, or empty. Source: RFC 6749, section 4.1.2.1."""
    secret: str
    """What the browser kept; empty for nothing."""


@dataclass(frozen=True, slots=True)
class DepartToProvider:
    """Send a browser to the identity provider."""

    limit: SignInLimit
    attempts: AttemptStore
    provider: IdentityProvider
    secrets: Secrets
    clock: Clock

    def __call__(self, then: str, back: str, address: str) -> Departure:
        """Where to. Raises RateLimited, IdentityUnavailable."""
        self.limit(address)
        state, secret = self.secrets.new(), self.secrets.new()
        url = self.provider.address(state, proofs_of(secret), back)
        self.attempts.add_attempt(Attempt(hashed(state), hashed(secret), place(then), self.clock.now() + LIFE))
        return Departure(url, secret)


@dataclass(frozen=True, slots=True)
class ReturnFromProvider:
    """Sign in whoever comes back from the identity provider with the browser that went there."""

    limit: SignInLimit
    attempts: AttemptStore
    provider: IdentityProvider
    admit: AdmitIdentity
    begin: BeginSession
    clock: Clock

    def __call__(self, returned: Returned, back: str, address: str) -> tuple[SignedIn, str]:
        """The session, and where in the console they want to go.

        Raises:
            RateLimited: this address tries too often.
            SignInExpired: nobody went there with that state, or with another browser, or it is used or too old.
            AccessDenied: they changed their mind, or may not.
            Unauthenticated: the provider or its answer shows nobody who may come in.
            IdentityUnavailable: it does not answer.
        """
        self.limit(address)
        attempt = self._begun(returned)
        if returned.error:
            raise _why(returned.error)
        identity = self.provider.redeem(returned.code, proofs_of(returned.secret), back)
        principal = self.admit(identity, Door.CONSOLE)
        return self.begin(principal, self.clock.now() + SESSION_LIFE), attempt.then

    def _begun(self, returned: Returned) -> Attempt:
        if not is_secret(returned.state) or not is_secret(returned.secret):
            raise SignInExpired
        try:
            attempt = self.attempts.take_attempt(hashed(returned.state))
        except NotFound:
            raise SignInExpired from None
        if not hmac.compare_digest(hashed(returned.secret), attempt.browser_hash):
            raise SignInExpired
        if self.clock.now() >= attempt.expires_at:
            raise SignInExpired
        return attempt


def _why(error: str) -> Exception:
    if error == "access_denied":
        return AccessDenied()
    return IdentityUnavailable() if error in _LATER else Unauthenticated()
