"""Sessions of browsers: a cookie instead of a token in every request.

The cookie holds a secret of 256 random bits. What a page has to send along with a change (CSRF) is derived from it, so
that nothing more is kept. Source: OWASP Cross-Site Request Forgery Prevention Cheat Sheet, HMAC-based token patterns.
"""

import hashlib
import hmac
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from chalicelib.access.accounts import principal_of
from chalicelib.access.ports import KeyStore, Secrets
from chalicelib.access.session_ports import Session, SessionStore
from chalicelib.access.tokens import USE_NOTED_EVERY, bearer_of, hashed, is_secret, valid
from chalicelib.domain.errors import StoreBusy, Unauthenticated
from chalicelib.domain.spaces import Door, Principal
from chalicelib.domain.time import Clock

LIFE = timedelta(days=30)
"""A session ends after so long, however much it is used."""

_CSRF = b"acervo session: csrf"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody at a browser."""

    principal: Principal
    session: Session
    secret: str
    """What the cookie holds."""

    @property
    def csrf_token(self) -> str:
        """What a page of ours has to send along with every change; 64 hexadecimal digits."""
        return hmac.new(self.secret.encode(), _CSRF, hashlib.sha256).hexdigest()

    def sent(self, csrf_token: str) -> bool:
        """Whether that is what a page of ours sends along."""
        return hmac.compare_digest(csrf_token.encode(), self.csrf_token.encode())


@dataclass(frozen=True, slots=True)
class BeginSession:
    """Begin a session for somebody who has just shown who they are."""

    sessions: SessionStore
    secrets: Secrets
    clock: Clock

    def __call__(self, principal: Principal, until: datetime | None = None) -> SignedIn:
        """The session; it ends at `until` at the latest."""
        now, secret = self.clock.now(), self.secrets.new()
        session = Session(
            secret_hash=hashed(secret),
            user_id=principal.user_id,
            scopes=principal.scopes,
            token_id=principal.token_id,
            began_at=now,
            used_at=now,
            ends_at=min(now + LIFE, until or now + LIFE),
        )
        self.sessions.add_session(session)
        return SignedIn(principal, session, secret)


@dataclass(frozen=True, slots=True)
class AuthenticateSession:
    """Turn a cookie's secret into a principal. Roles, scopes and the token behind it are looked up each time."""

    sessions: SessionStore
    keys: KeyStore
    clock: Clock

    def __call__(self, secret: str) -> SignedIn:
        """Who is at the browser.

        Raises Unauthenticated: no such session, or it is over, or its token or account is.
        """
        now = self.clock.now()
        session = self.sessions.session(hashed(secret)) if is_secret(secret) else None
        if session is None or now >= session.expires_at:
            raise Unauthenticated
        principal = self._principal(session, now)
        if now - session.used_at >= USE_NOTED_EVERY:
            session = replace(session, used_at=now)
            with suppress(StoreBusy):  # a note is not worth a refusal
                self.sessions.used_session(session)
        return SignedIn(principal, session, secret)

    def _principal(self, session: Session, now: datetime) -> Principal:
        if session.token_id is not None:
            token = self.keys.token(session.token_id)
            if token is None or not valid(token, now):
                raise Unauthenticated
            return bearer_of(self.keys, token, Door.CONSOLE, now)
        return person(self.keys, session.user_id, session.scopes)


@dataclass(frozen=True, slots=True)
class EndSession:
    """Sign out."""

    sessions: SessionStore

    def __call__(self, signed_in: SignedIn) -> None:
        """Nothing is left of the session."""
        self.sessions.end_session(signed_in.session.secret_hash)


def person(keys: KeyStore, user_id: str, scopes: frozenset[str]) -> Principal:
    """Somebody at the console who came without a token. Raises Unauthenticated: their account is gone."""
    found = keys.account(user_id)
    if found is None:
        raise Unauthenticated
    account, memberships = found
    return principal_of(account, memberships, scopes, Door.CONSOLE)
