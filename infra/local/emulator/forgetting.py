"""Mend: log lines and metric points are not kept over a restart.

ministack writes them with everything else and never lets go of any; after some days of use most
of what is written would be old log lines.
"""
# ruff: noqa: SLF001, ANN401 - these are the insides of an untyped program, mended on purpose

from importlib import import_module
from typing import Any


def mend() -> None:
    """Leave them out of what is written."""
    logs: Any = import_module("ministack.services.cloudwatch_logs")
    metrics: Any = import_module("ministack.services.cloudwatch")
    logs_state, metrics_state = logs.get_state, metrics.get_state

    def without_lines() -> Any:
        state = logs_state()
        for group in state["log_groups"]._data.values():
            group["streams"] = {}
        return state | {"log_records": type(state["log_records"])()}

    def without_points() -> Any:
        state = metrics_state()
        return state | {name: type(state[name])() for name in ("metrics", "alarm_history")}

    logs.get_state, metrics.get_state = without_lines, without_points
