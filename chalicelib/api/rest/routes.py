"""What a route is, and what a call of one carries."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import BaseModel

from chalicelib.access.scopes import Scope
from chalicelib.api.errors import InvalidRequest
from chalicelib.domain.errors import KnownError
from chalicelib.domain.revisions import Provenance
from chalicelib.domain.spaces import Principal
from chalicelib.domain.writes import Once
from chalicelib.wiring import Services


class Made(Protocol):
    """What somebody made in a space."""

    @property
    def space_id(self) -> str:
        """Where it lies."""
        ...

    @property
    def created_by(self) -> str:
        """Who made it."""
        ...


type Method = Literal["GET", "POST", "PATCH", "PUT", "DELETE"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back: a shape, or text of another media type."""

    content: BaseModel | str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    fault: BaseException | None = None
    """What went wrong on our side, though there is an answer; for the journal."""


@dataclass(frozen=True, slots=True)
class Call:
    """One admitted and parsed request."""

    services: Services
    principal: Principal
    path: Mapping[str, str]
    """Path parameters, decoded."""
    query: Any
    """An instance of the route's `query`."""
    body: Any
    """An instance of the route's `body`."""
    once: Once | None
    if_match: str | None
    """The revision id in the If-Match header."""
    accept: str

    def expected(self) -> str | None:
        """The revision that an edit was made on, from the body or the header.

        Raises:
            InvalidRequest: they name different ones.
        """
        given: str | None = self.body.expected_revision_id
        if given is not None and self.if_match is not None and given != self.if_match:
            raise InvalidRequest(
                errors=({"where": "header.If-Match", "problem": "differs from expected_revision_id in the body"},)
            )
        return given or self.if_match

    def names(self, things: Iterable[Made]) -> Mapping[str, str]:
        """Names by user id of who made them, in one read: of those who are in the thing's space."""
        return self.services.names({(each.space_id, each.created_by) for each in things})

    @property
    def provenance(self) -> Provenance:
        """What a revision made by this call says of its origin."""
        return Provenance(self.principal.user_id, self.principal.door, self.principal.token_id)


@dataclass(frozen=True, slots=True)
class Route:
    """One method at one path."""

    method: Method
    path: str
    name: str
    """The operationId."""
    summary: str
    handler: Callable[[Call], Reply]
    answer: type[BaseModel]
    scopes: tuple[Scope, ...] = ()
    """What the token must have."""
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    status: int = 200
    repeatable: bool = False
    """Takes an Idempotency-Key (rule K7)."""
    conditional: bool = False
    """Takes If-Match instead of `expected_revision_id`."""
    raw: str | None = None
    """Another media type the answer comes in, if the client accepts it."""
    errors: tuple[type[KnownError], ...] = ()
    """What it can answer besides what every route can."""

    @property
    def knowledge(self) -> bool:
        """Whether it needs knowledge to be on for the account (rule K18)."""
        return self.path.startswith(("/api/v1/knowledge/", "/api/v1/documents"))


@dataclass(frozen=True, slots=True)
class Visit:
    """One parsed request of somebody who shows no token: perhaps they have not signed in yet."""

    services: Services
    method: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Any
    """An instance of the route's `body`."""
    address: str
    """Where it came from, as API Gateway says."""
    base_url: str
    """What this deployment's addresses begin with, without a slash at the end."""


@dataclass(frozen=True, slots=True)
class VisitRoute:
    """One method at one path for those who show no token; what it asks instead is its handler's business."""

    method: Method
    path: str
    name: str
    summary: str
    handler: Callable[[Visit], Reply]
    answer: type[BaseModel]
    body: type[BaseModel] | None = None
    cookie: bool = False
    """Whether it needs the cookie of a session."""
    errors: tuple[type[KnownError], ...] = ()


@dataclass(frozen=True, slots=True)
class OpenRoute:
    """A GET that anybody may make."""

    path: str
    name: str
    summary: str
    handler: Callable[[], Reply]
    answer: type[BaseModel] | None
