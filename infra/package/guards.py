"""What Chalice lets through and Lambda would not run."""

import zipfile
from pathlib import Path

MIB = 1024 * 1024
MAX_ZIPPED = 45 * MIB
MAX_UNZIPPED = 110 * MIB
PYC_FLAGS = slice(4, 8)
UNCHECKED_HASH = 1


class PackageError(Exception):
    """The package would not run; the message says why."""


def check_log(log: str) -> None:
    """Chalice ends well even if requirements are missing from the zip; only its log tells."""
    if "Could not install" in log:
        raise PackageError(f"Chalice left requirements out:\n{log}")


def check_archive(archive: Path) -> int:
    """Refuse foreign wheels, time-stamped compiled files, and a zip that is too big; give the unpacked size."""
    with zipfile.ZipFile(archive) as source:
        entries = source.infolist()
        for entry in entries:
            if entry.filename.endswith(".dist-info/WHEEL"):
                _check_wheel(entry.filename, source.read(entry).decode())
            if entry.filename.endswith(".pyc"):
                _check_compiled(entry.filename, source.read(entry))
    unzipped = sum(entry.file_size for entry in entries)
    _check_size("zipped", archive.stat().st_size, MAX_ZIPPED)
    _check_size("unzipped", unzipped, MAX_UNZIPPED)
    return unzipped


def _check_wheel(name: str, content: str) -> None:
    tags = [line.split(":", 1)[1].strip() for line in content.splitlines() if line.startswith("Tag:")]
    foreign = [tag for tag in tags if not tag.endswith("-any") and "manylinux" not in tag]
    if foreign:
        raise PackageError(f"{name} was built for this machine ({', '.join(foreign)}) and is broken in Lambda.")


def _check_compiled(name: str, content: bytes) -> None:
    if int.from_bytes(content[PYC_FLAGS], "little") != UNCHECKED_HASH:
        raise PackageError(f"{name} holds a time stamp: two builds would differ, and Lambda would ignore it.")


def _check_size(what: str, size: int, limit: int) -> None:
    if size > limit:
        raise PackageError(f"The package is {size / MIB:.1f} MB {what}; the limit is {limit / MIB:.0f} MB.")
