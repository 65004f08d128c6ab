"""Records of the table's stream or a queue, one after the other, with a failure told exactly."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from chalicelib.domain.watching import Journal

type Failures = dict[str, list[dict[str, str]]]


def changed(event: Mapping[str, Any], *kinds: str) -> Iterator[tuple[str, str]]:
    """Partition key and sequence number of the records whose sort key is of `kinds`, each key once, the first time."""
    seen = set()
    for record in event["Records"]:
        keys = record["dynamodb"]["Keys"]
        pk = keys["pk"]["S"]
        if keys["sk"]["S"] in kinds and pk not in seen:
            seen.add(pk)
            yield pk, record["dynamodb"]["SequenceNumber"]


def each(records: Iterable[tuple[str, str]], handle: Callable[[str], object], name: str, journal: Journal) -> Failures:
    """Handle every record until one fails; from that one on, Lambda delivers them again.

    Source: AWS Lambda, "Configuring partial batch response with DynamoDB and Lambda".
    """
    for key, sequence_number in records:
        with journal.entry(name, key) as outcome:
            try:
                handle(key)
            except Exception as fault:  # noqa: BLE001 - whatever it was, the record must not be lost
                outcome.failed("worker_failed", fault)
        if outcome.fault is not None:
            return {"batchItemFailures": [{"itemIdentifier": sequence_number}]}
    return {"batchItemFailures": []}
