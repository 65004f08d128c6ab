"""Errors of the notebook."""

from dataclasses import dataclass

from chalicelib.domain.errors.base import KnownError


@dataclass(eq=False)
class Forgotten(KnownError):
    """The memory record was forgotten, so it cannot be changed any more."""

    memory_id: str
    advice = "{memory_id} is forgotten. Remember what you want kept as a new record."


@dataclass(eq=False)
class NoState(KnownError):
    """No state was saved under that key."""

    state_key: str
    advice = "Nothing is saved under {state_key!r}. Save a state first, or ask for another key."


@dataclass(eq=False)
class ProjectTaken(KnownError):
    """Another project of the space has that path."""

    path: str
    project_id: str
    advice = "The path {path!r} belongs to another project ({project_id}) of this space. Choose another one."
