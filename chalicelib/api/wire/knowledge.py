"""Shapes of bases, items, revisions and deletions."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field

from chalicelib.api.wire.words import (
    DEFAULT_CHARS,
    DEFAULT_LIMIT,
    Answer,
    Content,
    Cursor,
    Description,
    Id,
    Limit,
    LimitChars,
    Locator,
    Name,
    Offset,
    Parameters,
    Shape,
    Title,
)
from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.citations import cite
from chalicelib.domain.items import Item, ItemStatus, SourceType
from chalicelib.domain.purges import Counts, Purge, PurgeStatus
from chalicelib.domain.revisions import Revision
from chalicelib.domain.text import Slice
from chalicelib.knowledge.comparing import ChangeKind, Difference


class Listing(Parameters):
    """How to page through a list."""

    limit: Limit = DEFAULT_LIMIT
    cursor: Cursor | None = None


class BaseListing(Listing):
    """Which bases to list."""

    space: Annotated[Id | None, Field(description="Only the bases of this space.")] = None


class ItemListing(Listing):
    """Which items to list."""

    status: Annotated[ItemStatus | None, Field(description="Only items that are this.")] = None
    locator: Annotated[Locator | None, Field(description="Only the item with this locator.")] = None


class NewBaseBody(Shape):
    """A base to be made."""

    space_id: Id
    name: Name
    description: Description = ""


class ChangedBaseBody(Shape):
    """What to change of a base."""

    name: Name | None = None
    description: Description | None = None


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


class RestoreBody(Shape):
    """On which revision an old one is restored."""

    expected_revision_id: Annotated[Id | None, Field(description="The current revision; or send If-Match.")] = None


class ConfirmBaseBody(Shape):
    """Confirmation of a deletion for good."""

    confirm: Annotated[Name, Field(description="The name of the base, exactly.")]


class ConfirmItemBody(Shape):
    """Confirmation of a deletion for good."""

    confirm: Annotated[Title, Field(description="The title of the item, exactly.")]


class Stretch(Parameters):
    """Which characters to read."""

    offset: Offset = 0
    limit_chars: LimitChars = DEFAULT_CHARS


class Pair(Parameters):
    """Which revisions to compare."""

    old: Annotated[Id, Field(alias="from", description="The revision to compare.")]
    new: Annotated[Id, Field(alias="to", description="The revision to compare it with.")]


class BaseAnswer(Answer):
    """A knowledge base."""

    id: str
    space_id: str
    name: str
    description: str
    status: BaseStatus
    created_by: str
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, base: Base) -> Self:
        """The shape of a base."""
        return cls(
            id=base.id,
            space_id=base.space_id,
            name=base.name,
            description=base.description,
            status=base.status,
            created_by=base.created_by,
            created_at=base.created_at,
            updated_at=base.updated_at,
        )


class BasesAnswer(Answer):
    """A page of bases."""

    bases: list[BaseAnswer]
    next_cursor: str | None


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


class ProvenanceAnswer(Answer):
    """Who made a revision, by which door, and out of what."""

    author: str
    door: str
    token_id: str | None
    restored_from: str | None
    document_id: str | None
    filename: str | None
    original_sha256: str | None
    extractor: str | None


class RevisionAnswer(Answer):
    """A revision without its content."""

    id: str
    knowledge_item_id: str
    number: int
    reference: str
    content_format: str
    sha256: str
    size_bytes: int
    provenance: ProvenanceAnswer
    source_metadata: dict[str, str]
    created_at: datetime

    @classmethod
    def of(cls, revision: Revision) -> Self:
        """The shape of a revision."""
        made = revision.provenance
        return cls(
            id=revision.id,
            knowledge_item_id=revision.item_id,
            number=revision.number,
            reference=cite(revision.item_id, revision.id),
            content_format=revision.content_format,
            sha256=revision.sha256,
            size_bytes=revision.size,
            provenance=ProvenanceAnswer(
                author=made.author,
                door=made.door,
                token_id=made.token_id,
                restored_from=made.restored_from,
                document_id=made.document_id,
                filename=made.filename,
                original_sha256=made.original_sha256,
                extractor=made.extractor,
            ),
            source_metadata=dict(revision.source_metadata),
            created_at=revision.created_at,
        )


class RevisionsAnswer(Answer):
    """A page of revisions, newest first."""

    revisions: list[RevisionAnswer]
    next_cursor: str | None


class RevisionTextAnswer(Answer):
    """A revision with a stretch of its content."""

    revision: RevisionAnswer
    content: str
    offset: int
    total_chars: int
    next_offset: int | None

    @classmethod
    def of(cls, revision: Revision, stretch: Slice) -> Self:
        """The shape of a stretch of a revision."""
        return cls(
            revision=RevisionAnswer.of(revision),
            content=stretch.text,
            offset=stretch.offset,
            total_chars=stretch.total_chars,
            next_offset=stretch.next_offset,
        )


class ChangeAnswer(Answer):
    """A run of lines of one kind; skipped ones come without their text."""

    kind: ChangeKind
    lines: int
    text: str


class DifferenceAnswer(Answer):
    """How to get from one revision to another, by lines."""

    old: Annotated[RevisionAnswer, Field(serialization_alias="from")]
    new: Annotated[RevisionAnswer, Field(serialization_alias="to")]
    inserted_lines: int
    deleted_lines: int
    changes: list[ChangeAnswer]
    truncated: bool

    @classmethod
    def of(cls, found: Difference) -> Self:
        """The shape of a difference."""
        return cls(
            old=RevisionAnswer.of(found.old),
            new=RevisionAnswer.of(found.new),
            inserted_lines=found.inserted,
            deleted_lines=found.deleted,
            changes=[ChangeAnswer(kind=each.kind, lines=each.lines, text=each.text) for each in found.changes],
            truncated=found.truncated,
        )


class RemovedAnswer(Answer):
    """What a deletion removed."""

    items: int
    revisions: int
    objects: int
    passages: int

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """The shape of a receipt's counts."""
        return cls(items=counts.items, revisions=counts.revisions, objects=counts.objects, passages=counts.passages)


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
