"""The queue that wakes the extraction worker."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.errors import KnowledgeRuntimeDisabled, StoreBusy

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


@dataclass(frozen=True, slots=True)
class SqsQueue:
    """The port `WorkQueue` over SQS; few requests need it, so its client is made by the first."""

    client: Callable[[], "SQSClient"]
    url: str

    def send(self, document_id: str) -> None:
        """Ask for the extraction of a document."""
        if not self.url:
            raise KnowledgeRuntimeDisabled
        try:
            self.client().send_message(QueueUrl=self.url, MessageBody=json.dumps({"document_id": document_id}))
        except (BotoCoreError, ClientError) as fault:
            raise StoreBusy from fault
