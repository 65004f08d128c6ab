"""The one way in, for every door: a bearer token becomes a principal that has the scopes asked for."""

from collections.abc import Iterable

from chalicelib.access.scopes import Scope, demand_scopes
from chalicelib.access.tokens import Authenticate
from chalicelib.domain.errors import KnowledgeRuntimeDisabled, Unauthenticated
from chalicelib.domain.spaces import Door, Principal


def bearer(authorization: str | None) -> str:
    """The token in an Authorization header.

    Raises:
        Unauthenticated: there is none.
    """
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Unauthenticated
    return token.strip()


def admit(
    authenticate: Authenticate, authorization: str | None, door: Door, scopes: Iterable[Scope], *, knowledge: bool
) -> Principal:
    """Who is asking, if they may use this.

    Args:
        authenticate: the use case that knows the tokens.
        authorization: the header, as it came.
        door: which door they came to.
        scopes: what the token must have.
        knowledge: whether knowledge must be on for the account (rule K18).

    Raises:
        Unauthenticated: no valid token.
        InsufficientScope: the token lacks a scope.
        KnowledgeRuntimeDisabled: knowledge is off for the account.
    """
    principal = authenticate(bearer(authorization), door)
    demand_scopes(principal, scopes)
    if knowledge and not principal.knowledge_enabled:
        raise KnowledgeRuntimeDisabled
    return principal
