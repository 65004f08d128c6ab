"""Sessions of browsers, links to sign in with, and attempts at an identity provider, in the table of what expires."""

from dataclasses import dataclass

from chalicelib.access.provider_ports import Attempt
from chalicelib.access.session_ports import Session, SignInLink
from chalicelib.adapters.dynamodb.knowledge import gone
from chalicelib.adapters.dynamodb.rows import moment, stamp
from chalicelib.adapters.dynamodb.tables import Key, Row, Tables, delete
from chalicelib.domain.errors import NotFound


@dataclass(frozen=True, slots=True)
class DynamoSessions:
    """The ports `SessionStore` and `AttemptStore` over the table `ephemeral`."""

    tables: Tables

    def add_session(self, session: Session) -> None:
        """Write a new session."""
        row = {
            **_key(session.secret_hash),
            "user_id": session.user_id,
            "scopes": sorted(session.scopes),
            "token_id": session.token_id,
            "began_at": stamp(session.began_at),
            "used_at": stamp(session.used_at),
            "ends_at": stamp(session.ends_at),
            "expires_at": int(session.expires_at.timestamp()),
        }
        self.tables.put(self.tables.ephemeral, row)

    def session(self, secret_hash: str) -> Session | None:
        """The session, or None; it may be over."""
        row = self.tables.get(self.tables.ephemeral, _key(secret_hash))
        if row is None:
            return None
        return Session(
            secret_hash=secret_hash,
            user_id=row["user_id"],
            scopes=frozenset(row["scopes"]),
            token_id=row.get("token_id"),
            began_at=moment(row["began_at"]),
            used_at=moment(row["used_at"]),
            ends_at=moment(row["ends_at"]),
        )

    def used_session(self, session: Session) -> None:
        """Note when a session was used; one that was ended meanwhile stays ended."""
        self.tables.attempt(
            self.tables.ephemeral,
            _key(session.secret_hash),
            "SET used_at = :used, expires_at = :gone",
            "attribute_exists(pk)",
            {":used": stamp(session.used_at), ":gone": int(session.expires_at.timestamp())},
        )

    def end_session(self, secret_hash: str) -> None:
        """Remove a session, if it is there."""
        self.tables.delete(self.tables.ephemeral, _key(secret_hash))

    def add_link(self, link: SignInLink) -> None:
        """Write a new link."""
        row = {
            **_link_key(link.secret_hash),
            "user_id": link.user_id,
            "scopes": sorted(link.scopes),
            "valid_until": stamp(link.expires_at),
            "expires_at": int(link.expires_at.timestamp()),
        }
        self.tables.put(self.tables.ephemeral, row)

    def take_link(self, secret_hash: str) -> SignInLink:
        """Remove a link and return it; of two who take it at once, one gets it."""
        row = self._take(_link_key(secret_hash))
        return SignInLink(secret_hash, row["user_id"], frozenset(row["scopes"]), moment(row["valid_until"]))

    def add_attempt(self, attempt: Attempt) -> None:
        """Write a new attempt."""
        row = {
            **_attempt_key(attempt.state_hash),
            "browser_hash": attempt.browser_hash,
            "then": attempt.then,
            "valid_until": stamp(attempt.expires_at),
            "expires_at": int(attempt.expires_at.timestamp()),
        }
        self.tables.put(self.tables.ephemeral, row)

    def take_attempt(self, state_hash: str) -> Attempt:
        """Remove an attempt and return it; of two who take it at once, one gets it."""
        row = self._take(_attempt_key(state_hash))
        return Attempt(state_hash, row["browser_hash"], row["then"], moment(row["valid_until"]))

    def _take(self, key: Key) -> Row:
        row = self.tables.get(self.tables.ephemeral, key)
        if row is None:
            raise NotFound
        self.tables.transact([delete(self.tables.ephemeral, key, "attribute_exists(pk)", {}, gone)])
        return row


def _key(secret_hash: str) -> Key:
    return {"pk": f"session#{secret_hash}"}


def _attempt_key(state_hash: str) -> Key:
    return {"pk": f"attempt#{state_hash}"}


def _link_key(secret_hash: str) -> Key:
    return {"pk": f"signin#{secret_hash}"}
