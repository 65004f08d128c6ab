"""`python -m infra.opensearch.keeper FOLDER USER LIFETIME COMMAND…`: runs the server until its own input ends.

The input is a pipe from whoever wanted the server. It ends when they close it, and also when they are killed, so
no server outlives its purpose.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

CLOSED_S = 20.0
_AFTER_S = 0.5
_GLANCE_S = 0.02


def keep(folder: Path, user: str, command: list[str]) -> int:
    """Run the command as that user, if one is named, until the input or the command ends. Returns its status."""
    with (folder / "log").open("ab") as log:
        server = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            umask=0o077,
            user=user or None,
            group=_group(user) if user else None,
            extra_groups=() if user else None,
        )
    watch = threading.Thread(target=_end_with_input, args=(server, folder / "log"), daemon=True)
    watch.start()
    return abs(server.wait())


def _group(user: str) -> int:
    import pwd

    return pwd.getpwnam(user).pw_gid


def _end_with_input(server: subprocess.Popen[bytes], log: Path) -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    server.terminate()
    deadline = time.monotonic() + CLOSED_S
    # It closes within a second, and then may stay for a minute, holding the lock on its data.
    while server.poll() is None and time.monotonic() < deadline and not _has_closed(log):
        time.sleep(_GLANCE_S)
    try:
        server.wait(_AFTER_S)
    except subprocess.TimeoutExpired:
        server.kill()


def _has_closed(log: Path) -> bool:
    return b"] closed" in log.read_bytes()[-4096:]


def _heed_not(*_: object) -> None:
    pass


def main(folder: str, user: str, lifetime: str, *command: str) -> int:
    """Keep the server, and take its folder away if it was made for this run."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _heed_not)  # the input says when it is over; what is ignored the server would ignore too
    try:
        return keep(Path(folder), user, list(command))
    finally:
        if lifetime == "temporary":
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
