"""Objects that appear in the bucket: uploads that were asked for, and drops into the inbox (rules I2, I3)."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from chalicelib.domain.documents import Document, DocumentStatus, Origin
from chalicelib.domain.errors import ConcurrentChange, KnownError, NotFound, UploadExpired
from chalicelib.domain.files import format_of
from chalicelib.domain.ids import Kind, compose, is_id
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Meter
from chalicelib.ingest.extracting import LEASE, Extract, FailAtOnce
from chalicelib.ingest.naming import line
from chalicelib.ingest.ports import DocumentStore, Originals, Stored, WorkQueue
from chalicelib.knowledge.ports import KnowledgeStore

_FILENAME = 512
_VALUES = 16
"""Entries of an object's own metadata that are kept."""
_OVERDUE = timedelta(hours=1)
"""An upload that was asked for so long ago does not come any more; its form ended long before."""


@dataclass(frozen=True, slots=True)
class TakeObject:
    """Take in an object that was put into the bucket; the same one often is no more than once."""

    store: KnowledgeStore
    documents: DocumentStore
    originals: Originals
    extract: Extract
    fail: FailAtOnce
    clock: Clock
    meter: Meter

    def __call__(self, key: str, version: str | None) -> Document | None:
        """What became of the document; None if there is none to be made of the object. Raises StoreBusy."""
        place, _, rest = key.partition("/")
        base_id, _, name = rest.partition("/")
        if not is_id(base_id, Kind.BASE) or not name or key.endswith("/"):
            self.meter.count("objects_ignored", place=place if place in {"originals", "inbox"} else "other")
            return None
        document = self._uploaded(key, version, name) if place == "originals" else self._dropped(key, version, name)
        return self.extract(document.id) if document is not None else None

    def _uploaded(self, key: str, version: str | None, name: str) -> Document | None:
        document = self.documents.document(name.partition("/")[0])
        if document is None or document.key != key:
            # Deleted while it was on its way: then its file is wanted no more.
            self.originals.erase_object(key, version)
            return None
        if document.object_version is not None:
            if document.object_version != version:
                self.originals.erase_object(key, version)  # The form was used twice.
            return document
        stored = self.originals.look(key, version)
        if stored is None:
            return None
        with suppress(ConcurrentChange, NotFound):  # Another delivery of the same object came first.
            return self.documents.change(document, document.uploaded(version, stored.size, self.clock.now()))
        return self.documents.document(document.id)

    def _dropped(self, key: str, version: str | None, name: str) -> Document | None:
        base = self.store.base(key.split("/")[1])
        if base is None:
            self.meter.count("drops_without_base")
            return None
        stored = self.originals.look(key, version)
        if stored is None:
            return None
        document = _drop(key, stored, base.space_id, name)
        if (seen := self.documents.document(document.id)) is not None:
            return seen
        try:
            added = self.documents.add(document, None)
        except NotFound:
            return None
        return self._checked(added)

    def _checked(self, document: Document) -> Document:
        """A drop of a kind that is not taken shows as a failed document at once."""
        try:
            format_of(document.filename)
        except KnownError as error:
            with suppress(ConcurrentChange, NotFound):
                return self.fail(document, error)
        return document


def _drop(key: str, stored: Stored, space_id: str, name: str) -> Document:
    """The document of a dropped object: the same for every delivery of the same version."""
    mark = hashlib.sha256(f"{key}\0{stored.version}".encode()).digest()[:10]
    return Document(
        id=compose(Kind.DOCUMENT, int(stored.modified.timestamp() * 1000), mark),
        base_id=key.split("/")[1],
        space_id=space_id,
        origin=Origin.DROP,
        filename=line(name, _FILENAME) or "file",
        size=stored.size,
        key=key,
        status=DocumentStatus.QUEUED,
        version=1,
        created_by=space_id,
        created_at=stored.modified,
        updated_at=stored.modified,
        object_version=stored.version,
        metadata=dict(list({**dict(sorted(stored.metadata.items())), "key": key}.items())[-_VALUES:]),
    )


@dataclass(frozen=True, slots=True)
class SweepDocuments:
    """Wake documents whose worker was lost, and end those whose file never came."""

    documents: DocumentStore
    queue: WorkQueue
    fail: FailAtOnce
    clock: Clock

    def __call__(self) -> int:
        """How many were woken or ended."""
        now = self.clock.now()
        touched = 0
        for each in self.documents.unsettled():
            age = now - each.updated_at
            with suppress(ConcurrentChange, NotFound):  # Then someone is at work on it, which is what we wanted.
                if each.status is DocumentStatus.PENDING_UPLOAD and age >= _OVERDUE:
                    self.fail(each, UploadExpired())
                elif each.status is not DocumentStatus.PENDING_UPLOAD and age >= LEASE:
                    self.documents.change(each, each.released(now))
                    self.queue.send(each.id)
                else:
                    continue
                touched += 1
        return touched
