"""People who come with a token of an identity provider (OpenID Connect) instead of one of ours (rule A1)."""

import re
from dataclasses import dataclass

from chalicelib.access.accounts import new_account, principal_of
from chalicelib.access.ports import Identity, IdentityTokens, KeyStore
from chalicelib.access.scopes import Scope
from chalicelib.domain.errors import StoreBusy, Unauthenticated
from chalicelib.domain.ids import Ids
from chalicelib.domain.spaces import Door, Principal
from chalicelib.domain.time import Clock

_WIRE = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
"""Source: RFC 7519, section 3, in its compact serialisation."""


def is_jwt(bearer: str) -> bool:
    """Whether a bearer token has the shape of an identity provider's."""
    return _WIRE.fullmatch(bearer) is not None


@dataclass(frozen=True, slots=True)
class AdmitIdentity:
    """Turn somebody whom an identity provider knows into a principal. Who comes for the first time gets an account."""

    keys: KeyStore
    ids: Ids
    clock: Clock

    def __call__(self, identity: Identity, door: Door) -> Principal:
        """Who is asking. Raises Unauthenticated, StoreBusy."""
        found = self.keys.account(self._user(identity))
        if found is None:
            raise Unauthenticated  # its account was deleted
        account, memberships = found
        return principal_of(account, memberships, frozenset(identity.scopes & {str(each) for each in Scope}), door)

    def _user(self, identity: Identity) -> str:
        user_id = self.keys.user_of(identity.subject_hash)
        if user_id is not None:
            return user_id
        account, space = new_account(identity.name, self.ids, self.clock)
        try:
            self.keys.add_account(account, space, identity.subject_hash)
        except StoreBusy:  # their first two requests came at once
            first = self.keys.user_of(identity.subject_hash)
            if first is None:
                raise
            return first
        return account.user_id


@dataclass(frozen=True, slots=True)
class AuthenticateIdentity:
    """Turn an identity provider's access token into a principal."""

    keys: KeyStore
    tokens: IdentityTokens
    ids: Ids
    clock: Clock

    def __call__(self, bearer: str, door: Door) -> Principal:
        """Who is asking. Raises Unauthenticated, StoreBusy."""
        return AdmitIdentity(self.keys, self.ids, self.clock)(self.tokens.verify(bearer), door)
