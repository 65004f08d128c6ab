"""What every door asks of whoever comes: a bearer token, and the scopes of what they want."""

from collections.abc import Iterable, Mapping

from chalicelib.access.scopes import Scope, demand_scopes
from chalicelib.domain.errors import KnowledgeRuntimeDisabled, Unauthenticated
from chalicelib.domain.spaces import Principal


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


def admit(principal: Principal, scopes: Iterable[Scope], *, knowledge: bool) -> None:
    """Let somebody pass who may use this.

    Args:
        principal: who is asking.
        scopes: what their token or session must have.
        knowledge: whether knowledge must be on for the account (rule K18).

    Raises:
        InsufficientScope: a scope is missing.
        KnowledgeRuntimeDisabled: knowledge is off for the account.
    """
    demand_scopes(principal, scopes)
    if knowledge and not principal.knowledge_enabled:
        raise KnowledgeRuntimeDisabled
