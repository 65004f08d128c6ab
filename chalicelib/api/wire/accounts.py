"""Shapes of leaving: exports, and the deletion of an account."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, StringConstraints

from chalicelib.api.wire.words import Answer, Shape
from chalicelib.domain.accounts import Closure, ClosureStatus, Export, ExportStatus


class ExportAnswer(Answer):
    """An export of everything of an account."""

    id: str
    status: ExportStatus
    requested_at: datetime
    finished_at: datetime | None
    size_bytes: int
    url: Annotated[str | None, Field(description="Where the archive can be fetched, for ten minutes; null until done.")]

    @classmethod
    def of(cls, export: Export, url: str | None = None) -> Self:
        """The shape of an export."""
        return cls(
            id=export.id,
            status=export.status,
            requested_at=export.requested_at,
            finished_at=export.finished_at,
            size_bytes=export.size,
            url=url,
        )


class ExportsAnswer(Answer):
    """The exports of an account, newest first; one that is done gives its `url` when it is read."""

    exports: list[ExportAnswer]


class CloseBody(Shape):
    """That the account is to be deleted for good."""

    confirm: Annotated[
        str, StringConstraints(min_length=1, max_length=200), Field(description="The exact name of the account.")
    ]


class GoneAnswer(Answer):
    """What was removed so far; each base has a receipt of its own."""

    tokens: int
    bases: int
    memories: int
    notes: int
    exports: int


class ClosureAnswer(Answer):
    """The deletion of an account."""

    id: str
    status: ClosureStatus
    requested_at: datetime
    finished_at: datetime | None
    removed: GoneAnswer

    @classmethod
    def of(cls, closure: Closure) -> Self:
        """The shape of a closure."""
        removed = closure.removed
        return cls(
            id=closure.id,
            status=closure.status,
            requested_at=closure.requested_at,
            finished_at=closure.finished_at,
            removed=GoneAnswer(
                tokens=removed.tokens,
                bases=len(closure.purges),
                memories=removed.memories,
                notes=removed.notes,
                exports=removed.exports,
            ),
        )
