"""Whether what a model gave for a component is one: known, complete, nothing more, with ids that may be used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chalicelib.answers.catalogue.components import CATALOGUE
from chalicelib.answers.catalogue.reading import NotOfShape, props_of


class Rejected(Exception):
    """The component cannot be shown; the message says why, and quotes nothing of it."""


@dataclass(frozen=True, slots=True)
class Valid:
    """A component whose props are of the catalogue's shape; ids are of their own types in them."""

    component: str
    slot: str
    props: Mapping[str, Any]
    sources: tuple[str, ...]


def valid(given: object, ids: Mapping[str, Sequence[str]], references: Sequence[str]) -> Valid:
    """The component. Raises Rejected.

    Args:
        given: of any shape whatever.
        ids: that may be used, by kind.
        references: that it may name as its sources; all of them are meant if it names none.
    """
    if not isinstance(given, Mapping) or not set(given) <= {"component", "props", "sources"}:
        raise Rejected("A component has `component`, `props` and `sources`, and nothing else.")
    name = given.get("component")
    if not isinstance(name, str) or name not in CATALOGUE:
        raise Rejected("There is no such component.")
    sources = given.get("sources", [])
    if not isinstance(sources, list | tuple) or any(each not in references for each in sources):
        raise Rejected(f"{name}: `sources` may only name the references that were given.")
    return Valid(name, CATALOGUE[name].slot, shaped(name, given.get("props"), ids), tuple(sources or references))


def shaped(name: str, props: object, ids: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The props of a component. Raises Rejected."""
    try:
        return props_of(name, props, ids)
    except NotOfShape as why:
        raise Rejected(str(why)) from None
