"""Personal access tokens: made, listed, revoked, and turned into a principal (rule A1).

On the wire a token is `acv_<id>_<secret>`, shown once.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from chalicelib.access.identities import AuthenticateIdentity, is_jwt
from chalicelib.access.ports import KeyStore, Secrets, Token
from chalicelib.access.profiles import Profile
from chalicelib.domain.errors import NotFound, ScopeTooWide, StoreBusy, TooMany, Unauthenticated
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.spaces import Door, Principal
from chalicelib.domain.time import Clock

MAX_TOKENS = 100
"""Tokens of one account that are neither revoked nor expired."""

USE_NOTED_EVERY = timedelta(minutes=10)
"""The last use is noted at most this often, so that reading does not mean writing."""

_RANDOM = r"[A-Za-z0-9_-]{43}"

_WIRE = re.compile(rf"acv_(?P<id>[0-9a-z]{{26}})_(?P<secret>{_RANDOM})")


def wire(token_id: str, secret: str) -> str:
    """The token as its owner keeps it."""
    return f"acv_{token_id.removeprefix(f'{Kind.TOKEN}_')}_{secret}"


def is_secret(text: str) -> bool:
    """Whether it has the shape of a secret of ours; what has not is not looked up."""
    return re.fullmatch(_RANDOM, text) is not None


def hashed(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class NewToken:
    """What is asked of a new token."""

    name: str
    scopes: frozenset[str]
    spaces: frozenset[str] | None = None
    expires_in: timedelta | None = None
    profile: Profile = Profile.ORDINARY_FULL


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token, with the only copy of its secret."""

    token: Token
    bearer: str


@dataclass(frozen=True, slots=True)
class IssueToken:
    """Make a token that may do no more than the one who makes it."""

    keys: KeyStore
    secrets: Secrets
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, asked: NewToken) -> Issued:
        """The token, with its secret. Raises ScopeTooWide, NotFound (a space that is not theirs), TooMany."""
        excess = asked.scopes - principal.scopes
        if excess:
            raise ScopeTooWide(scopes=tuple(sorted(excess)))
        now = self.clock.now()
        maker = self.keys.token(principal.token_id) if principal.token_id else None
        if sum(valid(each, now) for each in self.keys.tokens(principal.user_id)) >= MAX_TOKENS:
            raise TooMany(what="tokens in use", limit=MAX_TOKENS)
        secret = self.secrets.new()
        token = Token(
            id=self.ids.new(Kind.TOKEN),
            user_id=principal.user_id,
            name=asked.name,
            secret_hash=hashed(secret),
            scopes=asked.scopes,
            spaces=_narrowed(principal, maker, asked.spaces),
            created_at=now,
            profile=asked.profile,
            expires_at=_earlier(now + asked.expires_in if asked.expires_in else None, maker),
        )
        self.keys.add_token(token)
        return Issued(token, wire(token.id, secret))


def _narrowed(principal: Principal, maker: Token | None, asked: AbstractSet[str] | None) -> frozenset[str] | None:
    if asked is None:
        return maker.spaces if maker else None
    if not asked <= principal.roles.keys():
        raise NotFound
    return frozenset(asked)


def _earlier(asked: datetime | None, maker: Token | None) -> datetime | None:
    """No token outlives the one that made it."""
    moments = [each for each in (asked, maker.expires_at if maker else None) if each]
    return min(moments, default=None)


def _reached(principal: Principal, tokens: Iterable[Token], limit: frozenset[str] | None) -> tuple[Token, ...]:
    """The tokens that a token may see and revoke: itself, and those that are limited at least as much."""
    return tuple(
        each
        for each in tokens
        if limit is None or each.id == principal.token_id or (each.spaces is not None and each.spaces <= limit)
    )


def _limit(keys: KeyStore, principal: Principal) -> frozenset[str] | None:
    own = keys.token(principal.token_id) if principal.token_id else None
    return own.spaces if own else None


@dataclass(frozen=True, slots=True)
class ListTokens:
    """List one's own tokens."""

    keys: KeyStore

    def __call__(self, principal: Principal) -> tuple[Token, ...]:
        """All of them, the revoked ones too, newest first; for a limited token, those within its limit."""
        return _reached(principal, self.keys.tokens(principal.user_id), _limit(self.keys, principal))


@dataclass(frozen=True, slots=True)
class RevokeToken:
    """Revoke one of one's own tokens; it stops working with the next request."""

    keys: KeyStore
    clock: Clock

    def __call__(self, principal: Principal, token_id: str) -> Token:
        """The token, revoked. Raises NotFound."""
        token = self.keys.token(token_id)
        if token is None or token.user_id != principal.user_id:
            raise NotFound
        if not _reached(principal, [token], _limit(self.keys, principal)):
            raise NotFound
        return self.keys.revoke_token(token.id, self.clock.now())


@dataclass(frozen=True, slots=True)
class Authenticate:
    """Turn a bearer token into a principal. Every door comes through here."""

    keys: KeyStore
    clock: Clock
    identity: AuthenticateIdentity | None = None
    """Who knows the tokens of an identity provider, if there is one."""

    def __call__(self, bearer: str, door: Door) -> Principal:
        """Who is asking, and with what roles at this moment.

        Raises:
            Unauthenticated: no such token, or it is revoked or expired, or its account is gone.
        """
        if self.identity is not None and is_jwt(bearer):
            return self.identity(bearer, door)
        shape = _WIRE.fullmatch(bearer)
        if shape is None:
            raise Unauthenticated
        token = self.keys.token(f"{Kind.TOKEN}_{shape['id']}")
        now = self.clock.now()
        # Compared even if there is no such token, so that both answers take the same time.
        genuine = hmac.compare_digest(hashed(shape["secret"]), token.secret_hash if token else hashed(""))
        if token is None or not genuine or not valid(token, now):
            raise Unauthenticated
        return bearer_of(self.keys, token, door, now)


def bearer_of(keys: KeyStore, token: Token, door: Door, now: datetime) -> Principal:
    """Who acts with a token that is valid; its use is noted. Raises Unauthenticated: its account is gone."""
    found = keys.account(token.user_id)
    if found is None:
        raise Unauthenticated
    account, memberships = found
    if token.last_used_at is None or now - token.last_used_at >= USE_NOTED_EVERY:
        with suppress(StoreBusy):  # a note is not worth a refusal
            keys.used_token(token.id, now)
    return Principal(
        user_id=account.user_id,
        roles={
            each.space_id: each.role for each in memberships if token.spaces is None or each.space_id in token.spaces
        },
        scopes=token.scopes,
        door=door,
        token_id=token.id,
        knowledge_enabled=account.knowledge_enabled,
        limited=token.spaces is not None,
        personal_space_id=account.personal_space_id,
        profile=token.profile,
        token_name=token.name,
    )


def valid(token: Token, now: datetime) -> bool:
    """Whether the token is neither revoked nor expired."""
    return token.revoked_at is None and (token.expires_at is None or now < token.expires_at)
