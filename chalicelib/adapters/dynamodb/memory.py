"""Memory records in DynamoDB."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from chalicelib.adapters.dynamodb import lists
from chalicelib.adapters.dynamodb import memory_rows as rows
from chalicelib.adapters.dynamodb.knowledge import UNCHANGED, changed, clash, gone
from chalicelib.adapters.dynamodb.once import Outcome, recall, transact_once
from chalicelib.adapters.dynamodb.tables import Refusal, Row, Tables, new, put
from chalicelib.domain.errors import NotFound
from chalicelib.domain.memory import Memory
from chalicelib.domain.writes import Once, Page


class _Overtaken(Exception):
    """The record is not as it was seen."""


@dataclass(frozen=True, slots=True)
class DynamoMemory:
    """The port `MemoryStore` over the table `records`."""

    tables: Tables

    def memory(self, memory_id: str) -> Memory | None:
        """The record, forgotten or not, or None."""
        row = self.tables.get(self.tables.records, rows.memory_key(memory_id))
        return rows.memory_of(row) if row else None

    def memories(self, memory_ids: Collection[str]) -> dict[str, Memory]:
        """Those of the records that exist, by id, in one batched read."""
        keys = [rows.memory_key(each) for each in dict.fromkeys(memory_ids)]
        return {row["pk"]: rows.memory_of(row) for row in self.tables.batch(keys)}

    def listed(self, space_id: str, after: str | None, limit: int) -> Page[Memory]:
        """The records of a space, newest first, forgotten ones too."""
        return lists.page(self.tables, (space_id, "memory#"), (after, limit), rows.memory_key, rows.memory_of)

    def newest_of(self, user_id: str, limit: int) -> tuple[Memory, ...]:
        """What somebody remembered last, newest first."""
        entries, _ = self.tables.page(self.tables.records, user_id, "remembered#", (None, limit))
        return lists.named(self.tables, entries, rows.memory_key, rows.memory_of)

    def everything(self) -> Iterator[Memory]:
        """Every record. Reads the whole table, and costs as much."""
        return map(rows.memory_of, self.tables.scan("memory"))

    def add_memory(self, memory: Memory, once: Once | None) -> Memory:
        """Write a new record; a repeat returns the first one."""
        if once is not None and (seen := self._replayed(once)):
            return seen
        writes = [new(self.tables.records, each, clash) for each in (rows.memory_row(memory), *_entries(memory))]
        return transact_once(self.tables, writes, (once, Outcome(memory.id, {})), memory, self._replayed)

    def _replayed(self, once: Once) -> Memory | None:
        outcome = recall(self.tables, once)
        return self.memory(outcome.record_id) if outcome else None

    def change_memory(self, before: Memory, after: Memory) -> Memory:
        """Replace a record that still is at `before`'s version."""
        self._replace(before, after, changed(before.version))
        return after

    def keep_until(self, memory: Memory, expires_at: datetime) -> None:
        """Let a record live longer, if it still is as seen. Its version stays: nothing that is searched changes."""
        longer = replace(memory, expires_at=expires_at)
        with suppress(_Overtaken):
            self._replace(memory, longer, lambda _: _Overtaken())

    def _replace(self, before: Memory, after: Memory, refusal: Refusal) -> None:
        records, seen = self.tables.records, {":version": before.version}
        writes = [put(records, rows.memory_row(after), UNCHANGED, seen, refusal)]
        by_space, by_author = _entries(after)
        if before.expires_at != after.expires_at:
            writes.append(put(records, by_space, "attribute_exists(pk)", {}, gone))
        self.tables.transact(writes)
        if before.expires_at != after.expires_at:
            with suppress(NotFound):  # who remembered it for a team may have left for good
                self.tables.transact([put(records, by_author, "attribute_exists(pk)", {}, gone)])


def _entries(memory: Memory) -> tuple[Row, Row]:
    facts = {"listed": memory.id, "ttl": rows.life(memory)["ttl"]}
    by_space = rows.memory_entry(memory.space_id, memory.id)
    return {**by_space, **facts}, {**rows.author_entry(memory.source.user_id, memory.id), **facts}
