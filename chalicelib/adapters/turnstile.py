"""The bot check by Cloudflare Turnstile.

Source: Cloudflare, "Turnstile: server-side validation". The visitor's address is not sent along (rule N8).
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError

from chalicelib.answers.defence_ports import Proven
from chalicelib.domain.errors import ProofRejected, ProofUnavailable

ADDRESS = "https://challenges.cloudflare.com/turnstile/v0/siteverify"
_LONGEST = 2048
"""Characters of a token, at most."""
_LIFE = timedelta(minutes=5)
_OURS = frozenset({"missing-input-secret", "invalid-input-secret", "internal-error", "bad-request"})
"""Errors that are no fault of the visitor."""


@dataclass(frozen=True, slots=True)
class TurnstileCheck:
    """The port `BotCheck` over HTTPS."""

    site_key: str
    secret: Callable[[], str]
    address: str = ADDRESS
    seconds: float = 5.0
    pool: urllib3.PoolManager = field(default_factory=lambda: urllib3.PoolManager(maxsize=10))

    @property
    def kind(self) -> str:
        """`turnstile`."""
        return "turnstile"

    def challenge(self, page_id: str, key: bytes, now: datetime) -> Mapping[str, Any]:  # noqa: ARG002 - the port's
        """What its script needs; the action binds the token to the page."""
        return {"site_key": self.site_key, "action": page_id}

    def verify(self, proof: str, page_id: str, keys: tuple[bytes, ...], now: datetime) -> Proven | None:  # noqa: ARG002
        """The token that was good. Raises ProofRejected, ProofUnavailable."""
        if not proof or len(proof) > _LONGEST:
            raise ProofRejected
        said = self._asked(proof)
        if said.get("success") is True and said.get("action") == page_id:
            return Proven(hashlib.sha256(proof.encode()).hexdigest(), now + _LIFE)
        codes = said.get("error-codes")
        if said.get("success") is not True and isinstance(codes, list) and not _OURS.isdisjoint(map(str, codes)):
            raise ProofUnavailable
        raise ProofRejected

    def _asked(self, proof: str) -> dict[str, Any]:
        try:
            answer = self.pool.request(
                "POST",
                self.address,
                body=json.dumps({"secret": self.secret(), "response": proof}),
                headers={"content-type": "application/json"},
                timeout=urllib3.Timeout(total=self.seconds),
                retries=urllib3.Retry(0),
            )
            said = json.loads(answer.data)
        except (HTTPError, ValueError):
            raise ProofUnavailable from None
        if not isinstance(said, dict):
            raise ProofUnavailable
        return said
