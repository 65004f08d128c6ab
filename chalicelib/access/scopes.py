"""Scopes: what a token may be used for (rule A2). A scope narrows what its owner may do and never widens it."""

from collections.abc import Iterable
from enum import StrEnum

from chalicelib.domain.errors import InsufficientScope
from chalicelib.domain.spaces import Principal


class Scope(StrEnum):
    """Every scope there is."""

    KNOWLEDGE_READ = "knowledge:read"
    KNOWLEDGE_WRITE = "knowledge:write"
    DOCUMENTS_WRITE = "documents:write"
    MEMORY_READ = "memory:read"
    MEMORY_WRITE = "memory:write"
    MEMORY_RESTORE = "memory:restore"
    PAGES_ADMIN = "pages:admin"
    TOKENS_ADMIN = "tokens:admin"


def demand_scopes(principal: Principal, required: Iterable[Scope]) -> None:
    """Let a token pass that has all the scopes.

    Raises:
        InsufficientScope: it lacks some; the error names all that are required.
    """
    needed = tuple(required)
    if not principal.scopes.issuperset(needed):
        raise InsufficientScope(required=needed)
