"""Asking for embeddings over a queue."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SqsLater:
    """The port `Later`: one message for each item that lacks vectors."""

    client: Any
    queue_url: str

    def __call__(self, item_id: str) -> None:
        """Ask for it."""
        self.client.send_message(QueueUrl=self.queue_url, MessageBody=item_id)
