"""Reading a file of any kind that is taken."""

from dataclasses import dataclass

from chalicelib.domain.files import Family, format_of
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.ports import Progress, Sandbox
from chalicelib.ingest.textfiles import read_text

_IN_SANDBOX = frozenset({Family.DOCUMENT, Family.HTML})


def _quietly(_done: int, _total: int) -> None:
    """Nobody asked how far it is."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Turn a file into Markdown; text and code here, whatever has a parser with a life of its own in the sandbox."""

    sandbox: Sandbox
    limits: Limits

    def __call__(self, filename: str, content: bytes, progress: Progress = _quietly) -> Extraction:
        """The file as Markdown, not yet canonical.

        Raises UnsupportedFormat, DocumentEmpty, DocumentTooLarge, UndecodableText, and what the sandbox does.
        """
        kind = format_of(filename)
        self.limits.demand_size(kind, len(content))
        if kind.family in _IN_SANDBOX:
            return self.sandbox.extract(kind.extension, content, progress)
        return read_text(kind, content)
