"""Running several calls of a turn at the same time, and waiting for them no longer than the turn may last (rule N5)."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from chalicelib.answers.watch import Watch

_GLANCE = 0.1
"""Seconds between two looks at whether the visitor is still there."""
_THREADS = 6


@dataclass(frozen=True, slots=True)
class Together:
    """Calls that run side by side."""

    pool: ThreadPoolExecutor
    watch: Watch

    def start[T](self, call: Callable[[], T]) -> "Future[T]":
        """Begin a call, unless nothing more may be spent by the time that it would begin."""

        def begun() -> T:
            self.watch.check()
            return call()

        return self.pool.submit(begun)

    def wait(self, *futures: "Future[Any]") -> None:
        """Until all have ended. Raises VisitorLeft or TurnTimedOut as soon as there is no more reason to wait."""
        left = set(futures)
        while left:
            _, left = wait(left, min(_GLANCE, max(0.0, self.watch.seconds_left())), FIRST_COMPLETED)
            if left:
                self.watch.check()

    def result[T](self, call: Callable[[], T]) -> T:
        """What the call gives; it is left to itself if the turn has to end before it does."""
        future = self.start(call)
        self.wait(future)
        return future.result()


@contextmanager
def together(watch: Watch) -> Iterator[Together]:
    """A place for the calls of one turn. Those on their way when it ends are not waited for, and none begins."""
    pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="answers")
    try:
        yield Together(pool, watch)
    finally:
        watch.stop()
        pool.shutdown(wait=False, cancel_futures=True)
