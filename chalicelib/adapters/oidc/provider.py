"""Signing in with an OpenID Connect issuer: authorization code with PKCE, as a public client.

Sources: OpenID Connect Core 1.0, section 3.1; RFC 7636 (PKCE); OpenID Connect Discovery 1.0; RFC 9700 (best practice).
"""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit

import urllib3

from chalicelib.access.ports import Identity
from chalicelib.access.provider_ports import Proofs
from chalicelib.adapters.oidc.tokens import OidcTokens
from chalicelib.domain.errors import IdentityUnavailable, Unauthenticated
from chalicelib.domain.time import Clock

_KEPT = timedelta(hours=1)
_LONGEST = 1 << 20
_OK, _FAULT = 200, 500

type Ask = Callable[[str, str, Mapping[str, str] | None], tuple[int, bytes]]
"""Method, address and form in, status and body out."""


def ask(method: str, url: str, form: Mapping[str, str] | None) -> tuple[int, bytes]:
    """One request, without following redirects."""
    answer = urllib3.request(
        method,
        url,
        body=urlencode(form).encode() if form is not None else None,
        headers={"Accept": "application/json"} | ({"Content-Type": _FORM} if form is not None else {}),
        timeout=urllib3.Timeout(total=5.0),
        retries=False,
        redirect=False,
        preload_content=False,
    )
    return answer.status, answer.read(_LONGEST)


_FORM = "application/x-www-form-urlencoded"


@dataclass(slots=True)
class OidcProvider:
    """The port `IdentityProvider` for one issuer and one client of ours there."""

    issuer: str
    client_id: str
    scopes: str
    """Asked for besides `openid profile`, separated by blanks."""
    tokens: OidcTokens
    clock: Clock
    ask: Ask = ask
    _found: tuple[datetime, Mapping[str, Any]] | None = field(default=None, init=False)

    def address(self, state: str, proofs: Proofs, back: str) -> str:
        """Where the browser goes to sign in."""
        digest = hashlib.sha256(proofs.verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": back,
            "scope": " ".join(["openid", "profile", *self.scopes.split()]),
            "state": state,
            "nonce": proofs.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        endpoint = self._endpoint("authorization_endpoint")
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(asked)}"

    def redeem(self, code: str, proofs: Proofs, back: str) -> Identity:
        """Who signed in. Scopes are those that the access token names, else those of the settings."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "client_id": self.client_id,
            "code_verifier": proofs.verifier,
        }
        given = self._json("POST", self._endpoint("token_endpoint"), form)
        identity = self.tokens.verify_id(str(given.get("id_token", "")), self.client_id, proofs.nonce)
        return replace(identity, scopes=self._scopes(str(given.get("access_token", "")), identity))

    def _scopes(self, access_token: str, identity: Identity) -> frozenset[str]:
        """An access token that is none for us, or that says nothing, is no reason to turn the person away."""
        with suppress(Unauthenticated):
            found = self.tokens.verify(access_token)
            if found.subject_hash == identity.subject_hash:
                return found.scopes
        return self.tokens.granted

    def _endpoint(self, name: str) -> str:
        now = self.clock.now()
        if self._found is None or now - self._found[0] >= _KEPT:
            found = self._json("GET", f"{self.issuer.rstrip('/')}/.well-known/openid-configuration", None)
            if found.get("issuer") != self.issuer:
                raise IdentityUnavailable
            self._found = (now, found)
        return str(self._found[1][name])

    def _json(self, method: str, url: str, form: Mapping[str, str] | None) -> Mapping[str, Any]:
        """Raises IdentityUnavailable; Unauthenticated: the issuer answered, and refused."""
        try:
            status, body = self.ask(method, url, form)
            found = json.loads(body) if status == _OK else {}
        except (urllib3.exceptions.HTTPError, OSError, ValueError) as fault:
            raise IdentityUnavailable from fault
        if _OK < status < _FAULT and form is not None:
            raise Unauthenticated
        if status != _OK or not isinstance(found, dict):
            raise IdentityUnavailable
        return found
