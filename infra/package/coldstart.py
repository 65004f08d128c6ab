"""How long the REST function takes to import, measured as Lambda would start it."""

import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from infra.package.archive import unpack

RUNS = 7
IMPORT_APP = "import sys; sys.path.insert(0, sys.argv[1]); import app"
LINE = re.compile(r"import time:\s+\d+ \|\s+(\d+) \| (\S.*)$")


def import_ms(archive: Path, runs: int = RUNS) -> float:
    """Median time of `import app` from the unpacked zip, which must hold everything it imports."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(archive, Path(folder))
        return statistics.median(_once(folder) for _ in range(runs))


def _once(folder: str) -> float:
    # -I and -S: nothing but the zip and the standard library. -B: Lambda cannot write either.
    command = [sys.executable, "-I", "-S", "-B", "-X", "importtime", "-c", IMPORT_APP, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})
    if done.returncode != 0:
        raise RuntimeError(f"`import app` fails from the zip alone:\n{done.stderr[-2000:]}")
    return total_ms(done.stderr)


def total_ms(log: str) -> float:
    """The cumulative time of `app` in the log of -X importtime."""
    for line in reversed(log.splitlines()):
        found = LINE.match(line)
        if found and found[2] == "app":
            return int(found[1]) / 1000
    raise RuntimeError("The log of -X importtime does not name `app`.")
