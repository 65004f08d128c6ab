"""Follows what the functions log, as `make up` shows it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_logs import CloudWatchLogsClient

PLATFORM = ("START ", "END ", "REPORT ", "INIT_START ")
"""Lines of the runtime itself; the functions' own lines tell more."""


OVERLAP_MS = 10_000
"""Functions that run side by side write their lines when they are done, so not in order."""

TROUBLE = (" ERROR ", " CRITICAL ")
"""A function that cannot even start logs nothing of its own; the emulator does."""
TURNS = ('"operation"', "Error", "ERROR")
"""Of public answers: a line for each request, and what the server says when it breaks. Not the metrics."""

type Line = tuple[str, str, int, str]


@dataclass
class Followed:
    """The log groups of one stack, from now on."""

    client: "CloudWatchLogsClient"
    prefix: str
    since_ms: int = field(default_factory=lambda: int(time.time() * 1000))
    shown: set[Line] = field(default_factory=set)

    def fresh(self) -> Iterator[str]:
        """Lines that were not shown yet, oldest first within each function."""
        groups = self.client.describe_log_groups(logGroupNamePrefix=self.prefix)["logGroups"]
        lines = [line for group in groups for line in self._lines(group["logGroupName"])]
        for line in lines:
            if line not in self.shown and not line[3].startswith(PLATFORM):
                name = line[0].removeprefix(self.prefix)
                yield from (f"{name:8}{text}" for text in line[3].splitlines() if text.strip())
        self.shown = set(lines)
        self.since_ms = max([self.since_ms, *(line[2] - OVERLAP_MS for line in lines)])

    def _lines(self, group: str) -> Iterator[Line]:
        pages = self.client.get_paginator("filter_log_events").paginate(logGroupName=group, startTime=self.since_ms)
        for page in pages:
            for event in page["events"]:
                yield group, event["logStreamName"], event["timestamp"], event["message"]


@dataclass
class Picked:
    """Lines of a file that have one of some words: of the emulator, what goes wrong in it, for instance."""

    log: Path
    label: str
    words: tuple[str, ...]
    read: int = 0

    def fresh(self) -> Iterator[str]:
        """Such lines since the last look."""
        with self.log.open(errors="replace") as file:
            file.seek(self.read)
            lines = file.readlines()
            self.read = file.tell()
        yield from (f"{self.label:8}{line.rstrip()}" for line in lines if any(word in line for word in self.words))
