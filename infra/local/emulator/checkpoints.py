"""Mend: data that survive a kill, not only a clean stop.

ministack keeps its tables in memory and writes them when it is asked to end. Here they are also
written while it runs: some seconds after a change, less often the longer a write takes, and at
once on SIGUSR1 (which `make up` sends when it has deployed).
"""
# ruff: noqa: SLF001, ANN401 - these are the insides of an untyped program, mended on purpose

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

INTERVAL_S = 5.0
REST = 20.0
"""A write that took one second is followed by at least this many seconds without one."""


class Checkpoints:
    """Writes the state of all services when tables have changed."""

    def __init__(self, app: Any, save_all: Callable[[dict[str, Callable[[], Any]]], None]) -> None:
        """Take ministack's application module and its way of writing."""
        self.app = app
        self.save_all = save_all
        self.asked = threading.Event()
        self.changes = 0
        self._writing = threading.Lock()
        self._closed = False

    def run(self) -> None:
        """Write again and again, for as long as the process lives."""
        written, pause = 0, INTERVAL_S
        while not self._closed:
            asked = self.asked.wait(pause)
            self.asked.clear()
            if not asked and self.changes == written:
                continue
            written, started = self.changes, time.monotonic()
            self.write()
            pause = max(INTERVAL_S, REST * (time.monotonic() - started))

    def write(self) -> None:
        """Collect on the event loop, where no request is half done; write beside it."""
        loop = self.app._MAIN_LOOP
        if loop is None or self._closed:
            return
        states = asyncio.run_coroutine_threadsafe(self._collect(), loop).result()
        with self._writing:
            if not self._closed:
                self.save_all({name: partial(_same, state) for name, state in states.items()})

    async def _collect(self) -> dict[str, Any]:
        return {name: get_state() for name, get_state in self.app._build_persistence_save_dict().items()}

    def last(self, services: dict[str, Callable[[], Any]]) -> None:
        """The write at the end: nothing older may follow it."""
        self._closed = True
        with self._writing:
            self.save_all(services)


def _same(state: Any) -> Any:
    return state


def mend() -> None:
    """Count changes, listen for the signal, start writing."""
    app: Any = import_module("ministack.app")
    tables: Any = import_module("ministack.services.dynamodb")
    persistence: Any = import_module("ministack.core.persistence")
    if not persistence.PERSIST_STATE:
        return
    checkpoints = Checkpoints(app, app.save_all)
    original = tables._emit_stream_event

    def counted(*args: Any, **kwargs: Any) -> Any:
        checkpoints.changes += 1
        return original(*args, **kwargs)

    tables._emit_stream_event = counted
    app.save_all = checkpoints.last
    signal.signal(signal.SIGUSR1, lambda *_: checkpoints.asked.set())
    threading.Thread(target=checkpoints.run, name="acervo-checkpoints", daemon=True).start()
