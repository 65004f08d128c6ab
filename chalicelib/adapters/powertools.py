"""Structured logs and metrics through AWS Lambda Powertools."""

import sys
from dataclasses import dataclass

from aws_lambda_powertools import Logger, single_metric
from aws_lambda_powertools.metrics import MetricUnit

NAMESPACE = "Acervo"


def logger(stage: str, level: str) -> Logger:
    """The logger: JSON lines on standard output, with what is given and nothing else."""
    # Not "acervo": Chalice's own logger has the name of the app, and lines would come twice.
    return Logger(service=f"acervo-{stage}", level=level, location="", stream=sys.stdout)


@dataclass(frozen=True, slots=True)
class EmbeddedMetrics:
    """The port `Meter` in CloudWatch's embedded metric format: a log line that becomes a metric."""

    stage: str

    def count(self, name: str, value: int = 1, **dimensions: str) -> None:
        """Count something that happened."""
        with single_metric(
            name=name, unit=MetricUnit.Count, value=value, namespace=NAMESPACE, default_dimensions={"stage": self.stage}
        ) as metric:
            for key, each in dimensions.items():
                metric.add_dimension(name=key, value=each)
