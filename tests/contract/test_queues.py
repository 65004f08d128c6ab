"""The queues of work that may take its time, on SQS."""

import json

import boto3
import pytest

from chalicelib.adapters.queues import EmbedQueue, ExtractQueue
from chalicelib.adapters.s3 import S3Blobs
from chalicelib.domain.errors import KnowledgeRuntimeDisabled, StoreBusy


@pytest.mark.promise("S11", "I2")
def test_what_is_asked_for_lies_in_the_queue(s3: S3Blobs) -> None:
    client = boto3.client("sqs", region_name="eu-west-1")
    url = client.create_queue(QueueName="work")["QueueUrl"]
    EmbedQueue(lambda: client, url)("item_1")
    ExtractQueue(lambda: client, url).send("doc_1")
    found = client.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
    assert {each["Body"] for each in found} == {"item_1", json.dumps({"document_id": "doc_1"})}


@pytest.mark.promise("S11", "I2")
def test_a_queue_that_cannot_be_reached_is_a_known_error_and_none_at_all_is_left_to_reconcile(s3: S3Blobs) -> None:
    client = boto3.client("sqs", region_name="eu-west-1")
    gone = "https://sqs.eu-west-1.amazonaws.com/123456789012/gone"
    with pytest.raises(StoreBusy):
        EmbedQueue(lambda: client, gone)("item_1")
    with pytest.raises(StoreBusy):
        ExtractQueue(lambda: client, gone).send("doc_1")
    EmbedQueue(lambda: client, "")("item_1")
    with pytest.raises(KnowledgeRuntimeDisabled):
        ExtractQueue(lambda: client, "").send("doc_1")
