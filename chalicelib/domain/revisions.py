"""Knowledge revisions: immutable snapshots of an item's content."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from chalicelib.domain.spaces import Door

MARKDOWN = "markdown"
"""The one content format there is."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who made a revision, by which door, and out of what."""

    author: str
    door: Door
    token_id: str | None = None
    restored_from: str | None = None
    """The revision whose content this one repeats (rule K6)."""
    document_id: str | None = None
    filename: str | None = None
    original_sha256: str | None = None
    extractor: str | None = None


@dataclass(frozen=True, slots=True)
class Intent:
    """A note that an object is about to be written, which the transaction that refers to the object removes."""

    key: str
    item_id: str
    revision_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Revision:
    """What an item said at one time. Never changed once written (rule K1)."""

    id: str
    item_id: str
    number: int
    """1, 2, 3 … without gap within the item (rule K3)."""
    content_format: str
    sha256: str
    """Of the canonical content's UTF-8 bytes."""
    size: int
    """Bytes of the canonical content."""
    inline: str | None
    """The content, where it fits beside the metadata."""
    blob: str | None
    """Else the key of the object that holds it (rule K8)."""
    provenance: Provenance
    created_at: datetime
    source_metadata: Mapping[str, str] = field(default_factory=dict)
