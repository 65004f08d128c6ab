"""Extraction against markitdown on the same files in the same run (rule I8).

`make bench-ingest` makes an environment for markitdown beside the project's own, which never holds it. Each file is
read by a process of its own on either side, several times after one to warm up: what is compared is the reading, not
the start; memory is the most that the process ever had. Beside the given files, large ones are made: pages, cells,
slides.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from tests.bench import large
from tests.shared import SHARED, expected

ROUNDS = 5
PATIENCE_S = 120
_PARTS = 20
"""Made files are a twentieth of the full size, so that the peer comes to an end."""

OURS = """
import json, resource, sys, time
path, rounds = sys.argv[1], int(sys.argv[2])
from chalicelib.domain.text import canonical
from chalicelib.ingest.extractors import extractor_for
from chalicelib.ingest.limits import Limits
extract = extractor_for(path.rsplit(".", 1)[1])
def read():
    found = extract(open(path, "rb").read(), Limits(output_bytes=1 << 30), lambda *_: None)
    return canonical(found.text)
"""
THEIRS = """
import json, resource, sys, time, warnings, logging
logging.disable(logging.CRITICAL); warnings.simplefilter("ignore")
path, rounds = sys.argv[1], int(sys.argv[2])
from markitdown import MarkItDown
reader = MarkItDown()
def read():
    return reader.convert(path).text_content
"""
MEASURE = """
try:
    text = read()
    begun = time.perf_counter()
    for _ in range(rounds):
        read()
    took = (time.perf_counter() - begun) / rounds
except Exception as fault:
    text, took = type(fault).__name__, None
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print("\\n" + json.dumps({"seconds": took, "mib": peak, "text": text[:200_000]}))
"""


@dataclass(frozen=True)
class Read:
    """How one side read one file."""

    seconds: float | None
    mib: float
    text: str

    @classmethod
    def by(cls, python: str, code: str, path: Path, rounds: int) -> "Read":
        command = [python, "-c", code + MEASURE, str(path), str(rounds)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            return cls(**json.loads(done.stdout.strip().splitlines()[-1]))
        except (subprocess.TimeoutExpired, IndexError, ValueError):
            return cls(None, 0.0, "")

    def meets(self, wanted: dict[str, Any]) -> bool:
        if "error" in wanted:
            return self.seconds is None
        flat = " ".join(self.text.split())
        missing = [each for each in wanted.get("contains", []) if each not in flat]
        return (
            self.seconds is not None and not missing and not [each for each in wanted.get("absent", []) if each in flat]
        )


def files(folder: Path) -> Iterator[tuple[Path, dict[str, Any], int, int]]:
    """Each file, what it must give, how many rounds, and how many pages or cells it has if that is known."""
    for name, wanted in expected("files").items():
        yield SHARED / "docs" / name, wanted, ROUNDS, 0
    for name, content, many in large.files(_PARTS):
        path = folder / name
        path.write_bytes(content)
        yield path, {}, 1, many


def main() -> None:
    """Read everything on both sides, print it, and say whether the goals are met."""
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", help="the Python of an environment that has markitdown")
    peer = parser.parse_args().peer
    ratios, heavier, lost, ours_met, theirs_met, counted = [], [], [], 0, 0, 0
    print(f"{'file':44}{'ours ms':>10}{'theirs':>10}{'times':>8}{'MiB':>7}{'theirs':>8}  expectations")
    with tempfile.TemporaryDirectory() as folder:
        for path, wanted, rounds, many in files(Path(folder)):
            ours = Read.by(sys.executable, OURS, path, rounds)
            theirs = Read.by(peer, THEIRS, path, rounds)
            counted += 1
            met = (ours.meets(wanted), theirs.meets(wanted))
            ours_met, theirs_met = ours_met + met[0], theirs_met + met[1]
            if met[1] and not met[0]:
                lost.append(path.name)
            if theirs.mib and ours.mib > theirs.mib:
                heavier.append(path.name)
            if ours.seconds and theirs.seconds:
                ratios.append(theirs.seconds / ours.seconds)
            print(_row(path.name, ours, theirs, met) + _pace(ours, many), flush=True)
    slower = [each for each in ratios if each < 2]
    print(f"\ntimes as fast: {geometric_mean(ratios):.1f} (geometric mean), {min(ratios):.1f} at least")
    print(f"under twice as fast: {len(slower)} of {len(ratios)}")
    print(f"expectations met: {ours_met} of {counted}, by markitdown {theirs_met}; met by it alone: {lost or 'none'}")
    print(f"more memory than markitdown: {heavier or 'never'}")
    sys.exit(bool(slower or lost or heavier))


def _row(name: str, ours: Read, theirs: Read, met: tuple[bool, bool]) -> str:
    times = f"{theirs.seconds / ours.seconds:.1f}" if ours.seconds and theirs.seconds else ""
    said = " / ".join("yes" if each else "no" for each in met)
    return f"{name[:43]:44}{_ms(ours):>10}{_ms(theirs):>10}{times:>8}{ours.mib:>7.0f}{theirs.mib:>8.0f}  {said}"


def _pace(read: Read, many: int) -> str:
    return f"  {many / read.seconds:,.0f} a second" if many and read.seconds else ""


def _ms(read: Read) -> str:
    return "-" if read.seconds is None else f"{read.seconds * 1000:.1f}"


if __name__ == "__main__":
    main()
