"""What stands before a public page, cheapest first (rule N9); the cache and the fuse come after it.

A door calls `Admit` before it reads a body of a turn, `OpenSession` before that, once a tab.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from chalicelib.answers.addresses import Pseudonyms, believed
from chalicelib.answers.defence_ports import Buckets, Rate
from chalicelib.answers.ports import PageStore
from chalicelib.answers.tokens import SessionTokens
from chalicelib.domain.errors import (
    BodyTooLarge,
    CoolingDown,
    DefencesUnavailable,
    KnownError,
    NotFound,
    OriginNotAllowed,
    QuestionMissing,
    QuestionTooLong,
    SessionRequired,
    TooManyQuestions,
)
from chalicelib.domain.pages import Page, PageStatus
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Meter

MAX_BODY = 16 * 1024
"""Bytes of the body of a turn."""
MAX_QUESTION = 1000
"""Characters."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """What a request says of who sent it. Nothing of it is kept or logged (rule N8)."""

    origin: str | None
    """Its `Origin` header; None without one: programs send none, browsers always do."""
    own: str
    """The origin that this deployment is asked at, such as `https://answers.example.com`: always allowed."""
    peer: str
    """Address of the connection: of the visitor, or of the nearest proxy."""
    forwarded: str = ""
    """Its `X-Forwarded-For` header, as it came; believed as far as the setting says."""
    session: str | None = None
    """The token of its session, as it came; None to open one."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A question that may be answered, past all defences but the fuse."""

    page: Page
    session_id: str


@dataclass(frozen=True, slots=True)
class Threshold:
    """The first steps, which questions and sessions share."""

    pages: PageStore
    buckets: Buckets
    pseudonyms: Pseudonyms
    clock: Clock
    meter: Meter
    proxies: int
    """How many of ours stand before us and add to X-Forwarded-For."""

    def page(self, page_id: str, visitor: Visitor) -> Page:
        """The page, if it is live and the visitor's browser shows a site that may ask it.

        Raises NotFound, OriginNotAllowed.
        """
        with self.closed_if_broken():
            page = self.pages.page(page_id)
        if page is None or page.status is not PageStatus.LIVE:
            raise NotFound
        if visitor.origin is not None and visitor.origin.lower() not in {visitor.own.lower(), *page.origins}:
            raise OriginNotAllowed
        return page

    def one_more(self, page: Page, visitor: Visitor) -> None:
        """Count the request for its address. Raises TooManyQuestions, DefencesUnavailable."""
        rate = Rate(60 / page.limits.turns_per_minute, page.limits.burst)
        address, now = believed(visitor.peer, visitor.forwarded, self.proxies), self.clock.now()
        with self.closed_if_broken():
            wait = self.buckets.take(f"{page.id}/{self.pseudonyms(address, now)}", rate, now)
        if wait:
            raise TooManyQuestions(retry_after=math.ceil(wait))

    def cool_down(self, page: Page, session_id: str) -> None:
        """Let a session pass that did not ask a moment ago. Raises CoolingDown, DefencesUnavailable."""
        if page.limits.cooldown_s <= 0:
            return
        with self.closed_if_broken():
            wait = self.buckets.take(f"session/{session_id}", Rate(page.limits.cooldown_s), self.clock.now())
        if wait:
            raise CoolingDown(retry_after=math.ceil(wait))

    @contextmanager
    def counted(self, what: str) -> Iterator[None]:
        """Count what becomes of a request, by the code of its refusal."""
        try:
            yield
        except KnownError as refusal:
            self.meter.count("visitors_refused", 1, what=what, code=refusal.code)
            raise
        self.meter.count("visitors_admitted", 1, what=what)

    @contextmanager
    def closed_if_broken(self) -> Iterator[None]:
        """What cannot be counted is refused, whatever the reason: the page closes, it does not open (rule N9)."""
        try:
            yield
        except SessionRequired:
            raise
        except Exception as fault:
            raise DefencesUnavailable from fault


@dataclass(frozen=True, slots=True)
class Admit:
    """Lets a question of a visitor pass, or refuses it; every refusal is counted."""

    threshold: Threshold
    tokens: SessionTokens

    def __call__(self, page_id: str, visitor: Visitor, question: str, body_bytes: int) -> Admitted:
        """The page as it is now, and the session.

        Raises:
            NotFound: there is no such page, or it is paused.
            OriginNotAllowed: the browser shows a site that the page does not allow.
            BodyTooLarge, QuestionTooLong, QuestionMissing: of what was sent.
            TooManyQuestions: from this address; says when to come back.
            SessionRequired: there is no session token, or it is forged, expired or of another page.
            CoolingDown: the session asked a moment ago; says when to come back.
            DefencesUnavailable: what has to be counted cannot be.
        """
        threshold = self.threshold
        with threshold.counted("question"):
            page = threshold.page(page_id, visitor)
            demand_size(question, body_bytes)
            threshold.one_more(page, visitor)
            with threshold.closed_if_broken():
                session_id = self.tokens.session(visitor.session, page.id)
            threshold.cool_down(page, session_id)
        return Admitted(page, session_id)

    def origins(self, page_id: str, visitor: Visitor) -> Page:
        """The page, for a preflight or for an answer's headers: `visitor.origin` is one of its own.

        Raises NotFound, OriginNotAllowed, DefencesUnavailable.
        """
        return self.threshold.page(page_id, visitor)


def demand_size(question: str, body_bytes: int) -> None:
    """Let a question pass that says something and is not too long. Raises as `Admit` does."""
    if body_bytes > MAX_BODY:
        raise BodyTooLarge(size=body_bytes, limit=MAX_BODY)
    if len(question) > MAX_QUESTION:
        raise QuestionTooLong(length=len(question), limit=MAX_QUESTION)
    if not any(each.isalnum() for each in question):
        raise QuestionMissing
