"""The bot check that is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from chalicelib.answers.defence_ports import Proven


@dataclass(frozen=True, slots=True)
class NoCheck:
    """The port `BotCheck` that lets everybody pass; the other defences remain."""

    @property
    def kind(self) -> str:
        """`none`."""
        return "none"

    def challenge(self, page_id: str, key: bytes, now: datetime) -> Mapping[str, Any]:
        """Nothing to do."""
        return {}

    def verify(self, proof: str, page_id: str, keys: tuple[bytes, ...], now: datetime) -> Proven | None:
        """Nothing has to be proven."""
        return None
