"""Anonymous sessions, one a tab: a signed token that the server gives for a proof, and keeps nothing of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from chalicelib.answers.defence_ports import BotCheck, Replays
from chalicelib.answers.defences import Threshold, Visitor
from chalicelib.answers.tokens import SessionTokens
from chalicelib.domain.errors import ProofRejected


@dataclass(frozen=True, slots=True)
class Session:
    """A session that was opened."""

    token: str
    """Sent with every turn."""
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a visitor's browser has to do before it gets a session."""

    kind: str
    """`altcha`, `turnstile` or `none`."""
    facts: Mapping[str, Any]
    """Of ALTCHA, the challenge as its library takes it; of Turnstile, `site_key`; else nothing."""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Gives challenges, and sessions to those who met one."""

    threshold: Threshold
    check: BotCheck
    replays: Replays
    tokens: SessionTokens

    def challenge(self, page_id: str, visitor: Visitor) -> Challenge:
        """A challenge for the page. Raises NotFound, OriginNotAllowed, DefencesUnavailable."""
        threshold = self.threshold
        with threshold.counted("challenge"):
            page = threshold.page(page_id, visitor)
            with threshold.closed_if_broken():
                key = self.tokens.signing()[0]
            return Challenge(self.check.kind, self.check.challenge(page.id, key, threshold.clock.now()))

    def __call__(self, page_id: str, visitor: Visitor, proof: str) -> Session:
        """A session of the page. `proof` is what ALTCHA's or Turnstile's script gives; empty where none is asked for.

        Raises NotFound, OriginNotAllowed, TooManyQuestions, ProofRejected, ProofUnavailable, DefencesUnavailable.
        """
        threshold = self.threshold
        with threshold.counted("session"):
            page = threshold.page(page_id, visitor)
            threshold.one_more(page, visitor)
            with threshold.closed_if_broken():
                keys = self.tokens.signing()
            proven = self.check.verify(proof, page.id, keys, threshold.clock.now())
            with threshold.closed_if_broken():
                fresh = proven is None or self.replays.first(proven.once, proven.until)
            if not fresh:
                raise ProofRejected
            with threshold.closed_if_broken():
                token, expires_at = self.tokens.new(page.id)
        return Session(token, expires_at)
