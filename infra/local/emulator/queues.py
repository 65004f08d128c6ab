"""Mend: how many messages of a queue are worked on at once, where the template has that from a parameter.

Parameters are text, also those of the type Number; ministack compares this one with a count.
"""
# ruff: noqa: SLF001, ANN401 - these are the insides of an untyped program, mended on purpose

from importlib import import_module
from typing import Any


def mend() -> None:
    """Read the text as the number it is."""
    functions: Any = import_module("ministack.services.lambda_svc")
    concurrency = functions._sqs_esm_concurrency

    def counted(mapping: dict[str, Any], *more: Any) -> Any:
        scaling = mapping.get("ScalingConfig") or {}
        if isinstance(scaling.get("MaximumConcurrency"), str):
            mapping["ScalingConfig"] = {**scaling, "MaximumConcurrency": int(scaling["MaximumConcurrency"])}
        return concurrency(mapping, *more)

    functions._sqs_esm_concurrency = counted
