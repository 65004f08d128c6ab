"""Tokens of an OpenID Connect issuer, such as Amazon Cognito, verified with its published keys.

Sources: RFC 7519 (JWT), RFC 9068 (JWT access tokens), Amazon Cognito "Verifying JSON web tokens".
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import jwt

from chalicelib.access.ports import Identity
from chalicelib.domain.errors import IdentityUnavailable, Unauthenticated
from chalicelib.domain.time import Clock

_ALGORITHMS = ("RS256", "ES256")
"""Signatures that can be checked with a public key; never a shared secret, never none."""

_KEPT = timedelta(hours=1)
_HASTE = timedelta(seconds=30)
"""Unknown key ids make us look for new keys, at most this often."""

_LEEWAY_S = 30
_NAME = 200
_LONGEST = 8192


@dataclass(slots=True)
class IssuerKeys:
    """The issuer's public keys, by key id; fetched when needed, and again when an unknown one turns up."""

    fetch: Callable[[], Mapping[str, Any]]
    clock: Clock
    _keys: dict[str, Any] = field(default_factory=dict)
    _fetched_at: datetime | None = None

    def key(self, key_id: str) -> Any:  # noqa: ANN401 - PyJWT's own
        """The key. Raises Unauthenticated if the issuer has none of that id."""
        age = None if self._fetched_at is None else self.clock.now() - self._fetched_at
        if age is None or age >= _KEPT or (key_id not in self._keys and age >= _HASTE):
            self._refresh()
        if key_id not in self._keys:
            raise Unauthenticated
        return self._keys[key_id]

    def _refresh(self) -> None:
        self._fetched_at = self.clock.now()
        try:
            found = jwt.PyJWKSet.from_dict(dict(self.fetch())).keys
        except Exception as fault:
            if self._keys:  # an issuer that does not answer for a while does not lock everybody out
                return
            self._fetched_at = None
            raise IdentityUnavailable from fault
        self._keys = {each.key_id: each.key for each in found if each.key_id}


@dataclass(frozen=True, slots=True)
class OidcTokens:
    """The port `IdentityTokens` for one issuer."""

    issuer: str
    audiences: frozenset[str]
    """Of `aud`, or for tokens without one (Cognito's) of `client_id`; one has to fit."""
    granted: frozenset[str]
    """Scopes of a token that says none of ours."""
    keys: IssuerKeys

    def verify(self, token: str) -> Identity:
        """Who the token stands for. Raises Unauthenticated."""
        claims = self._claims(token)
        self._demand_for_us(claims)
        return Identity(self._subject(claims), _name(claims), self._scopes(claims))

    def verify_id(self, token: str, client_id: str, nonce: str) -> Identity:
        """Who signed in, by an ID token that was made for us in answer to that nonce; its scopes are none.

        Source: OpenID Connect Core 1.0, section 3.1.3.7. Raises Unauthenticated.
        """
        claims = self._claims(token)
        given = claims.get("aud")
        audience = {given} if isinstance(given, str) else {each for each in given or () if isinstance(each, str)}
        party = claims.get("azp", client_id if len(audience) == 1 else None)
        kind = claims.get("token_use", "id")
        if client_id not in audience or party != client_id or kind != "id":
            raise Unauthenticated
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise Unauthenticated
        return Identity(self._subject(claims), _name(claims), frozenset())

    def _claims(self, token: str) -> Mapping[str, Any]:
        if len(token) > _LONGEST:
            raise Unauthenticated
        try:
            header = jwt.get_unverified_header(token)
            key = self.keys.key(str(header.get("kid", "")))
            claims: Mapping[str, Any] = jwt.decode(
                token,
                key,
                algorithms=list(_ALGORITHMS),
                issuer=self.issuer,
                leeway=_LEEWAY_S,
                options={"require": ["exp", "iat", "iss", "sub"], "verify_aud": False},
            )
        except jwt.PyJWTError:
            raise Unauthenticated from None
        return claims

    def _demand_for_us(self, claims: Mapping[str, Any]) -> None:
        """An access token, made for one of our clients; an ID token tells a client who logged in, and opens nothing."""
        if claims.get("token_use", "access") != "access":
            raise Unauthenticated
        given = claims.get("aud", claims.get("client_id"))
        named = {given} if isinstance(given, str) else {each for each in given or () if isinstance(each, str)}
        if not named & self.audiences:
            raise Unauthenticated

    def _subject(self, claims: Mapping[str, Any]) -> str:
        return hashlib.sha256(json.dumps([self.issuer, str(claims["sub"])]).encode()).hexdigest()

    def _scopes(self, claims: Mapping[str, Any]) -> frozenset[str]:
        """What the token says, without the resource server's name before it, as Cognito puts it there."""
        said = claims.get("scope", "")
        words = said.split() if isinstance(said, str) else [each for each in said if isinstance(each, str)]
        ours = frozenset(each.rpartition("/")[2] for each in words if ":" in each)
        return ours or self.granted


def _name(claims: Mapping[str, Any]) -> str:
    for each in ("name", "preferred_username", "username", "cognito:username", "sub"):
        found = claims.get(each)
        if isinstance(found, str) and found.strip() and found.isprintable():
            return found.strip()[:_NAME]
    return "Somebody"


def published(issuer: str, keys_url: str) -> Callable[[], Mapping[str, Any]]:
    """Fetches an issuer's keys: from the address given, or from where its discovery document says."""

    def fetch() -> Mapping[str, Any]:
        url = keys_url or str(_get(f"{issuer.rstrip('/')}/.well-known/openid-configuration")["jwks_uri"])
        return _get(url)

    return fetch


def _get(url: str) -> Mapping[str, Any]:
    import urllib3

    answer = urllib3.request("GET", url, timeout=urllib3.Timeout(total=3.0), retries=False, redirect=False)
    found: Mapping[str, Any] = json.loads(answer.data)
    return found
