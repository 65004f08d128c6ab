"""Mend: answers without waiting for log lines that never come.

After each call ministack waits 50 ms for the function's first line on stderr. A function that
logs writes before it answers, so a few milliseconds are plenty; lines that come later are not
lost, they are collected with the next call.
"""
# ruff: noqa: SLF001 - these are the insides of an untyped program, mended on purpose

from importlib import import_module
from typing import Any

FIRST_LINE_S = 0.004
QUIET_S = 0.002
CEILING_S = 0.25


def mend() -> None:
    """Shorten the wait."""
    runtime: Any = import_module("ministack.core.lambda_runtime")
    runtime.Worker._drain_stderr_bounded.__defaults__ = (FIRST_LINE_S, QUIET_S, CEILING_S)
