"""From a thread to an asynchronous stream."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from chalicelib.api.stream.chunks import KEEP_ALIVE
from chalicelib.api.stream.pump import Pump


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
