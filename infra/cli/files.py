"""Files on their way to items: which are taken, as the server says, and where each belongs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self


class NotTaken(Exception):
    """The file cannot become an item."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file that the server takes."""

    max_bytes: int
    uploaded: bool
    """Whether it is a document, which is uploaded and read by a worker."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What the server takes, by extension (`GET /api/v1/limits`)."""

    kinds: Mapping[str, Kind]

    @classmethod
    def of(cls, limits: Mapping[str, Any]) -> Self:
        """Read it from the server's answer."""
        kinds: dict[str, Kind] = {}
        for name in ("text", "documents"):
            for each in limits[name]:
                kinds[each["extension"]] = Kind(each["max_bytes"], uploaded=name == "documents")
        return cls(kinds)

    def kind(self, path: Path) -> Kind | None:
        """The kind of a file by its name, if it is one that is taken."""
        return self.kinds.get(path.suffix.lower().removeprefix("."))


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and the locator its item has."""

    path: Path
    locator: str
    kind: Kind

    def content(self) -> bytes:
        """The file. Raises NotTaken if it is too large, or no file that can be read."""
        try:
            if self.path.stat().st_size > self.kind.max_bytes:
                message = f"is larger than {self.kind.max_bytes} bytes, which is the most that is taken."
                raise NotTaken(message)
            return self.path.read_bytes()
        except OSError as fault:
            message = f"cannot be read ({fault.strerror})."
            raise NotTaken(message) from None


def sources(paths: Iterable[Path], taken: Taken) -> Iterator[Source]:
    """The files to put: those named, and all that can be taken in the folders named.

    Raises NotTaken for a file that was named and cannot be taken.
    """
    for path in paths:
        if path.is_dir():
            for each in sorted(path.rglob("*")):
                hidden = any(part.startswith(".") for part in each.relative_to(path).parts)
                if not hidden and each.is_file() and (kind := taken.kind(each)):
                    yield Source(each, each.relative_to(path).as_posix(), kind)
        elif kind := taken.kind(path):
            yield Source(path, path.name, kind)
        else:
            message = f"{path} is not of a kind that is taken ({', '.join(sorted(taken.kinds))})."
            raise NotTaken(message)
