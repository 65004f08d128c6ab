"""Where the content of a revision lies: beside its metadata, or as an object of its own (rule K8)."""

import hashlib
from dataclasses import dataclass

from chalicelib.domain.errors import ContentDamaged, NotFound
from chalicelib.domain.items import Item
from chalicelib.domain.revisions import Intent, Revision
from chalicelib.domain.text import Canonical
from chalicelib.knowledge.ports import Blobs, KnowledgeStore

INLINE_BYTES = 300 * 1024
"""Content up to here goes into the record. DynamoDB's limit is 400 KB for all attributes of an item."""


def folder(base_id: str, item_id: str | None = None) -> str:
    """The prefix under which all objects of a base, or of one item, lie."""
    return f"content/{base_id}/" if item_id is None else f"content/{base_id}/{item_id}/"


def maps_folder(base_id: str) -> str:
    """The prefix under which copies of topic maps of a base lie, which hold its passages; they may go at any time."""
    return f"maps/{base_id}/"


def folders(base_id: str) -> tuple[str, ...]:
    """The prefixes under which anything of a base may lie: content, uploaded originals, and what was dropped."""
    return folder(base_id), f"originals/{base_id}/", f"inbox/{base_id}/"


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a content lies: exactly one of the two is set."""

    inline: str | None
    blob: str | None


def place(store: KnowledgeStore, blobs: Blobs, item: Item, content: Canonical) -> Placed:
    """Put big content of an item's current revision into its object; small content stays inline.

    The object is written before the transaction that refers to it, and before the object a note of it, which that
    transaction removes. So an object whose transaction never came is found by its note (`SweepObjects`). Keys hold the
    revision beside the hash: no two writers share an object.
    """
    if content.size <= INLINE_BYTES:
        return Placed(content.text, None)
    key = f"{folder(item.base_id, item.id)}{content.sha256}/{item.current_revision_id}"
    store.intend(Intent(key, item.id, item.current_revision_id, item.updated_at))
    blobs.put(key, content.text.encode())
    return Placed(None, key)


def text_of(blobs: Blobs, revision: Revision) -> str:
    """The content of a revision, its hash verified where it lies apart.

    Raises:
        NotFound: the object is gone, which only deletion for good does.
        ContentDamaged: the object is not what was stored.
    """
    if revision.inline is not None:
        return revision.inline
    content = blobs.get(str(revision.blob))
    if hashlib.sha256(content).hexdigest() != revision.sha256:
        raise ContentDamaged(revision_id=revision.id)
    return content.decode()


@dataclass(frozen=True, slots=True)
class ReadText:
    """Use case: the canonical text of a revision, for rooms that have checked visibility themselves."""

    store: KnowledgeStore
    blobs: Blobs

    def __call__(self, item_id: str, revision_id: str) -> str:
        """The text. Raises NotFound, ContentDamaged."""
        revision = self.store.revision(item_id, revision_id)
        if revision is None:
            raise NotFound
        return text_of(self.blobs, revision)
