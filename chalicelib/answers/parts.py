"""What an answer is made of as it comes: the pipeline yields these, in this order, and every door passes them on.

Began, then statuses and progress, the spoken answer in pieces, sections, the list of the sections, Finished. A turn
that fails after it began says so with Failed instead of Finished, after the list of what arrived.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Stage(StrEnum):
    """Where the pipeline is."""

    UNDERSTANDING = "understanding"
    SELECTING = "selecting"
    READING = "reading"
    WRITING = "writing"


@dataclass(frozen=True, slots=True)
class Began:
    """The turn was taken."""

    conversation_id: str
    turn_id: str
    """Fresh for every turn; the stream's `messageId`."""


@dataclass(frozen=True, slots=True)
class Status:
    """The pipeline entered a stage."""

    stage: Stage


@dataclass(frozen=True, slots=True)
class Progress:
    """One line for the visitor, in their language."""

    line: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """A piece of the spoken answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """One component, validated, sanitised and resolved: ready to render."""

    id: str
    """Unique in the turn."""
    component: str
    """Its name in the catalogue."""
    slot: str
    props: Mapping[str, Any]
    """Of the catalogue's rendered shape: ids have become data."""
    sources: tuple[str, ...] = ()
    """References of what it was made of; empty unless the page shows them."""


@dataclass(frozen=True, slots=True)
class Sections:
    """The authoritative list of the sections that arrived."""

    ids: tuple[str, ...]
    final: bool
    """False if the turn failed, so that this is not the whole answer."""
    language: str
    """Of the answer, an ISO 639-1 code."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The turn ended in error."""

    code: str
    """As of a known error."""
    sentence: str
    """For people, in their language."""
    fault: BaseException | None = None
    """For the journal, if it is one of ours; never shown."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn ended in order."""


type Part = Began | Status | Progress | Spoken | Section | Sections | Failed | Finished
