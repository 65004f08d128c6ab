"""Shapes of Markdown as HTML."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field

from chalicelib.api.wire.revisions import RevisionAnswer
from chalicelib.api.wire.words import Answer, Content, Offset, Parameters, Shape
from chalicelib.domain.revisions import Revision
from chalicelib.knowledge.rendering import Rendered


class Place(Parameters):
    """Where to begin."""

    offset: Annotated[Offset, Field(description="`next_offset` of the stretch before.")] = 0


class RenderBody(Shape):
    """A text to be shown."""

    markdown: Content
    offset: Annotated[Offset, Field(description="`next_offset` of the stretch before, of the same text.")] = 0


class RenderedAnswer(Answer):
    """A stretch of a text as HTML of a closed list of tags, without scripts, styles, ids or pictures."""

    html: str
    next_offset: Annotated[int | None, Field(description="Where the next stretch begins; null at the end.")]

    @classmethod
    def of(cls, rendered: Rendered) -> Self:
        """The shape of a stretch."""
        return cls(html=rendered.html, next_offset=rendered.next_offset)


class RenderedRevisionAnswer(RenderedAnswer):
    """A stretch of a revision as HTML."""

    revision: RevisionAnswer

    @classmethod
    def showing(cls, revision: Revision, rendered: Rendered, names: Mapping[str, str]) -> Self:
        """The shape of a stretch of a revision."""
        return cls(revision=RevisionAnswer.of(revision, names), html=rendered.html, next_offset=rendered.next_offset)
