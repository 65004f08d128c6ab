"""Writes that happen once: the retry key is written in the same transaction as what it asked for (rule K7).

The row keeps which record the write made and the state it left it in, never a title or a word of content, so that
deletion for good has nothing to look for here.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from chalicelib.adapters.dynamodb.tables import Row, Tables, Write, put
from chalicelib.domain.errors import IdempotencyKeyReused, StoreBusy
from chalicelib.domain.writes import KEPT, Once


class Repeated(Exception):
    """The transaction was sent before and has happened."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a write made, and the state it left it in."""

    record_id: str
    state: Row


def remember(tables: Tables, once: Once, outcome: Outcome) -> Write:
    """The part of a transaction that makes it happen once; an expired row counts as none."""
    row = {
        "pk": _key(once),
        "fingerprint": once.fingerprint,
        "record_id": outcome.record_id,
        "state": {name: value for name, value in outcome.state.items() if value is not None},
        "expires_at": _seconds(once.expires_at),
    }
    condition = "attribute_not_exists(pk) OR expires_at <= :now"
    values = {":now": _seconds(once.expires_at - KEPT)}
    return put(tables.ephemeral, row, condition, values, lambda _: Repeated())


def recall(tables: Tables, once: Once) -> Outcome | None:
    """What the write made before, or None.

    Raises:
        IdempotencyKeyReused: the key came with another request.
    """
    row = tables.get(tables.ephemeral, {"pk": _key(once)})
    if row is None or row["expires_at"] <= _seconds(once.expires_at - KEPT):
        return None
    if row["fingerprint"] != once.fingerprint:
        raise IdempotencyKeyReused
    return Outcome(row["record_id"], row["state"])


def transact_once[R](
    tables: Tables,
    writes: Sequence[Write],
    once: tuple[Once | None, Outcome],
    result: R,
    replayed: Callable[[Once], R | None],
) -> R:
    """All of the writes, or none, and once. `once` is the retry key, if there is one, and what to keep of the result.

    Returns the result, or what `replayed` gives if this was sent before. Raises StoreBusy if it gives nothing, and
    whatever the writes refuse.
    """
    key, outcome = once
    if key is None:
        tables.transact(writes)
        return result
    try:
        # The retry key first: a repeat is a repeat, whatever became of the record since.
        tables.transact([remember(tables, key, outcome), *writes])
    except Repeated:
        seen = replayed(key)
        if seen is None:
            raise StoreBusy from None
        return seen
    return result


def _key(once: Once) -> str:
    return f"once#{hashlib.sha256(once.key.encode()).hexdigest()}"


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
