"""From a thread to an asynchronous stream."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from chalicelib.api.stream.chunks import KEEP_ALIVE
from chalicelib.api.stream.pump import Bell, Pump


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    """Threads that end with the test."""
    with ThreadPoolExecutor(4) as made:
        yield made


@pytest.mark.promise("N4")
def test_every_piece_leaves_before_the_next_is_made(executor: ThreadPoolExecutor) -> None:
    taken = [threading.Event() for _ in range(3)]

    def pieces() -> Iterator[bytes]:
        for number, event in enumerate(taken):
            yield str(number).encode()
            assert event.wait(5)

    async def read() -> list[bytes]:
        pump, arrived = Pump(executor), []
        await pump.start(pieces)
        async for piece in pump.stream():
            arrived.append(piece)
            taken[len(arrived) - 1].set()
        return arrived

    assert asyncio.run(read()) == [b"0", b"1", b"2"]


@pytest.mark.promise("N4")
def test_a_fault_before_the_first_piece_is_raised_to_whoever_starts(executor: ThreadPoolExecutor) -> None:
    def pieces() -> Iterator[bytes]:
        raise LookupError("no page")
        yield b""

    async def start() -> None:
        await Pump(executor).start(pieces)

    with pytest.raises(LookupError, match="no page"):
        asyncio.run(start())


@pytest.mark.promise("N4")
def test_silence_is_filled_with_comments(executor: ThreadPoolExecutor) -> None:
    enough = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield b"first"
        assert enough.wait(5)
        yield b"last"

    async def read() -> list[bytes]:
        pump, arrived = Pump(executor, patience_s=0.02), []
        await pump.start(pieces)
        async for piece in pump.stream():
            arrived.append(piece)
            if arrived.count(KEEP_ALIVE) == 2:
                enough.set()
        return arrived

    arrived = asyncio.run(read())
    assert arrived[0] == b"first"
    assert arrived[-1] == b"last"
    assert arrived.count(KEEP_ALIVE) >= 2


@pytest.mark.promise("N4")
def test_a_stream_that_speaks_now_and_then_is_not_interrupted_and_one_that_was_left_is_forgotten(
    executor: ThreadPoolExecutor,
) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(10):
            yield b"."
            threading.Event().wait(0.06)

    async def read() -> tuple[bytes, int]:
        pump = Pump(executor, patience_s=0.5)
        await pump.start(pieces)
        arrived = b"".join([piece async for piece in pump.stream()])
        left = Pump(executor, patience_s=0.01)
        await left.start(pieces)
        stream = left.stream()
        await anext(stream)
        left.leave()
        await asyncio.sleep(0.05)
        return arrived, sum(not each.cancelled() for each in asyncio.get_running_loop()._scheduled)  # type: ignore[attr-defined]

    assert asyncio.run(read()) == (b"." * 10, 0)


@pytest.mark.promise("N4")
def test_the_loop_is_called_once_for_all_that_came_while_it_was_busy() -> None:
    """A call costs a system call, and the interpreter's lock, which all streams share."""

    class Counting(asyncio.SelectorEventLoop):
        calls = 0

        def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
            self.calls += 1
            return super().call_soon_threadsafe(callback, *args, context=context)

    streams, many = 20, 50
    threads = ThreadPoolExecutor(streams)
    go, made = threading.Event(), threading.Semaphore(0)

    def pieces() -> Iterator[bytes]:
        yield b"0"
        assert go.wait(5)
        yield from (b"1" for _ in range(many))
        made.release()
        yield b"2"

    async def read(pump: Pump) -> bytes:
        return b"".join([piece async for piece in pump.stream()])

    async def run() -> tuple[int, list[bytes]]:
        bell, loop = Bell(), asyncio.get_running_loop()
        assert isinstance(loop, Counting)
        pumps = [Pump(threads, bell) for _ in range(streams)]
        for each in pumps:
            await each.start(pieces)
        reading = [asyncio.ensure_future(read(each)) for each in pumps]
        await asyncio.sleep(0.01)
        before = loop.calls
        go.set()
        for _ in range(streams):  # the loop is busy meanwhile
            assert made.acquire(timeout=5)
        return loop.calls - before, await asyncio.gather(*reading)

    with asyncio.Runner(loop_factory=Counting) as runner:
        calls, arrived = runner.run(run())
    threads.shutdown()
    assert calls == 1
    assert arrived == [b"0" + b"1" * many + b"2"] * streams


@pytest.mark.promise("N5")
def test_what_fills_a_stream_learns_that_its_reader_left(executor: ThreadPoolExecutor) -> None:
    left = threading.Event()

    async def read() -> None:
        pump = Pump(executor)

        def pieces() -> Iterator[bytes]:
            yield b"first"
            while not pump.has_left():
                left.wait(0.01)
            left.set()

        await pump.start(pieces)
        stream = pump.stream()
        assert await anext(stream) == b"first"
        assert not pump.has_left()
        pump.leave()

    asyncio.run(read())
    assert left.wait(5)


@pytest.mark.promise("N5", "N6")
def test_whoever_waits_for_the_whole_can_leave_too(executor: ThreadPoolExecutor) -> None:
    async def read() -> str:
        pump, asked = Pump(executor), 0

        def make() -> str:
            while not pump.has_left():
                threading.Event().wait(0.01)
            return "stopped"

        async def is_gone() -> bool:
            nonlocal asked
            asked += 1
            return asked > 1

        return await pump.whole(make, is_gone)

    assert asyncio.run(read()) == "stopped"
