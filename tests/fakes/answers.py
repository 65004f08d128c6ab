"""The reading desk's surroundings, in memory."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from chalicelib.answers.asking import Asked
from chalicelib.answers.checking import Checker
from chalicelib.answers.extractive.model import Extractive
from chalicelib.answers.pipeline import Pipeline
from chalicelib.answers.ports import (
    Conversation,
    Exchange,
    KeptAnswer,
    Prompt,
    Reply,
    Source,
    Sources,
    Spending,
)
from chalicelib.answers.replay import Replay
from chalicelib.answers.resolve import Resolver
from chalicelib.answers.steps import AnswerModel, Brief, Draft, Inquiry, Summary, Understood
from chalicelib.answers.turn import TakeTurn
from chalicelib.answers.watch import Watch
from chalicelib.domain.errors import KnownError, NotFound
from chalicelib.domain.ids import Kind
from chalicelib.domain.pages import Image, ImageKind, Link, LinkKind, Orientation, Page, PageStatus, Topic
from tests.fakes.machine import START, CountingIds, StillClock, Tally


def image(name: str, shows: str, *, approved: bool = True) -> Image:
    return Image(
        f"img_{name}", ImageKind.PHOTO, Orientation.LANDSCAPE, shows, approved, f"k/{name}", "image/png", 1200, 800, 9
    )


def page(**facts: Any) -> Page:
    """A small hotel's page."""
    made = Page(
        id="page_1",
        space_id="space_1",
        name="Hotel Sol",
        about="A small hotel by the sea.",
        not_about="Politics, medicine, homework.",
        language="en",
        origins=("https://hotel.example",),
        status=PageStatus.LIVE,
        version=3,
        created_by="user_1",
        created_at=START,
        updated_at=START,
        topics=(
            Topic("topic_rooms", "Rooms", "Rooms, prices, breakfast and check-in."),
            Topic("topic_area", "Around", "Beaches, walks and restaurants nearby."),
        ),
        images=(
            image("room", "The double room with a view of the sea"),
            image("beach", "The beach in the morning"),
            image("draft", "Not approved", approved=False),
        ),
        links=(
            Link("link_map", LinkKind.LINK, "Map", "https://maps.hotel.example/sol"),
            Link("link_book", LinkKind.ACTION, "Book a room", "https://book.hotel.example/?from=page"),
            Link("link_mail", LinkKind.ACTION, "Write to us", "mailto:hola@hotel.example"),
        ),
    )
    return replace(made, **facts)


ROOMS = """# Rooms

The double room costs 80 € a night, breakfast included. Check-in is from 14:00.

| room | price |
|---|---|
| single | 60 € |
| double | 80 € |

## How to check in

1. Ring the bell at the green door.
2. Show your booking.
3. Take the key from the box.
"""
HABITACIONES = """# Habitaciones

La habitación doble cuesta 80 € por noche, con desayuno incluido. La entrada es a partir de las 14:00.
"""
AREA = """# Around

The beach is 300 m from the hotel. The walk to the lighthouse takes 2 hours.
"""


def source(content: str, number: int = 1, title: str = "Rooms", score: float = 0.5) -> Source:
    return Source(f"item_{number}", "kb_1", f"rev_{number}", title, (title,), content, score)


SHELF = {
    "topic_rooms": (source(ROOMS, 1), source(HABITACIONES, 2, "Habitaciones")),
    "topic_area": (source(AREA, 3, "Around"),),
}


@dataclass
class MemoryReader:
    """The port `TopicReader`: every passage of a topic, always."""

    shelf: Mapping[str, Sequence[Source]] = field(default_factory=lambda: dict(SHELF))
    version: str = "k1"
    degraded: str | None = None
    fails: Mapping[str, Exception] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, page: Page, topic: Topic, query: str) -> Sources:
        self.asked.append((topic.id, query))
        if topic.id in self.fails:
            raise self.fails[topic.id]
        return Sources(tuple(self.shelf.get(topic.id, ()))[:8], self.degraded)

    def knowledge_version(self, page: Page) -> str:
        return self.version


class MemoryAddresses:
    """The port `ImageAddresses`: a new address each time."""

    def __init__(self) -> None:
        self.signed = 0

    def url(self, image: Image) -> str:
        self.signed += 1
        return f"https://bucket.example/{image.key}?signature={self.signed}"


@dataclass
class MemoryTalks:
    """The port `Talks`."""

    ids: CountingIds
    held: dict[str, Conversation] = field(default_factory=dict)
    released: list[str] = field(default_factory=list)
    fails: KnownError | None = None

    def begin(self, asked: Asked) -> Conversation:
        if asked.conversation_id is None:
            new = self.ids.new(Kind.CONVERSATION)
            return Conversation(new, asked.page.id, asked.session_id, (), 0, START + timedelta(hours=24))
        known = self.held.get(asked.conversation_id)
        if known is None or (known.page_id, known.session_id) != (asked.page.id, asked.session_id):
            raise NotFound
        return replace(known, exchanges=known.exchanges[:-1]) if asked.regenerate else known

    def keep(self, conversation: Conversation, exchange: Exchange) -> Conversation:
        if self.fails is not None:
            raise self.fails
        kept = replace(conversation, exchanges=(*conversation.exchanges, exchange), version=conversation.version + 1)
        self.held[kept.id] = kept
        return kept

    def release(self, conversation: Conversation) -> None:
        self.released.append(conversation.id)


