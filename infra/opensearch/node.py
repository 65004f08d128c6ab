"""One node: started as somebody harmless, ready when this says so, ended for certain.

Between caller and server stands a keeper (`keeper.py`), which ends the server when the caller ends, in whatever way.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from infra.local.locks import Lock
from infra.opensearch import machine
from infra.opensearch.distribution import distribution
from infra.opensearch.machine import CannotRun, User

HOST = "127.0.0.1"
READY_S = 90.0
STOP_S = 30.0
_ROOT = Path(__file__).resolve().parents[2]
_CONFIG = Path(__file__).with_name("config")
_TAIL = 15
_ADDRESS = re.compile(r"HttpServerTransport\].* publish_address \{[^}]*:(\d+)\}")
_STARTED = re.compile(r"\[o\.o\.n\.Node\s*\].* started\b")


@dataclass(frozen=True, slots=True)
class Node:
    """A running server."""

    url: str
    data: Path
    """The files of its indexes."""
    log: Path
    keeper: subprocess.Popen[bytes] = field(repr=False)

    def wait(self) -> str:
        """Wait until it ends by itself. Returns its last words."""
        self.keeper.wait()
        return tail(self.log.read_text(errors="replace"))


@contextmanager
def running_opensearch(*, port: int = 0, home: Path | None = None, heap: str = "1g") -> Iterator[Node]:
    """Start one node on 127.0.0.1, hand it over, end it.

    `port` 0 takes a free one. Data lie in `home` and stay, or nowhere that outlives this.
    Raises CannotRun, whose message says what to do.
    """
    java, server, user = machine.java(), distribution(), machine.user()
    with _folder(home) as folder:
        _prepare(folder, user)
        with _kept(_command(java, server, folder, port, heap), folder, user, temporary=home is None) as keeper:
            yield Node(f"http://{HOST}:{_ready(folder, keeper)}", folder / "data", folder / "log", keeper)


@contextmanager
def _folder(home: Path | None) -> Iterator[Path]:
    """The folder of a run: a new one that goes with it, or the one that was named, for one run at a time."""
    if home is None:
        folder = Path(tempfile.mkdtemp(prefix="acervo-opensearch-", dir=machine.scratch()))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return
    lock = Lock(home.with_name(f"{home.name}.lock"))
    if not lock.acquire():
        raise CannotRun(f"OpenSearch is up already with these data, in process {lock.holder()}.")
    try:
        yield home
    finally:
        lock.release()


def _prepare(folder: Path, user: User) -> None:
    """Configuration, data and scratch space, as the server's user needs them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(folder / "tmp", ignore_errors=True)
        for name in ("config", "data", "logs", "tmp"):
            (folder / name).mkdir(exist_ok=True)
        for each in _CONFIG.iterdir():
            shutil.copyfile(each, folder / "config" / each.name)
        (folder / "log").write_bytes(b"")
        user.give(folder)
    except OSError as fault:
        raise CannotRun(f"OpenSearch cannot keep its files in {folder}: {fault}") from fault


def _command(java: Path, server: Path, folder: Path, port: int, heap: str) -> list[str]:
    return [
        *(str(java), f"-Xms{heap}", f"-Xmx{heap}", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError"),
        *("-Djava.security.manager=allow", "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8", "-Djna.nosys=true"),
        *("-Dlog4j.shutdownHookEnabled=false", "-Dlog4j2.disable.jmx=true", "-Dlog4j2.formatMsgNoLookups=true"),
        *("-Dio.netty.noUnsafe=true", "-Dio.netty.noKeySetOptimization=true"),
        *("-Dio.netty.recycler.maxCapacityPerThread=0", "-Dopensearch.networkaddress.cache.ttl=60"),
        f"-Djava.io.tmpdir={folder / 'tmp'}",
        *(f"-Dopensearch.path.home={server}", f"-Dopensearch.path.conf={folder / 'config'}"),
        *("-Dopensearch.distribution.type=tar", "-Dopensearch.bundled_jdk=false"),
        *("-cp", f"{server}/lib/*", "org.opensearch.bootstrap.OpenSearch"),
        *(f"-Epath.data={folder / 'data'}", f"-Epath.logs={folder / 'logs'}"),
        *(f"-Ehttp.port={port}", "-Etransport.port=0"),
    ]


@contextmanager
def _kept(command: list[str], folder: Path, user: User, *, temporary: bool) -> Iterator[subprocess.Popen[bytes]]:
    """The keeper of a server, which ends with it."""
    given = [str(folder), user.name, "temporary" if temporary else "persistent"]
    environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TZ") if name in os.environ}
    keeper = subprocess.Popen(
        [sys.executable, "-m", "infra.opensearch.keeper", *given, *command],
        cwd=_ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield keeper
    finally:
        assert keeper.stdin is not None  # noqa: S101 - as asked for
        keeper.stdin.close()
        try:
            keeper.wait(STOP_S)
        except subprocess.TimeoutExpired:
            keeper.kill()
            keeper.wait()


def _ready(folder: Path, keeper: subprocess.Popen[bytes]) -> int:
    """Wait until the server says that it has started. Returns its port."""
    log = folder / "log"
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        ended = keeper.poll() is not None
        said = log.read_text(errors="replace")
        address = _ADDRESS.search(said)
        if address and _STARTED.search(said):
            return int(address[1])
        if ended:
            raise CannotRun(f"OpenSearch ended at once:\n{tail(said)}")
        time.sleep(0.05)
    raise CannotRun(f"OpenSearch did not start within {READY_S:.0f} s:\n{tail(log.read_text(errors='replace'))}")


def tail(said: str) -> str:
    """The last lines of a log."""
    return "\n".join(said.splitlines()[-_TAIL:])
