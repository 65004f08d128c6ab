"""How soon what is published is found (rule S11): `python -m tests.bench.publish_lag`, on a local cloud of its own."""

import statistics
import time

import httpx

from tests.bench.stress import cloud
from tests.e2e.people import KNOWLEDGE, arrive

_TIMES = 60


def main() -> None:
    """Publish one after the other; print the time from the answer to the first search that finds it."""
    lags = []
    with cloud({}) as stack, httpx.Client(base_url=stack.api_url, timeout=60) as http:
        person = arrive(stack, http, "Lag")
        base = person.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": person.space, "name": "Lag"})["id"]
        for number in range(_TIMES):
            word = f"lagword{number}"
            body = {"title": word, "content": f"# {word}\n\nSome text about it."}
            item = person.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", body)
            person.ok("POST", f"{KNOWLEDGE}/items/{item['id']}/publish")
            begun = time.perf_counter()
            while not person.search(word):
                pass
            lags.append(time.perf_counter() - begun)
    cuts = statistics.quantiles(lags, n=20)
    print(f"published to found, {_TIMES} times: p50 {cuts[9] * 1000:.0f} ms, p95 {cuts[18] * 1000:.0f} ms")


if __name__ == "__main__":
    main()
