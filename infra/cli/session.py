"""Which server a command talks to, and with which token."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]

HERE = ROOT / ".acervo" / "session.json"
"""Where `make up` leaves the address and token of the laptop cloud; readable by its owner alone."""


@dataclass(frozen=True, slots=True)
class Session:
    """A server and a token."""

    url: str
    token: str
    base_id: str | None = None
    """The base that is meant when none is named."""
    page_url: str | None = None
    """The public page that is asked when none is named."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What a process needs to work on the tables themselves, for `admin`."""

    def save(self, path: Path = HERE) -> None:
        """Keep it for later commands."""
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(self), file)


def load(path: Path = HERE) -> Session | None:
    """The session that was kept, if there is one."""
    try:
        kept = json.loads(path.read_text())
        return Session(kept["url"], kept["token"], kept["base_id"], kept.get("page_url"), kept["environment"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
