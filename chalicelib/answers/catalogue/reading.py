"""Reading props that a model gave as those of a component."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from chalicelib.answers.catalogue.components import CATALOGUE

_SAID = 3
"""Mistakes of one component that are told."""


class NotOfShape(ValueError):
    """The props are not of the component's shape; the message says why, and quotes nothing of them."""


def props_of(name: str, props: object, ids: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The props of a component, bounded and closed; what is not there is left out. Raises NotOfShape.

    Args:
        name: of the component.
        props: of any shape whatever.
        ids: that may be used, by kind; they come back as types of their own.
    """
    try:
        model = CATALOGUE[name].props.model_validate(props, context=dict(ids))
    except ValidationError as fault:
        mistakes = fault.errors(include_url=False, include_input=False, include_context=False)[:_SAID]
        told = "; ".join(f"{_place(each['loc'])}: {each['msg']}" for each in mistakes)
        raise NotOfShape(f"{name}: {told}") from None
    return model.model_dump(exclude_none=True)


def _place(path: tuple[int | str, ...]) -> str:
    """Where a mistake is, without names that the component does not know: those a model made up."""
    known = [str(each) for each in path if isinstance(each, int) or each in _FIELDS]
    return ".".join(known) or "props"


def _names(schema: object) -> frozenset[str]:
    if isinstance(schema, Mapping):
        own = frozenset(schema.get("properties", {}))
        return own.union(*(_names(each) for each in schema.values()))
    return frozenset().union(*(_names(each) for each in schema)) if isinstance(schema, list) else frozenset()


_FIELDS = frozenset().union(*(_names(each.props.model_json_schema()) for each in CATALOGUE.values()))
