"""From a generator in a thread to an asynchronous stream: each piece leaves when it is made (rules N4, N5, N6)."""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field

from chalicelib.api.stream.chunks import KEEP_ALIVE

GLANCE_S = 0.5
"""Between two looks whether somebody waits."""
KEEP_ALIVE_S = 8.0
"""Silence after which a comment is sent; ten seconds is what the protocol promises."""


@dataclass(slots=True, eq=False)
class Pump:
    """Runs one stream."""

    executor: Executor
    patience_s: float = KEEP_ALIVE_S
    _left: threading.Event = field(default_factory=threading.Event)
    _made: deque[bytes] = field(default_factory=deque)
    _ended: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def has_left(self) -> bool:
        """Whether nobody reads any more. Any thread may ask."""
        return self._left.is_set()

    async def start(self, pieces: Callable[[], Iterator[bytes]]) -> None:
        """Run the generator up to its first piece. Raises what it raises before that, so that it can be a status."""
        loop = asyncio.get_running_loop()
        begun: asyncio.Future[None] = loop.create_future()
        self.executor.submit(self._run, pieces, loop, begun)
        try:
            await begun
        except asyncio.CancelledError:
            self._left.set()
            raise

    async def whole[T](self, make: Callable[[], T], is_gone: Callable[[], Awaitable[bool]]) -> T:
        """What the function returns. Meanwhile it is looked now and then whether anybody waits for it still."""
        loop = asyncio.get_running_loop()
        made = loop.run_in_executor(self.executor, make)
        while not (await asyncio.wait([made], timeout=GLANCE_S))[0]:
            if await is_gone():
                self._left.set()
        return await made

    async def stream(self) -> AsyncIterator[bytes]:
        """What is made, as it comes; a comment now and then if nothing comes. Ending it early is leaving."""
        try:
            while not (self._ended and not self._made):
                if piece := self._taken():
                    yield piece
                elif not await self._has_news():
                    yield KEEP_ALIVE
        finally:
            self._left.set()

    async def _has_news(self) -> bool:
        """Wait for something; False if patience ran out."""
        try:
            await asyncio.wait_for(self._news.wait(), self.patience_s)
        except TimeoutError:
            return False
        return True

    def _taken(self) -> bytes:
        """All that waits, in one piece."""
        self._news.clear()  # first: what comes while this looks is news again
        taken = []
        while self._made:
            taken.append(self._made.popleft())
        return b"".join(taken)

    def _run(
        self, pieces: Callable[[], Iterator[bytes]], loop: asyncio.AbstractEventLoop, begun: asyncio.Future[None]
    ) -> None:
        try:
            for piece in pieces():
                self._made.append(piece)
                loop.call_soon_threadsafe(_settle, begun, None)
                loop.call_soon_threadsafe(self._news.set)
        except BaseException as fault:  # noqa: BLE001 - it is the waiting request's
            loop.call_soon_threadsafe(_settle, begun, fault)
        finally:
            self._ended = True
            loop.call_soon_threadsafe(_settle, begun, None)
            loop.call_soon_threadsafe(self._news.set)


def _settle(begun: "asyncio.Future[None]", fault: BaseException | None) -> None:
    if begun.done():
        return
    if fault is None:
        begun.set_result(None)
    else:
        begun.set_exception(fault)
