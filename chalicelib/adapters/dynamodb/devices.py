"""Device logins and limits in DynamoDB, in the table of what expires."""

from dataclasses import dataclass
from datetime import datetime

from chalicelib.access.ports import DeviceLogin, DeviceStatus
from chalicelib.adapters.dynamodb.knowledge import UNCHANGED, changed, clash, gone
from chalicelib.adapters.dynamodb.rows import maybe, moment, stamp
from chalicelib.adapters.dynamodb.tables import Key, Row, Tables, delete, new, put


@dataclass(frozen=True, slots=True)
class DynamoDevices:
    """The port `DeviceStore` over the table `ephemeral`."""

    tables: Tables

    def add_login(self, login: DeviceLogin) -> None:
        """Write a new login."""
        pointer = {**_code_key(login.user_code), "device_hash": login.device_hash, "expires_at": _gone(login)}
        self.tables.transact([new(self.tables.ephemeral, each, clash) for each in (_row(login), pointer)])

    def login(self, device_hash: str) -> DeviceLogin | None:
        """The login, or None; it may be expired."""
        row = self.tables.get(self.tables.ephemeral, _key(device_hash))
        return _login(row) if row else None

    def login_of(self, user_code: str) -> DeviceLogin | None:
        """The login with that code, or None; it may be expired."""
        pointer = self.tables.get(self.tables.ephemeral, _code_key(user_code)) if user_code else None
        return self.login(pointer["device_hash"]) if pointer else None

    def change_login(self, before: DeviceLogin, after: DeviceLogin) -> DeviceLogin:
        """Replace a login that still is at `before`'s version."""
        seen = {":version": before.version}
        self.tables.transact([put(self.tables.ephemeral, _row(after), UNCHANGED, seen, changed(before.version))])
        return after

    def take_login(self, login: DeviceLogin) -> None:
        """Remove a login that still is as seen."""
        table, seen = self.tables.ephemeral, {":version": login.version}
        self.tables.transact(
            [
                delete(table, _key(login.device_hash), UNCHANGED, seen, changed(login.version)),
                delete(table, _code_key(login.user_code), "attribute_exists(pk)", {}, gone),
            ]
        )


@dataclass(frozen=True, slots=True)
class DynamoLimits:
    """The port `LimitStore` over the table `ephemeral`."""

    tables: Tables

    def hit(self, name: str, until: datetime) -> int:
        """Count once more under a name that is forgotten after a moment."""
        values = {":one": 1, ":until": int(until.timestamp())}
        return self.tables.add(
            self.tables.ephemeral, {"pk": f"limit#{name}"}, "SET expires_at = :until ADD hits :one", values, "hits"
        )


def _key(device_hash: str) -> Key:
    return {"pk": f"device#{device_hash}"}


def _code_key(user_code: str) -> Key:
    return {"pk": f"usercode#{user_code}"}


def _gone(login: DeviceLogin) -> int:
    return int(login.expires_at.timestamp())


def _row(login: DeviceLogin) -> Row:
    return {
        **_key(login.device_hash),
        "user_code": login.user_code,
        "client_id": login.client_id,
        "scopes": sorted(login.scopes),
        "requested_at": stamp(login.requested_at),
        "valid_until": stamp(login.expires_at),
        "expires_at": _gone(login),
        "version": login.version,
        "status": login.status,
        "polled_at": stamp(login.polled_at) if login.polled_at else None,
        "interval_s": login.interval_s,
        "page_hash": login.page_hash,
        "user_id": login.user_id,
        "token_id": login.token_id,
    }


def _login(row: Row) -> DeviceLogin:
    return DeviceLogin(
        device_hash=row["pk"].removeprefix("device#"),
        user_code=row["user_code"],
        client_id=row["client_id"],
        scopes=frozenset(row["scopes"]),
        requested_at=moment(row["requested_at"]),
        expires_at=moment(row["valid_until"]),
        version=row["version"],
        status=DeviceStatus(row["status"]),
        polled_at=maybe(row.get("polled_at")),
        interval_s=row["interval_s"],
        page_hash=row.get("page_hash"),
        user_id=row.get("user_id"),
        token_id=row.get("token_id"),
    )
