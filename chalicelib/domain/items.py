"""Knowledge items: what a title, a locator and a pointer to the current revision make."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Self


class ItemStatus(StrEnum):
    """Where an item stands in its life (rule K5)."""

    DRAFT = "draft"
    PUBLISHED = "published"
    ARCHIVED = "archived"


class SourceType(StrEnum):
    """How an item came to be."""

    USER_CREATED = "user_created"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class PublicMark:
    """Which revision numbers were public once: current while their item was published (rule K13).

    Kept as inclusive, ascending ranges, so that it stays small however long the history is.
    """

    ranges: tuple[tuple[int, int], ...] = ()

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.ranges)

    def including(self, number: int) -> Self:
        """The mark with one more number, which is never below its highest."""
        if number in self:
            return self
        if self.ranges and self.ranges[-1][1] == number - 1:
            first = self.ranges[-1][0]
            return type(self)((*self.ranges[:-1], (first, number)))
        return type(self)((*self.ranges, (number, number)))


@dataclass(frozen=True, slots=True)
class Item:
    """One document or guideline in a base."""

    id: str
    base_id: str
    space_id: str
    title: str
    locator: str
    """A path or URL-like label, unique in its base."""
    status: ItemStatus
    source_type: SourceType
    current_revision_id: str
    current_number: int
    version: int
    """Counts the writes of this record; a write states the one it saw."""
    created_by: str
    created_at: datetime
    updated_at: datetime
    archived_from: ItemStatus | None = None
    public: PublicMark = PublicMark()

    def following(self, revision_id: str, now: datetime) -> Self:
        """The item with a new current revision: the next number, public at once if the item is published."""
        number = self.current_number + 1
        return replace(
            self,
            current_revision_id=revision_id,
            current_number=number,
            public=self.public.including(number) if self.status is ItemStatus.PUBLISHED else self.public,
            version=self.version + 1,
            updated_at=now,
        )

    def renamed(self, title: str | None, locator: str | None, now: datetime) -> Self:
        """The item with another title or locator (None keeps it)."""
        return replace(
            self,
            title=self.title if title is None else title,
            locator=self.locator if locator is None else locator,
            version=self.version + 1,
            updated_at=now,
        )
