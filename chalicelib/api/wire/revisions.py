"""Shapes of revisions and of what changed between two."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import Field

from chalicelib.api.wire.words import (
    DEFAULT_CHARS,
    NAME,
    Answer,
    Content,
    Id,
    LimitChars,
    Offset,
    Parameters,
    Shape,
)
from chalicelib.domain.citations import cite
from chalicelib.domain.revisions import Revision
from chalicelib.domain.text import Slice
from chalicelib.knowledge.comparing import Change, ChangeKind, Changes, Difference
from chalicelib.knowledge.marking import PieceKind
from chalicelib.knowledge.merging import Merge


class RestoreBody(Shape):
    """On which revision an old one is restored."""

    expected_revision_id: Annotated[Id | None, Field(description="The current revision; or send If-Match.")] = None


class Stretch(Parameters):
    """Which characters to read."""

    offset: Offset = 0
    limit_chars: LimitChars = DEFAULT_CHARS


class Pair(Parameters):
    """Which revisions to compare."""

    old: Annotated[Id, Field(alias="from", description="The revision to compare.")]
    new: Annotated[Id, Field(alias="to", description="The revision to compare it with.")]
    words: Annotated[bool, Field(description="Also mark the words that changed in lines that were replaced.")] = False


class ProvenanceAnswer(Answer):
    """Who made a revision, by which door, and out of what."""

    author: str
    author_name: Annotated[str | None, NAME]
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
    def of(cls, revision: Revision, names: Mapping[str, str]) -> Self:
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
                author_name=names.get(made.author),
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
    def of(cls, revision: Revision, stretch: Slice, names: Mapping[str, str]) -> Self:
        """The shape of a stretch of a revision."""
        return cls(
            revision=RevisionAnswer.of(revision, names),
            content=stretch.text,
            offset=stretch.offset,
            total_chars=stretch.total_chars,
            next_offset=stretch.next_offset,
        )


class PieceAnswer(Answer):
    """A run of words of one kind."""

    kind: PieceKind
    text: str


class ChangeAnswer(Answer):
    """A run of lines of one kind; skipped ones come without their text."""

    kind: ChangeKind
    lines: int
    text: str
    pieces: Annotated[
        list[PieceAnswer] | None,
        Field(
            description="The text in pieces: of lines that others replace, and of those others. Null elsewhere, "
            "without `words`, and where there is too much to mark."
        ),
    ]

    @classmethod
    def of(cls, change: Change) -> Self:
        """The shape of a run of lines."""
        pieces = None
        if change.pieces is not None:
            pieces = [PieceAnswer(kind=each.kind, text=each.text) for each in change.pieces]
        return cls(kind=change.kind, lines=change.lines, text=change.text, pieces=pieces)


class ChangesAnswer(Answer):
    """How to get from one text to another, by lines."""

    inserted_lines: int
    deleted_lines: int
    changes: list[ChangeAnswer]
    truncated: bool

    @classmethod
    def told(cls, found: Changes) -> dict[str, Any]:
        """The fields of changes."""
        return {
            "inserted_lines": found.inserted,
            "deleted_lines": found.deleted,
            "changes": [ChangeAnswer.of(each) for each in found.changes],
            "truncated": found.truncated,
        }


class DifferenceAnswer(ChangesAnswer):
    """How to get from one revision to another, by lines."""

    old: Annotated[RevisionAnswer, Field(serialization_alias="from")]
    new: Annotated[RevisionAnswer, Field(serialization_alias="to")]

    @classmethod
    def of(cls, found: Difference, names: Mapping[str, str]) -> Self:
        """The shape of a difference."""
        revisions = {"old": RevisionAnswer.of(found.old, names), "new": RevisionAnswer.of(found.new, names)}
        return cls(**cls.told(found.by), **revisions)


class MergeBody(Shape):
    """An edit that came second, with the revision that it was made on."""

    expected_revision_id: Id
    content: Content


class MergeAnswer(Answer):
    """Two edits of one revision, and both of them in one text. Nothing is saved."""

    current: Annotated[RevisionAnswer, Field(description="What was saved first; the next edit is made on it.")]
    content: Annotated[str, Field(description="Both edits; where they touch the same lines, the one that was sent.")]
    conflicts: Annotated[int, Field(description="Places that both edits changed, each in another way.")]
    theirs: Annotated[ChangesAnswer, Field(description="From the expected revision to the current one.")]
    mine: Annotated[ChangesAnswer, Field(description="From the expected revision to what was sent.")]

    @classmethod
    def of(cls, found: Merge, names: Mapping[str, str]) -> Self:
        """The shape of a merge."""
        return cls(
            current=RevisionAnswer.of(found.current, names),
            content=found.merged.text,
            conflicts=found.merged.conflicts,
            theirs=ChangesAnswer(**ChangesAnswer.told(found.theirs)),
            mine=ChangesAnswer(**ChangesAnswer.told(found.mine)),
        )
