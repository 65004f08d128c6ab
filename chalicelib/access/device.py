"""Device login: a command-line client shows a code, a person approves it in a browser (rule A1).

Source: RFC 8628, OAuth 2.0 Device Authorization Grant.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass, replace
from datetime import timedelta

from chalicelib.access.limits import Limit
from chalicelib.access.ports import DeviceLogin, DeviceStatus, DeviceStore, KeyStore, Secrets
from chalicelib.access.profiles import Profile
from chalicelib.access.scopes import Scope, demand_scopes
from chalicelib.access.tokens import Issued, IssueToken, NewToken, hashed, valid
from chalicelib.domain.errors import (
    AccessDenied,
    AuthorizationPending,
    ConcurrentChange,
    ExpiredToken,
    NotFound,
    SlowDown,
    Unauthenticated,
    UnknownCode,
)
from chalicelib.domain.spaces import Door, Principal
from chalicelib.domain.time import Clock

LIFE = timedelta(minutes=10)
"""How long a code is good for."""

TOKEN_LIFE = timedelta(days=90)
"""How long a token lives that a device gets."""

INTERVAL_S = 5

STARTS = 30
"""Logins that one address may start in ten minutes."""

TRIES = 10
"""Codes that one person may try in ten minutes; there are 20 to the power of 8."""

_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so no words, and nothing that looks like something else (RFC 8628, section 6.1)."""

CODE_LENGTH = 8

GRANTABLE = frozenset(Scope) - {Scope.TOKENS_ADMIN}
"""A device is never let make tokens: whoever was talked into approving one could not take that back by revoking it."""

_NO_HASH = "-" * 64
"""What no secret has."""

_DEFAULT = frozenset({Scope.MEMORY_READ, Scope.MEMORY_WRITE, Scope.MEMORY_RESTORE})


def canonical(typed: str) -> str:
    """A code as it is kept, whatever case and separators it was typed in."""
    return re.sub(r"[^A-Z]", "", typed.upper())


def shown(user_code: str) -> str:
    """A code as people read it."""
    return f"{user_code[:4]}-{user_code[4:]}"


@dataclass(frozen=True, slots=True)
class Started:
    """A login under way, with the only copy of its device code."""

    login: DeviceLogin
    device_code: str


@dataclass(frozen=True, slots=True)
class StartDeviceLogin:
    """Begin a login for a client that has no browser."""

    store: DeviceStore
    limit: Limit
    secrets: Secrets
    clock: Clock

    def __call__(self, client_id: str, scopes: frozenset[str], address: str) -> Started:
        """The login. Scopes that a device cannot get, or that there are not, are left out.

        Raises RateLimited, StoreBusy.
        """
        self.limit(f"device/{hashlib.sha256(address.encode()).hexdigest()}", STARTS)
        code, now = self.secrets.new(), self.clock.now()
        login = DeviceLogin(
            device_hash=hashed(code),
            user_code=_user_code(self.secrets.new()),
            client_id=client_id,
            scopes=frozenset(str(each) for each in (scopes & GRANTABLE) or _DEFAULT),
            requested_at=now,
            expires_at=now + LIFE,
        )
        self.store.add_login(login)
        return Started(login, code)


def _user_code(secret: str) -> str:
    number = int.from_bytes(hashlib.sha256(secret.encode()).digest())
    letters = []
    for _ in range(CODE_LENGTH):
        number, rest = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[rest])
    return "".join(letters)


@dataclass(frozen=True, slots=True)
class Review:
    """A login as the person who is to decide sees it."""

    login: DeviceLogin
    page_secret: str
    """Comes back with the decision, so that what is decided is what was last seen."""
    name: str
    """Whose account the device would get into."""


@dataclass(frozen=True, slots=True)
class ReviewDeviceLogin:
    """Look at what a device asks for, before deciding."""

    store: DeviceStore
    keys: KeyStore
    limit: Limit
    secrets: Secrets
    clock: Clock

    def __call__(self, principal: Principal, typed: str) -> Review:
        """The login, with the scopes that it would get: those asked for that the caller has.

        Raises InsufficientScope, RateLimited, UnknownCode.
        """
        demand_scopes(principal, (Scope.TOKENS_ADMIN,))
        self.limit(f"code/{principal.user_id}", TRIES)
        login = self.store.login_of(canonical(typed))
        account = self.keys.account(principal.user_id)
        if login is None or account is None or not _waits(login, self.clock):
            raise UnknownCode
        secret = self.secrets.new()
        seen = replace(
            login,
            version=login.version + 1,
            scopes=login.scopes & principal.scopes,
            page_hash=hashed(secret),
            user_id=principal.user_id,
            token_id=principal.token_id,
        )
        return Review(self.store.change_login(login, seen), secret, account[0].name)


