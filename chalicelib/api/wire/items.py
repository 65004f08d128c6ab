"""Shapes of items."""

import base64
import binascii
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from chalicelib.api.wire.words import (
    NAME,
    Answer,
    Content,
    Filename,
    Id,
    Listing,
    Locator,
    Shape,
    Title,
)
from chalicelib.domain.citations import cite
from chalicelib.domain.items import Item, ItemStatus, SourceType
from chalicelib.knowledge.listing import Counted, Order, Wanted


class ItemListing(Listing):
    """Which items to list."""

    status: Annotated[ItemStatus | None, Field(description="Only items that are this.")] = None
    locator: Annotated[Locator | None, Field(description="Only the item with this locator.")] = None
    contains: Annotated[
        str | None,
        StringConstraints(min_length=1, max_length=200),
        Field(description="Only items with all of these words, or parts of words, in title or locator."),
    ] = None
    sort: Annotated[
        Order,
        Field(
            description="`created`: the newest first; `updated`: what was changed last first; `title`. The latter two "
            "for up to 10,000 items."
        ),
    ] = Order.CREATED

    @property
    def wanted(self) -> Wanted:
        """What the use case is asked."""
        return Wanted(self.status, self.contains, self.sort)


class FileBody(Shape):
    """A text or code file, where a body may hold one."""

    filename: Annotated[Filename | None, Field(description="Makes Markdown of a text or code file, by its kind.")] = (
        None
    )
    text: Annotated[str | None, Field(description="The file's text.")] = None
    bytes_base64: Annotated[
        str | None, Field(description="The file's bytes instead, if they may not be UTF-8.", max_length=3_000_000)
    ] = None

    def sent(self) -> bytes | None:
        """The bytes of the file, or None if there is none."""
        if self.text is not None:
            return self.text.encode()
        return None if self.bytes_base64 is None else base64.b64decode(self.bytes_base64)

    @model_validator(mode="after")
    def _one_file(self) -> Self:
        given = (self.text is not None) + (self.bytes_base64 is not None)
        if given != (self.filename is not None):
            message = "a file has a filename, and either text or bytes_base64"
            raise ValueError(message)
        if self.bytes_base64 is not None:
            try:
                base64.b64decode(self.bytes_base64, validate=True)
            except binascii.Error:
                message = "bytes_base64 is not base64"
                raise ValueError(message) from None
        return self


class NewItemBody(FileBody):
    """An item to be made, as a draft: of a title and Markdown, or of a text or code file."""

    source_type: Annotated[SourceType, Field(description="`file` for a file.")] = SourceType.USER_CREATED
    title: Annotated[Title | None, Field(description="Needed with `content`; a file may name itself.")] = None
    content: Content | None = None
    locator: Annotated[Locator | None, Field(description="Unique in its base; made from the title if left out.")] = None

    @model_validator(mode="after")
    def _of_one_kind(self) -> Self:
        missing = [name for name in ("title", "content") if getattr(self, name) is None]
        if self.source_type is SourceType.USER_CREATED and (missing or self.filename is not None):
            message = f"an item needs {' and '.join(missing)}" if missing else "a file needs source_type file"
            raise ValueError(message)
        if self.source_type is SourceType.FILE and (self.filename is None or self.content is not None):
            message = "source_type file needs filename with text or bytes_base64, and no content"
            raise ValueError(message)
        return self


class EditBody(FileBody):
    """What to change of an item, on the revision that was seen; `filename` with a text or code file for its content."""

    expected_revision_id: Annotated[Id | None, Field(description="The revision you edited; or send If-Match.")] = None
    content: Content | None = None
    title: Title | None = None
    locator: Locator | None = None

    @model_validator(mode="after")
    def _one_content(self) -> Self:
        if self.content is not None and self.filename is not None:
            message = "give content or a file, not both"
            raise ValueError(message)
        return self


class ConfirmItemBody(Shape):
    """Confirmation of a deletion for good."""

    confirm: Annotated[Title, Field(description="The title of the item, exactly.")]


class ItemCountsAnswer(Answer):
    """What an item consists of: what deleting it for good would remove."""

    revisions: int
    documents: Annotated[int | None, Field(description="Files it was made of; null for whoever does not see them.")]

    @classmethod
    def of(cls, counted: Counted) -> Self:
        """The shape of the counts of an item."""
        return cls(revisions=counted.revisions, documents=counted.documents)


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
    created_by_name: Annotated[str | None, NAME]
    created_at: datetime
    updated_at: datetime
    search: SearchStateAnswer

    @classmethod
    def of(cls, item: Item, state: Literal["pending", "indexed", "failed"], names: Mapping[str, str]) -> Self:
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
            created_by_name=names.get(item.created_by),
            created_at=item.created_at,
            updated_at=item.updated_at,
            search=SearchStateAnswer(state=state, revision_id=item.current_revision_id),
        )


class ItemsAnswer(Answer):
    """A page of items."""

    items: list[ItemAnswer]
    next_cursor: str | None
