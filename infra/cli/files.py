"""Files on their way to items: which are taken, and what they are called."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

TAKEN = (".md", ".markdown", ".txt")

_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<title>.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_MAX_TITLE = 300


class NotTaken(Exception):
    """The file cannot become an item."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, and the locator its item has."""

    path: Path
    locator: str

    def content(self) -> str:
        """The text. Raises NotTaken if it is not UTF-8, or no file that can be read."""
        try:
            return self.path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            message = "is not UTF-8 text. Save it as UTF-8 and try again."
            raise NotTaken(message) from None
        except OSError as fault:
            message = f"cannot be read ({fault.strerror})."
            raise NotTaken(message) from None

    def title(self, content: str) -> str:
        """The first heading, or else the file's name."""
        heading = _HEADING.search(content)
        title = heading["title"] if heading else self.path.stem.replace("-", " ").replace("_", " ")
        return " ".join(title.split())[:_MAX_TITLE] or self.path.name


def sources(paths: Iterable[Path]) -> Iterator[Source]:
    """The files to put: those named, and all that can be taken in the folders named.

    Raises NotTaken for a file that was named and cannot be taken.
    """
    for path in paths:
        if path.is_dir():
            for each in sorted(path.rglob("*")):
                hidden = any(part.startswith(".") for part in each.relative_to(path).parts)
                if each.is_file() and each.suffix.lower() in TAKEN and not hidden:
                    yield Source(each, each.relative_to(path).as_posix())
        elif path.suffix.lower() not in TAKEN:
            message = f"{path} is not of a kind that is taken ({', '.join(TAKEN)})."
            raise NotTaken(message)
        else:
            yield Source(path, path.name)
