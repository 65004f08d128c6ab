"""Files that a living process keeps locked: the only proof that a process id is still ours."""

import fcntl
import os
import time
from pathlib import Path

PATIENCE_S = 0.5
"""Someone who only looks holds the lock for an instant; so does someone who has not written yet."""


class Lock:
    """A lock file with the holder's process id in it; the system frees it when the holder dies."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is opened yet."""
        self.path = path
        self._handle: int | None = None

    def acquire(self) -> bool:
        """Take the lock for the life of this process, or say that someone has it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = time.monotonic() + PATIENCE_S
        while not _locked(handle, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                os.close(handle)
                return False
            time.sleep(0.01)
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        self._handle = handle
        return True

    def release(self) -> None:
        """Give it back; harmless if it is not held."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def holder(self) -> int | None:
        """Process id of the living holder, None if there is none."""
        if not self.path.exists():
            return None
        handle = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        deadline = time.monotonic() + PATIENCE_S
        try:
            while not _locked(handle, fcntl.LOCK_SH):
                content = os.pread(handle, 32, 0)
                if content.isdigit():
                    return int(content)
                if time.monotonic() > deadline:
                    break
                time.sleep(0.01)
            return None
        finally:
            os.close(handle)


def _locked(handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
