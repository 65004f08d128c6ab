"""The emulator as a process: started in a session of its own, ended for certain."""

import os
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from infra.local.locks import Lock
from infra.local.places import HOST, ROOT, PlaceError, Places

READY_S = 30.0
STOP_S = 20.0
TAIL_LINES = 15


class EmulationError(Exception):
    """The emulator did not start; the message has its last words."""


@dataclass
class Emulation:
    """A running emulator that this process started."""

    places: Places
    port: int
    process: subprocess.Popen[bytes]

    @property
    def endpoint_url(self) -> str:
        """Where every service answers."""
        return f"http://{HOST}:{self.port}"

    def alive(self) -> bool:
        """Whether it still runs."""
        return self.process.poll() is None

    def checkpoint(self) -> None:
        """Have it write its state now."""
        if self.alive():
            self.process.send_signal(signal.SIGUSR1)

    def stop(self) -> None:
        """End it and its workers; data are written first."""
        with _undisturbed():
            end(self.process.pid, self.alive)
            self.process.wait()
        shutil.rmtree(self.places.temporary, ignore_errors=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A second Ctrl-C must not cut short the writing of data that the first one asked for."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def start(places: Places, *, persist: bool) -> Emulation:
    """Start the emulator and wait until it answers."""
    if not places.python.exists():
        raise PlaceError(f"{places.python} is missing: run `make up` or `make venv-cloud` once.")
    port = places.port()
    shutil.rmtree(places.temporary, ignore_errors=True)
    for folder in (places.temporary, places.data):
        folder.mkdir(parents=True, exist_ok=True)
    # What is kept here is knowledge; nobody else on this machine is to read it.
    places.home.chmod(0o700)
    with places.log.open("wb") as log:
        process = subprocess.Popen(
            [str(places.python), "-m", "infra.local.emulator"],
            cwd=ROOT,
            env=places.emulator_environment(port, persist=persist),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=0o077,
        )
    emulation = Emulation(places, port, process)
    try:
        _wait_until_ready(emulation)
    except BaseException:
        emulation.stop()
        raise
    return emulation


def _wait_until_ready(emulation: Emulation) -> None:
    deadline = time.monotonic() + READY_S
    health = f"{emulation.endpoint_url}/_ministack/health"
    while time.monotonic() < deadline:
        if not emulation.alive():
            raise EmulationError(f"The laptop cloud ended at once:\n{tail(emulation.places.log)}")
        try:
            with urllib.request.urlopen(health, timeout=5):  # noqa: S310 - an address made here
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.02)
    raise EmulationError(f"The laptop cloud did not answer within {READY_S:.0f} s:\n{tail(emulation.places.log)}")


def tail(log: Path) -> str:
    """The last lines of a log."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-TAIL_LINES:])


def running(places: Places) -> int | None:
    """Process id of the emulator that uses these places, if one lives."""
    return Lock(places.home / "cloud.lock").holder()


def ask_to_end(pid: int) -> None:
    """Send the polite signal; a process that is gone already needs none."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)


def end_orphan(places: Places) -> None:
    """End an emulator that another process started, if one uses these places."""
    pid = running(places)
    if pid is not None:
        end(pid, lambda: running(places) == pid)
    shutil.rmtree(places.temporary, ignore_errors=True)


def end(pid: int, lives: Callable[[], bool]) -> None:
    """Ask the process to end, insist after a while, and leave nothing of its group behind."""
    ask_to_end(pid)
    deadline = time.monotonic() + STOP_S
    while lives() and time.monotonic() < deadline:
        time.sleep(0.02)
    # The emulator leads a group of its own; workers that outlive it are in the middle of a call.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
