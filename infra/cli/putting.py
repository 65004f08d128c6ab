"""Putting a file: the item at its locator is made, or edited if the file says something else."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from infra.cli.client import Client, Refused
from infra.cli.files import NotTaken, Source


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


def put(client: Client, base_id: str, source: Source, *, publish: bool) -> Put:
    """Put one file; a failure is an outcome, so that one bad file does not stop the others."""
    try:
        item, outcome = _written(client, base_id, source)
        if publish and item["status"] == "draft":
            item = client.call("POST", f"/api/v1/knowledge/items/{item['id']}/publish")
    except (Refused, NotTaken) as fault:
        return Put(source, Outcome.FAILED, why=str(fault))
    return Put(source, outcome, item["id"], item["reference"])


def _written(client: Client, base_id: str, source: Source) -> tuple[dict[str, Any], Outcome]:
    content = source.content()
    title = source.title(content)
    items = f"/api/v1/knowledge/bases/{base_id}/items"
    found = client.call("GET", items, query={"locator": source.locator})["items"]
    if not found:
        body = {"title": title, "locator": source.locator, "content": content}
        return client.call("POST", items, body), Outcome.CREATED
    before = found[0]
    edit = {"expected_revision_id": before["current_revision_id"], "content": content, "title": title}
    after = client.call("PATCH", f"/api/v1/knowledge/items/{before['id']}", edit)
    same = (after["current_revision_id"], after["title"]) == (before["current_revision_id"], before["title"])
    return after, Outcome.UNCHANGED if same else Outcome.UPDATED
