"""The bot check by ALTCHA: a small proof of work that a browser does while nobody waits, and nobody else is asked."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from chalicelib.answers.defence_ports import Proven
from chalicelib.domain.errors import ProofRejected

_LIFE = timedelta(minutes=10)
_LONGEST = 4096
"""Characters of a proof; a real one has some 700."""
_ALGORITHM = "PBKDF2/SHA-256"


@dataclass(frozen=True, slots=True)
class AltchaCheck:
    """The port `BotCheck`: version 2 of the protocol, as the library and the widget of the project speak it.

    A browser derives a few hundred keys, each of which takes `cost` rounds; to check one takes one.
    """

    cost: int = 5000

    @property
    def kind(self) -> str:
        """`altcha`."""
        return "altcha"

    def challenge(self, page_id: str, key: bytes, now: datetime) -> Mapping[str, Any]:
        """A challenge of the library's shape, for the page, good for ten minutes."""
        from altcha import create_challenge

        until = now + _LIFE
        made = create_challenge(
            _ALGORITHM, self.cost, expires_at=until, data={"page": page_id}, hmac_secret=key, hmac_algorithm="SHA-256"
        )
        return dict(made.to_dict())

    def verify(self, proof: str, page_id: str, keys: tuple[bytes, ...], now: datetime) -> Proven | None:
        """The challenge that was met. Raises ProofRejected."""
        from altcha import Payload, verify_solution

        if not proof or len(proof) > _LONGEST:
            raise ProofRejected
        try:
            payload = Payload.from_dict(json.loads(base64.b64decode(proof, validate=True)))
            parameters, signature = payload.challenge.parameters, str(payload.challenge.signature)
            met = any(verify_solution(payload, key).verified for key in keys)
        except Exception:  # noqa: BLE001 - whatever a stranger sent that the library stumbles over
            raise ProofRejected from None
        # What follows was signed by us.
        if not met or parameters.data != {"page": page_id} or not isinstance(parameters.expires_at, int):
            raise ProofRejected
        until = datetime.fromtimestamp(parameters.expires_at, UTC)
        if until <= now:
            raise ProofRejected
        return Proven(hashlib.sha256(signature.encode()).hexdigest(), until)
