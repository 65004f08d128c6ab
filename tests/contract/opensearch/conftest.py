"""One real OpenSearch for all the tests that ask for it."""

import os
from collections.abc import Iterator
from functools import cache

import pytest

from chalicelib.adapters.opensearch.index import OpenSearchIndex
from infra.opensearch import CannotRun, Node, running_opensearch
from infra.opensearch.distribution import distribution
from infra.opensearch.machine import java
from tests.contract.opensearch.servers import fresh_index


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs a server where there can be none, all in one line; in continuous integration, fail it."""
    if "opensearch" in getattr(item, "fixturenames", ()) and (problem := _problem()):
        message = f"NO OPENSEARCH HERE, so nothing is proved about it. {problem}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)


@cache
def _problem() -> str:
    try:
        java()
        distribution()
    except CannotRun as problem:
        return str(problem)
    return ""


@pytest.fixture(scope="session")
def opensearch() -> Iterator[Node]:
    """A running server."""
    with running_opensearch(heap="512m") as node:
        yield node


@pytest.fixture
def index(opensearch: Node) -> Iterator[OpenSearchIndex]:
    with fresh_index(opensearch) as fresh:
        yield fresh
