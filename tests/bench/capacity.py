"""What calls to DynamoDB and S3 cost, by AWS's published rules, for clients of boto3 that are made while it watches.

Emulators do not tell: moto answers `ReturnConsumedCapacity` with constants, the laptop cloud not at all. So units are
made from the sizes of the rows that a call read or left behind. Sources, in Amazon DynamoDB's Developer Guide:
"DynamoDB item sizes and formats", "DynamoDB read and write operations", "DynamoDB Transactions: how it works".
"""

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

READ_BYTES = 4096
"""Of one read unit, strongly consistent."""
WRITE_BYTES = 1024
"""Of one write unit."""
TRANSACTED = 2
"""Times that a transaction reads or writes each row: to prepare, and to commit."""

type Row = Mapping[str, Mapping[str, Any]]
"""A row in DynamoDB's own notation."""


def size(row: Row) -> int:
    """Bytes of a row: its names, and its values as DynamoDB counts them."""
    return sum(len(name.encode()) + _value(value) for name, value in row.items())


def _value(value: Mapping[str, Any]) -> int:
    ((kind, held),) = value.items()
    return _MEASURES[kind](held)


def _number(held: str) -> int:
    number = Decimal(held).normalize()
    return math.ceil(len(number.as_tuple().digits) / 2) + 1 + (number < 0)


_MEASURES: Mapping[str, Callable[[Any], int]] = {
    "S": lambda held: len(held.encode()),
    "N": _number,
    "B": len,
    "BOOL": lambda _: 1,
    "NULL": lambda _: 1,
    "L": lambda held: 3 + sum(1 + _value(each) for each in held),
    "M": lambda held: 3 + sum(1 + len(name.encode()) + _value(each) for name, each in held.items()),
    "SS": lambda held: sum(len(each.encode()) for each in held),
    "NS": lambda held: sum(map(_number, held)),
    "BS": lambda held: sum(map(len, held)),
}


def read_units(bytes_read: int) -> int:
    """Of a strongly consistent read; of nothing as well, one."""
    return max(1, math.ceil(bytes_read / READ_BYTES))


def write_units(before: Row | None, after: Row | None) -> int:
    """Of a write that is no part of a transaction: the larger of what was there and what is there."""
    return max(1, *(math.ceil(size(each) / WRITE_BYTES) for each in (before or {}, after or {})))


@dataclass
class Bill:
    """What was called, and what it consumes."""

    calls: Counter[str] = field(default_factory=Counter)
    """By operation, such as `dynamodb.Query`."""
    reads: int = 0
    writes: int = 0
    keys: Counter[str] = field(default_factory=Counter)
    """Write units by the kind of partition, such as `kb`: what is in front of a key's first `_` or `/`."""

    @property
    def round_trips(self) -> int:
        """Calls to DynamoDB."""
        return sum(many for name, many in self.calls.items() if name.startswith("dynamodb."))

    @property
    def objects(self) -> int:
        """Calls to S3."""
        return sum(many for name, many in self.calls.items() if name.startswith("s3."))


class Watching:
    """Bills the calls of every client that boto3 makes after `watched` began."""

    def __init__(self, silent: Any) -> None:
        self._silent, self._lock = silent, threading.Lock()
        self._bill: Bill | None = None

    @contextmanager
    def billing(self) -> Iterator[Bill]:
        """A bill of what is done within; what is done between bills is on none."""
        self._bill = Bill()
        yield self._bill
        self._bill = None

    def note(self, call: str) -> None:
        """Put a call of another kind on the bill."""
        with self._lock:
            if self._bill is not None:
                self._bill.calls[call] += 1

    def before(self, params: dict[str, Any], model: Any, context: dict[str, Any], **_: object) -> None:
        """Note what is asked, and the rows that it will change as they are."""
        if self._bill is None:
            return
        context["asked"], context["bill"] = params, self._bill
        context["rows"] = [(part, self._row(part)) for part in _written(model.name, params)]

    def after(self, parsed: dict[str, Any], model: Any, context: dict[str, Any], **_: object) -> None:
        """Bill what was done."""
        if "asked" not in context:
            return
        asked, bill, name = context["asked"], context["bill"], model.name
        service = model.service_model.service_name
        reads = 0 if service != "dynamodb" else self._reads(name, asked, parsed)
        times = TRANSACTED if name == "TransactWriteItems" else 1
        written = [(_kind(part["Key"]), times * write_units(row, self._row(part))) for part, row in context["rows"]]
        with self._lock:
            bill.calls[f"{service}.{name}"] += 1
            bill.reads += reads
            for kind, units in written:
                bill.writes += units
                bill.keys[kind] += units

    def _reads(self, name: str, asked: Mapping[str, Any], parsed: Mapping[str, Any]) -> int:
        match name:
            case "GetItem":
                return read_units(size(parsed.get("Item", {})))
            case "BatchGetItem":
                found = sum(read_units(size(row)) for rows in parsed["Responses"].values() for row in rows)
                keys = sum(len(each["Keys"]) for each in asked["RequestItems"].values())
                return found + keys - sum(len(rows) for rows in parsed["Responses"].values())
            case "Query":
                # A projection or a filter makes the answer smaller, and the bill not.
                whole = {key: each for key, each in asked.items() if key not in _NARROWING}
                return read_units(sum(size(row) for row in self._silent.query(**whole)["Items"]))
        return 0

    def _row(self, part: Mapping[str, Any]) -> Row | None:
        found: Row | None = self._silent.get_item(**part, ConsistentRead=True).get("Item")
        return found


_NARROWING = frozenset({"ProjectionExpression", "FilterExpression", "ExpressionAttributeNames"})


def _written(operation: str, asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Table and key of each row that a call writes, or holds in place while it does."""
    match operation:
        case "TransactWriteItems":
            for each in asked["TransactItems"]:
                ((_, part),) = each.items()
                yield _place(part)
        case "PutItem" | "UpdateItem" | "DeleteItem":
            yield _place(asked)


def _place(part: Mapping[str, Any]) -> dict[str, Any]:
    row = part.get("Item") or part["Key"]
    return {"TableName": part["TableName"], "Key": {name: row[name] for name in ("pk", "sk") if name in row}}


def _kind(key: Row) -> str:
    return str(key["pk"]["S"]).partition("/")[0].partition("_")[0].partition("#")[0]


@contextmanager
def watched() -> Iterator[Watching]:
    """Watch the clients that boto3 makes within; the watcher's own looks are not billed."""
    import boto3

    boto3.setup_default_session()
    watching = Watching(boto3.client("dynamodb"))
    session: Any = boto3.DEFAULT_SESSION
    for service in ("dynamodb", "s3"):
        session.events.register(f"before-parameter-build.{service}", watching.before)
        session.events.register(f"after-call.{service}", watching.after)
    try:
        yield watching
    finally:
        boto3.setup_default_session()
