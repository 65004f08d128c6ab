"""Office Open XML files: a zip of XML parts, read within limits, in its transitional and its strict dialect.

Nothing is unpacked to a disk; a part counts as what it is once unpacked, whatever the archive says. Entities are not
resolved, and a part that declares any with a content is refused, since only attacks do.
Source: ECMA-376, parts 1 and 2.
"""

import io
import posixpath
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from lxml import etree

from chalicelib.domain.errors import (
    DocumentEmpty,
    DocumentEncrypted,
    DocumentTooLarge,
    DocumentUnreadable,
    UnsupportedFormat,
)
from chalicelib.domain.files import sniffed
from chalicelib.ingest.limits import Limits

type Element = Any
"""An lxml element; its stubs say less than this."""

_PARTS = 10_000
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_TREE = 32 * 1024 * 1024
"""Bytes of a part that is read as a whole; sheets and the body of a text are streamed."""

_TRANSITIONAL = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
_PREFIXES: Mapping[str, str] = {
    f"{_TRANSITIONAL}wordprocessingml/2006/main": "w",
    f"{_STRICT}wordprocessingml/main": "w",
    f"{_TRANSITIONAL}drawingml/2006/main": "a",
    f"{_STRICT}drawingml/main": "a",
    f"{_TRANSITIONAL}presentationml/2006/main": "p",
    f"{_STRICT}presentationml/main": "p",
    f"{_TRANSITIONAL}spreadsheetml/2006/main": "s",
    f"{_STRICT}spreadsheetml/main": "s",
    f"{_TRANSITIONAL}officeDocument/2006/math": "m",
    f"{_STRICT}officeDocument/math": "m",
    f"{_TRANSITIONAL}drawingml/2006/diagram": "dgm",
    f"{_STRICT}drawingml/diagram": "dgm",
    f"{_TRANSITIONAL}drawingml/2006/chart": "c",
    f"{_STRICT}drawingml/chart": "c",
    f"{_TRANSITIONAL}markup-compatibility/2006": "mc",
    f"{_TRANSITIONAL}package/2006/relationships": "rel",
}
_KINDS: tuple[tuple[str, str], ...] = (
    ("wordprocessingml", "docx"),
    ("presentationml", "pptx"),
    ("spreadsheetml", "xlsx"),
)
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, etree.LxmlError, ValueError)

_names: dict[str, str] = {}


def name_of(element: Element) -> str:
    """The element's name with the usual prefix of its namespace, in either dialect: `w:p`; `?:x` for any other."""
    tag = element.tag
    found = _names.get(tag) if isinstance(tag, str) else "#"
    if found is None:
        space, _, local = tag.rpartition("}")
        found = _names[tag] = f"{_PREFIXES.get(space.removeprefix('{'), '?')}:{local}"
    return found


def value(element: Element | None, attribute: str = "val") -> str | None:
    """An attribute by its local name, in whatever namespace; None if the element or attribute is not there."""
    if element is None:
        return None
    plain = element.get(attribute)
    if plain is not None:
        return str(plain)
    ending = f"}}{attribute}"
    return next((str(each) for name, each in element.attrib.items() if name.endswith(ending)), None)


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant by a path of names, or None."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if name_of(each) == name), None)
    return element


def children(element: Element | None, name: str) -> Iterator[Element]:
    """The children of that name."""
    return (each for each in (element if element is not None else ()) if name_of(each) == name)


def descendants(element: Element, name: str) -> Iterator[Element]:
    """All elements below of that name, in the order of the document."""
    return (each for each in element.iter() if name_of(each) == name)


def is_on(element: Element | None) -> bool:
    """Whether a switch is there and not set to no."""
    return element is not None and (value(element) or "1").lower() not in {"0", "false", "off", "none"}


