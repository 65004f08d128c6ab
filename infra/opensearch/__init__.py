"""A real OpenSearch on this machine, put together from ordinary packages, without Docker.

`with running_opensearch() as node:` for tests and benchmarks; `make opensearch` for people. Here is no code of
Acervo's own search: that is `chalicelib/adapters/opensearch`.
"""

from infra.opensearch.machine import CannotRun
from infra.opensearch.node import Node, running_opensearch

__all__ = ["CannotRun", "Node", "running_opensearch"]
