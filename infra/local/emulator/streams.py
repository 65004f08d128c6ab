"""Mend: table streams that behave as Lambda's do.

ministack reads streams for all functions in one thread, takes every answer for a success, tries
errors for ever, and forgets the changes that nobody has read when it stops, while it remembers
how far each reader was - so after a restart readers wait for numbers that never come. Here each
mapping has its own thread, `verdicts` decides, and unread changes survive.
"""
# ruff: noqa: SLF001, ANN401 - these are the insides of an untyped program, mended on purpose

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from infra.local.emulator.verdicts import Progress, Rules, Verdict, failed, first_failed, succeeded, width

UNREAD = "acervo_unread_changes"


class Followers:
    """Hands the changes of tables to the functions that follow them."""

    def __init__(self, functions: Any, tables: Any) -> None:
        """Take ministack's Lambda and DynamoDB modules."""
        self.functions = functions
        self.tables = tables
        self.progress: dict[str, Progress] = {}

    def poll(self) -> bool:
        """Wake the follower of every mapping that has something to read; ministack's poll loop calls this."""
        woken = False
        for account, region, mapping in self.functions._iter_all_esms():
            uuid = mapping["UUID"]
            if self.functions._esm_inflight.get(uuid) or not mapping.get("Enabled", True):
                continue
            with self._scope(account, region):
                waiting = self._unread(mapping, 1)
            if waiting:
                self.functions._dispatch_esm_batch(uuid, self.follow, account, region, mapping)
                woken = True
        return woken

    def follow(self, account: str, region: str, mapping: dict[str, Any]) -> None:
        """Work until nothing is left to read."""
        with self._scope(account, region):
            while self._step(mapping):
                pass

    def _step(self, mapping: dict[str, Any]) -> bool:
        uuid = mapping["UUID"]
        rules, progress = rules_of(mapping), self.progress.get(uuid, Progress())
        function, _ = self.functions._get_func_record_for_qualifier(mapping["FunctionName"], mapping.get("Qualifier"))
        batch = self._unread(mapping, width(rules, progress))
        if not batch or function is None or self.functions._esms.get(uuid) is None:
            return False
        verdict = self._hand_over(mapping, function, batch, rules, progress)
        self.progress[uuid] = verdict.progress
        with self.functions._dynamodb_stream_positions_lock:
            self.functions._dynamodb_stream_positions[uuid] = self._position(mapping) + verdict.advance
        time.sleep(verdict.pause_s)
        return True

    def _hand_over(
        self, mapping: dict[str, Any], function: Any, batch: list[Any], rules: Rules, progress: Progress
    ) -> Verdict:
        wanted = self.functions._apply_filter_criteria(batch, mapping)
        if not wanted:
            return succeeded(len(batch))
        answer = self.functions._execute_function(function, {"Records": wanted})
        if log := answer.get("log"):
            self.functions.logger.info("%s:\n%s", mapping["FunctionName"], log)
        numbers = [record["dynamodb"]["SequenceNumber"] for record in batch]
        place = 0 if answer.get("error") else first_failed(numbers, reported(answer, rules))
        if place is None:
            return succeeded(len(batch))
        verdict = failed(len(batch), place, rules, progress)
        if verdict.dead:
            self.functions._send_ddb_stream_failure_record(
                mapping, function, wanted, mapping["EventSourceArn"], answer, "RetryAttemptsExhausted"
            )
        return verdict

    def _unread(self, mapping: dict[str, Any], limit: int) -> list[Any]:
        table = self._table(mapping)
        return list(self.tables.stream_records_since(table, self._position(mapping), limit)) if table else []

    def _position(self, mapping: dict[str, Any]) -> int:
        table = self._table(mapping)
        horizon: int = self.tables.stream_start_position(table)
        start = horizon if mapping.get("StartingPosition") == "TRIM_HORIZON" else self.tables.stream_end_position(table)
        known: int = self.functions._dynamodb_stream_positions.setdefault(mapping["UUID"], start)
        return max(known, horizon)

    def _table(self, mapping: dict[str, Any]) -> str | None:
        source = mapping.get("EventSourceArn", "")
        if ":dynamodb:" not in source or "/stream/" not in source:
            return None
        name: str = source.split("/stream/")[0].split("/")[-1]
        table = self.tables._tables.get(name)
        return name if table and table.get("LatestStreamArn") == source else None

    @contextmanager
    def _scope(self, account: str, region: str) -> Iterator[None]:
        tokens = self.functions._request_account_id.set(account), self.functions._request_region.set(region)
        try:
            yield
        finally:
            self.functions._request_account_id.reset(tokens[0])
            self.functions._request_region.reset(tokens[1])


def rules_of(mapping: dict[str, Any]) -> Rules:
    """Read a mapping's settings as ministack keeps them."""
    return Rules(
        batch_size=int(mapping.get("BatchSize") or 100),
        retries=int(mapping.get("MaximumRetryAttempts", -1)),
        bisect=str(mapping.get("BisectBatchOnFunctionError", False)).lower() == "true",
        partial="ReportBatchItemFailures" in (mapping.get("FunctionResponseTypes") or []),
    )


def reported(answer: dict[str, Any], rules: Rules) -> list[str]:
    """The sequence numbers that a function reports as failed."""
    body = answer.get("body")
    if not rules.partial or not isinstance(body, dict):
        return []
    return [str(failure.get("itemIdentifier")) for failure in body.get("batchItemFailures") or []]


def remember(functions: Any, tables: Any) -> Callable[[], Any]:
    """Table state that includes the changes which some follower has not read."""
    original = tables.get_state

    def get_state() -> Any:
        return {**original(), UNREAD: unread_changes(functions, tables)}

    return get_state


def unread_changes(functions: Any, tables: Any) -> list[list[Any]]:
    """For each table: how many changes are behind all its followers, and the rest in full."""
    slowest: dict[tuple[str, str, str], int] = {}
    for account, region, mapping in functions._iter_all_esms():
        source = mapping.get("EventSourceArn", "")
        position = functions._dynamodb_stream_positions.get_scoped(account, region, mapping["UUID"])
        if "/stream/" in source and position is not None:
            table = (account, region, source.split("/stream/")[0].split("/")[-1])
            slowest[table] = min(position, slowest.get(table, position))
    return [
        [
            *table,
            position,
            list(tables.stream_records_since(table[2], position, 1 << 31, account_id=table[0], region=table[1])),
        ]
        for table, position in slowest.items()
    ]


def recall(tables: Any) -> Callable[[Any], Any]:
    """Restore table state together with the unread changes."""
    original = tables.load_persisted_state

    def load_persisted_state(state: Any) -> Any:
        for account, region, table, position, records in state.pop(UNREAD, None) or []:
            tables._stream_trimmed.set_scoped(account, region, table, position)
            tables._stream_records.set_scoped(account, region, table, records)
        return original(state)

    return load_persisted_state


def mend() -> None:
    """Replace the reader, and make unread changes part of what is kept."""
    functions: Any = import_module("ministack.services.lambda_svc")
    tables: Any = import_module("ministack.services.dynamodb")
    functions._ESM_IDLE_WAKE_GAP_SECONDS = 0.005
    functions._poll_dynamodb_streams = Followers(functions, tables).poll
    tables.get_state = remember(functions, tables)
    tables.load_persisted_state = recall(tables)