def text_of(element: Element) -> str:
    """The element's own text, without that of entities in it."""
    return "".join((element.text or "", *(each.tail or "" for each in element)))


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a part refers to."""

    kind: str
    """The last word of its type: `slide`, `comments`, `hyperlink`, …"""
    target: str
    """The name of a part, or an address outside."""
    external: bool


@dataclass
class Package:
    """The parts of one file."""

    archive: zipfile.ZipFile
    limits: Limits
    read: int = 0
    """Bytes that were unpacked so far."""
    by_name: Mapping[str, str] = field(default_factory=dict)
    """Names in the archive, by themselves in lower case."""

    @classmethod
    def of(cls, content: bytes, limits: Limits, wanted: str) -> "Package":
        """Open a file that should be of the wanted kind (`docx`, `pptx` or `xlsx`).

        Raises DocumentEncrypted, DocumentUnreadable, DocumentTooLarge, UnsupportedFormat.
        """
        _demand_zip(content, wanted)
        if content.count(b"PK\x01\x02") > _PARTS:
            raise DocumentTooLarge(what="parts", limit=_PARTS)
        try:
            archive = zipfile.ZipFile(io.BytesIO(content))
        except _DAMAGE:
            raise DocumentUnreadable from None
        names = {each.filename.lower().lstrip("/"): each.filename for each in archive.infolist()}
        package = cls(archive, limits, by_name=names)
        package._demand_kind(wanted)
        return package

    def _demand_kind(self, wanted: str) -> None:
        types = self.tree("[Content_Types].xml")
        main = self.main()
        if types is None or main is None:
            raise DocumentUnreadable
        said = [
            (value(each, "ContentType") or "")
            for each in types
            if (value(each, "PartName") or "").lstrip("/").lower() == main.lower()
        ]
        found = next((kind for word, kind in _KINDS for each in said if word in each), wanted)
        if found != wanted:
            raise UnsupportedFormat(found=f"{found} named {wanted}", instead=f"the extension {found}")

    def main(self) -> str | None:
        """The name of the part that everything hangs on."""
        return next((each.target for each in self.relations("").values() if each.kind == "officeDocument"), None)

    def names(self, prefix: str) -> list[str]:
        """The names of the parts that begin with the prefix."""
        return [each for each in self.by_name if each.startswith(prefix.lower())]

    def open(self, name: str) -> "_Counted | None":
        """A part as a stream that counts what it gives, or None if it is not there."""
        found = self.by_name.get(name.lower().lstrip("/"))
        if found is None:
            return None
        return _Counted(self, self._opened(found))

    def _opened(self, name: str) -> IO[bytes]:
        try:
            return self.archive.open(name)
        except RuntimeError:
            raise DocumentEncrypted from None
        except _DAMAGE:
            raise DocumentUnreadable from None

    def count(self, size: int) -> None:
        """Count bytes that were unpacked. Raises DocumentTooLarge."""
        self.read += size
        if self.read > self.limits.unpacked_bytes:
            raise DocumentTooLarge(what="bytes once unpacked", limit=self.limits.unpacked_bytes)

    def tree(self, name: str) -> Element | None:
        """A part's root element, or None if there is no such part. Raises DocumentUnreadable, DocumentTooLarge."""
        stream = self.open(name)
        if stream is None:
            return None
        with stream:
            content = stream.read(_TREE + 1)
        if len(content) > _TREE:
            raise DocumentTooLarge(what="bytes of one part", limit=_TREE)
        if not content.strip():
            return None
        try:
            root = etree.fromstring(content, etree.XMLParser(**_HARDENED))
        except _DAMAGE:
            raise DocumentUnreadable from None
        demand_no_entities(root)
        return root

    def stream(self, name: str, parents: Collection[str], tags: Collection[str]) -> Iterator[Element]:
        """The elements with these local names that are children of such parents, each complete and then forgotten.

        Raises DocumentUnreadable, DocumentTooLarge.
        """
        source = self.open(name)
        if source is None:
            raise DocumentUnreadable
        try:
            with source:
                found = etree.iterparse(source, events=("end",), tag=[f"{{*}}{each}" for each in tags], **_HARDENED)
                for _, element in found:
                    parent = element.getparent()
                    if parent is None or name_of(parent) not in parents:
                        continue
                    demand_no_entities(element)
                    yield element
                    _forget(element, parent)
        except _DAMAGE:
            raise DocumentUnreadable from None

    def relations(self, name: str) -> dict[str, Relation]:
        """Where a part refers to, by id."""
        folder, base = posixpath.split(name)
        root = self.tree(posixpath.join(folder, "_rels", f"{base}.rels"))
        found: dict[str, Relation] = {}
        for each in root if root is not None else ():
            external = value(each, "TargetMode") == "External"
            target = value(each, "Target") or ""
            if not external:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = (value(each, "Type") or "").rpartition("/")[2]
            found[value(each, "Id") or ""] = Relation(kind, target, external)
        return found

    def core_title(self) -> str | None:
        """The title in the file's properties."""
        root = self.tree("docProps/core.xml")
        if root is None:
            return None
        found = next((each.text for each in root if name_of(each).endswith(":title")), None)
        return found.strip() or None if found else None


class _Counted(io.RawIOBase):
    """A part's stream that tells the package how much it gave."""

    def __init__(self, package: Package, source: IO[bytes]) -> None:
        self._package = package
        self._source = source

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        try:
            found = self._source.read(self._package.limits.unpacked_bytes + 1 if size < 0 else size)
        except _DAMAGE:
            raise DocumentUnreadable from None
        self._package.count(len(found))
        return found

    def close(self) -> None:
        self._source.close()
        super().close()


_HARDENED: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


def demand_no_entities(root: Element) -> None:
    """Let a document pass that declares no entity with a content. Raises DocumentUnreadable."""
    found = root.getroottree().docinfo.internalDTD
    if found is not None and any(each.content for each in found.iterentities()):
        raise DocumentUnreadable


def _forget(element: Element, parent: Element) -> None:
    """Free what was read: the element, and everything before it."""
    element.clear(keep_tail=False)
    while element.getprevious() is not None:
        del parent[0]


def _demand_zip(content: bytes, wanted: str) -> None:
    found = sniffed(content)
    if found == "zip":
        return
    if not content:
        raise DocumentEmpty
    if found == "ole":
        if _ENCRYPTED in content:
            raise DocumentEncrypted
        raise UnsupportedFormat(found=f"an older format named {wanted}", instead=wanted)
    if found:
        raise UnsupportedFormat(found=f"{found} named {wanted}", instead="a name whose extension fits the content")
    raise DocumentUnreadable
