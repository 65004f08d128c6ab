"""Use cases on what is in a page: topics, links, pictures."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from chalicelib.answers.pages import Editing, demand_room, folders, page_for
from chalicelib.answers.pictures import EXTENSIONS, MAX_BYTES, read
from chalicelib.answers.ports import PageStore, Pictures
from chalicelib.domain.errors import ForeignKnowledge, NotFound
from chalicelib.domain.files import Form
from chalicelib.domain.ids import Ids, Kind, is_id
from chalicelib.domain.pages import Image, ImageKind, Link, LinkKind, Page, Topic
from chalicelib.domain.spaces import Principal
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once
from chalicelib.knowledge.ports import KnowledgeStore

MAX_TOPICS = 50
MAX_IMAGES = 200
MAX_LINKS = 100
MAX_BASES = 90
"""Bases that a page draws on: what changes in them is read at once, with every turn."""
_UPLOAD = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class TopicFacts:
    """What an author says of a topic."""

    title: str
    description: str
    base_ids: tuple[str, ...] = ()
    item_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PutTopic:
    """Add a topic, or change one."""

    edit: Editing
    store: KnowledgeStore
    ids: Ids

    def __call__(
        self, principal: Principal, page_id: str, topic_id: str | None, facts: TopicFacts, once: Once | None
    ) -> Page:
        """The page with the topic, a new one without `topic_id`.

        Raises ForeignKnowledge, TooMany, NotFound for a topic that is not there, and as `Editing`.
        """

        def put(page: Page) -> Page:
            drawn = self._drawn(page, facts)
            identity = topic_id or self.ids.new(Kind.TOPIC)
            bases, items = _once(facts.base_ids), _once(facts.item_ids)
            topic = Topic(identity, facts.title, facts.description, bases, items, drawn)
            after = replace(page, topics=_put(page.topics, topic, new=topic_id is None))
            demand_room(len(after.topics), MAX_TOPICS, "topics in a page")
            bases_of_all = {each for topic in after.topics for each in topic.drawn_base_ids}
            demand_room(len(bases_of_all), MAX_BASES, "knowledge bases that a page draws on")
            return after

        return self.edit(principal, page_id, once, put)

    def _drawn(self, page: Page, facts: TopicFacts) -> tuple[str, ...]:
        """The bases of all that the topic names. Raises ForeignKnowledge, which does not tell gone from foreign."""
        bases = {each: self.store.base(each) for each in facts.base_ids}
        items = {each: self.store.item(each) for each in facts.item_ids}
        missing = [each for each, base in bases.items() if base is None or base.space_id != page.space_id]
        missing += [each for each, item in items.items() if item is None or item.space_id != page.space_id]
        if missing:
            raise ForeignKnowledge(ids=tuple(missing))
        return tuple(sorted({*bases, *(item.base_id for item in items.values() if item)}))


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """What an author says of a link or action; the address was checked (`domain/addresses`)."""

    kind: LinkKind
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class PutLink:
    """Add a link or action, or change one."""

    edit: Editing
    ids: Ids

    def __call__(
        self, principal: Principal, page_id: str, link_id: str | None, facts: LinkFacts, once: Once | None
    ) -> Page:
        """The page with the link, a new one without `link_id`. Raises TooMany, NotFound, and as `Editing`."""

        def put(page: Page) -> Page:
            link = Link(link_id or self.ids.new(Kind.LINK), facts.kind, facts.label, facts.url)
            after = replace(page, links=_put(page.links, link, new=link_id is None))
            demand_room(len(after.links), MAX_LINKS, "links in a page")
            return after

        return self.edit(principal, page_id, once, put)


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a topic or link out of a page."""

    edit: Editing
    part: str
    """`topics` or `links`."""

    def __call__(self, principal: Principal, page_id: str, part_id: str, once: Once | None) -> Page:
        """The page without it. Raises NotFound, and as `Editing`."""
        return self.edit(principal, page_id, once, _without(self.part, part_id))


