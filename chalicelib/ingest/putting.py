"""Use cases on files that come with the request: make an item of one, or the next revision."""

import hashlib
from dataclasses import dataclass, replace

from chalicelib.domain.errors import UnsupportedFormat
from chalicelib.domain.files import Family, format_of
from chalicelib.domain.items import Item, SourceType
from chalicelib.domain.revisions import Provenance
from chalicelib.domain.spaces import Principal
from chalicelib.domain.writes import Once
from chalicelib.ingest.extraction import Extraction, bounded
from chalicelib.ingest.naming import title_from
from chalicelib.ingest.reading import ReadFile
from chalicelib.knowledge.drafts import CreateItem, Edit, EditItem, NewItem


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it was sent."""

    filename: str
    content: bytes
    title: str | None = None
    """What to call the item; what the file calls itself if None."""
    locator: str | None = None


def made_of(file: SentFile, read: Extraction, provenance: Provenance) -> Provenance:
    """The provenance of a revision that was made of a file."""
    return replace(
        provenance,
        filename=file.filename,
        original_sha256=hashlib.sha256(file.content).hexdigest(),
        extractor=read.extractor,
    )


def _text(read: ReadFile, file: SentFile) -> Extraction:
    kind = format_of(file.filename)
    if kind.family is Family.DOCUMENT:
        raise UnsupportedFormat(found=kind.extension, instead="an upload of the document (POST /api/v1/documents)")
    return read(file.filename, file.content)


@dataclass(frozen=True, slots=True)
class CreateFromFile:
    """Make a draft item of a text or code file."""

    read: ReadFile
    create: CreateItem

    def __call__(
        self, principal: Principal, base_id: str, file: SentFile, provenance: Provenance, once: Once | None
    ) -> Item:
        """The new item. Raises what reading a file and making an item do."""
        found = _text(self.read, file)
        new = NewItem(
            title=file.title or title_from(found.title, format_of(file.filename), file.filename),
            locator=file.locator,
            content=found.text,
            source_type=SourceType.FILE,
            source_metadata=bounded(found.metadata),
        )
        return self.create(principal, base_id, new, made_of(file, found, provenance), once)


@dataclass(frozen=True, slots=True)
class EditFromFile:
    """Make a text or code file the next revision of an item."""

    read: ReadFile
    edit: EditItem

    def __call__(
        self, principal: Principal, item_id: str, file: SentFile, expected: str | None, write: "Write"
    ) -> Item:
        """The item after the edit; as it is if the file says the same. Raises what reading and editing do."""
        found = _text(self.read, file)
        title = file.title or title_from(found.title, format_of(file.filename), file.filename)
        edit = Edit(expected, found.text, title, file.locator, bounded(found.metadata))
        return self.edit(principal, item_id, edit, made_of(file, found, write.provenance), write.once)


@dataclass(frozen=True, slots=True)
class Write:
    """What goes with every write."""

    provenance: Provenance
    once: Once | None
