"""Start the emulator (`python -m infra.local.emulator`); configured by ministack's own variables.

`LAPTOP_CLOUD_LOCK` names a file that this process keeps locked and writes its process id into:
whoever finds the lock free knows that the process is gone, whatever the file says.
"""

import os
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from infra.local.emulator import checkpoints, forgetting, queues, replies, streams
from infra.local.locks import Lock

KNOWN_VERSION = "1.5.33"


def main() -> None:
    """Mend, then serve until a signal ends it."""
    found = version("ministack")
    if found != KNOWN_VERSION:
        sys.exit(f"The mends of the laptop cloud know ministack {KNOWN_VERSION}, this is {found}.")
    lock = Lock(Path(os.environ.pop("LAPTOP_CLOUD_LOCK")))
    if not lock.acquire():
        sys.exit(f"The laptop cloud is already running as process {lock.holder()}.")
    streams.mend()
    queues.mend()
    replies.mend()
    forgetting.mend()
    checkpoints.mend()
    import_module("ministack.app").main()


if __name__ == "__main__":
    main()
