"""What comes out of files: `python -m tests.bench.reading [FILE|FOLDER ...]` reads each in the sandbox, a row for each.

Without arguments, the given documents with what is expected of them, and then the traps that the tests make.
"""

import argparse
import resource
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chalicelib.adapters.sandbox import ChildSandbox
from chalicelib.domain.errors import KnownError
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.reading import ReadFile
from tests.fakes.machine import Tally
from tests.shared import SHARED, expected
from tests.unit.ingest.test_hostile import TRAPS

_SHOWN = 70


def _given() -> Iterator[tuple[str, bytes, dict[str, Any]]]:
    for kind, folder in (("files", "docs"), ("text_files", "text")):
        for name, wanted in expected(kind).items():
            yield name, (SHARED / folder / name).read_bytes(), wanted
    for name, (kind, make, ends) in TRAPS.items():
        yield f"{name}.{kind}", make(), {"ends": ends}


def _named(paths: list[Path]) -> Iterator[tuple[str, bytes, dict[str, Any]]]:
    for path in paths:
        for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if each.suffix.lower() in {".pdf", ".docx", ".pptx", ".xlsx", ".html", ".md", ".txt", ".csv"}:
                yield each.name, each.read_bytes(), {}


def as_expected(found: Extraction | KnownError, wanted: dict[str, Any]) -> str:
    """Whether a file came out as it must; empty if nothing is said of that."""
    code = found.code if isinstance(found, KnownError) else "text"
    if "ends" in wanted:
        return "yes" if code in wanted["ends"] else "NO"
    if "error" in wanted:
        return (
            "yes" if code == wanted["error"] or (code, "bomb") == ("document_unreadable", wanted.get("what")) else code
        )
    if not wanted or isinstance(found, KnownError):
        return "NO" if wanted else ""
    flat = " ".join(found.text.split())
    wrong = [each for each in wanted.get("contains", []) if each not in flat]
    wrong += [each for each in wanted.get("absent", []) if each in flat]
    return f"NO: {wrong}" if wrong else "yes"


def _first_words(found: Extraction | KnownError) -> str:
    if isinstance(found, KnownError):
        return ""
    left = {name: each for name, each in found.metadata.items() if "left_out" in name}
    return f"{' '.join(found.text.split())[:_SHOWN]} {left or ''}"


def main() -> None:
    """Read and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("paths", nargs="*", type=Path)
    paths = parser.parse_args().paths
    limits = Limits(seconds=30)
    read = ReadFile(ChildSandbox(limits, Tally()), limits)
    outcomes: Counter[str] = Counter()
    for name, content, wanted in _named(paths) if paths else _given():
        begun = time.monotonic()
        found: Extraction | KnownError
        try:
            found = read(name, content)
        except KnownError as error:
            found = error
        took = time.monotonic() - begun
        code = found.code if isinstance(found, KnownError) else "text"
        outcomes[code] += 1
        row = f"{name[:44]:45}{len(content):>10,} {took:5.2f} s  {code:21} {as_expected(found, wanted):4}"
        print(row, _first_words(found))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\n{sum(outcomes.values())} files: {dict(outcomes)}; at most {peak:.0f} MiB")


if __name__ == "__main__":
    main()
