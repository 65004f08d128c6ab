"""Indexes on a real OpenSearch that go with their test."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from chalicelib.adapters.opensearch.cluster import Cluster, Patience, connect
from chalicelib.adapters.opensearch.index import OpenSearchIndex
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.adapters.opensearch.writing import Refresh
from infra.opensearch import Node

PATIENT = Patience(reading_s=20.0, writing_s=60.0)
"""A machine that runs other tests as well is slow at times."""


@contextmanager
def fresh_index(node: Node, refresh: Refresh = "true", **layout: Any) -> Iterator[OpenSearchIndex]:
    """An index that nobody else has, behind an alias of its own."""
    chosen = Layout(alias=f"test-{uuid.uuid4().hex[:12]}", **layout)
    cluster = Cluster(connect(node.url), PATIENT)
    try:
        yield OpenSearchIndex(cluster, chosen, refresh)
    finally:
        names = ",".join(chosen.index(number) for number in range(1, 10))
        cluster.call("DELETE", f"/{names}", ignore_unavailable=True)
        cluster.close()
