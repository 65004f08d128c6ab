"""The tables of truth and the bucket, in memory; safe to use from many threads."""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count

from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.documents import SETTLED, Document
from chalicelib.domain.errors import (
    ConcurrentChange,
    IdempotencyKeyReused,
    KnowledgeArchived,
    LocatorTaken,
    NotFound,
    StaleRevision,
    StoreBusy,
    UploadMissing,
)
from chalicelib.domain.files import Form
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.domain.purges import Purge, PurgeStatus
from chalicelib.domain.revisions import Intent, Revision
from chalicelib.domain.spaces import Role
from chalicelib.domain.writes import KEPT, Once, Page
from chalicelib.ingest.ports import Stored
from chalicelib.search.ports import Candidate, SearchState, Standing
from tests.fakes.machine import START


@dataclass(frozen=True)
class File:
    """One version of an original."""

    version: str
    content: bytes
    modified: datetime
    metadata: Mapping[str, str]


class MemoryBlobs:
    """The ports `Blobs` and `Originals`: content, which has one version of each, and files, which have many."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.files: dict[str, list[File]] = {}
        self._versions = count(1)

    def drop(self, key: str, content: bytes, modified: datetime = START, **metadata: str) -> str:
        """What an S3 client does: put an object; gives its version."""
        file = File(f"v{next(self._versions):06d}", content, modified, metadata)
        self.files.setdefault(key, []).append(file)
        return file.version

    def form(self, key: str, media_type: str, size: int, expires_at: datetime) -> Form:
        return Form("https://bucket.test/", {"key": key, "Content-Type": media_type, "size": str(size)}, expires_at)

    def origin(self) -> str:
        return "https://bucket.test"

    def link(self, key: str, version: str | None, filename: str) -> str:
        return f"https://bucket.test/{key}?versionId={version}&name={filename}"

    def look(self, key: str, version: str | None) -> Stored | None:
        found = self._found(key, version)
        return Stored(found.version, len(found.content), found.modified, found.metadata) if found else None

    def fetch(self, key: str, version: str | None) -> bytes:
        found = self._found(key, version)
        if found is None:
            raise UploadMissing
        return found.content

    def _found(self, key: str, version: str | None) -> File | None:
        versions = [each for each in self.files.get(key, []) if version in {None, each.version}]
        return versions[-1] if versions else None

    def count_object(self, key: str, version: str | None) -> int:
        return sum(version in {None, each.version} for each in self.files.get(key, []))

    def erase_object(self, key: str, version: str | None) -> None:
        left = [each for each in self.files.get(key, []) if version not in {None, each.version}]
        self.files.pop(key, None)
        if left:
            self.files[key] = left

    def put(self, key: str, content: bytes) -> None:
        self.objects[key] = content

    def get(self, key: str) -> bytes:
        if key not in self.objects:
            raise NotFound
        return self.objects[key]

    def count(self, prefix: str) -> int:
        files = sum(len(each) for key, each in self.files.items() if key.startswith(prefix))
        return files + sum(key.startswith(prefix) for key in self.objects)

    def erase(self, prefix: str) -> None:
        for key in [each for each in self.objects if each.startswith(prefix)]:
            self.objects.pop(key, None)
        for key in [each for each in self.files if each.startswith(prefix)]:
            self.files.pop(key, None)


class MemoryShelves:
    """The ports `KnowledgeStore`, `PurgeStore`, `Shelf`, `Catalogue` and `SearchStates`."""

    def __init__(self, role_of: Callable[[str, str], Role | None] = lambda _space, _user: None) -> None:
        self._lock = threading.RLock()
        self._role_of = role_of
        self.bases_: dict[str, Base] = {}
        self.items_: dict[str, Item] = {}
        self.listed: dict[str, str] = {}
        self.revisions_: dict[tuple[str, str], Revision] = {}
        self.intents_: dict[str, Intent] = {}
        self.purges_: dict[str, Purge] = {}
        self.marks: dict[str, tuple[int, SearchState]] = {}
        self.once: dict[str, tuple[Once, Base | Item | Purge]] = {}
        self.documents_: dict[str, Document] = {}
        self.filed: dict[str, set[str]] = {}
        self.reads = 0
        self.changes: Counter[str] = Counter()
        """Of each base: how often what is public in it changed."""

    def base(self, base_id: str) -> Base | None:
        return self.bases_.get(base_id)

    def bases(self, space_id: str, after: str | None, limit: int) -> Page[Base]:
        return _page([each for each in self.bases_.values() if each.space_id == space_id], after, limit)

    def named_bases(self, base_ids: Collection[str]) -> tuple[Base, ...]:
        return tuple(self.bases_[each] for each in set(base_ids) if each in self.bases_)

    def add_base(self, base: Base, once: Once | None) -> Base:
        with self._lock:
            if once and (seen := self.replayed_base(once)):
                return seen
            self.bases_[base.id] = base
            return self._remember(once, base)

    def change_base(self, before: Base, after: Base, once: Once | None) -> Base:
        with self._lock:
            if once and (seen := self.replayed_base(once)):
                return seen
            _expect(self.bases_.get(before.id), before.version)
            self.bases_[after.id] = after
            self.changes[after.id] += before.status is not after.status
            return self._remember(once, after)

    def item(self, item_id: str) -> Item | None:
        return self.items_.get(item_id)

    def everything(self) -> Iterator[Item]:
        return iter(list(self.items_.values()))

    def existing(self, item_ids: Collection[str]) -> set[str]:
        return {each for each in item_ids if each in self.items_}

    def item_at(self, base_id: str, locator: str) -> Item | None:
        found = [each for each in self.items_.values() if (each.base_id, each.locator) == (base_id, locator)]
        return found[0] if found else None

    def named_items(self, item_ids: Collection[str]) -> tuple[Item, ...]:
        return tuple(self.items_[each] for each in set(item_ids) if each in self.items_)

    def items(self, base_id: str, after: str | None, limit: int) -> Page[Item]:
        return _page([each for each in self.items_.values() if each.base_id == base_id], after, limit)

    def add_item(self, item: Item, revision: Revision, once: Once | None) -> Item:
        with self._lock:
            if once and (seen := self.replayed_item(once)):
                return seen
            self._demand_active(item.base_id)
            self._demand_free(item)
            self._put_revision(revision)
            self.items_[item.id] = item
            self.listed[item.id] = item.base_id
            self._notice(item)
            return self._remember(once, item)

    def add_revision(self, before: Item, after: Item, revision: Revision, once: Once | None) -> Item:
        with self._lock:
            changed = self.change_item(before, after, once)
            if changed is after:
                self._put_revision(revision)
            return changed

    def change_item(self, before: Item, after: Item, once: Once | None) -> Item:
        with self._lock:
            if once and (seen := self.replayed_item(once)):
                return seen
            self._demand_active(before.base_id)
            actual = self.items_.get(before.id)
            if actual and actual.current_revision_id != before.current_revision_id:
                raise StaleRevision(before.current_revision_id, actual.current_revision_id, actual.current_number)
            _expect(actual, before.version)
            self._demand_free(after)
            self.items_[after.id] = after
            self._notice(before, after)
            return self._remember(once, after)

    def intend(self, intent: Intent) -> None:
        self.intents_[intent.key] = intent

    def intents(self, before: datetime) -> tuple[Intent, ...]:
        return tuple(each for each in self.intents_.values() if each.at < before)

    def drop_intent(self, intent: Intent) -> None:
        self.intents_.pop(intent.key, None)

    def revision(self, item_id: str, revision_id: str) -> Revision | None:
        return self.revisions_.get((item_id, revision_id))

    def revisions(self, item_id: str, after: str | None, limit: int) -> Page[Revision]:
        with self._lock:
            found = [replace(each, inline=None) for key, each in self.revisions_.items() if key[0] == item_id]
        return _page(found, after, limit)

    def settle[R: Base | Item](self, result: R, once: Once | None) -> R:
        with self._lock:
            return self._remember(once, result)

    def replayed_base(self, once: Once) -> Base | None:
        seen = self._replayed(once)
        if not isinstance(seen, Base):
            return None
        now = self.bases_.get(seen.id)
        if now is None:
            raise NotFound
        return replace(seen, name=now.name, description=now.description)

    def replayed_item(self, once: Once) -> Item | None:
        seen = self._replayed(once)
        if not isinstance(seen, Item):
            return None
        now = self.items_.get(seen.id)
        if now is None:
            raise NotFound
        return replace(seen, title=now.title, locator=now.locator)

    def replayed_purge(self, once: Once) -> Purge | None:
        seen = self._replayed(once)
        return self.purges_[seen.id] if isinstance(seen, Purge) else None

    def bury_base(self, base: Base, purge: Purge, once: Once | None) -> Purge:
        with self._lock:
            if once and (seen := self.replayed_purge(once)):
                return seen
            _expect(self.bases_.get(base.id), base.version)
            del self.bases_[base.id]
            self.changes[base.id] += 1
            self.purges_[purge.id] = purge
            return self._remember(once, purge)

    def bury_item(self, item: Item, purge: Purge, once: Once | None) -> Purge:
        with self._lock:
            if once and (seen := self.replayed_purge(once)):
                return seen
            if item.base_id not in self.bases_:
                raise NotFound
            _expect(self.items_.get(item.id), item.version)
            del self.items_[item.id]
            del self.listed[item.id]
            self._notice(item)
            self.purges_[purge.id] = purge
            return self._remember(once, purge)

    def purge(self, purge_id: str) -> Purge | None:
        return self.purges_.get(purge_id)

    def unsettled(self) -> tuple[Purge, ...]:
        return tuple(each for each in self.purges_.values() if each.status is not PurgeStatus.SETTLED)

    def advance(self, before: Purge, after: Purge) -> Purge:
        with self._lock:
            _expect(self.purges_.get(before.id), before.version)
            self.purges_[after.id] = after
            return after

    def item_ids(self, base_id: str, limit: int) -> tuple[str, ...]:
        return tuple(sorted((key for key, base in self.listed.items() if base == base_id), reverse=True)[:limit])

    def count_revisions(self, item_id: str) -> int:
        return sum(key[0] == item_id for key in self.revisions_)

    def erase_revisions(self, item_id: str) -> None:
        for key in [each for each in self.revisions_ if each[0] == item_id]:
            self.revisions_.pop(key, None)

    def erase_item(self, item_id: str) -> None:
        self.items_.pop(item_id, None)
        self.filed.pop(item_id, None)
        self.marks.pop(item_id, None)

    def unlist_item(self, base_id: str, item_id: str) -> None:
        assert self.listed.get(item_id, base_id) == base_id
        self.listed.pop(item_id, None)

    def document_ids(self, owner_id: str, limit: int | None) -> tuple[str, ...]:
        return tuple(sorted(self.filed.get(owner_id, ()), reverse=True)[:limit])

    def document_object(self, document_id: str) -> tuple[str, str | None] | None:
        found = self.documents_.get(document_id)
        return (found.key, found.object_version) if found else None

    def erase_document(self, base_id: str, document_id: str) -> None:
        found = self.documents_.pop(document_id, None)
        for owner in (base_id, found.item_id if found else None):
            self.filed.get(owner or "", set()).discard(document_id)

    def erase_base(self, base_id: str) -> None:
        self.filed.pop(base_id, None)
        self.bases_.pop(base_id, None)
        self.changes.pop(base_id, None)

    def _notice(self, *states: Item) -> None:
        self.changes[states[0].base_id] += any(each.status is ItemStatus.PUBLISHED for each in states)

    def standing(self, user_id: str, candidates: Collection[Candidate]) -> Standing:
        with self._lock:
            self.reads += 1
            spaces = {each.space_id for each in candidates}
            roles = {each: self._role_of(each, user_id) for each in spaces}
            return Standing(
                items={each.item_id: self.items_[each.item_id] for each in candidates if each.item_id in self.items_},
                bases={each.base_id: self.bases_[each.base_id] for each in candidates if each.base_id in self.bases_},
                roles={space: role for space, role in roles.items() if role},
            )

    def mark(self, item: Item, state: SearchState) -> None:
        with self._lock:
            if item.id in self.items_ and self.marks.get(item.id, (0, state))[0] <= item.version:
                self.marks[item.id] = (item.version, state)

    def states(self, items: Sequence[Item]) -> dict[str, SearchState]:
        found = {each.id: self.marks.get(each.id, (0, SearchState.PENDING)) for each in items}
        return {
            each.id: found[each.id][1] if found[each.id][0] >= each.version else SearchState.PENDING for each in items
        }

    def _remember[R: Base | Item | Purge](self, once: Once | None, result: R) -> R:
        if once:
            self.once[once.key] = (once, result)
        return result

    def _replayed(self, once: Once) -> Base | Item | Purge | None:
        if once.key not in self.once:
            return None
        first, result = self.once[once.key]
        if first.expires_at <= once.expires_at - KEPT:
            return None
        if first.fingerprint != once.fingerprint:
            raise IdempotencyKeyReused
        return result

    def _put_revision(self, revision: Revision) -> None:
        key = (revision.item_id, revision.id)
        if key in self.revisions_ or (revision.blob and revision.blob not in self.intents_):
            raise StoreBusy
        self.intents_.pop(revision.blob or "", None)
        self.revisions_[key] = revision

    def _demand_active(self, base_id: str) -> None:
        base = self.bases_.get(base_id)
        if base is None:
            raise NotFound
        if base.status is BaseStatus.ARCHIVED:
            raise KnowledgeArchived(knowledge_base_id=base_id)

    def _demand_free(self, item: Item) -> None:
        other = self.item_at(item.base_id, item.locator)
        if other is not None and other.id != item.id:
            raise LocatorTaken(locator=item.locator, knowledge_item_id=other.id)


class MemoryKnowledgeState:
    """The port `KnowledgeState`, on the same shelves."""

    def __init__(self, shelves: MemoryShelves) -> None:
        self.shelves = shelves
        self.reads = 0

    def changes(self, base_ids: Collection[str]) -> Mapping[str, int]:
        self.reads += 1
        return {each: self.shelves.changes[each] for each in base_ids}

    def standing(self, candidates: Collection[Candidate]) -> Standing:
        self.reads += 1
        standing = self.shelves.standing("nobody", candidates)
        return Standing(standing.items, standing.bases, {})


class MemoryDocuments:
    """The port `DocumentStore`, on the same shelves."""

    def __init__(self, shelves: MemoryShelves) -> None:
        self.shelves = shelves
        self.once: dict[str, tuple[Once, str]] = {}
        self._lock = threading.RLock()

    def add(self, document: Document, once: Once | None) -> Document:
        with self._lock:
            if once and (seen := self.replayed(once)):
                return seen
            if document.base_id not in self.shelves.bases_:
                raise NotFound
            if document.id in self.shelves.documents_:
                return self.shelves.documents_[document.id]
            self._put(document)
            if once:
                self.once[once.key] = (once, document.id)
            return document

    def named_documents(self, document_ids: Collection[str]) -> tuple[Document, ...]:
        found = self.shelves.documents_
        return tuple(found[each] for each in set(document_ids) if each in found)

    def document(self, document_id: str) -> Document | None:
        return self.shelves.documents_.get(document_id)

    def documents(self, base_id: str, after: str | None, limit: int) -> Page[Document]:
        return _page([each for each in self.shelves.documents_.values() if each.base_id == base_id], after, limit)

    def replayed(self, once: Once) -> Document | None:
        if once.key not in self.once:
            return None
        first, document_id = self.once[once.key]
        if first.fingerprint != once.fingerprint:
            raise IdempotencyKeyReused
        if document_id not in self.shelves.documents_:
            raise NotFound
        return self.shelves.documents_[document_id]

    def change(self, before: Document, after: Document) -> Document:
        with self._lock:
            _expect(self.shelves.documents_.get(before.id), before.version)
            self._put(after)
            return after

    def remove(self, document: Document) -> None:
        self.shelves.erase_document(document.base_id, document.id)

    def unsettled(self) -> tuple[Document, ...]:
        return tuple(each for each in self.shelves.documents_.values() if each.status not in SETTLED)

    def _put(self, document: Document) -> None:
        self.shelves.documents_[document.id] = document
        for owner in filter(None, (document.base_id, document.item_id)):
            self.shelves.filed.setdefault(owner, set()).add(document.id)


def _expect(actual: Base | Document | Item | Purge | None, version: int) -> None:
    if actual is None:
        raise NotFound
    if actual.version != version:
        raise ConcurrentChange(expected=version, actual=actual.version)


def _page[R: Base | Document | Item | Revision](found: list[R], after: str | None, limit: int) -> Page[R]:
    ordered = sorted(found, key=lambda each: each.id, reverse=True)
    rest = [each for each in ordered if after is None or each.id < after]
    return Page(tuple(rest[:limit]), rest[limit - 1].id if len(rest) > limit else None)
