"""The catalogue as JSON Schema: as models build it, with ids of one page, and as pages render it, with data.

References are written out and what is only there for people is left out of what models get: several servers that
constrain a model to a schema take neither.
Source: JSON Schema 2020-12, as Pydantic writes it.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

from chalicelib.answers.catalogue.components import CATALOGUE, VERSION
from chalicelib.answers.catalogue.fields import MARK, SPOKEN

MOST = 3
"""Components of one answer."""

type Schema = dict[str, Any]

_IMAGE: Schema = {
    "type": "object",
    "properties": {
        "url": {"type": "string", "description": "An address of our bucket, good for an hour."},
        "alt": {"type": "string", "description": "What the picture shows."},
        "width": {"type": "integer", "minimum": 1},
        "height": {"type": "integer", "minimum": 1},
    },
    "required": ["url", "alt", "width", "height"],
    "additionalProperties": False,
}
_LINK: Schema = {
    "type": "object",
    "properties": {
        "label": {"type": "string"},
        "url": {"type": "string", "pattern": "^(https:|mailto:|tel:)", "description": "As the owner registered it."},
        "kind": {"enum": ["link", "action"]},
    },
    "required": ["label", "url", "kind"],
    "additionalProperties": False,
}


@cache
def _built(name: str) -> Schema:
    """The schema of a component's props, without references; fields that hold ids are marked."""
    schema = CATALOGUE[name].props.model_json_schema()
    definitions = schema.pop("$defs", {})
    written: Schema = _written_out(schema, definitions)
    return written


def _written_out(schema: Any, definitions: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(schema, list):
        return [_written_out(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        inner = definitions[schema["$ref"].removeprefix("#/$defs/")]
        schema = {**inner, **{key: each for key, each in schema.items() if key != "$ref"}}
    kept = {key: each for key, each in schema.items() if key != "title" or isinstance(each, dict)}
    return {key: _written_out(each, definitions) for key, each in kept.items()}


def _with_ids(schema: Any, put: Callable[[str], Schema]) -> Any:  # noqa: ANN401 - JSON
    """The schema with each marked field replaced by what `put` gives for its kind."""
    if isinstance(schema, list):
        return [_with_ids(each, put) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if MARK in schema:
        return put(schema[MARK])
    return {key: _with_ids(each, put) for key, each in schema.items()}


def built(name: str, ids: Mapping[str, Sequence[str]]) -> Schema | None:
    """What a model is to give for a component: ids are enumerations of these, by kind; None if it needs one of none."""

    def put(kind: str) -> Schema:
        return {"type": "string", "enum": list(ids.get(kind, ()))}

    possible: Schema | None = _possible(_with_ids(_built(name), put))
    return possible


def _possible(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """The schema without optional fields that nothing fits; None if something required is impossible."""
    if schema.get("enum") == []:
        return None
    if "anyOf" in schema:
        options = [each for each in map(_possible, schema["anyOf"]) if each is not None]
        return {**schema, "anyOf": options} if options else None
    if "items" in schema:
        items = _possible(schema["items"])
        return None if items is None or _too_few(schema, items) else {**schema, "items": items}
    if "properties" not in schema:
        return schema
    properties = {key: _possible(each) for key, each in schema["properties"].items()}
    if any(properties[key] is None for key in schema.get("required", ())):
        return None
    return {**schema, "properties": {key: each for key, each in properties.items() if not _is_nothing(each)}}


def _too_few(schema: Schema, items: Schema) -> bool:
    """Whether a list of different ids cannot have as many as it must."""
    return "enum" in items and len(items["enum"]) < schema.get("minItems", 0)


def _is_nothing(schema: Schema | None) -> bool:
    """Whether only null fits."""
    return schema is None or (schema.get("anyOf") == [{"type": "null"}])


def answer(ids: Mapping[str, Sequence[str]], sources: Sequence[str]) -> Schema:
    """What a model is to give for a whole answer: a spoken line, and one to three components in order."""
    options = []
    for name in CATALOGUE:
        props = built(name, ids)
        if props is not None:
            options.append(
                _closed(
                    component={"type": "string", "enum": [name], "description": CATALOGUE[name].props.__doc__ or ""},
                    props=props,
                    sources={"type": "array", "items": {"type": "string", "enum": list(sources)}, "maxItems": 8},
                )
            )
    return _closed(
        spoken={"type": "string", "minLength": 1, "maxLength": SPOKEN},
        components={"type": "array", "minItems": 1, "maxItems": MOST, "items": {"anyOf": options}},
    )


def _closed(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def rendered(name: str) -> Schema:
    """What a page is given of a component: ids have become data."""

    def put(kind: str) -> Schema:
        return deepcopy(_IMAGE if kind == "image" else _LINK)

    schema: Schema = _with_ids(_built(name), put)
    return schema


def document() -> Schema:
    """Everything, for the reference."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Components of answers",
        "description": (
            "`built` is what models give: fields marked `x-acervo-id` hold an id of a page's image, link or action. "
            "`rendered` is what a page is sent, in `data-section`."
        ),
        "version": VERSION,
        "components": {
            name: {"slot": each.slot, "built": _built(name), "rendered": rendered(name)}
            for name, each in CATALOGUE.items()
        },
    }
