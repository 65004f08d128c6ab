"""Errors of the shelves, and those that every room has."""

from collections.abc import Mapping
from dataclasses import dataclass

from chalicelib.domain.errors.base import KnownError


@dataclass(eq=False)
class NotFound(KnownError):
    """There is no such thing, or none that the caller may see (rule K11)."""

    advice = "There is no such thing here. Check the id."


@dataclass(eq=False)
class NotAllowed(KnownError):
    """The caller sees the thing, and their role is too small for what they tried."""

    action: str
    role: str
    advice = "Your role in this space ({role}) does not include {action}. Ask an owner or admin."


@dataclass(eq=False)
class StaleRevision(KnownError):
    """Someone else's edit came first (rule K2)."""

    expected: str
    actual: str
    number: int
    advice = (
        "The item is at revision {number} ({actual}) by now; you edited {expected}. "
        "Read the current one, merge, and send it as expected_revision_id."
    )


@dataclass(eq=False)
class ConcurrentChange(KnownError):
    """The record changed between reading and writing, in a way that is not an edit of its content."""

    expected: int
    actual: int
    advice = "Someone changed this at the same moment (version {actual}, you saw {expected}). Read it again and retry."


@dataclass(eq=False)
class ExpectedRevisionRequired(KnownError):
    """An edit did not say which revision it was made on."""

    advice = "Say which revision you edited: expected_revision_id in the body, or an If-Match header."


@dataclass(eq=False)
class IllegalMove(KnownError):
    """The life cycle has no such move."""

    source: str
    target: str
    advice = "Nothing that is {source} can become {target}."

    def facts(self) -> Mapping[str, object]:
        """The two statuses, by the names the wire uses."""
        return {"from": self.source, "to": self.target}

    def __str__(self) -> str:
        return self.advice.format(source=self.source, target=self.target)


@dataclass(eq=False)
class ItemArchived(KnownError):
    """An archived item was to be edited."""

    advice = "This item is archived. Restore it before you change it."


@dataclass(eq=False)
class KnowledgeArchived(KnownError):
    """The base is archived: nothing of it can be retrieved or changed (rule K15)."""

    knowledge_base_id: str
    advice = "The knowledge base {knowledge_base_id} is archived. An owner or admin can restore it."


@dataclass(eq=False)
class KnowledgeRuntimeDisabled(KnownError):
    """Knowledge is off for the account, or its backend is not configured (rule K18)."""

    advice = "Knowledge is not available for this account. Ask whoever runs this Acervo to switch it on."


@dataclass(eq=False)
class ContentTooLarge(KnownError):
    """More text than one revision may hold (rule K8)."""

    size: int
    limit: int
    advice = "The content has {size} bytes in canonical form; one revision holds {limit}. Split it into several items."


@dataclass(eq=False)
class ContentDamaged(KnownError):
    """What was stored does not have the hash it was stored under."""

    revision_id: str
    advice = "The stored content of {revision_id} does not match its hash. It was not returned; tell the operator."


@dataclass(eq=False)
class LocatorTaken(KnownError):
    """Another item of the base has that locator."""

    locator: str
    knowledge_item_id: str
    advice = "The locator {locator!r} belongs to another item ({knowledge_item_id}) of this base. Choose another one."


@dataclass(eq=False)
class ConfirmationMismatch(KnownError):
    """A deletion for good was not confirmed with the name of what goes (rule K16)."""

    field: str
    advice = "Deleting for good cannot be undone. Send the exact {field} as `confirm`."


@dataclass(eq=False)
class IdempotencyKeyReused(KnownError):
    """The same retry key came with another request (rule K7)."""

    advice = "This Idempotency-Key was used with another request in the last 24 hours. Use a new key."


@dataclass(eq=False)
class PinWithoutItem(KnownError):
    """A revision was asked for without its item (rule K12)."""

    advice = "knowledge_revision_id needs the knowledge_item_id that it belongs to."


@dataclass(eq=False)
class TooMany(KnownError):
    """A count is at its limit."""

    what: str
    limit: int
    advice = "There are at most {limit} {what}. Remove one first."


@dataclass(eq=False)
class ListTooLong(KnownError):
    """A list has too many entries to be sorted for each of its pages."""

    limit: int
    advice = "Only up to {limit} entries are sorted. List them in the order they were created, or use the search."


@dataclass(eq=False)
class SearchUnavailable(KnownError):
    """No leg of the search answered."""

    advice = "Search does not answer right now. Reading by reference still works; try again in a moment."


@dataclass(eq=False)
class StoreBusy(KnownError):
    """The store turned the request away for load, and nothing was written."""

    advice = "The store is busy. Nothing was written; send the request again."
