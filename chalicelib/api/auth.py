"""The one way in, for every door: a bearer token becomes a principal that has the scopes asked for."""

from collections.abc import Iterable, Mapping

from chalicelib.access.scopes import Scope, demand_scopes
from chalicelib.access.tokens import Authenticate
from chalicelib.domain.errors import KnowledgeRuntimeDisabled, Unauthenticated
from chalicelib.domain.spaces import Door, Principal


def bearer(headers: Mapping[str, str]) -> str:
    """The token in the headers (names in lower case): `Authorization: Bearer …`, or `X-API-Key` as some clients send.

    Raises:
        Unauthenticated: there is none.
    """
    given = headers.get("authorization")
    if given is None and "x-api-key" in headers:
        return headers["x-api-key"].strip()
    scheme, _, token = (given or "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Unauthenticated
    return token.strip()


def admit(
    authenticate: Authenticate, headers: Mapping[str, str], door: Door, scopes: Iterable[Scope], *, knowledge: bool
) -> Principal:
    """Who is asking, if they may use this.

    Args:
        authenticate: the use case that knows the tokens.
        headers: of the request, names in lower case.
        door: which door they came to.
        scopes: what the token must have.
        knowledge: whether knowledge must be on for the account (rule K18).

    Raises:
        Unauthenticated: no valid token.
        InsufficientScope: the token lacks a scope.
        KnowledgeRuntimeDisabled: knowledge is off for the account.
    """
    principal = authenticate(bearer(headers), door)
    demand_scopes(principal, scopes)
    if knowledge and not principal.knowledge_enabled:
        raise KnowledgeRuntimeDisabled
    return principal
