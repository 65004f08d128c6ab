"""The calls to DynamoDB, with its faults turned into known errors."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.errors import KnowledgeRuntimeDisabled, StoreBusy

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

type Row = dict[str, Any]
type Key = Mapping[str, str]
type Refusal = Callable[[Row | None], Exception]
"""Makes the error for a condition that failed, from the row that is there."""

BATCH = 100
"""Keys of one BatchGetItem, by DynamoDB's limits."""

_TRIES = 6
_BUSY = frozenset(
    {
        "InternalServerError",
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "ThrottlingException",
        "TransactionInProgressException",
    }
)

_serialize = TypeSerializer().serialize
_deserialize = TypeDeserializer().deserialize


def encode(row: Mapping[str, object]) -> dict[str, Any]:
    """A row in DynamoDB's own notation; None is left out."""
    return {name: _serialize(value) for name, value in row.items() if value is not None}


def decode(row: Mapping[str, Any]) -> Row:
    """A row from DynamoDB's own notation; numbers are integers."""
    return {name: _plain(_deserialize(value)) for name, value in row.items()}


def _plain(value: object) -> object:
    if isinstance(value, Decimal):
        return int(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class Write:
    """One part of a transaction, and the error that its failed condition means."""

    part: dict[str, Any]
    """One entry of TransactItems."""
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of a change that had a condition."""

    done: bool
    row: Row | None = None
    """What is there instead, if it was not done."""


class Conflict(Exception):
    """A transaction met another one on the same rows; nothing was written."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The three tables behind one client."""

    client: "DynamoDBClient"
    records: str
    revisions: str
    ephemeral: str
    pause: Callable[[float], None] = time.sleep

    def get(self, table: str, key: Key) -> Row | None:
        """The row, strongly consistent."""
        found = self._call(lambda: self.client.get_item(TableName=table, Key=encode(key), ConsistentRead=True))
        return decode(found["Item"]) if "Item" in found else None

    def batch(self, keys: Sequence[Key], table: str | None = None) -> Iterator[Row]:
        """Those of the rows that exist, strongly consistent, in no order; of `records`, unless another table is named.

        A call per `BATCH` keys.
        """
        table = table or self.records
        for begin in range(0, len(keys), BATCH):
            asked: Any = {
                table: {"Keys": [encode(each) for each in keys[begin : begin + BATCH]], "ConsistentRead": True}
            }
            for attempt in range(_TRIES):
                found = self._batch(asked)
                yield from (decode(each) for each in found["Responses"].get(table, []))
                asked = found.get("UnprocessedKeys")
                if not asked:
                    break
                self._wait(attempt)
            else:
                raise StoreBusy

    def _batch(self, asked: Any) -> Any:  # noqa: ANN401 - botocore's own shapes
        return self._call(lambda: self.client.batch_get_item(RequestItems=asked))

    def query(self, table: str, pk: str, prefix: str = "", **more: object) -> Iterator[Row]:
        """The rows of a partition whose sort key begins with the prefix, strongly consistent, all pages."""
        asked: dict[str, Any] = {
            "TableName": table,
            "ConsistentRead": True,
            "KeyConditionExpression": "pk = :pk AND begins_with(sk, :prefix)" if prefix else "pk = :pk",
            "ExpressionAttributeValues": encode({":pk": pk, ":prefix": prefix or None}),
            **more,
        }
        while True:
            found = self._call(lambda: self.client.query(**asked))
            yield from (decode(each) for each in found["Items"])
            if "LastEvaluatedKey" not in found:
                return
            asked["ExclusiveStartKey"] = found["LastEvaluatedKey"]

    def scan(self, sk: str) -> Iterator[Row]:
        """The rows of `records` with that sort key, all pages, in no order; reads the whole table."""
        asked: dict[str, Any] = {
            "TableName": self.records,
            "FilterExpression": "sk = :sk",
            "ExpressionAttributeValues": encode({":sk": sk}),
        }
        while True:
            found = self._call(lambda: self.client.scan(**asked))
            yield from (decode(each) for each in found["Items"])
            if "LastEvaluatedKey" not in found:
                return
            asked["ExclusiveStartKey"] = found["LastEvaluatedKey"]

    def count(self, table: str, pk: str) -> int:
        """How many rows a partition has."""
        return sum(1 for _ in self.query(table, pk, ProjectionExpression="sk"))

    def page(
        self, table: str, pk: str, prefix: str, stretch: tuple[str | None, int], facts: Sequence[str] = ()
    ) -> tuple[list[Row], bool]:
        """A stretch (after, limit) of the rows whose sort key begins with the prefix, and whether there are more.

        Descending; with only those attributes, if `facts` names some.
        """
        after, limit = stretch
        more: dict[str, Any] = {"ScanIndexForward": False, "Limit": limit + 1}
        if facts:
            names = {f"#{each}": each for each in facts}
            more |= {"ProjectionExpression": ", ".join(names), "ExpressionAttributeNames": names}
        if after is not None:
            more["ExclusiveStartKey"] = encode({"pk": pk, "sk": f"{prefix}{after}"})
        rows: list[Row] = []
        for row in self.query(table, pk, prefix, **more):
            if len(rows) == limit:
                return rows, True
            rows.append(row)
        return rows, False

    def put(self, table: str, row: Row) -> None:
        """Put a row, whatever is there."""
        self._call(lambda: self.client.put_item(TableName=table, Item=encode(row)))

    def delete(self, table: str, key: Key) -> None:
        """Remove a row, if it is there."""
        self._call(lambda: self.client.delete_item(TableName=table, Key=encode(key)))

    def update(self, table: str, key: Key, change: str, values: Mapping[str, object], refusal: Refusal) -> None:
        """Change a row that is there. Raises the refusal if it is not."""
        write = {
            "Key": encode(key),
            "UpdateExpression": change,
            **_conditional(table, "attribute_exists(pk)", values),
        }
        self.transact([Write({"Update": write}, refusal)])

    def add(self, table: str, key: Key, change: str, values: Mapping[str, object], counter: str) -> int:
        """Change a row, there or not; returns what it counts now."""
        asked: Any = {
            "TableName": table,
            "Key": encode(key),
            "UpdateExpression": change,
            "ExpressionAttributeValues": encode(values),
            "ReturnValues": "UPDATED_NEW",
        }
        done = self._call(lambda: self.client.update_item(**asked))
        return int(decode(done["Attributes"])[counter])

    def attempt(self, table: str, key: Key, change: str, condition: str, values: Mapping[str, object]) -> Attempt:
        """Change a row, there or not, if the condition holds for it; one write, without a transaction around it."""
        asked: Any = {
            "Key": encode(key),
            "UpdateExpression": change,
            **_conditional(table, condition, values),
        }
        try:
            self._call(lambda: self.client.update_item(**asked))
        except self.client.exceptions.ConditionalCheckFailedException as fault:
            found: Any = fault.response.get("Item")
            return Attempt(done=False, row=decode(found) if found else None)
        return Attempt(done=True)

    def transact(self, writes: Sequence[Write]) -> None:
        """All of the writes, or none.

        Raises the refusal of the first write whose condition failed; StoreBusy when turned away for load.
        """
        for attempt in range(_TRIES):
            try:
                self._transact(writes)
            except Conflict:
                # DynamoDB turns away transactions that meet on a row before it looks at their conditions.
                # Asked again, it looks, and a lost race becomes the refusal it is.
                self._wait(attempt)
            else:
                return
        raise StoreBusy

    def _transact(self, writes: Sequence[Write]) -> None:
        try:
            parts: Any = [each.part for each in writes]
            self._call(lambda: self.client.transact_write_items(TransactItems=parts))
        except self.client.exceptions.TransactionCanceledException as fault:
            reasons = fault.response.get("CancellationReasons", [])
            for write, reason in zip(writes, reasons, strict=True):
                if reason.get("Code") == "ConditionalCheckFailed":
                    old = reason.get("Item")
                    raise write.refusal(decode(old) if old else None) from None
            codes = {str(each.get("Code")) for each in reasons}
            if "TransactionConflict" in codes or codes & _THROTTLED:
                raise Conflict from None
            raise

    def _call[T](self, call: Callable[[], T]) -> T:
        try:
            return call()
        except ClientError as fault:
            code = fault.response["Error"]["Code"]
            if code in _BUSY:
                raise StoreBusy from fault
            if code == "ResourceNotFoundException":
                raise KnowledgeRuntimeDisabled from fault
            raise
        except BotoCoreError as fault:
            raise StoreBusy from fault

    def _wait(self, attempt: int) -> None:
        # Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
        self.pause(random.uniform(0, 0.02 * 2**attempt))  # noqa: S311 - not a secret


_THROTTLED = frozenset({"ProvisionedThroughputExceeded", "ThrottlingError"})


def put(table: str, row: Row, condition: str, values: Mapping[str, object], refusal: Refusal) -> Write:
    """Put a row if the condition, if there is one, holds for what is there; `#status` and `#role` may be used in it."""
    return Write({"Put": {"Item": encode(row), **_conditional(table, condition, values)}}, refusal)


def new(table: str, row: Row, refusal: Refusal) -> Write:
    """Put a row that is not there yet."""
    return put(table, row, "attribute_not_exists(pk)", {}, refusal)


def delete(table: str, key: Key, condition: str, values: Mapping[str, object], refusal: Refusal) -> Write:
    """Remove a row if the condition holds for what is there."""
    return Write({"Delete": {"Key": encode(key), **_conditional(table, condition, values)}}, refusal)


def check(table: str, key: Key, condition: str, values: Mapping[str, object], refusal: Refusal) -> Write:
    """Write nothing, and let the transaction pass only if the condition holds for what is there."""
    return Write({"ConditionCheck": {"Key": encode(key), **_conditional(table, condition, values)}}, refusal)


def _conditional(table: str, condition: str, values: Mapping[str, object]) -> dict[str, Any]:
    parts: dict[str, Any] = {"TableName": table}
    if condition:
        parts |= {"ConditionExpression": condition, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    if values:
        parts["ExpressionAttributeValues"] = encode(values)
    names = {name: name.removeprefix("#") for name in ("#status", "#role") if name in condition}
    if names:
        parts["ExpressionAttributeNames"] = names
    return parts
