"""What a tool is, and what a call of one carries."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from chalicelib.access.profiles import TOOLS, Profile
from chalicelib.access.scopes import Scope
from chalicelib.domain.spaces import Principal
from chalicelib.wiring import Services


class Arguments(BaseModel):
    """A tool's arguments: what is unknown is a mistake; numbers and flags may come as text."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, coerce_numbers_to_str=False, defer_build=True
    )


@dataclass(frozen=True, slots=True)
class Call:
    """One admitted and parsed call."""

    services: Services
    principal: Principal
    arguments: Any
    """An instance of the tool's `arguments`."""
    base_url: str


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; which profiles show it is `access/profiles`' business."""

    name: str
    title: str
    description: str
    scope: Scope
    arguments: type[Arguments]
    answer: type[BaseModel]
    run: Callable[[Call], BaseModel]
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    knowledge: bool = False
    """Needs knowledge to be on for the account (rule K18)."""

    @property
    def annotations(self) -> dict[str, Any]:
        """Every hint, stated: clients assume the worst of what is left out."""
        return {
            "title": self.title,
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent or self.read_only,
            "openWorldHint": False,
        }


def shown(tools: tuple[Tool, ...], principal: Principal) -> tuple[Tool, ...]:
    """The tools that a client is shown: those of its profile whose scope its token has."""
    return tuple(each for each in in_profile(tools, principal.profile) if each.scope in principal.scopes)


def in_profile(tools: tuple[Tool, ...], profile: str) -> tuple[Tool, ...]:
    """The tools of a profile, in its order."""
    by_name = {each.name: each for each in tools}
    return tuple(by_name[name] for name in TOOLS[Profile(profile)] if name in by_name)
