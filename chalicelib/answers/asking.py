"""What a turn begins with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from chalicelib.domain.pages import Page


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of one visitor, past all defences but the fuse."""

    page: Page
    session_id: str
    """Of the anonymous session of the visitor's tab, verified."""
    question: str
    conversation_id: str | None
    """None for an opening question."""
    regenerate: bool
    """Whether the answer replaces the conversation's last turn."""
    deadline: datetime
    """When the turn has to have ended (rule N5)."""
    has_left: Callable[[], bool]
    """Whether the visitor went away, so that nothing more may be spent (rule N5)."""
