"""What is wrong with a request, told without the values that were sent, which may be anything."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from chalicelib.api.errors import InvalidRequest

_TOLD = 20
"""Mistakes of one request that are listed."""


def mistakes(fault: ValidationError, where: str) -> InvalidRequest:
    """The mistakes that were found in a part of a request, such as its body."""
    found = fault.errors(include_url=False, include_context=False, include_input=False)
    return InvalidRequest(errors=tuple(_mistake(where, each) for each in found[:_TOLD]))


def _mistake(where: str, found: Mapping[str, Any]) -> Mapping[str, str]:
    place = ".".join([where, *(str(each)[:80] for each in found["loc"])])
    return {"where": place.encode("utf-8", "replace").decode(), "problem": str(found["msg"])}
