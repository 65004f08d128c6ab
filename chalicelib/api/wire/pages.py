"""Shapes of pages, and of what is in them."""

from datetime import date, datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from chalicelib.answers.defence_ports import Usage
from chalicelib.answers.fuse import Standing
from chalicelib.answers.pages import MAX_ORIGINS
from chalicelib.answers.pictures import MEDIA_TYPES
from chalicelib.answers.ports import ImageAddresses, Source, Sources
from chalicelib.api.wire.documents import UploadAnswer
from chalicelib.api.wire.words import Answer, Description, Id, Listing, Name, Shape
from chalicelib.domain import addresses
from chalicelib.domain.languages import language
from chalicelib.domain.pages import Image, ImageKind, Link, LinkKind, Orientation, Page, PageLimits, PageStatus, Topic


def _chosen(media_type: str) -> str:
    if media_type not in MEDIA_TYPES:
        message = f"must be one of {', '.join(MEDIA_TYPES)}"
        raise ValueError(message)
    return media_type


type Language = Annotated[
    str,
    StringConstraints(min_length=2, max_length=2),
    AfterValidator(language),
    Field(description="Two letters by ISO 639-1; what the page answers in where a visitor's language does not tell."),
]
type Origin = Annotated[
    str,
    StringConstraints(min_length=8, max_length=300),
    AfterValidator(addresses.origin),
    Field(description="Origin of a site whose visitors may ask, exactly: `https://example.com`."),
]
type Url = Annotated[
    str,
    StringConstraints(min_length=4, max_length=addresses.LONGEST_URL),
    AfterValidator(addresses.link),
    Field(description="`https:`, `mailto:` or `tel:`."),
]
type About = Annotated[Description, Field(min_length=1, description="What the business is; models are told so.")]
type NotAbout = Annotated[Description, Field(description="What it is not: questions about it are off topic.")]
type MediaType = Annotated[str, StringConstraints(max_length=40), AfterValidator(_chosen)]
type TopicTitle = Annotated[Name, StringConstraints(max_length=120)]
type Covers = Annotated[
    Description,
    StringConstraints(min_length=1, max_length=1000),
    Field(description="What it covers; topics are chosen by it."),
]
type Label = Annotated[Name, StringConstraints(max_length=80)]
type Shows = Annotated[
    Name,
    StringConstraints(max_length=500),
    Field(description="What it shows: pictures are chosen by it, and it is read to who does not see them."),
]


class LimitsShape(Shape):
    """What one visitor may ask of the page."""

    turns_per_minute: Annotated[int, Field(ge=1, le=600, description="Of one address, on average.")] = 20
    burst: Annotated[int, Field(ge=1, le=100, description="Of one address, at once.")] = 10
    cooldown_s: Annotated[float, Field(ge=0, le=60, description="Between two questions of one tab.")] = 2.0

    def limits(self) -> PageLimits:
        """The limits of a page."""
        return PageLimits(self.turns_per_minute, self.burst, round(self.cooldown_s, 3))

    @classmethod
    def of(cls, limits: PageLimits) -> Self:
        """The shape of limits."""
        return cls(turns_per_minute=limits.turns_per_minute, burst=limits.burst, cooldown_s=limits.cooldown_s)


class NewPageBody(Shape):
    """A page to be made."""

    space_id: Id
    name: Name
    about: About
    not_about: NotAbout = ""
    language: Language
    origins: Annotated[list[Origin], Field(max_length=MAX_ORIGINS)] = Field(default_factory=list)
    limits: LimitsShape = Field(default_factory=LimitsShape)
    shows_sources: Annotated[bool, Field(description="Show visitors what an answer was made of.")] = False


class ChangedPageBody(Shape):
    """What to change of a page."""

    name: Name | None = None
    about: About | None = None
    not_about: NotAbout | None = None
    language: Language | None = None
    origins: Annotated[list[Origin] | None, Field(max_length=MAX_ORIGINS)] = None
    limits: LimitsShape | None = None
    shows_sources: bool | None = None

    def changes(self) -> dict[str, Any]:
        """The fields of the page that change."""
        given = {name: getattr(self, name) for name in self.model_fields_set if getattr(self, name) is not None}
        if "limits" in given:
            given["limits"] = given["limits"].limits()
        if "origins" in given:
            given["origins"] = tuple(dict.fromkeys(given["origins"]))
        return given


