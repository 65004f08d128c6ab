"""What stands before a public page, cheapest first (rule N9); the cache and the fuse come after it.

A door calls `Admit` before it reads a body of a turn, `OpenSession` before that, once a tab.
"""

from dataclasses import dataclass

from chalicelib.domain.pages import Page


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
class Admit:
    """Lets a question of a visitor pass, or refuses it; every refusal is counted."""

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
        raise NotImplementedError

    def origins(self, page_id: str, visitor: Visitor) -> Page:
        """The page, for a preflight or for an answer's headers: `visitor.origin` is one of its own.

        Raises NotFound, OriginNotAllowed.
        """
        raise NotImplementedError
