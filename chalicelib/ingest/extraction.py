"""What came out of a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field

MAX_ENTRIES = 64
MAX_VALUE = 1000
"""Metadata stand beside the content in one record, so they are bounded: entries, and characters of one."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """A file as Markdown, with what it says of itself and what was left out."""

    text: str
    """Markdown, not yet canonical."""
    extractor: str
    """Name and version of what read it."""
    title: str | None = None
    """What the file calls itself."""
    metadata: Mapping[str, str] = field(default_factory=dict)


def bounded(metadata: Mapping[str, str]) -> dict[str, str]:
    """The metadata that fit; how many did not is told in `metadata_left_out`."""
    kept = {name[:100]: value[:MAX_VALUE] for name, value in list(metadata.items())[:MAX_ENTRIES]}
    if len(metadata) > MAX_ENTRIES:
        kept["metadata_left_out"] = str(len(metadata) - MAX_ENTRIES)
    return kept
