"""Counting what happens, for whoever watches over it."""

from typing import Protocol


class Meter(Protocol):
    """Counts."""

    def count(self, name: str, value: int = 1, **dimensions: str) -> None:
        """Count something that happened; never with anything a person wrote."""
        ...
