"""Pages: public answering surfaces of a space, with the topics, images and links that answers may be made of."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Self


class PageStatus(StrEnum):
    """Only a live page answers visitors."""

    PAUSED = "paused"
    LIVE = "live"


class ImageKind(StrEnum):
    """What sort of picture it is."""

    PHOTO = "photo"
    ILLUSTRATION = "illustration"
    DIAGRAM = "diagram"
    SCREENSHOT = "screenshot"
    CHART = "chart"
    LOGO = "logo"


class Orientation(StrEnum):
    """Which side of a picture is longer; square if they differ by less than a tenth."""

    LANDSCAPE = "landscape"
    PORTRAIT = "portrait"
    SQUARE = "square"


class LinkKind(StrEnum):
    """A link leads to something to read; an action starts something, such as a booking or a mail."""

    LINK = "link"
    ACTION = "action"


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that the page answers about."""

    id: str
    title: str
    description: str
    """What it covers; models choose topics by it."""
    base_ids: tuple[str, ...] = ()
    """Bases and single items, of the page's own space, that it draws on."""
    item_ids: tuple[str, ...] = ()
    drawn_base_ids: tuple[str, ...] = ()
    """The bases that all of these are in: whatever changes what it may draw on changes one of them."""

    def draws_on(self, base_id: str, item_id: str) -> bool:
        """Whether the item of that base is among what it draws on."""
        return base_id in self.base_ids or item_id in self.item_ids


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that answers may show once it is approved."""

    id: str
    kind: ImageKind
    orientation: Orientation
    shows: str
    """What it shows, in words: for models that choose, and as the text for those who do not see it."""
    approved: bool
    key: str
    """Of its object in the project's bucket."""
    media_type: str
    width: int
    """Pixels."""
    height: int
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Link:
    """An address that the owner registered; answers name it by id only."""

    id: str
    kind: LinkKind
    label: str
    url: str
    """https:, mailto: or tel:; checked when it is registered."""


@dataclass(frozen=True, slots=True)
class PageLimits:
    """What one visitor may ask of the page."""

    turns_per_minute: int = 20
    """Refill of the token bucket of one address (one /64 of IPv6)."""
    burst: int = 10
    """Its size."""
    cooldown_s: float = 2.0
    """Between two turns of one session."""


@dataclass(frozen=True, slots=True)
class Page:
    """A public answering surface of a space, in one record: a turn reads it all at once."""

    id: str
    space_id: str
    name: str
    about: str
    """What the business is."""
    not_about: str
    """What it is not: questions about it are off topic."""
    language: str
    """Default language of the page, an ISO 639-1 code."""
    origins: tuple[str, ...]
    """Origins of the sites that may ask, such as `https://example.com`; the page's own is always allowed."""
    status: PageStatus
    version: int
    """Counts the writes of this record; a write states the one it saw."""
    created_by: str
    created_at: datetime
    updated_at: datetime
    topics: tuple[Topic, ...] = ()
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()
    limits: PageLimits = PageLimits()
    shows_sources: bool = False
    """Whether visitors are shown what an answer was made of (rule N2)."""

    def image(self, image_id: str) -> Image | None:
        """The image with that id, or None."""
        return next((each for each in self.images if each.id == image_id), None)

    def link(self, link_id: str) -> Link | None:
        """The link or action with that id, or None."""
        return next((each for each in self.links if each.id == link_id), None)

    def following(self, now: datetime) -> Self:
        """The page as its next version."""
        return replace(self, version=self.version + 1, updated_at=now)
