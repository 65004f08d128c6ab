"""Writing what came out of a document, once: as a new draft item, or as the next revision of one (rules I3, K4).

Ids are planned and written down before anything is written with them. Whoever takes over looks whether the planned
revision is there, and else writes it under the same id: a second one cannot come to be.
"""

import hashlib
from dataclasses import dataclass

from chalicelib.domain.documents import Document, Origin, Target
from chalicelib.domain.errors import ConcurrentChange, LocatorTaken, NotFound, StaleRevision, StoreBusy, Superseded
from chalicelib.domain.files import format_of
from chalicelib.domain.ids import Ids, Kind, later
from chalicelib.domain.items import Item, SourceType
from chalicelib.domain.revisions import Provenance
from chalicelib.domain.spaces import Door, Principal
from chalicelib.domain.text import Canonical
from chalicelib.domain.time import Clock
from chalicelib.ingest.extraction import Extraction, bounded
from chalicelib.ingest.naming import locator_from, title_from
from chalicelib.ingest.ports import DocumentStore, Originals
from chalicelib.knowledge.drafts import CreateItem, Edit, EditItem, NewItem
from chalicelib.knowledge.ports import Blobs, KnowledgeStore

_TRIES = 6
"""How often it is aimed anew because somebody else wrote in between."""
_LOCATOR = 512


@dataclass(frozen=True, slots=True)
class _Aimed:
    """The port `Ids`, giving those of the document's target."""

    target: Target

    def new(self, kind: Kind) -> str:
        """The planned id of that kind."""
        return self.target.item_id if kind is Kind.ITEM else self.target.revision_id


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Write an extraction as a revision."""

    store: KnowledgeStore
    blobs: Blobs
    documents: DocumentStore
    originals: Originals
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, document: Document, found: Extraction, sha256: str) -> Document:
        """The document, ready.

        Raises Superseded, ContentTooLarge, KnowledgeArchived, ItemArchived, NotAllowed; NotFound and ConcurrentChange
        if the document is gone or somebody else is on it; StoreBusy.
        """
        for _ in range(_TRIES):
            if (written := self._written(document)) is not None:
                return self.documents.change(document, document.ready(written, self.clock.now()))
            self._demand_latest(document)
            document = self._aimed(document, found)
            try:
                revision_id = self._write(principal, document, found, sha256)
            except (StaleRevision, LocatorTaken):
                continue  # Somebody else wrote there; the next aim follows what they wrote.
            except ConcurrentChange:
                continue
            return self.documents.change(document, document.ready(revision_id, self.clock.now()))
        raise StoreBusy

    def _written(self, document: Document) -> str | None:
        """The planned revision, if it was written before."""
        target = document.target
        if target is None or self.store.revision(target.item_id, target.revision_id) is None:
            return None
        return target.revision_id

    def _demand_latest(self, document: Document) -> None:
        """Let a dropped file pass only while no newer version of it lies in its place."""
        if document.origin is Origin.DROP:
            latest = self.originals.look(document.key, None)
            if latest is None or latest.version != document.object_version:
                raise Superseded

    def _aimed(self, document: Document, found: Extraction) -> Document:
        item = self._target(document, found)
        target = document.target
        if target is not None and self._holds(target, item):
            return document
        if item is None:
            new = Target(self.ids.new(Kind.ITEM), self.ids.new(Kind.REVISION), None)
        else:
            revision_id = later(self.ids.new(Kind.REVISION), item.current_revision_id)
            new = Target(item.id, revision_id, item.current_revision_id)
        return self.documents.change(document, document.aimed(new, self.clock.now()))

    @staticmethod
    def _holds(target: Target, item: Item | None) -> bool:
        """Whether the target still fits: no item where a new one was planned, or the item as it was seen."""
        if item is None:
            return target.expected is None
        return (target.item_id, target.expected) == (item.id, item.current_revision_id)

    def _target(self, document: Document, found: Extraction) -> Item | None:
        """The item whose next revision the document is; None for a new one."""
        if document.attached_to is not None:
            item = self.store.item(document.attached_to)
            if item is None:
                raise NotFound
            return item
        item = self.store.item_at(document.base_id, self._locator(document))
        if item is None or document.locator is not None or document.origin is Origin.DROP:
            return item
        current = self.store.revision(item.id, item.current_revision_id)
        same = current is not None and current.sha256 == Canonical.of(found.text).sha256
        return item if same else None

    @staticmethod
    def _locator(document: Document) -> str:
        return document.locator or locator_from(document.filename)

    def _write(self, principal: Principal, document: Document, found: Extraction, sha256: str) -> str:
        target = document.target
        if target is None:
            raise StoreBusy
        ids = _Aimed(target)
        provenance = Provenance(
            author=document.created_by,
            door=Door.WORKER,
            document_id=document.id,
            filename=document.filename,
            original_sha256=sha256,
            extractor=found.extractor,
        )
        metadata = bounded({**found.metadata, **{f"object.{name}": each for name, each in document.metadata.items()}})
        if target.expected is not None:
            edit = Edit(target.expected, found.text, document.title, source_metadata=metadata)
            item = EditItem(self.store, self.blobs, ids, self.clock)(principal, target.item_id, edit, provenance, None)
            return item.current_revision_id
        kind = format_of(document.filename)
        new = NewItem(
            title=document.title or title_from(found.title, kind, document.filename),
            locator=self._free(document, target),
            content=found.text,
            source_type=SourceType.FILE,
            source_metadata=metadata,
        )
        create = CreateItem(self.store, self.blobs, ids, self.clock)
        return create(principal, document.base_id, new, provenance, None).current_revision_id

    def _free(self, document: Document, target: Target) -> str:
        """The locator of a new item: a name that is taken, and that nobody asked for, gets an ending."""
        wanted = self._locator(document)
        if document.locator is not None or self.store.item_at(document.base_id, wanted) is None:
            return wanted
        stem, dot, extension = wanted.rpartition(".")
        return f"{stem[: _LOCATOR - 24]}-{target.item_id[-6:]}{dot}{extension}"


def sha256_of(content: bytes) -> str:
    """The hash that provenance tells of a file."""
    return hashlib.sha256(content).hexdigest()
