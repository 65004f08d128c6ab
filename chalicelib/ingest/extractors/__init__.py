"""One module for each kind of file with a parser that is not ours; a format is added by a row here.

They run in the child process of the sandbox and nowhere else; libraries are imported by the one that needs them.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import cast

from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.ports import Progress

type Extractor = Callable[[bytes, Limits, Progress], Extraction]

_MODULES: Mapping[str, str] = {"html": "html", "pdf": "pdf", "docx": "docx", "pptx": "pptx", "xlsx": "xlsx"}


def extractor_for(extension: str) -> Extractor:
    """What reads files with that extension, with its libraries imported."""
    module = import_module(f"{__name__}.{_MODULES[extension]}")
    return cast("Extractor", module.extract)
