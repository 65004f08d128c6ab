"""Shapes of a search, and of the addressed read that shares its door."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from chalicelib.api.wire.words import DEFAULT_CHARS, Answer, Id, LimitChars, Offset, Shape
from chalicelib.domain.citations import cite
from chalicelib.knowledge.reading import Reading
from chalicelib.search import request
from chalicelib.search.highlighting import Highlighter
from chalicelib.search.request import GroupBy, SearchRequest
from chalicelib.search.retrieve import Found, Hit

DEFAULT_ALPHA = 0.5

type Mode = Literal["hybrid", "rrf", "semantic", "lexical"]
type Reason = Literal["embeddings_unavailable", "embedding_mismatch", "semantic_unavailable", "lexical_unavailable"]


class SearchBody(Shape):
    """A search by `query`, or a read by `knowledge_item_id`."""

    query: Annotated[str | None, StringConstraints(min_length=1, max_length=2000)] = None
    mode: Annotated[Mode, Field(description="How to rank.")] = "hybrid"
    alpha: Annotated[
        Annotated[float, Field(ge=0, le=1)] | None,
        Field(description="Hybrid only: near 1 favours exact words, near 0 favours meaning; null is as left out."),
    ] = DEFAULT_ALPHA
    rrf_k: Annotated[int, Field(ge=1, le=1000, description="rrf only: the constant of the formula.")] = 60
    max_results: Annotated[int, Field(ge=1, le=50)] = 10
    group_by: Annotated[
        Literal["item", "passage"], Field(description="One result per item (its best passage), or every passage.")
    ] = "item"
    highlight: Annotated[bool, Field(description="Also say where words of the query stand in each result.")] = False
    knowledge_base_id: Annotated[Id | None, Field(description="Search only this base.")] = None
    space: Annotated[Id | None, Field(description="Search only this space.")] = None
    knowledge_item_id: Annotated[Id | None, Field(description="Read this item instead of searching.")] = None
    knowledge_revision_id: Annotated[Id | None, Field(description="Read exactly this revision of the item.")] = None
    offset: Offset = 0
    limit_chars: LimitChars = DEFAULT_CHARS

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        read = self.knowledge_item_id is not None or self.knowledge_revision_id is not None
        if (self.query is not None) == read:
            message = "give either a query, to search, or a knowledge_item_id, to read"
            raise ValueError(message)
        if self.query is not None and not self.query.strip():
            message = "the query is blank"
            raise ValueError(message)
        return self

    @property
    def weight(self) -> float:
        """What words count in hybrid; 0 is a value."""
        return DEFAULT_ALPHA if self.alpha is None else self.alpha

    def request(self) -> SearchRequest:
        """What the use case is asked."""
        return SearchRequest(
            query=self.query or "",
            mode=request.Mode(self.mode),
            alpha=self.weight,
            rrf_k=self.rrf_k,
            max_results=self.max_results,
            base_id=self.knowledge_base_id,
            space_id=self.space,
            group_by=GroupBy(self.group_by),
        )


class WeightsAnswer(Answer):
    """How much each leg counts in the mode that was asked for."""

    lexical: float
    semantic: float


class ExplainAnswer(Answer):
    """The normalised score of each leg; null where a leg did not take part."""

    lexical: float | None
    semantic: float | None


class DegradedAnswer(Answer):
    """Why less was done than asked for."""

    reason: Annotated[
        Reason,
        Field(
            description="`embeddings_unavailable`: there is no embedder, or it does not answer. `embedding_mismatch`: "
            "the index was made for another model and has to be made anew. `semantic_unavailable`, "
            "`lexical_unavailable`: that half of the search failed, or took too long."
        ),
    ]


class MatchedAnswer(Answer):
    """Where words of the query stand, each by begin and end in code points, whatever half of the search found them."""

    title: list[tuple[int, int]]
    content: list[tuple[int, int]]


class HitAnswer(Answer):
    """A passage that was found, with what it is a passage of."""

    knowledge_item_id: str
    knowledge_revision_id: str
    knowledge_base_id: str
    title: str
    content: str
    heading_path: list[str]
    reference: str
    score: Annotated[float, Field(description="0 to 1.")]
    explain: ExplainAnswer
    matched: Annotated[MatchedAnswer | None, Field(description="Null unless `highlight` is asked for.")]

    @classmethod
    def of(cls, hit: Hit, highlighter: Highlighter | None) -> Self:
        """The shape of a hit."""
        matched = highlighter and MatchedAnswer(
            title=list(highlighter.spans(hit.title)), content=list(highlighter.spans(hit.passage.content))
        )
        return cls(
            knowledge_item_id=hit.item_id,
            knowledge_revision_id=hit.revision_id,
            knowledge_base_id=hit.base_id,
            title=hit.title,
            content=hit.passage.content,
            heading_path=list(hit.passage.heading_path),
            reference=hit.reference,
            score=hit.score,
            explain=ExplainAnswer(lexical=hit.lexical, semantic=hit.semantic),
            matched=matched,
        )


class SearchAnswer(Answer):
    """What a search found. Scores of different modes cannot be compared."""

    type: Literal["knowledge_search"] = "knowledge_search"
    mode: Mode
    mode_used: Mode
    degraded: DegradedAnswer | None
    weights: Annotated[WeightsAnswer | None, Field(description="Of the mode asked for; null for rrf.")]
    results: list[HitAnswer]

    @classmethod
    def of(cls, body: SearchBody, found: Found) -> Self:
        """The shape of what was found."""
        weights = {"lexical": 1.0, "semantic": 0.0, "hybrid": body.weight}
        share = weights.get(body.mode)
        highlighter = Highlighter.of(body.query or "") if body.highlight else None
        return cls(
            mode=body.mode,
            mode_used=found.mode_used.value,
            degraded=None if found.degraded is None else DegradedAnswer(reason=found.degraded.value),
            weights=None if share is None else WeightsAnswer(lexical=share, semantic=1 - share),
            results=[HitAnswer.of(each, highlighter) for each in found.hits],
        )


class ReadAnswer(Answer):
    """A stretch of a revision."""

    type: Literal["knowledge_item"] = "knowledge_item"
    knowledge_item_id: str
    knowledge_revision_id: str
    knowledge_base_id: str
    revision_number: int
    title: str
    locator: str
    content: str
    content_format: str
    sha256: Annotated[str, Field(description="Of the whole revision's canonical UTF-8 bytes.")]
    offset: int
    total_chars: int
    next_offset: int | None
    reference: str

    @classmethod
    def of(cls, reading: Reading) -> Self:
        """The shape of a reading."""
        item, revision, stretch = reading.item, reading.revision, reading.slice
        return cls(
            knowledge_item_id=item.id,
            knowledge_revision_id=revision.id,
            knowledge_base_id=item.base_id,
            revision_number=revision.number,
            title=item.title,
            locator=item.locator,
            content=stretch.text,
            content_format=revision.content_format,
            sha256=revision.sha256,
            offset=stretch.offset,
            total_chars=stretch.total_chars,
            next_offset=stretch.next_offset,
            reference=cite(item.id, revision.id),
        )
