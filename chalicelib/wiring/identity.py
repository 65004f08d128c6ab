"""The identity provider that the settings name, made when somebody first comes with it."""

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.access.ports import Identity
from chalicelib.access.provider_ports import IdentityProvider, Proofs
from chalicelib.domain.time import Clock
from chalicelib.settings import Settings

if TYPE_CHECKING:
    from chalicelib.adapters.oidc.tokens import OidcTokens


class Oidc:
    """The ports `IdentityTokens` and `IdentityProvider`: what checks signatures takes its time to import."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings, self._clock = settings, clock

    def verify(self, token: str) -> Identity:
        """Who an access token stands for. Raises Unauthenticated, IdentityUnavailable."""
        return self._tokens.verify(token)

    def address(self, state: str, proofs: Proofs, back: str) -> str:
        """Where the browser goes, to come back to the address `back`. Raises IdentityUnavailable."""
        return self._provider.address(state, proofs, back)

    def redeem(self, code: str, proofs: Proofs, back: str) -> Identity:
        """Who signed in, and for what. Raises Unauthenticated, IdentityUnavailable."""
        return self._provider.redeem(code, proofs, back)

    @cached_property
    def _tokens(self) -> "OidcTokens":
        from chalicelib.adapters.oidc.tokens import IssuerKeys, OidcTokens, published

        given = self._settings
        return OidcTokens(
            given.oidc_issuer,
            frozenset(given.oidc_audience.split()),
            frozenset(given.oidc_scopes.split()),
            IssuerKeys(published(given.oidc_issuer, given.oidc_keys_url), self._clock),
        )

    @cached_property
    def _provider(self) -> IdentityProvider:
        from chalicelib.adapters.oidc.provider import OidcProvider

        given = self._settings
        return OidcProvider(given.oidc_issuer, given.oidc_client_id, given.oidc_asked_scopes, self._tokens, self._clock)
