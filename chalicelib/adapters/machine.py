"""Time, ids and secrets from the machine itself."""

import secrets
from datetime import UTC, datetime

from chalicelib.domain.ids import Kind, compose


class SystemClock:
    """The port `Clock` on the system's clock."""

    def now(self) -> datetime:
        """The present moment, in UTC, to the millisecond."""
        moment = datetime.now(UTC)
        return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


class RandomIds:
    """The port `Ids` on the system's clock and its source of randomness."""

    def new(self, kind: Kind) -> str:
        """A fresh id of that kind."""
        milliseconds = int(datetime.now(UTC).timestamp() * 1000)
        return compose(kind, milliseconds, secrets.token_bytes(10))


class SystemSecrets:
    """The port `Secrets` on the system's source of randomness."""

    def new(self) -> str:
        """A fresh secret of 256 random bits, URL-safe."""
        return secrets.token_urlsafe(32)
