"""Use cases on pages: create, read, list, change, go live and pause, delete."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta

from chalicelib.answers.ports import PageStore, Pictures
from chalicelib.domain import writes
from chalicelib.domain.errors import ConfirmationMismatch, IllegalMove, NotFound, PageFull, TooMany
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.pages import Page, PageLimits, PageStatus
from chalicelib.domain.spaces import Action, Principal, demand
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once

MAX_BYTES = 350_000
"""Of a page's record with all that is in it; DynamoDB's limit is 400 KB."""
MAX_ORIGINS = 20
SETTLING = timedelta(minutes=15)
"""A form for a picture works for less long; after it, a second look finds whatever came late."""


def folders(page_id: str) -> tuple[str, ...]:
    """The prefixes under which all pictures of a page lie: those that are shown, and those that were just uploaded."""
    return f"pages/{page_id}/", f"incoming/{page_id}/"


def page_for(pages: PageStore, principal: Principal, page_id: str) -> Page:
    """The page, if the principal may change it.

    Raises:
        NotFound: there is none, or the principal is not in its space.
        NotAllowed: the role is too small.
    """
    page = pages.page(page_id)
    if page is None:
        raise NotFound
    demand(principal, Action.ADMIN_PAGES, page.space_id)
    return page


def demand_room(many: int, limit: int, what: str) -> None:
    """Let a count pass that is not over its limit. Raises TooMany."""
    if many > limit:
        raise TooMany(what=what, limit=limit)


@dataclass(frozen=True, slots=True)
class Editing:
    """Changes a page, in one write that states the version it saw."""

    pages: PageStore
    clock: Clock

    def __call__(self, principal: Principal, page_id: str, once: Once | None, change: Callable[[Page], Page]) -> Page:
        """The page after the change. Raises NotFound, NotAllowed, PageFull, ConcurrentChange, IdempotencyKeyReused."""
        page = page_for(self.pages, principal, page_id)
        if once and (seen := self.pages.replayed_page(once)):
            return seen
        after = change(page)
        if after == page and once is None:
            return page
        after = after.following(self.clock.now())
        demand_size(after)
        return self.pages.change_page(page, after, once)


def demand_size(page: Page) -> None:
    """Let a page pass that one record holds. Raises PageFull."""
    size = len(json.dumps(asdict(page), ensure_ascii=False, default=str).encode())
    if size > MAX_BYTES:
        raise PageFull(size=size, limit=MAX_BYTES)


@dataclass(frozen=True, slots=True)
class NewPage:
    """What a page begins with."""

    space_id: str
    name: str
    about: str
    language: str
    not_about: str = ""
    origins: tuple[str, ...] = ()
    limits: PageLimits = field(default_factory=PageLimits)
    shows_sources: bool = False


@dataclass(frozen=True, slots=True)
class CreatePage:
    """Make a page, which is paused at first."""

    pages: PageStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, asked: NewPage, once: Once | None) -> Page:
        """The new page. Raises NotFound, NotAllowed, IdempotencyKeyReused."""
        demand(principal, Action.ADMIN_PAGES, asked.space_id)
        if once and (seen := self.pages.replayed_page(once)):
            return seen
        now = self.clock.now()
        page = Page(
            id=self.ids.new(Kind.PAGE),
            space_id=asked.space_id,
            name=asked.name,
            about=asked.about,
            not_about=asked.not_about,
            language=asked.language,
            origins=asked.origins,
            status=PageStatus.PAUSED,
            version=1,
            created_by=principal.user_id,
            created_at=now,
            updated_at=now,
            limits=asked.limits,
            shows_sources=asked.shows_sources,
        )
        return self.pages.add_page(page, once)


@dataclass(frozen=True, slots=True)
class ReadPage:
    """Read a page with all that is in it."""

    pages: PageStore

    def __call__(self, principal: Principal, page_id: str) -> Page:
        """The page. Raises NotFound, NotAllowed."""
        return page_for(self.pages, principal, page_id)


@dataclass(frozen=True, slots=True)
class ListPages:
    """List the pages of a space."""

    pages: PageStore

    def __call__(self, principal: Principal, space_id: str, after: str | None, limit: int) -> writes.Page[Page]:
        """A stretch of pages, newest first. Raises NotFound, NotAllowed."""
        demand(principal, Action.ADMIN_PAGES, space_id)
        return self.pages.pages(space_id, after, limit)


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Change what a page says of itself, and whom it lets ask how often."""

    edit: Editing

    def __call__(self, principal: Principal, page_id: str, changes: Mapping[str, object], once: Once | None) -> Page:
        """The page with those of its fields changed. Raises as `Editing`."""
        return self.edit(principal, page_id, once, lambda page: replace(page, **changes))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class MovePage:
    """Let a page answer visitors, or stop it."""

    edit: Editing
    target: PageStatus

    def __call__(self, principal: Principal, page_id: str, once: Once | None) -> Page:
        """The page after the move. Raises IllegalMove if it is there already, and as `Editing`."""

        def moved(page: Page) -> Page:
            if page.status is self.target:
                raise IllegalMove(source=page.status, target=self.target)
            return replace(page, status=self.target)

        return self.edit(principal, page_id, once, moved)


@dataclass(frozen=True, slots=True)
class DeletePage:
    """Delete a page for good: its pictures go with it, and nobody can read its conversations any more."""

    pages: PageStore
    pictures: Pictures
    clock: Clock

    def __call__(self, principal: Principal, page_id: str, confirm: str) -> Page:
        """The page as it was. Raises NotFound, NotAllowed, ConfirmationMismatch, ConcurrentChange."""
        page = page_for(self.pages, principal, page_id)
        if confirm != page.name:
            raise ConfirmationMismatch(field="name")
        # The record goes first, with a note by which the sweep finds whatever is left of the pictures.
        self.pages.remove_page(page, self.clock.now())
        for folder in folders(page.id):
            self.pictures.erase(folder)
        return page


@dataclass(frozen=True, slots=True)
class SweepPages:
    """Remove what is left of the pictures of deleted pages, as often as it takes."""

    pages: PageStore
    pictures: Pictures
    clock: Clock

    def __call__(self) -> int:
        """How many pages it is done with."""
        done = 0
        for page_id, at in self.pages.removed_pages():
            for folder in folders(page_id):
                self.pictures.erase(folder)
            if self.clock.now() - at >= SETTLING:
                self.pages.settle_page(page_id)
                done += 1
        return done
