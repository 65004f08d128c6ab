"""Errors of public pages and their answers."""

from dataclasses import dataclass

from chalicelib.domain.errors.base import KnownError


@dataclass(eq=False)
class ModelUnavailable(KnownError):
    """The language model does not answer, not in time, or not in the shape asked for."""

    advice = "The language model does not answer now. Try again in a minute."
