"""The stream door's own cost: a scripted answer through it, and through the AI SDK's Node server beside it.

`python -m tests.bench.answers_door serve PACE_MS` serves; without arguments it measures. Both servers are given the
same chunks, at once or at a model's pace; what is compared is processor time of the server per event, less what the
script's own waiting takes, which is the model's business: a thread that sleeps here, a timer there.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from chalicelib.answers.asking import Asked
from chalicelib.answers.parts import Began, Finished, Part, Progress, Section, Sections, Spoken, Stage, Status
from chalicelib.api.stream import chunks
from tests.clients.chat import PACKAGE
from tests.packages import packages

ROOT = Path(__file__).parents[2]
WORDS = 200
"""Pieces of the spoken answer, so that a turn has more than 200 events."""
SCRIPT: tuple[Part, ...] = (
    Began("conv_1", "turn_1"),
    *(each for stage in Stage for each in (Status(stage), Progress(f"Now {stage}"))),
    *(Spoken(f"word {number} ") for number in range(WORDS)),
    *(Section(f"turn_1-{n}", "text", "body", {"paragraphs": ["Some words of a section. " * 20]}) for n in range(3)),
    Sections(("turn_1-0", "turn_1-1", "turn_1-2"), final=True, language="en"),
    Finished(),
)
EVENTS = sum(1 for _ in chunks.chunks(SCRIPT)) + 1


@dataclass(frozen=True, slots=True)
class Run:
    """What some turns took."""

    cpu_us: float
    """Of the server, per event."""
    seconds: float
    lost: int
    """Events that did not come, or came in another order."""


class Scripted:
    """A turn that follows the script."""

    def __init__(self, pace_s: float) -> None:
        self.pace_s = pace_s

    def __call__(self, _: Asked) -> Iterator[Part]:
        for part in SCRIPT:
            if self.pace_s:
                time.sleep(self.pace_s)
            yield part


def serve(pace_ms: float) -> None:
    """Serve until the one who started it ends."""
    import uvicorn

    from tests.unit.stream.world import Desk, door

    desk = Desk()
    desk.take_turn = Scripted(pace_ms / 1000)  # type: ignore[method-assign, assignment]
    config = uvicorn.Config(door(desk), host="127.0.0.1", port=0, access_log=False, log_level="warning", lifespan="off")
    server = uvicorn.Server(config)
    socket = config.bind_socket()
    print(socket.getsockname()[1], flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    asyncio.run(server.serve(sockets=[socket]))


@contextmanager
def _ours(pace_ms: float) -> Iterator[tuple[int, int]]:
    yield from _started([sys.executable, "-m", "tests.bench.answers_door", "serve", str(pace_ms)], ROOT)


@contextmanager
def _theirs(pace_ms: float) -> Iterator[tuple[int, int]]:
    home = packages(PACKAGE).parent
    shutil.copyfile(Path(__file__).with_name("answers_peer.mjs"), home / "answers_peer.mjs")
    script = json.dumps(list(chunks.chunks(SCRIPT)))
    yield from _started(["node", "answers_peer.mjs", script, str(pace_ms)], home)


def _started(command: list[str], folder: Path) -> Iterator[tuple[int, int]]:
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.pid, int(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _turn(client: httpx.AsyncClient, port: int, expected: list[str]) -> int:
    """Read one stream; returns how many events are missing or out of place."""
    body = {"question": "?", "messages": []}
    came = []
    async with client.stream("POST", f"http://127.0.0.1:{port}/pages/page_1/turns", json=body) as response:
        async for line in response.aiter_lines():
            came.extend([line] if line.startswith("data: ") else [])
    kinds = [each[6:] if each.endswith("[DONE]") else _kind(json.loads(each[6:])) for each in came]
    return sum(1 for one, other in zip(kinds, expected, strict=False) if one != other) + abs(len(kinds) - len(expected))


def _kind(chunk: Mapping[str, Any]) -> str:
    return f"{chunk['type']} {chunk.get('delta', '')}"


async def _turns(pid: int, port: int, turns: int, at_once: int) -> Run:
    expected = [*map(_kind, chunks.chunks(SCRIPT)), "[DONE]"]
    limits = httpx.Limits(max_connections=at_once)
    async with httpx.AsyncClient(limits=limits, timeout=120) as client:
        for _ in range(3):
            await _turn(client, port, expected)
        begun, before = time.monotonic(), _cpu_s(pid)
        lost = await asyncio.gather(*(_turn(client, port, expected) for _ in range(turns)))
        cpu = _cpu_s(pid) - before
    return Run(cpu / (turns * EVENTS) * 1e6, time.monotonic() - begun, sum(lost))


WAITING = {
    "Acervo": """
import sys, threading, time
turns, events, pace = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 1000
def turn():
    for _ in range(events): time.sleep(pace)
threads = [threading.Thread(target=turn) for _ in range(turns)]
begun = time.process_time()
for each in threads: each.start()
for each in threads: each.join()
print((time.process_time() - begun) / turns / events * 1e6)
""",
    "AI SDK on Node": """
import { setTimeout as after } from "node:timers/promises";
const [turns, events, pace] = process.argv.slice(-3).map(Number);
const turn = async () => { for (let n = 0; n < events; n++) await after(pace); };
const before = process.cpuUsage();
await Promise.all(Array.from({ length: turns }, turn));
const { user, system } = process.cpuUsage(before);
console.log((user + system) / turns / events);
""",
}


def _waiting_us(name: str, turns: int, pace_ms: float) -> float:
    """Processor time of the script's waiting alone, per event."""
    if not pace_ms:
        return 0.0
    program = [sys.executable, "-c"] if name == "Acervo" else ["node", "--input-type=module", "-e"]
    given = [str(turns), str(EVENTS), str(pace_ms)]
    tail = given if name == "Acervo" else ["--", *given]
    done = subprocess.run([*program, WAITING[name], *tail], capture_output=True, text=True, check=True)
    return float(done.stdout)


def measure(turns: int = 200, at_once: int = 200) -> None:
    """Print what each takes."""
    print(f"{turns} turns of {EVENTS} events, {at_once} at once; processor time of the server per event")
    for pace_ms in (0.0, 5.0):
        runs = {}
        for name, started in (("Acervo", _ours), ("AI SDK on Node", _theirs)):
            with started(pace_ms) as (pid, port):
                run = asyncio.run(_turns(pid, port, turns, at_once))
            runs[name] = replace(run, cpu_us=run.cpu_us - _waiting_us(name, turns, pace_ms))
        pace = f"an event each {pace_ms:.0f} ms" if pace_ms else "as fast as it goes"
        for name, run in runs.items():
            print(f"  {pace:22}{name:16}{run.cpu_us:7.1f} µs, {run.lost} lost or misplaced, {run.seconds:.1f} s")
        ours, theirs = runs.values()
        print(f"  {'':22}ratio {ours.cpu_us / theirs.cpu_us:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(float(sys.argv[2]))
    else:
        measure()
