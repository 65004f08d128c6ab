"""From a generator in a thread to an asynchronous stream: each piece leaves when it is made (rules N4, N5, N6)."""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field

from chalicelib.api.stream.chunks import KEEP_ALIVE

GLANCE_S = 0.5
"""Between two looks whether somebody waits."""
KEEP_ALIVE_S = 8.0
"""Silence after which a comment is sent; ten seconds is what the protocol promises."""


class Bell:
    """Calls the loop once for the news of all streams: a call costs a system call, and the interpreter's lock."""

    def __init__(self) -> None:
        self._news: deque[Pump] = deque()
        self._rung = False

    def ring(self, pump: "Pump", loop: asyncio.AbstractEventLoop) -> None:
        """Tell the loop of news of a stream. Any thread may; raises RuntimeError if the loop is closed."""
        self._news.append(pump)
        if not self._rung:
            self._rung = True
            loop.call_soon_threadsafe(self._answer)

    def _answer(self) -> None:
        self._rung = False  # first: what comes from now on rings again
        while self._news:
            self._news.popleft().wake()


@dataclass(slots=True, eq=False)
class Pump:
    """Runs one stream."""

    executor: Executor
    bell: Bell = field(default_factory=Bell)
    patience_s: float = KEEP_ALIVE_S
    _left: threading.Event = field(default_factory=threading.Event)
    _made: deque[bytes] = field(default_factory=deque)
    _ended: bool = False
    _fault: BaseException | None = None
    _waiter: "asyncio.Future[bool] | None" = None
    """Whoever waits for a piece, the end or a sign of life; True if there is something to read."""
    _spoke: float = 0.0
    """When something was last sent, by the loop's clock."""
    _timer: asyncio.TimerHandle | None = None
    _called: bool = False
    """Whether the bell has been rung, and not been answered yet."""

    def has_left(self) -> bool:
        """Whether nobody reads any more. Any thread may ask."""
        return self._left.is_set()

    def leave(self) -> None:
        """Nobody reads any more."""
        self._left.set()

    async def start(self, pieces: Callable[[], Iterator[bytes]]) -> None:
        """Run the generator up to its first piece. Raises what it raises before that, so that it can be a status."""
        self.executor.submit(self._run, pieces, asyncio.get_running_loop())
        try:
            while not (self._made or self._ended):
                await self._wait()
        except asyncio.CancelledError:
            self._left.set()
            raise
        if self._fault is not None and not self._made:
            raise self._fault

    async def whole[T](self, make: Callable[[], T], is_gone: Callable[[], Awaitable[bool]]) -> T:
        """What the function returns. Meanwhile it is looked now and then whether anybody waits for it still."""
        loop = asyncio.get_running_loop()
        made = loop.run_in_executor(self.executor, make)
        while not (await asyncio.wait([made], timeout=GLANCE_S))[0]:
            if await is_gone():
                self._left.set()
        return await made

    async def stream(self) -> AsyncIterator[bytes]:
        """What is made, as it comes; a comment now and then if nothing comes."""
        loop = asyncio.get_running_loop()
        self._spoke = loop.time()
        self._look(loop)
        try:
            while self._made or not self._ended:
                if self._made:
                    yield self._taken()
                elif not await self._wait():
                    yield KEEP_ALIVE
                self._spoke = loop.time()
        finally:
            if self._timer is not None:
                self._timer.cancel()

    async def _wait(self) -> bool:
        """Wait for something to read; False if patience ran out."""
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiter = waiter
        if self._made or self._ended:  # it came before anybody waited
            return True
        return await waiter

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Look whether patience has run out, and again when it will have: one timer for all that comes in time."""
        if self.has_left():
            return
        silent = loop.time() - self._spoke
        if silent >= self.patience_s:
            silent = 0
            if self._waiter is not None:
                _settle(self._waiter, False)  # noqa: FBT003 - a result
        self._timer = loop.call_later(self.patience_s - silent, self._look, loop)

    def _taken(self) -> bytes:
        """All that waits, in one piece."""
        taken = []
        while self._made:
            taken.append(self._made.popleft())
        return b"".join(taken)

    def _run(self, pieces: Callable[[], Iterator[bytes]], loop: asyncio.AbstractEventLoop) -> None:
        # A server that has ended meanwhile has closed its loop, and nobody waits.
        with suppress(RuntimeError):
            try:
                for piece in pieces():
                    self._made.append(piece)
                    self._call(loop)
            except BaseException as fault:  # noqa: BLE001 - it is the waiting request's
                self._fault = fault
            finally:
                self._ended = True
                self._call(loop)

    def _call(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._called:
            self._called = True
            self.bell.ring(self, loop)

    def wake(self) -> None:
        """Whoever waits looks again. In the loop alone."""
        self._called = False  # first: what is made from now on calls again
        if self._waiter is not None:
            _settle(self._waiter, True)  # noqa: FBT003 - a result


def _settle(waiter: "asyncio.Future[bool]", news: bool) -> None:  # noqa: FBT001 - a result
    if not waiter.done():
        waiter.set_result(news)