class ConfirmPageBody(Shape):
    """Confirmation of a deletion for good."""

    confirm: Annotated[Name, Field(description="The name of the page, exactly.")]


class PageListing(Listing):
    """Which pages to list."""

    space: Annotated[Id, Field(description="The pages of this space.")]


class TopicBody(Shape):
    """A topic."""

    title: TopicTitle
    description: Covers
    knowledge_base_ids: Annotated[list[Id], Field(max_length=20, description="It draws on all items of these.")] = (
        Field(default_factory=list)
    )
    knowledge_item_ids: Annotated[list[Id], Field(max_length=50, description="And on these single items.")] = Field(
        default_factory=list
    )

    @model_validator(mode="after")
    def _draws_on_something(self) -> Self:
        if not (self.knowledge_base_ids or self.knowledge_item_ids):
            message = "must name a knowledge base or item to draw on"
            raise ValueError(message)
        return self


class LinkBody(Shape):
    """A link or action."""

    kind: LinkKind
    label: Label
    url: Url


class NewImageBody(Shape):
    """A picture that is about to be uploaded."""

    media_type: Annotated[MediaType, Field(description="`image/png`, `image/jpeg` or `image/webp`.")]


class TakenImageBody(Shape):
    """What is said of an uploaded picture."""

    kind: ImageKind
    shows: Shows


class ChangedImageBody(Shape):
    """What to change of a picture."""

    kind: ImageKind | None = None
    shows: Shows | None = None
    approved: Annotated[bool | None, Field(description="Whether it may be shown; new words take it back.")] = None


class TopicAnswer(Answer):
    """A topic."""

    id: str
    title: str
    description: str
    knowledge_base_ids: list[str]
    knowledge_item_ids: list[str]

    @classmethod
    def of(cls, topic: Topic) -> Self:
        """The shape of a topic."""
        return cls(
            id=topic.id,
            title=topic.title,
            description=topic.description,
            knowledge_base_ids=list(topic.base_ids),
            knowledge_item_ids=list(topic.item_ids),
        )


class ImageAnswer(Answer):
    """A picture, as its bytes say that it is."""

    id: str
    kind: ImageKind
    orientation: Orientation
    shows: str
    approved: bool
    media_type: str
    width: int
    height: int
    size: int
    url: Annotated[str, Field(description="Where it can be looked at, for an hour.")]

    @classmethod
    def of(cls, image: Image, addresses: ImageAddresses) -> Self:
        """The shape of a picture."""
        return cls(
            id=image.id,
            kind=image.kind,
            orientation=image.orientation,
            shows=image.shows,
            approved=image.approved,
            media_type=image.media_type,
            width=image.width,
            height=image.height,
            size=image.size,
            url=addresses.url(image),
        )


class LinkAnswer(Answer):
    """A link or action."""

    id: str
    kind: LinkKind
    label: str
    url: str

    @classmethod
    def of(cls, link: Link) -> Self:
        """The shape of a link."""
        return cls(id=link.id, kind=link.kind, label=link.label, url=link.url)


class PageAnswer(Answer):
    """A public page with all that is in it."""

    id: str
    space_id: str
    name: str
    about: str
    not_about: str
    language: str
    origins: list[str]
    status: PageStatus
    limits: LimitsShape
    shows_sources: bool
    topics: list[TopicAnswer]
    images: list[ImageAnswer]
    links: list[LinkAnswer]
    created_by: str
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, page: Page, addresses: ImageAddresses) -> Self:
        """The shape of a page."""
        return cls(
            id=page.id,
            space_id=page.space_id,
            name=page.name,
            about=page.about,
            not_about=page.not_about,
            language=page.language,
            origins=list(page.origins),
            status=page.status,
            limits=LimitsShape.of(page.limits),
            shows_sources=page.shows_sources,
            topics=[TopicAnswer.of(each) for each in page.topics],
            images=[ImageAnswer.of(each, addresses) for each in page.images],
            links=[LinkAnswer.of(each) for each in page.links],
            created_by=page.created_by,
            created_at=page.created_at,
            updated_at=page.updated_at,
        )


