"""Anonymous sessions, one a tab: a signed token that the server gives for a proof, and keeps nothing of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from chalicelib.answers.defences import Visitor


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

    def challenge(self, page_id: str, visitor: Visitor) -> Challenge:
        """A challenge for the page. Raises NotFound, OriginNotAllowed."""
        raise NotImplementedError

    def __call__(self, page_id: str, visitor: Visitor, proof: str) -> Session:
        """A session of the page. `proof` is what ALTCHA's or Turnstile's script gives; empty where none is asked for.

        Raises NotFound, OriginNotAllowed, TooManyQuestions, ProofRejected, ProofUnavailable, DefencesUnavailable.
        """
        raise NotImplementedError
