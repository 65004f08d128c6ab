"""The ways to sign in with a browser: a token, or a link that works once."""

from dataclasses import dataclass
from datetime import timedelta

from chalicelib.access.limits import Limit
from chalicelib.access.ports import KeyStore, Secrets
from chalicelib.access.scopes import Scope
from chalicelib.access.session_ports import Pseudonym, SessionStore, SignInLink
from chalicelib.access.sessions import BeginSession, SignedIn, person
from chalicelib.access.tokens import Authenticate, hashed, is_secret
from chalicelib.domain.errors import NotFound, Unauthenticated, UnknownLink, UnknownUser
from chalicelib.domain.spaces import Door
from chalicelib.domain.time import Clock

TRIES = 20
"""Times that one address may try to sign in within ten minutes, unless the settings say otherwise; those that succeed
count as well."""

LINK_LIFE = timedelta(minutes=10)
"""How long a link is good for, unless whoever makes it says otherwise."""


@dataclass(frozen=True, slots=True)
class SignInLimit:
    """What keeps an address from trying without end."""

    limit: Limit
    pseudonym: Pseudonym
    clock: Clock
    name: str
    most: int

    def __call__(self, address: str) -> None:
        """Let one more try pass. Raises RateLimited."""
        self.limit(f"{self.name}/{self.pseudonym(address, self.clock.now())}", self.most)


@dataclass(frozen=True, slots=True)
class SignInByToken:
    """Sign in with a personal access token. The session has its scopes, spaces and profile, and dies with it."""

    limit: SignInLimit
    authenticate: Authenticate
    """For our own tokens; one of an identity provider is short-lived on purpose and gives no session."""
    keys: KeyStore
    begin: BeginSession

    def __call__(self, bearer: str, address: str) -> SignedIn:
        """The session. Raises RateLimited, Unauthenticated."""
        self.limit(address)
        principal = self.authenticate(bearer, Door.CONSOLE)
        token = self.keys.token(principal.token_id) if principal.token_id else None
        if token is None:
            raise Unauthenticated
        return self.begin(principal, token.expires_at)


@dataclass(frozen=True, slots=True)
class MakeLink:
    """Make a link that signs somebody in; for operators."""

    keys: KeyStore
    sessions: SessionStore
    secrets: Secrets
    clock: Clock

    def __call__(self, user_id: str, scopes: frozenset[str] = frozenset(Scope), life: timedelta = LINK_LIFE) -> str:
        """The link's secret. Raises UnknownUser."""
        if self.keys.account(user_id) is None:
            raise UnknownUser(user_id=user_id)
        secret = self.secrets.new()
        self.sessions.add_link(SignInLink(hashed(secret), user_id, scopes, self.clock.now() + life))
        return secret


@dataclass(frozen=True, slots=True)
class SignInByLink:
    """Sign in with a link, which is used up by it."""

    limit: SignInLimit
    keys: KeyStore
    sessions: SessionStore
    begin: BeginSession
    clock: Clock

    def __call__(self, secret: str, address: str) -> SignedIn:
        """The session. Raises RateLimited, UnknownLink."""
        self.limit(address)
        if not is_secret(secret):
            raise UnknownLink
        try:
            link = self.sessions.take_link(hashed(secret))
        except NotFound:
            raise UnknownLink from None
        if self.clock.now() >= link.expires_at:
            raise UnknownLink
        return self.begin(person(self.keys, link.user_id, link.scopes))