class PageEntry(Answer):
    """A page in a list."""

    id: str
    space_id: str
    name: str
    language: str
    status: PageStatus
    topics: Annotated[int, Field(description="How many there are.")]
    images: int
    links: int
    updated_at: datetime

    @classmethod
    def of(cls, page: Page) -> Self:
        """The entry of a page."""
        return cls(
            id=page.id,
            space_id=page.space_id,
            name=page.name,
            language=page.language,
            status=page.status,
            topics=len(page.topics),
            images=len(page.images),
            links=len(page.links),
            updated_at=page.updated_at,
        )


class PagesAnswer(Answer):
    """A stretch of pages, newest first."""

    pages: list[PageEntry]
    next_cursor: str | None


class NewImageAnswer(Answer):
    """A picture that waits for its file."""

    image_id: str
    upload: UploadAnswer


class SpentAnswer(Answer):
    """What was spent in a day."""

    turns: int
    tokens: int

    @classmethod
    def of(cls, usage: Usage) -> Self:
        """The shape of a usage."""
        return cls(turns=usage.turns, tokens=usage.tokens)


class FuseAnswer(Answer):
    """The daily fuse of the whole deployment."""

    answering: Annotated[bool, Field(description="Whether it lets questions through.")]
    blown: Annotated[bool, Field(description="Whether an operator blew it.")]
    turns_left: int
    tokens_left: int
    turns_allowed: int
    tokens_allowed: int
    resets_at: Annotated[
        datetime, Field(description="When it counts anew. One that was blown stays so until an operator mends it.")
    ]


class DayAnswer(SpentAnswer):
    """What a page used in one day."""

    day: date


class UsageAnswer(Answer):
    """Today, by UTC."""

    day: date
    page: Annotated[SpentAnswer, Field(description="Of this page; answers from the cache cost nothing.")]
    days: Annotated[list[DayAnswer], Field(description="The last fourteen days, today last.")]
    fuse: FuseAnswer

    @classmethod
    def of(cls, standing: Standing) -> Self:
        """The shape of how today stands."""
        counted, allowed = standing.fuse.counted, standing.allowance
        fuse = FuseAnswer(
            answering=standing.answering,
            blown=standing.fuse.blown,
            turns_left=max(0, allowed.turns - counted.turns),
            tokens_left=max(0, allowed.tokens - counted.tokens),
            turns_allowed=allowed.turns,
            tokens_allowed=allowed.tokens,
            resets_at=standing.resets_at,
        )
        days = [DayAnswer(day=day, turns=used.turns, tokens=used.tokens) for day, used in standing.days.items()]
        return cls(day=standing.day, page=SpentAnswer.of(standing.page), days=days, fuse=fuse)


class TryBody(Shape):
    """A question to try a page with."""

    question: Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class SourceAnswer(Answer):
    """A passage that was found."""

    reference: str
    title: str
    heading_path: list[str]
    content: str
    score: Annotated[float, Field(description="0 to 1.")]

    @classmethod
    def of(cls, source: Source) -> Self:
        """The shape of a passage."""
        return cls(
            reference=source.reference,
            title=source.title,
            heading_path=list(source.heading_path),
            content=source.content,
            score=round(source.score, 4),
        )


class TriedTopicAnswer(Answer):
    """What a topic has on a question."""

    topic_id: str
    title: str
    degraded: Annotated[str | None, Field(description="Why less was done than could be.")]
    passages: list[SourceAnswer]

    @classmethod
    def of(cls, topic: Topic, found: Sources) -> Self:
        """The shape of what was found."""
        passages = [SourceAnswer.of(each) for each in found.passages]
        return cls(topic_id=topic.id, title=topic.title, degraded=found.degraded, passages=passages)


class TriedAnswer(Answer):
    """Every topic with what it has on a question, the best first."""

    topics: list[TriedTopicAnswer]
