"""JSON Schemas that every client takes: flat, closed, without references, unions or lists of types.

Source of what breaks which client: docs/decisions/0031-the-mcp-bridge.md.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

_DROPPED = {"title", "default", "$defs"}


_ERROR = {
    "type": "object",
    "description": "Instead of all else, if isError: what went wrong, and what to do.",
    "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
    "required": ["code", "message"],
    "additionalProperties": True,
}


def arguments(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a tool's arguments."""
    return _closed(_flat(model.model_json_schema(mode="validation")))


def answer(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a tool's answer, which leaves out what is null; or of what went wrong.

    Some clients hold a result against the schema though it says `isError`, and would show their model nothing of it. So
    an answer has either what the tool gives or an `error`, and neither is demanded.
    """
    schema = _flat(model.model_json_schema(mode="serialization"))
    relaxed = _may_be_missing(schema, model.model_json_schema(mode="serialization"))
    properties = {**relaxed["properties"], "error": _ERROR}
    return _closed({**{name: each for name, each in relaxed.items() if name != "required"}, "properties": properties})


def _flat(schema: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = _inlined(schema, schema.get("$defs", {}))
    return found


def _inlined(node: Any, models: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON is what it is
    if isinstance(node, list):
        return [_inlined(each, models) for each in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        beside = {key: each for key, each in node.items() if key != "$ref"}
        return _inlined({**models[str(node["$ref"]).rpartition("/")[2]], **beside}, models)
    if "anyOf" in node:
        chosen = [each for each in node["anyOf"] if each.get("type") != "null"]
        beside = {key: each for key, each in node.items() if key != "anyOf"}
        return _inlined({**chosen[0], **beside}, models)
    return {
        key: _properties(each, models) if key == "properties" else _inlined(each, models)
        for key, each in node.items()
        if key not in _DROPPED
    }


def _properties(found: Mapping[str, Any], models: Mapping[str, Any]) -> dict[str, Any]:
    """Names of properties are not keywords: one may well be called `title`."""
    return {name: _inlined(each, models) for name, each in found.items()}


def _may_be_missing(schema: dict[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without demanding what may be null, at any depth."""
    models = whole.get("$defs", {})
    return _relaxed(schema, whole, models)


def _relaxed(flat: dict[str, Any], source: Mapping[str, Any], models: Mapping[str, Any]) -> dict[str, Any]:
    source = _target(source, models)
    if "items" in flat and "items" in source:
        return {**flat, "items": _relaxed(flat["items"], source["items"], models)}
    given = source.get("properties", {})
    if "properties" not in flat:
        return flat
    properties = {name: _relaxed(each, given.get(name, {}), models) for name, each in flat["properties"].items()}
    required = [name for name in flat.get("required", []) if not _nullable(given.get(name, {}))]
    return {**flat, "properties": properties, "required": required}


def _target(source: Mapping[str, Any], models: Mapping[str, Any]) -> Mapping[str, Any]:
    while True:
        if "anyOf" in source:
            source = next(each for each in source["anyOf"] if each.get("type") != "null")
        elif "$ref" in source:
            source = models[str(source["$ref"]).rpartition("/")[2]]
        else:
            return source


def _nullable(source: Mapping[str, Any]) -> bool:
    return any(each.get("type") == "null" for each in source.get("anyOf", []))


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """An object that says what it has, and that it has no more."""
    return {"type": "object", **schema, "properties": schema.get("properties", {}), "additionalProperties": False}
