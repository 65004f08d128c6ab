"""The stream door over a desk that follows a script."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.applications import Starlette
from starlette.testclient import TestClient

from chalicelib.answers.asking import Asked
from chalicelib.answers.defences import Admitted, Visitor
from chalicelib.answers.parts import Began, Finished, Part, Progress, Section, Sections, Spoken, Stage, Status
from chalicelib.answers.sessions import Challenge, Session
from chalicelib.api.stream.app import app
from chalicelib.domain.errors import NotFound, OriginNotAllowed, QuestionMissing
from chalicelib.domain.pages import Page, PageStatus
from chalicelib.domain.watching import Outcome
from chalicelib.wiring.front import Front
from tests.fakes.machine import CountingSecrets, StillClock

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
PAGE = Page(
    id="page_1",
    space_id="space_1",
    name="Clínica Sol",
    about="A clinic",
    not_about="Politics",
    language="es",
    origins=("https://sol.example",),
    status=PageStatus.LIVE,
    version=1,
    created_by="user_1",
    created_at=NOW,
    updated_at=NOW,
)
SCRIPT: tuple[Part, ...] = (
    Began("conv_1", "turn_1"),
    Status(Stage.UNDERSTANDING),
    Progress("Un momento…"),
    Status(Stage.WRITING),
    Spoken("Abrimos a las nueve."),
    Section("turn_1-1", "text", "body", {"paragraphs": ["De lunes a viernes."]}),
    Sections(("turn_1-1",), final=True, language="es"),
    Finished(),
)


@dataclass
class Desk:
    """What the door needs of a desk, with a script for an answer."""

    script: tuple[Part | Exception, ...] = SCRIPT
    refusal: Exception | None = None
    once: list[Exception] = field(default_factory=list)
    """Refusals that are made once each."""
    clock: StillClock = field(default_factory=lambda: StillClock(NOW))
    turn_seconds: float = 45
    asked: list[Asked] = field(default_factory=list)
    visitors: list[Visitor] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    going: threading.Event = field(default_factory=threading.Event)
    """Where the script waits at a None."""

    @property
    def admit(self) -> "Desk":
        """The defences."""
        return self

    @property
    def open_session(self) -> "Door":
        """The sessions."""
        return Door()

    def __call__(self, page_id: str, visitor: Visitor, question: str, body_bytes: int) -> Admitted:
        """Let everybody pass who asks something, unless there is a refusal to be made."""
        page = self.origins(page_id, visitor)
        self.sizes.append(body_bytes)
        if self.once:
            raise self.once.pop(0)
        if self.refusal is not None:
            raise self.refusal
        if not question.strip():
            raise QuestionMissing
        return Admitted(page, visitor.session or "sess_1")

    def origins(self, page_id: str, visitor: Visitor) -> Page:
        """The page, for its own sites."""
        self.visitors.append(visitor)
        if page_id != PAGE.id:
            raise NotFound
        if visitor.origin not in {None, visitor.own, *PAGE.origins}:
            raise OriginNotAllowed
        return PAGE

    def take_turn(self, asked: Asked) -> Iterator[Part]:
        """Follow the script."""
        self.asked.append(asked)
        for part in self.script:
            if isinstance(part, Exception):
                raise part
            yield part


class Door:
    """Sessions for a proof."""

    def challenge(self, page_id: str, visitor: Visitor) -> Challenge:
        """Ask for nothing in particular."""
        assert (page_id, visitor.session) == (PAGE.id, None)
        return Challenge("altcha", {"parameters": {"nonce": "00"}, "signature": "s"})

    def __call__(self, page_id: str, visitor: Visitor, proof: str) -> Session:
        """A session for whoever has one."""
        assert (page_id, visitor.session) == (PAGE.id, None)
        return Session(f"token-for-{proof}", NOW + timedelta(days=1))


@dataclass
class Notes:
    """A journal that is read by tests."""

    lines: list[tuple[str, str, Outcome]] = field(default_factory=list)

    @contextmanager
    def entry(self, operation: str, request_id: str) -> Iterator[Outcome]:
        """Keep the line."""
        outcome = Outcome()
        yield outcome
        self.lines.append((operation, request_id, outcome))


@dataclass
class World:
    """The door, and what stands behind it."""

    desk: Desk
    notes: Notes
    client: TestClient

    def ask(self, body: Any = None, **headers: str) -> Any:
        """Ask a question."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"question": "¿Cuándo abren?"} if body is None else body
        return self.client.post("/pages/page_1/turns", json=sent, headers=given)


def door(desk: Desk, notes: Notes | None = None, *, adapted: bool = False) -> Starlette:
    """The app over a desk."""
    front = Front(
        adapted=adapted,
        public_url="",
        console_origin="",
        image_origin="https://bucket.example",
        robot_check="altcha",
        journal=notes or Notes(),
        secrets=CountingSecrets(),
    )
    return app(desk, front)  # type: ignore[arg-type]


def world(desk: Desk | None = None, *, adapted: bool = False) -> World:
    """A client of a door over a desk."""
    made, notes = desk or Desk(), Notes()
    return World(made, notes, TestClient(door(made, notes, adapted=adapted), raise_server_exceptions=False))
