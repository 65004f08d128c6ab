"""Routes that parse by themselves: protocols with a form of their own, and pages for people."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from chalicelib.wiring import Services


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    wire: Callable[[], Services]
    """Makes the use cases; not called before somebody needs them, since that is most of a cold start."""
    method: str
    headers: Mapping[str, str]
    """Names in lower case."""
    query: Mapping[str, str]
    path: Mapping[str, str]
    body: bytes
    address: str
    """Where it came from, as API Gateway says."""
    base: Callable[[str], str]
    """What this deployment's addresses begin with, by the public address of the settings."""
    request_id: str

    @cached_property
    def services(self) -> Services:
        """The use cases."""
        return self.wire()

    @cached_property
    def base_url(self) -> str:
        """What this deployment's addresses begin with, without a slash at the end."""
        return self.base(self.services.public_url)


@dataclass(frozen=True, slots=True)
class Raw:
    """An answer as it goes."""

    body: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    fault: BaseException | None = None
    """What went wrong on our side inside an answer that is one all the same, for the journal."""


@dataclass(frozen=True, slots=True)
class RawRoute:
    """Some methods at one path. Errors that the handler raises are answered as everywhere."""

    methods: tuple[str, ...]
    path: str
    name: str
    summary: str
    handler: Callable[[Asked], Raw]
