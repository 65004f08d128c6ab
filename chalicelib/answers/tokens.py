"""The tokens of sessions: signed, and kept nowhere (rule N9)."""

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from chalicelib.access.ports import Secrets
from chalicelib.answers.defence_ports import DayKeys, Purpose
from chalicelib.domain.errors import SessionRequired
from chalicelib.domain.time import Clock

LIFE = timedelta(hours=24)
_SHAPE = re.compile(
    r"acs_(?P<day>\d{4}-\d\d-\d\d)\.(?P<until>\d{1,12})\.(?P<session>[A-Za-z0-9_-]{43})\.(?P<mac>[0-9a-f]{64})",
    re.ASCII,
)


@dataclass(slots=True)
class SessionTokens:
    """Signs with the key of the day, and believes those of today and yesterday: a session outlives a change of key."""

    keys: DayKeys
    secrets: Secrets
    clock: Clock
    _known: dict[date, bytes] = field(default_factory=dict, init=False)

    def new(self, page_id: str) -> tuple[str, datetime]:
        """A token of a new session of the page, and when it ends."""
        now = self.clock.now()
        day, until = now.astimezone(UTC).date(), now + LIFE
        said = f"{day.isoformat()}.{int(until.timestamp())}.{self.secrets.new()}"
        key = self._known.get(day) or self._remember(day, self.keys.key(Purpose.SESSION, day))
        return f"acs_{said}.{_mac(key, page_id, said)}", until

    def session(self, token: str | None, page_id: str) -> str:
        """The id of the session that the token is of.

        Raises SessionRequired: there is none, or it is forged, expired or of another page.
        """
        shape = _SHAPE.fullmatch(token or "")
        if shape is None:
            raise SessionRequired
        said = f"{shape['day']}.{shape['until']}.{shape['session']}"
        key = self._key(shape["day"])
        genuine = key is not None and hmac.compare_digest(_mac(key, page_id, said), shape["mac"])
        if not genuine or int(shape["until"]) <= self.clock.now().timestamp():
            raise SessionRequired
        return shape["session"]

    def signing(self) -> tuple[bytes, ...]:
        """Keys for challenges, today's first: other ones than sessions are signed with."""
        today = self.clock.now().astimezone(UTC).date()
        first = self._known.get(today) or self._remember(today, self.keys.key(Purpose.SESSION, today))
        second = self._key((today - timedelta(days=1)).isoformat())
        return tuple(hmac.new(each, b"challenge", hashlib.sha256).digest() for each in (first, second) if each)

    def _key(self, text: str) -> bytes | None:
        """The key of a day that can still have signed something; days that others make up are not looked for."""
        today = self.clock.now().astimezone(UTC).date()
        day = next((each for each in (today, today - timedelta(days=1)) if each.isoformat() == text), None)
        if day is None:
            return None
        found = self._known.get(day) or self.keys.known(Purpose.SESSION, day)
        return self._remember(day, found) if found else None

    def _remember(self, day: date, key: bytes) -> bytes:
        for each in [each for each in list(self._known) if each < day - LIFE]:
            self._known.pop(each, None)
        self._known[day] = key
        return key


def _mac(key: bytes, page_id: str, said: str) -> str:
    return hmac.new(key, f"session\0{page_id}\0{said}".encode(), hashlib.sha256).hexdigest()
