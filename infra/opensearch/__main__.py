"""`python -m infra.opensearch`: one node in the foreground until Ctrl-C, with data that stay; `make opensearch`."""

import hashlib
import os
import signal
import sys
import time
from pathlib import Path

from infra.opensearch import machine
from infra.opensearch.machine import CannotRun
from infra.opensearch.node import running_opensearch

_HIGHEST = 1 << 16


def main() -> int:
    """Start it, say where it is, wait."""
    signal.signal(signal.SIGTERM, _interrupt)
    began = time.monotonic()
    try:
        with running_opensearch(port=_port(), home=_home()) as node:
            print(f"OpenSearch {machine.VERSION} is up after {time.monotonic() - began:.1f} s.\n")
            print(f"  address  {node.url}\n  data     {node.data}\n  log      {node.log}\n")
            print(
                f"ACERVO_SEARCH=opensearch ACERVO_OPENSEARCH_URL={node.url} uses it. Ctrl-C stops it; data stay.",
                flush=True,
            )
            print(f"OpenSearch ended by itself:\n{node.wait()}")
            return 1
    except CannotRun as problem:
        print(problem)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.")
    return 0


def _home() -> Path:
    """Data of this checkout, beside the server: the checkout itself may lie where the server's user cannot go."""
    checkout = hashlib.sha256(str(Path(__file__).resolve()).encode()).hexdigest()[:8]
    return machine.cache() / f"opensearch-data-{checkout}"


def _port() -> int:
    wanted = os.environ.get("ACERVO_OPENSEARCH_PORT", "0")
    if not wanted.isdigit() or not int(wanted) < _HIGHEST:
        raise CannotRun(f"ACERVO_OPENSEARCH_PORT is {wanted!r}, which is no port number.")
    return int(wanted)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
