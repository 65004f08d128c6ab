"""What all tests share: promises are named, profiles of hypothesis, no network."""

import os

import pytest
from hypothesis import HealthCheck, settings

from tests.promises import PROMISES

settings.register_profile("quick", max_examples=60, deadline=None)
settings.register_profile("ci", max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "quick"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a test that names no promise, or one that there is not."""
    for item in items:
        named = {name for marker in item.iter_markers("promise") for name in marker.args}
        if not named:
            message = f"{item.nodeid} names no promise. Mark it with @pytest.mark.promise(...); see tests/promises.py."
            raise pytest.UsageError(message)
        if unknown := named - PROMISES.keys():
            message = f"{item.nodeid} names promises that there are not: {', '.join(sorted(unknown))}."
            raise pytest.UsageError(message)
