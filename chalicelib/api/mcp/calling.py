"""From a tool call to a use case and back, the same way for every tool."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from chalicelib.api.errors import STATUS, InternalError, InvalidRequest
from chalicelib.api.mcp.tools import Call, Tool
from chalicelib.domain.errors import KnowledgeRuntimeDisabled, KnownError
from chalicelib.domain.spaces import Principal
from chalicelib.wiring import Services

_TOLD = 10
"""Mistakes of one call that are told."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and what they reach."""

    services: Services
    principal: Principal
    base_url: str
    request_id: str
    tools: Sequence[Tool]
    """The tools that the caller is shown."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call comes to: the complete JSON of the answer, or of what went wrong."""

    content: Mapping[str, Any]
    is_error: bool = False

    @property
    def text(self) -> str:
        """The same JSON as text (rule A4)."""
        return json.dumps(self.content, ensure_ascii=False)


def call(tool: Tool, given: Mapping[str, Any] | None, caller: Caller) -> Outcome:
    """Parse, run and answer one call. Whatever goes wrong becomes a sentence that says what to do."""
    try:
        arguments = tool.arguments.model_validate(given or {})
    except ValidationError as fault:
        return _counted(caller, tool, "invalid_arguments", _mistakes(fault))
    try:
        if tool.knowledge and not caller.principal.knowledge_enabled:
            raise KnowledgeRuntimeDisabled
        answer = tool.run(Call(caller.services, caller.principal, arguments, caller.base_url))
    except KnownError as error:
        return _counted(caller, tool, error.code, failed(error, caller.request_id))
    caller.services.meter.count("mcp_call", tool=tool.name, code="ok")
    return Outcome(answer.model_dump(mode="json", exclude_none=True, by_alias=True))


def failed(error: KnownError, request_id: str) -> Outcome:
    """A known error as a model reads it; of one of ours nothing but the request id is told."""
    facts = {name: list(each) if isinstance(each, tuple) else each for name, each in error.facts().items()}
    message = str(error)
    if isinstance(error, InvalidRequest):
        message = _sentence(error.errors)
    told: dict[str, Any] = {"code": error.code, "message": message, **facts}
    if STATUS[type(error)] >= STATUS[InternalError]:
        told["request_id"] = request_id
    return Outcome({"error": told}, is_error=True)


def _mistakes(fault: ValidationError) -> Outcome:
    found = fault.errors(include_url=False, include_context=False, include_input=False)[:_TOLD]
    errors = [
        {"where": ".".join(str(part)[:80] for part in each["loc"]), "problem": str(each["msg"])} for each in found
    ]
    message = _sentence(errors)
    return Outcome({"error": {"code": "invalid_arguments", "message": message, "errors": errors}}, is_error=True)


def _sentence(errors: Iterable[Mapping[str, str]]) -> str:
    listed = "; ".join(f"{each['where'] or 'arguments'}: {each['problem']}" for each in errors)
    return f"The arguments have mistakes: {listed}. Mend them and call again."


def _counted(caller: Caller, tool: Tool, code: str, outcome: Outcome) -> Outcome:
    caller.services.meter.count("mcp_call", tool=tool.name, code=code)
    return outcome