@dataclass
class MemoryFuse:
    """The port `Fuse`."""

    turns: int = 0
    spending: list[Spending] = field(default_factory=list)
    blown: KnownError | None = None

    def __call__(self) -> None:
        if self.blown is not None:
            raise self.blown
        self.turns += 1

    def spent(self, page_id: str, spending: Spending) -> None:
        self.spending.append(spending)


class MemoryCache:
    """The port `AnswerCache`."""

    def __init__(self, clock: StillClock) -> None:
        self.clock = clock
        self.kept: dict[str, tuple[KeptAnswer, datetime]] = {}

    def get(self, key: str) -> KeptAnswer | None:
        answer, until = self.kept.get(key, (None, None))
        return answer if until is not None and until > self.clock.now() else None

    def put(self, key: str, answer: KeptAnswer, until: datetime) -> None:
        self.kept[key] = (answer, until)


class ScriptedModel:
    """The port `AnswerModel`: gives what it is told to, and remembers what it was asked."""

    def __init__(self, *drafts: Draft, **given: Any) -> None:
        self.drafts = list(drafts)
        self.given = given
        self.asked: list[str] = []
        self.briefs: list[Brief] = []
        self.mistakes: tuple[str, ...] = ()
        self.images: tuple[Image, ...] = ()
        self._lock = threading.Lock()

    def _said(self, step: str, watch: Watch, otherwise: Any) -> Any:
        watch.check()
        with self._lock:
            self.asked.append(step)
        given = self.given.get(step, otherwise)
        if isinstance(given, Exception):
            raise given
        return given() if callable(given) else given

    def understand(self, inquiry: Inquiry, watch: Watch) -> Understood:
        said: Understood = self._said(
            "understand", watch, Understood("en", on_topic=True, knowledge_query=inquiry.question, image_query="room")
        )
        return said

    def select_topics(self, inquiry: Inquiry, understood: Understood, watch: Watch) -> tuple[str, ...]:
        chosen: tuple[str, ...] = self._said("select_topics", watch, tuple(each.id for each in inquiry.page.topics))
        return chosen

    def select_images(
        self, inquiry: Inquiry, understood: Understood, images: tuple[Image, ...], watch: Watch
    ) -> tuple[str, ...]:
        self.images = images
        chosen: tuple[str, ...] = self._said("select_images", watch, tuple(each.id for each in images))
        return chosen

    def summarise(
        self, inquiry: Inquiry, understood: Understood, topic: Topic, passages: tuple[Source, ...], watch: Watch
    ) -> Summary:
        said: Summary = self._said(
            f"summarise {topic.id}",
            watch,
            Summary(topic, "Something.", supported=True, passages=passages, references=(passages[0].reference,)),
        )
        return said

    def build(self, brief: Brief, watch: Watch) -> Draft:
        self.briefs.append(brief)
        draft: Draft = self._said("build", watch, self.drafts[0] if self.drafts else {})
        return draft

    def repair(self, brief: Brief, draft: Draft, mistakes: tuple[str, ...], watch: Watch) -> Draft:
        self.mistakes = mistakes
        mended: Draft = self._said("repair", watch, self.drafts[-1] if self.drafts else {})
        return mended


class ScriptedChat:
    """The port `ChatModel`: answers prompts by their names."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.prompts: list[Prompt] = []
        self._lock = threading.Lock()

    def ask(self, prompt: Prompt) -> Reply:
        with self._lock:
            self.prompts.append(prompt)
        answer = self.answers.get(prompt.name, {})
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer(prompt) if callable(answer) else answer, Spending(10, 5))


@dataclass
class Surroundings:
    """A desk and all that it stands among."""

    model: AnswerModel = field(default_factory=Extractive)
    reader: MemoryReader = field(default_factory=MemoryReader)
    clock: StillClock = field(default_factory=StillClock)
    meter: Tally = field(default_factory=Tally)
    flavour: str = "test"

    def __post_init__(self) -> None:
        self.ids = CountingIds()
        self.addresses = MemoryAddresses()
        self.talks = MemoryTalks(self.ids)
        self.fuse = MemoryFuse()
        self.cache = MemoryCache(self.clock)

    @property
    def take_turn(self) -> TakeTurn:
        checker = Checker(Resolver(self.addresses))
        return TakeTurn(
            talks=self.talks,
            fuse=self.fuse,
            cache=self.cache,
            read=self.reader,
            pipeline=Pipeline(self.model, self.reader, checker, self.meter),
            replay=Replay(checker),
            clock=self.clock,
            ids=self.ids,
            meter=self.meter,
            flavour=self.flavour,
        )

    def asked(
        self,
        question: str,
        on: Page | None = None,
        *,
        conversation_id: str | None = None,
        regenerate: bool = False,
        has_left: Callable[[], bool] = lambda: False,
        seconds: float = 45,
    ) -> Asked:
        return Asked(
            page=on or page(),
            session_id="session_1",
            question=question,
            conversation_id=conversation_id,
            regenerate=regenerate,
            deadline=self.clock.now() + timedelta(seconds=seconds),
            has_left=has_left,
        )

    def parts(self, question: str, on: Page | None = None, **more: Any) -> list[Any]:
        return list(self.take_turn(self.asked(question, on, **more)))


def draft(*components: Mapping[str, Any], spoken: str = "Here you are.") -> Draft:
    return {"spoken": spoken, "components": list(components)}


def component(name: str, sources: Iterable[str] = (), **props: Any) -> dict[str, Any]:
    return {"component": name, "props": props, "sources": list(sources)}
