"""The contract of every search engine, on a real OpenSearch."""

from collections.abc import Iterator

import pytest

from chalicelib.adapters.opensearch.index import OpenSearchIndex
from infra.opensearch import Node
from tests.contract.opensearch.servers import fresh_index
from tests.contract.test_search_index import *  # noqa: F403 - the whole suite, over this module's `index`


@pytest.fixture  # type: ignore[no-redef]
def index(opensearch: Node) -> Iterator[OpenSearchIndex]:
    with fresh_index(opensearch) as fresh:
        yield fresh
