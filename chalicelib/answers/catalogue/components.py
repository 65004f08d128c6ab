"""The fourteen components, each with its props and the slot that it takes in an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from chalicelib.answers.catalogue.fields import Action, AnyLink, Label, Line, Paragraph, Picture, Props, Title

VERSION = "1"
"""Goes up with every change that a page has to know of; answers of another version are never replayed."""


class Hero(Props):
    """Opens an answer: a title in large letters."""

    title: Title
    subtitle: Line | None = None
    image: Picture | None = None
    action: Action | None = None


class Text(Props):
    """Paragraphs."""

    title: Title | None = None
    paragraphs: Annotated[list[Paragraph], Field(min_length=1, max_length=4)]


class Point(Props):
    """One of some highlights."""

    title: Label | None = None
    text: Line


class Highlights(Props):
    """A few points, each a line."""

    title: Title | None = None
    points: Annotated[list[Point], Field(min_length=1, max_length=6)]


class Step(Props):
    """One thing to do."""

    title: Label | None = None
    text: Line


class Steps(Props):
    """What to do, in order. The page numbers them."""

    title: Title | None = None
    steps: Annotated[list[Step], Field(min_length=2, max_length=10)]


class Pair(Props):
    """A question and its answer."""

    question: Line
    answer: Paragraph


class Faq(Props):
    """Questions that people ask, with answers."""

    title: Title | None = None
    questions: Annotated[list[Pair], Field(min_length=1, max_length=6)]


class Row(Props):
    """One line of a comparison: what is compared, and a value for each column."""

    label: Label
    values: Annotated[list[Label], Field(min_length=1, max_length=4)]


class Comparison(Props):
    """A table of things side by side."""

    title: Title | None = None
    columns: Annotated[list[Label], Field(min_length=1, max_length=4)]
    rows: Annotated[list[Row], Field(min_length=1, max_length=10)]

    @model_validator(mode="after")
    def _is_a_rectangle(self) -> Self:
        if any(len(row.values) != len(self.columns) for row in self.rows):
            message = "every row needs one value for each column"
            raise ValueError(message)
        return self


class Price(Props):
    """What something costs, in words and figures of the sources."""

    name: Title
    price: Label
    detail: Line | None = None


class PriceList(Props):
    """What things cost."""

    title: Title | None = None
    items: Annotated[list[Price], Field(min_length=1, max_length=12)]
    note: Line | None = None


class Event(Props):
    """Something, and when it is."""

    when: Label
    text: Line


class Timeline(Props):
    """What happens when, in order."""

    title: Title | None = None
    events: Annotated[list[Event], Field(min_length=1, max_length=10)]


class Quote(Props):
    """Words of the sources."""

    text: Line
    attribution: Title | None = None


class ImageShown(Props):
    """One picture."""

    image: Picture
    caption: Line | None = None


class Gallery(Props):
    """Several pictures."""

    title: Title | None = None
    images: Annotated[list[Picture], Field(min_length=2, max_length=6)]

    @model_validator(mode="after")
    def _shows_each_once(self) -> Self:
        if len(set(self.images)) != len(self.images):
            message = "every picture may be there once"
            raise ValueError(message)
        return self


class Contact(Props):
    """Ways to reach people."""

    title: Title | None = None
    text: Line | None = None
    links: Annotated[list[AnyLink], Field(min_length=1, max_length=5)]


class CallToAction(Props):
    """One thing to do now."""

    title: Title | None = None
    text: Line | None = None
    action: Action


class Tone(StrEnum):
    """How a notice is meant."""

    INFORMATION = "information"
    ADVICE = "advice"
    WARNING = "warning"


class Notice(Props):
    """A remark that stands out."""

    tone: Tone = Tone.INFORMATION
    text: Line


@dataclass(frozen=True, slots=True)
class Component:
    """An entry of the catalogue."""

    props: type[Props]
    slot: str
    """Where it stands; an answer has at most one component of a slot."""


CATALOGUE: Mapping[str, Component] = {
    "hero": Component(Hero, "opening"),
    "text": Component(Text, "body"),
    "highlights": Component(Highlights, "points"),
    "steps": Component(Steps, "procedure"),
    "faq": Component(Faq, "questions"),
    "comparison": Component(Comparison, "table"),
    "price_list": Component(PriceList, "prices"),
    "timeline": Component(Timeline, "dates"),
    "quote": Component(Quote, "voice"),
    "image": Component(ImageShown, "picture"),
    "gallery": Component(Gallery, "picture"),
    "contact": Component(Contact, "next_step"),
    "call_to_action": Component(CallToAction, "next_step"),
    "notice": Component(Notice, "notice"),
}