@dataclass(frozen=True, slots=True)
class AnnounceImage:
    """Give a form that uploads a picture."""

    pages: PageStore
    pictures: Pictures
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, page_id: str, media_type: str) -> tuple[str, Form]:
        """The id of the picture to be, and the form for its file. Raises NotFound, NotAllowed, TooMany."""
        page = page_for(self.pages, principal, page_id)
        demand_room(len(page.images) + 1, MAX_IMAGES, "pictures in a page")
        image_id, until = self.ids.new(Kind.IMAGE), self.clock.now() + _UPLOAD
        return image_id, self.pictures.form(_incoming(page.id, image_id), media_type, MAX_BYTES, until)


@dataclass(frozen=True, slots=True)
class TakeImage:
    """Look at an uploaded picture, and take it into the page; a person has to approve it before it is shown."""

    edit: Editing
    pictures: Pictures

    def __call__(self, principal: Principal, page_id: str, image_id: str, kind: ImageKind, shows: str) -> Page:
        """The page with the picture, as its bytes say that it is. To take it twice does no harm.

        Raises NotFound, NotAllowed, UploadMissing, ImageRefused, TooMany, PageFull, ConcurrentChange.
        """
        page = page_for(self.edit.pages, principal, page_id)
        if page.image(image_id) is not None:
            return page
        if not is_id(image_id, Kind.IMAGE):
            raise NotFound
        incoming = _incoming(page.id, image_id)
        picture = read(self.pictures.fetch(incoming, MAX_BYTES))
        image = Image(
            id=image_id,
            kind=kind,
            orientation=picture.orientation,
            shows=shows,
            approved=False,
            key=f"{folders(page.id)[0]}{image_id}.{EXTENSIONS[picture.media_type]}",
            media_type=picture.media_type,
            width=picture.width,
            height=picture.height,
            size=len(picture.content),
        )

        def put(page: Page) -> Page:
            demand_room(len(page.images) + 1, MAX_IMAGES, "pictures in a page")
            return replace(page, images=_put(page.images, image, new=True))

        self.pictures.put(image.key, image.media_type, picture.content)
        taken = self.edit(principal, page_id, None, put)
        self.pictures.erase(incoming)
        return taken


@dataclass(frozen=True, slots=True)
class ChangeImage:
    """Say anew what a picture shows, and whether it may be shown."""

    edit: Editing

    def __call__(
        self,
        principal: Principal,
        page_id: str,
        image_id: str,
        facts: tuple[ImageKind | None, str | None, bool | None],
        once: Once | None,
    ) -> Page:
        """The page with kind, words and approval of the picture changed, those that are not None.

        New words take back an approval, unless one comes with them: what was approved is the picture with its words.
        Raises NotFound, and as `Editing`.
        """
        kind, shows, approved = facts

        def changed(page: Page) -> Page:
            image = page.image(image_id)
            if image is None:
                raise NotFound
            after = replace(image, kind=kind or image.kind, shows=image.shows if shows is None else shows)
            kept = image.approved and after.shows == image.shows
            after = replace(after, approved=kept if approved is None else approved)
            return replace(page, images=_put(page.images, after, new=False))

        return self.edit(principal, page_id, once, changed)


@dataclass(frozen=True, slots=True)
class RemoveImage:
    """Take a picture out of a page, with its file."""

    edit: Editing
    pictures: Pictures

    def __call__(self, principal: Principal, page_id: str, image_id: str) -> Page:
        """The page without it. Raises NotFound, and as `Editing`."""
        after = self.edit(principal, page_id, None, _without("images", image_id))
        # The key is the id with an extension; no other id begins like it.
        self.pictures.erase(f"{folders(page_id)[0]}{image_id}.")
        return after


def _incoming(page_id: str, image_id: str) -> str:
    return f"{folders(page_id)[1]}{image_id}"


def _once(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))


def _put[P: Topic | Link | Image](parts: tuple[P, ...], part: P, *, new: bool) -> tuple[P, ...]:
    """The parts with that one, last or in the place of the one that has its id. Raises NotFound."""
    if new:
        return (*parts, part)
    if all(each.id != part.id for each in parts):
        raise NotFound
    return tuple(part if each.id == part.id else each for each in parts)


def _without(part: str, part_id: str) -> Callable[[Page], Page]:
    def removed(page: Page) -> Page:
        parts: tuple[Topic | Link | Image, ...] = getattr(page, part)
        left = tuple(each for each in parts if each.id != part_id)
        if len(left) == len(parts):
            raise NotFound
        changes: dict[str, Any] = {part: left}
        return replace(page, **changes)

    return removed
