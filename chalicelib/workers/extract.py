"""The extraction worker: messages of the queue, each on its own (rule I3).

A message is an event of S3, or names a document. Known errors are the file's fault and recorded with the document; only
what is ours, or passes, is reported as failed, and the queue delivers it again until it goes to the dead letters.
Source: AWS Lambda, "Handling errors for an SQS event source" (partial batch responses); Amazon S3, "Event message
structure".
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

from chalicelib.domain.watching import Journal
from chalicelib.wiring import Services
from chalicelib.workers.stream import Failures


def extract(event: Mapping[str, Any], services: Services, journal: Journal) -> Failures:
    """Take in every message; those that failed are named, so that only they come again."""
    failed = []
    for record in event["Records"]:
        message_id = str(record["messageId"])
        with journal.entry("extract", message_id) as outcome:
            try:
                _take(record["body"], services)
            except Exception as fault:  # noqa: BLE001 - whatever it was, the other messages are not at fault
                outcome.failed("worker_failed", fault)
                failed.append({"itemIdentifier": message_id})
    return {"batchItemFailures": failed}


def _take(body: str, services: Services) -> None:
    message = json.loads(body)
    if "document_id" in message:
        services.extract_document(str(message["document_id"]))
        return
    if message.get("Event") == "s3:TestEvent":
        return
    for key, version in _objects(message):
        services.take_object(key, version)


def _objects(message: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """Key and version of each object that the event says was put. Raises KeyError if it is no event of S3."""
    for each in message["Records"]:
        if str(each["eventName"]).startswith("ObjectCreated"):
            found = each["s3"]["object"]
            yield unquote_plus(found["key"]), found.get("versionId")
