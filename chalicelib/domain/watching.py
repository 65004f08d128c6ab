"""What whoever watches over Acervo is told: counts, and one line a request. Never what was said or by whom."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


class Meter(Protocol):
    """Counts."""

    def count(self, name: str, value: int = 1, **dimensions: str) -> None:
        """Count something that happened; never with anything a person wrote."""
        ...


@dataclass(slots=True)
class Outcome:
    """How a request, or a piece of a worker's work, ended."""

    status: int = 0
    code: str | None = None
    fault: BaseException | None = None

    def failed(self, code: str, fault: BaseException | None) -> None:
        """It ended in an error; with a fault, one of ours."""
        self.code, self.fault = code, fault


class Journal(Protocol):
    """Writes one line for each thing done."""

    def entry(self, operation: str, request_id: str) -> AbstractContextManager[Outcome]:
        """Writes the line when the block ends, with what it noted in the outcome."""
        ...
