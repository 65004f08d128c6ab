"""Putting a file: the item at its locator is made, or gets another revision if the file says something else."""

import base64
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from infra.cli.client import Client, Refused, Unreachable
from infra.cli.files import NotTaken, Source

type Watch = Callable[[Source, int, int], None]
"""Told how many pages of a document are read, and of how many."""

_GLANCE_S = 0.3
_PATIENCE_S = 1800.0


class Outcome(StrEnum):
    """What became of a file."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Put:
    """What became of one file."""

    source: Source
    outcome: Outcome
    item_id: str | None = None
    reference: str | None = None
    why: str | None = None

    def as_json(self) -> dict[str, str | None]:
        """As the command prints it with --json."""
        return {
            "file": str(self.source.path),
            "locator": self.source.locator,
            "outcome": self.outcome.value,
            "item_id": self.item_id,
            "reference": self.reference,
            "why": self.why,
        }


def _unwatched(_source: Source, _done: int, _total: int) -> None:
    """Nobody looks."""


def put(client: Client, base_id: str, source: Source, *, publish: bool, watch: Watch = _unwatched) -> Put:
    """Put one file; a failure is an outcome, so that one bad file does not stop the others."""
    try:
        items = f"/api/v1/knowledge/bases/{base_id}/items"
        found = client.call("GET", items, query={"locator": source.locator})["items"]
        before = found[0] if found else None
        content = source.content()
        if source.kind.uploaded:
            after = _uploaded(client, base_id, source, content, watch)
        else:
            after = _sent(client, items, source, content, before)
        if publish and after["status"] == "draft":
            after = client.call("POST", f"/api/v1/knowledge/items/{after['id']}/publish")
    except (Refused, NotTaken) as fault:
        return Put(source, Outcome.FAILED, why=str(fault))
    return Put(source, _outcome(before, after), after["id"], after["reference"])


def _outcome(before: dict[str, Any] | None, after: dict[str, Any]) -> Outcome:
    if before is None:
        return Outcome.CREATED
    facts = ("current_revision_id", "title")
    return Outcome.UNCHANGED if all(before[each] == after[each] for each in facts) else Outcome.UPDATED


def _sent(client: Client, items: str, source: Source, content: bytes, before: dict[str, Any] | None) -> Any:  # noqa: ANN401 - JSON
    """Text and code go with the request; the server makes Markdown of them and finds the title."""
    file = {"filename": source.locator, "bytes_base64": base64.b64encode(content).decode()}
    if before is None:
        return client.call("POST", items, {"source_type": "file", "locator": source.locator, **file})
    edit = {"expected_revision_id": before["current_revision_id"], **file}
    return client.call("PATCH", f"/api/v1/knowledge/items/{before['id']}", edit)


def _uploaded(client: Client, base_id: str, source: Source, content: bytes, watch: Watch) -> Any:  # noqa: ANN401 - JSON
    """Documents are uploaded, and read by a worker; waits until it is done."""
    body = {"filename": source.locator, "size": len(content), "knowledge_base_id": base_id, "locator": source.locator}
    asked = client.call("POST", "/api/v1/documents", body)
    client.upload(asked["upload"]["url"], asked["upload"]["fields"], content)
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        document = client.call("GET", f"/api/v1/documents/{asked['document_id']}")
        watch(source, document["progress"]["done"], document["progress"]["total"])
        if document["status"] == "ready":
            return client.call("GET", f"/api/v1/knowledge/items/{document['knowledge_item_id']}")
        if document["status"] == "failed":
            raise NotTaken(document["failure"]["message"])
        time.sleep(_GLANCE_S)
    message = f"Document {asked['document_id']} is not read yet. Look for it later."
    raise Unreachable(message)
