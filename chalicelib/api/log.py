"""One line a request: which route, how it ended, how long it took. Never what was said or by whom."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol


class Log(Protocol):
    """Where lines go."""

    def info(self, msg: str, *, extra: dict[str, object]) -> None:
        """An ordinary line."""
        ...

    def error(self, msg: str, *, extra: dict[str, object]) -> None:
        """A line about something that is ours to mend."""
        ...


@dataclass(slots=True)
class Outcome:
    """How a request ended."""

    status: int = 0
    code: str | None = None
    fault: BaseException | None = None

    def failed(self, code: str, fault: BaseException | None) -> None:
        """It ended in an error; with a fault, one of ours."""
        self.code, self.fault = code, fault


@contextmanager
def logged(log: Log, name: str, request_id: str) -> Iterator[Outcome]:
    """Log what happens inside, once."""
    outcome = Outcome()
    begun = time.perf_counter()
    yield outcome
    milliseconds = round((time.perf_counter() - begun) * 1000, 1)
    facts: dict[str, object] = {
        "operation": name,
        "request_id": request_id,
        "status": outcome.status,
        "code": outcome.code,
        "ms": milliseconds,
    }
    if outcome.fault is None:
        log.info("request", extra=facts)
    else:
        log.error("request", extra={**facts, "fault": _where(outcome.fault)})


def _where(fault: BaseException) -> list[str]:
    """The kind of a fault and the places it came through. Not its message, which may quote what was sent."""
    places = []
    trace = fault.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('chalicelib/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return [type(fault).__name__, *places[-12:]]
