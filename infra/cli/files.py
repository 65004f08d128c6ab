"""Files on their way to items: which are taken, and what they are called."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

TAKEN = (".md", ".markdown", ".txt")

_FRONT = re.compile(r"\A---[ \t]*\n(?P<matter>.*?)^---[ \t]*$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"^title:[ \t]*(?P<quote>['\"]?)(?P<title>.+?)(?P=quote)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^#[ \t]+(?P<title>.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
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
        """The title in the front matter, or the heading of the whole, or else the file's name."""
        front = _FRONT.match(content)
        found = (front and _NAMED.search(front["matter"])) or _HEADING.search(content)
        title = found["title"] if found else self.path.stem
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
