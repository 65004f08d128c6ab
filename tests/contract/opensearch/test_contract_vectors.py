"""The contract of vectors, on a real OpenSearch."""

from collections.abc import Iterator

import pytest

from chalicelib.adapters.opensearch.index import OpenSearchIndex
from infra.opensearch import Node
from tests.contract.opensearch.servers import fresh_index
from tests.contract.test_search_vectors import *  # noqa: F403 - the whole suite, over this module's `index`
from tests.contract.test_search_vectors import FOUR


@pytest.fixture  # type: ignore[no-redef]
def index(opensearch: Node) -> Iterator[OpenSearchIndex]:
    with fresh_index(opensearch, model=FOUR) as fresh:
        yield fresh
