"""The sandbox: a child process without credentials, network or files, watched by its parent."""

import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from chalicelib.domain import errors
from chalicelib.domain.errors import DocumentTooLarge, DocumentUnreadable, ExtractionTimeout, KnownError
from chalicelib.domain.watching import Meter
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.limits import MIB, Limits
from chalicelib.ingest.ports import Progress

_BEGIN = "import json,sys; sys.path[:] = json.loads(sys.argv.pop(1)); from chalicelib.ingest.child import main; main()"
_LINE = 64 * 1024
_ESCAPES = 6
"""JSON writes one byte of text as up to so many."""
_GRACE_S = 2.0
"""The child's own limit on processor time comes first where it can."""

_ERRORS: Mapping[str, type[KnownError]] = {
    each.code: each
    for each in (
        errors.DocumentEmpty,
        errors.DocumentEncrypted,
        errors.DocumentHasNoText,
        errors.DocumentTooLarge,
        errors.DocumentUnreadable,
        errors.UndecodableText,
        errors.UnsupportedFormat,
    )
}


@dataclass(frozen=True, slots=True)
class ChildSandbox:
    """The port `Sandbox` on a process for each file."""

    limits: Limits
    meter: Meter
    environment: Mapping[str, str] = field(default_factory=dict)
    """What the interpreter itself needs to start."""

    def extract(self, extension: str, content: bytes, progress: Progress) -> Extraction:
        """The file as Markdown, or the known error that the child, its limits or its end mean."""
        child = _start(json.dumps({"extension": extension, "limits": asdict(self.limits)}), self.environment)
        feeder = threading.Thread(target=_feed, args=(child, content), daemon=True)
        feeder.start()
        try:
            last: Mapping[str, Any] = {}
            for line in _lines(child, self.limits):
                last = line
                if "progress" in line:
                    progress(*line["progress"])
        finally:
            _end(child)
            feeder.join()
        if "done" in last:
            return Extraction(**last["done"])
        raise self._failure(last, child.returncode)

    def _failure(self, last: Mapping[str, Any], status: int) -> KnownError:
        if last.get("fault"):
            self.meter.count("extraction_fault", fault=str(last["fault"])[:100])
        if "error" in last:
            return _ERRORS[last["error"]](**last["facts"])
        if status == -signal.SIGXCPU:
            return ExtractionTimeout(seconds=self.limits.seconds)
        self.meter.count("extraction_died", status=str(status))
        if status in {-signal.SIGKILL, -signal.SIGABRT, 1}:
            # Ended by the system for want of memory, or a library that could not get any.
            return DocumentTooLarge(what="MiB of memory", limit=self.limits.memory_bytes // MIB)
        return DocumentUnreadable()


def _start(order: str, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    path = json.dumps([each for each in sys.path if each])
    return subprocess.Popen(  # noqa: S603 - our own interpreter on our own code
        [sys.executable, "-I", "-S", "-B", "-c", _BEGIN, path, order],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(environment),
        cwd="/",
        start_new_session=True,
    )


def _feed(child: "subprocess.Popen[bytes]", content: bytes) -> None:
    with suppress(BrokenPipeError):  # The child may have had enough.
        child.stdin.write(content)  # type: ignore[union-attr]
    with suppress(BrokenPipeError):
        child.stdin.close()  # type: ignore[union-attr]


def _lines(child: "subprocess.Popen[bytes]", limits: Limits) -> Iterator[Mapping[str, Any]]:
    """What the child says, line by line, until it ends or has had its time.

    Raises ExtractionTimeout, DocumentTooLarge.
    """
    deadline = time.monotonic() + limits.seconds + _GRACE_S
    room = limits.output_bytes * _ESCAPES + limits.pages * 64 + 16 * _LINE
    pending = b""
    stream = child.stdout
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)  # type: ignore[arg-type]
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise ExtractionTimeout(seconds=limits.seconds)
            chunk = os.read(stream.fileno(), _LINE)  # type: ignore[union-attr]
            if not chunk:
                break
            room -= len(chunk)
            if room < 0:
                raise DocumentTooLarge(what="bytes of text", limit=limits.output_bytes)
            *whole, pending = (pending + chunk).split(b"\n")
            yield from map(json.loads, whole)
    child.wait(timeout=_GRACE_S)


def _end(child: "subprocess.Popen[bytes]") -> None:
    """Leave no process of it behind."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()  # type: ignore[union-attr]
