"""Kinds of files: which are taken, what they are called, and what they are by their first bytes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath

from chalicelib.domain.errors import UnsupportedFormat


class Family(StrEnum):
    """How a kind of file is read."""

    MARKDOWN = "markdown"
    PLAIN = "plain"
    CODE = "code"
    TABLE = "table"
    HTML = "html"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file, by its extension."""

    extension: str
    """Without the dot."""
    family: Family
    language: str = ""
    """What a fenced block of it is called."""
    media_type: str = "text/plain"


@dataclass(frozen=True, slots=True)
class Form:
    """A form that uploads one file, straight to where files lie."""

    url: str
    fields: Mapping[str, str]
    expires_at: datetime


_OFFICE = "application/vnd.openxmlformats-officedocument"

FORMATS: Mapping[str, Format] = {
    each.extension: each
    for each in (
        Format("md", Family.MARKDOWN, media_type="text/markdown"),
        Format("markdown", Family.MARKDOWN, media_type="text/markdown"),
        Format("txt", Family.PLAIN),
        Format("json", Family.CODE, "json", "application/json"),
        Format("csv", Family.TABLE, "csv", "text/csv"),
        Format("py", Family.CODE, "python"),
        Format("js", Family.CODE, "javascript"),
        Format("ts", Family.CODE, "typescript"),
        Format("tsx", Family.CODE, "tsx"),
        Format("html", Family.HTML, media_type="text/html"),
        Format("yaml", Family.CODE, "yaml"),
        Format("yml", Family.CODE, "yaml"),
        Format("toml", Family.CODE, "toml"),
        Format("pdf", Family.DOCUMENT, media_type="application/pdf"),
        Format("docx", Family.DOCUMENT, media_type=f"{_OFFICE}.wordprocessingml.document"),
        Format("pptx", Family.DOCUMENT, media_type=f"{_OFFICE}.presentationml.presentation"),
        Format("xlsx", Family.DOCUMENT, media_type=f"{_OFFICE}.spreadsheetml.sheet"),
    )
}

TEXTS = tuple(each.extension for each in FORMATS.values() if each.family is not Family.DOCUMENT)
DOCUMENTS = tuple(each.extension for each in FORMATS.values() if each.family is Family.DOCUMENT)

_INSTEAD: Mapping[str, str] = {
    **dict.fromkeys(("doc", "dot", "docm", "dotx", "odt", "ott", "rtf", "pages", "wps", "wpd"), "docx or pdf"),
    **dict.fromkeys(("xls", "xlt", "xlsm", "xlsb", "xltx", "ods", "numbers", "tsv"), "xlsx or csv"),
    **dict.fromkeys(("ppt", "pps", "pot", "pptm", "ppsx", "potx", "odp", "key"), "pptx or pdf"),
    **dict.fromkeys(("htm", "xhtml", "mhtml", "xml"), "html or txt"),
    **dict.fromkeys(("epub", "mobi", "djvu", "ps", "xps"), "pdf"),
}
"""Kinds that people have and we do not take, and what to save them as."""

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "pdf"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"\x1f\x8b\x08", "gzip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"\x7fELF", "elf"),
    (b"\xca\xfe\xba\xbe", "java"),
    (b"SQLite format 3\0", "sqlite"),
    (b"{\\rtf", "rtf"),
)
"""First bytes of what is no text, whatever its name says."""


def extension_of(filename: str) -> str:
    """The extension in lower case without the dot; empty if there is none."""
    return PurePosixPath(filename.replace("\\", "/")).suffix.lower().removeprefix(".")


def stem_of(filename: str) -> str:
    """The last part of the name without its extension, never empty."""
    last = PurePosixPath(filename.replace("\\", "/"))
    return last.stem.strip() or last.name.strip() or "file"


def format_of(filename: str) -> Format:
    """The kind of file that the name says.

    Raises:
        UnsupportedFormat: it is not one that is taken; the error says what to save it as.
    """
    extension = extension_of(filename)
    if extension in FORMATS:
        return FORMATS[extension]
    raise UnsupportedFormat(found=_named(extension), instead=_INSTEAD.get(extension, "pdf, docx, md or txt"))


def _named(extension: str) -> str:
    """An extension as an error may say it: what people wrote stays out of it unless it is a plain word."""
    return extension if re.fullmatch(r"[a-z0-9]{1,10}", extension) else "this"


def sniffed(content: bytes) -> str | None:
    """What the first bytes say the content is, if that is no text."""
    return next((name for magic, name in _MAGIC if content.startswith(magic)), None)