@dataclass(frozen=True, slots=True)
class DecideDeviceLogin:
    """Let a device in, or do not."""

    store: DeviceStore
    keys: KeyStore
    clock: Clock

    def __call__(self, principal: Principal, typed: str, page_secret: str, *, approve: bool) -> DeviceLogin:
        """The login, decided by whoever reviewed it last.

        Raises InsufficientScope, UnknownCode, Unauthenticated, ConcurrentChange, NotFound.
        """
        demand_scopes(principal, (Scope.TOKENS_ADMIN,))
        login = self.store.login_of(canonical(typed))
        genuine = hmac.compare_digest(hashed(page_secret), (login and login.page_hash) or _NO_HASH)
        if login is None or not genuine or login.user_id != principal.user_id or not _waits(login, self.clock):
            raise UnknownCode
        if not _still_valid(self.keys, login, self.clock):
            raise Unauthenticated
        status = DeviceStatus.APPROVED if approve and login.scopes else DeviceStatus.DENIED
        return self.store.change_login(login, replace(login, version=login.version + 1, status=status, page_hash=None))


@dataclass(frozen=True, slots=True)
class PollDeviceLogin:
    """Ask whether a device is let in, and take its token."""

    store: DeviceStore
    keys: KeyStore
    issue: IssueToken
    clock: Clock

    def __call__(self, device_code: str) -> Issued:
        """The token; the login is used up.

        Raises AuthorizationPending, SlowDown, AccessDenied, ExpiredToken.
        """
        login = self.store.login(hashed(device_code))
        if login is None or self.clock.now() >= login.expires_at:
            raise ExpiredToken
        if login.status is DeviceStatus.PENDING:
            raise self._waiting(login)
        try:
            self.store.take_login(login)
        except (NotFound, ConcurrentChange):
            raise ExpiredToken from None
        if login.status is DeviceStatus.DENIED or not _still_valid(self.keys, login, self.clock):
            raise AccessDenied
        return self.issue(_approver(self.keys, login), _asked(login))

    def _waiting(self, login: DeviceLogin) -> Exception:
        now = self.clock.now()
        hasty = login.polled_at is not None and now - login.polled_at < timedelta(seconds=login.interval_s)
        interval = login.interval_s + INTERVAL_S if hasty else login.interval_s
        try:
            self.store.change_login(
                login, replace(login, version=login.version + 1, polled_at=now, interval_s=interval)
            )
        except (NotFound, ConcurrentChange):
            return AuthorizationPending()  # somebody looks at it this very moment
        return SlowDown(interval=interval) if hasty else AuthorizationPending()


def _waits(login: DeviceLogin, clock: Clock) -> bool:
    return login.status is DeviceStatus.PENDING and clock.now() < login.expires_at


def _still_valid(keys: KeyStore, login: DeviceLogin, clock: Clock) -> bool:
    """Whether the token that approved is still good; a person who came by an identity provider has none."""
    if login.token_id is None:
        return login.user_id is not None
    token = keys.token(login.token_id)
    return token is not None and valid(token, clock.now())


def _approver(keys: KeyStore, login: DeviceLogin) -> Principal:
    """Who gives the token, with no more than what the device gets; limits of their own token hold for it too."""
    found = keys.account(login.user_id or "")
    if found is None:
        raise AccessDenied
    account, memberships = found
    return Principal(
        user_id=account.user_id,
        roles={each.space_id: each.role for each in memberships},
        scopes=login.scopes,
        door=Door.REST,
        token_id=login.token_id,
    )


def _asked(login: DeviceLogin) -> NewToken:
    return NewToken(f"{login.client_id} (device login)", login.scopes, None, TOKEN_LIFE, Profile.ORDINARY_FULL)
