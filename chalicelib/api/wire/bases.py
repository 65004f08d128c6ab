"""Shapes of bases, and of deletions for good."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Self

from pydantic import Field

from chalicelib.api.wire.words import (
    NAME,
    Answer,
    Description,
    Id,
    Listing,
    Name,
    Shape,
)
from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.purges import Counts, Purge, PurgeStatus
from chalicelib.knowledge.listing import Counted


class BaseListing(Listing):
    """Which bases to list."""

    space: Annotated[Id | None, Field(description="Only the bases of this space.")] = None


class NewBaseBody(Shape):
    """A base to be made."""

    space_id: Id
    name: Name
    description: Description = ""


class ChangedBaseBody(Shape):
    """What to change of a base."""

    name: Name | None = None
    description: Description | None = None


class ConfirmBaseBody(Shape):
    """Confirmation of a deletion for good."""

    confirm: Annotated[Name, Field(description="The name of the base, exactly.")]


class BaseAnswer(Answer):
    """A knowledge base."""

    id: str
    space_id: str
    name: str
    description: str
    status: BaseStatus
    created_by: str
    created_by_name: Annotated[str | None, NAME]
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, base: Base, names: Mapping[str, str]) -> Self:
        """The shape of a base."""
        return cls(
            id=base.id,
            space_id=base.space_id,
            name=base.name,
            description=base.description,
            status=base.status,
            created_by=base.created_by,
            created_by_name=names.get(base.created_by),
            created_at=base.created_at,
            updated_at=base.updated_at,
        )


class StatusCountsAnswer(Answer):
    """Items by status."""

    draft: int
    published: int
    archived: int


class BaseCountsAnswer(Answer):
    """What is in a base, as far as the caller sees it: what deleting it for good would remove."""

    items: StatusCountsAnswer
    revisions: int
    documents: Annotated[int | None, Field(description="Files; null for whoever does not see them.")]
    at_least: Annotated[bool, Field(description="There are more items than were counted.")]

    @classmethod
    def of(cls, counted: Counted) -> Self:
        """The shape of the counts of a base."""
        return cls(
            items=StatusCountsAnswer(**{str(status): many for status, many in counted.items.items()}),
            revisions=counted.revisions,
            documents=counted.documents,
            at_least=counted.at_least,
        )


class BasesAnswer(Answer):
    """A page of bases."""

    bases: list[BaseAnswer]
    next_cursor: str | None


class RemovedAnswer(Answer):
    """What a deletion removed."""

    items: int
    revisions: int
    objects: int
    passages: int
    documents: int

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """The shape of a receipt's counts."""
        return cls(
            items=counts.items,
            revisions=counts.revisions,
            objects=counts.objects,
            passages=counts.passages,
            documents=counts.documents,
        )


class PurgeAnswer(Answer):
    """A deletion for good: how far it is, and once it is done, its receipt."""

    id: str
    space_id: str
    knowledge_base_id: str
    knowledge_item_id: str | None
    status: Annotated[PurgeStatus, Field(description="`settled` follows `done` after a second pass.")]
    requested_by: str
    requested_at: datetime
    finished_at: datetime | None
    removed: RemovedAnswer

    @classmethod
    def of(cls, purge: Purge) -> Self:
        """The shape of a purge."""
        return cls(
            id=purge.id,
            space_id=purge.space_id,
            knowledge_base_id=purge.base_id,
            knowledge_item_id=purge.item_id,
            status=purge.status,
            requested_by=purge.requested_by,
            requested_at=purge.requested_at,
            finished_at=purge.finished_at,
            removed=RemovedAnswer.of(purge.removed),
        )
