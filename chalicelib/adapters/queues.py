"""Asking workers for something that may take its time, over SQS."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.errors import KnowledgeRuntimeDisabled, StoreBusy

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

type MakeClient = Callable[[], "SQSClient"]
"""Few requests need a client, so it is made by the first that does."""


@dataclass(frozen=True, slots=True)
class ExtractQueue:
    """The port `WorkQueue`: documents that are to be read."""

    client: MakeClient
    url: str

    def send(self, document_id: str) -> None:
        """Ask for the extraction of a document. Raises KnowledgeRuntimeDisabled without a queue, StoreBusy."""
        if not self.url:
            raise KnowledgeRuntimeDisabled
        _send(self.client, self.url, json.dumps({"document_id": document_id}))


@dataclass(frozen=True, slots=True)
class EmbedQueue:
    """The port `Later`: items that lack vectors, and bases and pages whose topic maps are old.

    Without a queue vectors are left to `reconcile`, and maps to whoever reads them.
    """

    client: MakeClient
    url: str

    def __call__(self, key: str) -> None:
        """Ask for the vectors of an item, or the topic maps of a base or page. Raises StoreBusy."""
        if self.url:
            _send(self.client, self.url, key)


def _send(client: MakeClient, url: str, body: str) -> None:
    try:
        client().send_message(QueueUrl=url, MessageBody=body)
    except (BotoCoreError, ClientError) as fault:
        raise StoreBusy from fault
