"""Shapes of items."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field

from chalicelib.api.wire.words import (
    Answer,
    Content,
    Id,
    Listing,
    Locator,
    Shape,
    Title,
)
from chalicelib.domain.citations import cite
from chalicelib.domain.items import Item, ItemStatus, SourceType


class ItemListing(Listing):
    """Which items to list."""

    status: Annotated[ItemStatus | None, Field(description="Only items that are this.")] = None
    locator: Annotated[Locator | None, Field(description="Only the item with this locator.")] = None


class NewItemBody(Shape):
    """An item to be made, as a draft."""

    title: Title
    content: Content
    locator: Annotated[Locator | None, Field(description="Unique in its base; made from the title if left out.")] = None


class EditBody(Shape):
    """What to change of an item, on the revision that was seen."""

    expected_revision_id: Annotated[Id | None, Field(description="The revision you edited; or send If-Match.")] = None
    content: Content | None = None
    title: Title | None = None
    locator: Locator | None = None


class ConfirmItemBody(Shape):
    """Confirmation of a deletion for good."""

    confirm: Annotated[Title, Field(description="The title of the item, exactly.")]


class SearchStateAnswer(Answer):
    """How far the search index is with an item's current revision."""

    state: Literal["pending", "indexed", "failed"]
    revision_id: str


class ItemAnswer(Answer):
    """A knowledge item."""

    id: str
    knowledge_base_id: str
    space_id: str
    title: str
    locator: str
    status: ItemStatus
    source_type: SourceType
    current_revision_id: str
    current_revision_number: int
    reference: str
    created_by: str
    created_at: datetime
    updated_at: datetime
    search: SearchStateAnswer

    @classmethod
    def of(cls, item: Item, state: Literal["pending", "indexed", "failed"]) -> Self:
        """The shape of an item."""
        return cls(
            id=item.id,
            knowledge_base_id=item.base_id,
            space_id=item.space_id,
            title=item.title,
            locator=item.locator,
            status=item.status,
            source_type=item.source_type,
            current_revision_id=item.current_revision_id,
            current_revision_number=item.current_number,
            reference=cite(item.id, item.current_revision_id),
            created_by=item.created_by,
            created_at=item.created_at,
            updated_at=item.updated_at,
            search=SearchStateAnswer(state=state, revision_id=item.current_revision_id),
        )


class ItemsAnswer(Answer):
    """A page of items."""

    items: list[ItemAnswer]
    next_cursor: str | None
