"""The child process that parses a file: `main` reads it from standard input and writes JSON lines.

It limits itself before it touches the file: address space, processor time, no files written, no core. Once its
libraries are loaded it gives up the right to open anything: with no descriptor left to be had there is no file and no
network, whatever a parser is talked into. The parent watches the clock and the size of what comes out.
"""

import json
import resource
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

from chalicelib.domain.errors import (
    ContentTooLarge,
    DocumentEmpty,
    DocumentTooLarge,
    DocumentUnreadable,
    KnownError,
)
from chalicelib.domain.text import Canonical
from chalicelib.ingest.extraction import Extraction, bounded
from chalicelib.ingest.extractors import extractor_for
from chalicelib.ingest.limits import MIB, Limits

_LAZY = ("heapq", "fractions", "encodings.cp437", "encodings.latin_1", "encodings.utf_16", "encodings.utf_16_le")
"""What the standard library loads when it is first needed, by then too late."""
_RECURSION = 2000
"""Deeper than any document people make, and too shallow for the stack to run out."""


def main() -> None:
    """Parse the file on standard input; the arguments are the order, as JSON."""
    order = json.loads(sys.argv[1])
    limits = Limits(**order["limits"])
    _confine(limits)
    try:
        content = sys.stdin.buffer.read()
        extract = extractor_for(order["extension"])
        for each in _LAZY:
            import_module(each)
        _close_the_door()
        sys.setrecursionlimit(_RECURSION)
        found = extract(content, limits, _report)
        _say({"done": _as_json(found, limits)})
    except KnownError as error:
        _say({"error": error.code, "facts": dict(error.facts())})
    except MemoryError:
        _say_error(DocumentTooLarge(what="MiB of memory", limit=limits.memory_bytes // MIB))
    except Exception as fault:  # noqa: BLE001 - whatever a parser raises, the file is at fault
        _say_error(DocumentUnreadable(), fault)


def _confine(limits: Limits) -> None:
    with suppress(ValueError, OSError):  # macOS knows no such limit; Linux, which the functions run on, does.
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _close_the_door() -> None:
    """No new descriptors: what is open stays open, and nothing else can be."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _as_json(found: Extraction, limits: Limits) -> Mapping[str, Any]:
    try:
        content = Canonical.of(found.text)
    except ContentTooLarge as error:
        raise DocumentTooLarge(what="bytes of text", limit=error.limit) from None
    if content.size > limits.output_bytes:
        raise DocumentTooLarge(what="bytes of text", limit=limits.output_bytes)
    if not content.text.strip():
        raise DocumentEmpty
    return {
        "text": content.text,
        "extractor": found.extractor,
        "title": found.title,
        "metadata": bounded(found.metadata),
    }


def _report(done: int, total: int) -> None:
    _say({"progress": [done, total]})


def _say_error(error: KnownError, fault: BaseException | None = None) -> None:
    _say({"error": error.code, "facts": dict(error.facts()), "fault": _where(fault) if fault else None})


def _where(fault: BaseException) -> str:
    """The kind of a fault and where it was raised; not its message, which may quote the file."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else ""
    return f"{type(fault).__name__} {place}"


def _say(line: Mapping[str, Any]) -> None:
    # Escaped to ASCII: a title may hold half a surrogate pair.
    sys.stdout.buffer.write(json.dumps(line).encode() + b"\n")
    sys.stdout.buffer.flush()
