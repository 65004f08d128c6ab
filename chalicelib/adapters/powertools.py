"""Structured logs and metrics through AWS Lambda Powertools."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from aws_lambda_powertools import Logger, single_metric
from aws_lambda_powertools.metrics import MetricUnit

from chalicelib.domain.watching import Outcome

NAMESPACE = "Acervo"

_PLACES = 12
"""How many frames of a fault are told, the innermost ones."""


class LogJournal:
    """The port `Journal` as JSON lines on standard output."""

    def __init__(self, stage: str, level: str, stream: IO[str] = sys.stdout) -> None:
        # Not "acervo": Chalice's own logger has the name of the app, and lines would come twice.
        self._logger = Logger(service=f"acervo-{stage}", level=level, location="", stream=stream)

    @contextmanager
    def entry(self, operation: str, request_id: str) -> Iterator[Outcome]:
        """Writes the line when the block ends, with what it noted in the outcome."""
        outcome = Outcome()
        begun = time.perf_counter()
        yield outcome
        facts: dict[str, object] = {
            "operation": operation,
            "request_id": request_id,
            "status": outcome.status,
            "code": outcome.code,
            "ms": round((time.perf_counter() - begun) * 1000, 1),
        }
        if outcome.fault is None:
            self._logger.info("done", extra=facts)
        else:
            self._logger.error("failed", extra={**facts, "fault": _where(outcome.fault)})


def _where(fault: BaseException) -> list[str]:
    """The kind of a fault and the places it came through. Not its message, which may quote what was sent."""
    places = []
    trace = fault.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('chalicelib/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return [type(fault).__name__, *places[-_PLACES:]]


@dataclass(frozen=True, slots=True)
class EmbeddedMetrics:
    """The port `Meter` in CloudWatch's embedded metric format: a log line that becomes a metric."""

    stage: str

    def count(self, name: str, value: int = 1, **dimensions: str) -> None:
        """Count something that happened."""
        stage = {"stage": self.stage}
        with single_metric(
            name=name, unit=MetricUnit.Count, value=value, namespace=NAMESPACE, default_dimensions=stage
        ) as metric:
            for key, each in dimensions.items():
                metric.add_dimension(name=key, value=each)
