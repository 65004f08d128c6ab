"""The corners of the worker's use case: faults of ours, accounts that are gone, documents that are taken away."""

from typing import Any

import pytest

from chalicelib.domain.documents import DocumentStatus
from chalicelib.domain.errors import ConcurrentChange, NotFound, StoreBusy
from chalicelib.ingest.extracting import ExtractDocument
from chalicelib.ingest.snapshot import Snapshot
from tests.fakes.shelves import MemoryDocuments
from tests.unit.ingest.files import docx, line, paragraph, pdf
from tests.unit.ingest.test_documents import FILE, Bay

pytestmark = pytest.mark.promise("I3")


@pytest.fixture
def bay() -> Bay:
    return Bay()


def _worker(bay: Bay, *, documents: Any = None, store: Any = None, read: Any = None) -> ExtractDocument:
    """The worker's use case with some of its ports replaced."""
    world, wired = bay.world, bay.world.services.extract_document
    documents, store = documents or world.documents, store or world.shelves
    return ExtractDocument(
        store=store,
        documents=documents,
        originals=world.blobs,
        keys=world.keys,
        read=read or wired.read,
        snapshot=Snapshot(store, world.blobs, documents, world.blobs, world.ids, world.clock),
        limits=wired.limits,
        clock=world.clock,
        meter=world.meter,
    )


def _queued(bay: Bay, content: bytes = FILE, filename: str = "a.docx", **more: object) -> str:
    asked = bay.request(filename, len(content), **more)
    _, version = bay.put(asked["upload"]["fields"]["key"], content)
    document = bay.documents()[0]
    bay.world.documents.change(document, document.uploaded(version, len(content), bay.world.clock.now()))
    return str(asked["document_id"])


def test_a_fault_of_ours_leaves_the_document_queued_and_is_told(bay: Bay) -> None:
    document_id = _queued(bay)

    class Faulty:
        def __call__(self, *_: object) -> None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _worker(bay, read=Faulty())(document_id)
    assert bay.documents()[0].status is DocumentStatus.QUEUED
    done = _worker(bay)(document_id)
    assert done is not None
    assert done.status is DocumentStatus.READY


def test_a_document_that_is_taken_away_while_it_is_read_is_left_alone(bay: Bay) -> None:
    document_id = _queued(bay)
    wired = bay.world.services.extract_document

    class Slow:
        """Another worker takes the document over while this one reads."""

        def __call__(self, *more: Any) -> Any:
            now = bay.documents()[0]
            bay.world.documents.change(now, now.released(bay.world.clock.now()))
            other = _worker(bay)(document_id)
            assert other is not None
            return wired.read(*more)

    done = _worker(bay, read=Slow())(document_id)
    assert done is not None
    assert done.status is DocumentStatus.READY
    assert bay.counts == (1, 1)


def test_progress_of_a_deleted_document_ends_the_work(bay: Bay) -> None:
    document_id = _queued(bay, pdf(line("One.")), "a.pdf")
    wired = bay.world.services.extract_document

    class Deleted:
        def __call__(self, filename: str, content: bytes, progress: Any) -> Any:
            bay.world.services.delete_document(_ana(bay), document_id)
            bay.world.clock.pass_(seconds=5)
            progress(1, 2)
            return wired.read(filename, content)

    assert _worker(bay, read=Deleted())(document_id) is None
    assert (bay.counts, bay.world.blobs.files) == ((0, 0), {})


def _ana(bay: Bay) -> Any:
    from chalicelib.access.accounts import operator_for

    return operator_for(bay.ana.account)


@pytest.mark.promise("K10")
def test_an_account_that_is_gone_writes_nothing(bay: Bay) -> None:
    document_id = _queued(bay)

    class Nobody:
        def account(self, _: str) -> None:
            return None

    worker = _worker(bay)
    keys: Any = Nobody()
    forgotten = ExtractDocument(
        worker.store,
        worker.documents,
        worker.originals,
        keys,
        worker.read,
        worker.snapshot,
        worker.limits,
        worker.clock,
        worker.meter,
    )
    done = forgotten(document_id)
    assert done is not None
    assert done.failure is not None
    assert done.failure.code == "not_allowed"


@pytest.mark.promise("I5")
def test_an_item_that_is_gone_or_archived_says_so(bay: Bay) -> None:
    first = bay.read(bay.upload())
    item_id = first["knowledge_item_id"]
    archived = _queued(bay, docx(paragraph("Next.")), knowledge_item_id=item_id)
    bay.world.ok(bay.ana, "POST", f"/api/v1/knowledge/items/{item_id}/archive")
    done = _worker(bay)(archived)
    assert done is not None
    assert done.failure is not None
    assert (done.failure.code, done.failure.retryable) == ("item_archived", True)
    del bay.world.shelves.items_[item_id]
    gone = bay.world.documents.change(done, done.retried(bay.world.clock.now()))
    done = _worker(bay)(gone.id)
    assert done is not None
    assert done.failure is not None
    assert done.failure.code == "not_found"


def test_an_item_that_everybody_edits_is_left_to_the_queue(bay: Bay) -> None:
    item_id = bay.read(bay.upload())["knowledge_item_id"]
    document_id = _queued(bay, docx(paragraph("Next.")), knowledge_item_id=item_id)

    class Contended:
        def __getattr__(self, name: str) -> Any:
            if name == "add_revision":
                raise ConcurrentChange(expected=1, actual=2)
            return getattr(bay.world.shelves, name)

    with pytest.raises(StoreBusy):
        _worker(bay, store=Contended())(document_id)
    assert bay.documents()[0].status is DocumentStatus.QUEUED


def test_two_drops_on_the_same_new_path_end_as_one_item(bay: Bay) -> None:
    """The other drop's item appears between the look for it and the write."""
    key = f"inbox/{bay.base}/a.txt"
    bay.put(key, b"Other.")
    done = False

    class Racing:
        def __getattr__(self, name: str) -> Any:
            nonlocal done
            if name == "add_item" and not done:
                done = True
                bay.world.item(bay.ana, bay.base)
                body = {"title": "T", "locator": "a.txt", "content": "Theirs."}
                bay.world.ok(bay.ana, "POST", f"/api/v1/knowledge/bases/{bay.base}/items", body)
            return getattr(bay.world.shelves, name)

    taker = bay.world.services.take_object
    worker = _worker(bay, store=Racing())
    version = bay.world.blobs.files[key][-1].version
    type(taker)(taker.store, taker.documents, taker.originals, worker, taker.fail, taker.clock, taker.meter)(
        key, version
    )
    found = bay.world.shelves.item_at(bay.base, "a.txt")
    assert found is not None
    assert found.current_number == 2


def test_a_queue_that_is_late_finds_nothing_to_do(bay: Bay) -> None:
    document_id = bay.upload()
    assert _worker(bay)(document_id) == bay.documents()[0]
    assert _worker(bay)("doc_none") is None
    pending = bay.request()["document_id"]
    waiting = _worker(bay)(pending)
    assert waiting is not None
    assert waiting.status is DocumentStatus.PENDING_UPLOAD


def test_a_drop_into_a_base_that_is_deleted_meanwhile_makes_no_document(bay: Bay) -> None:
    key, version = bay.put(f"inbox/{bay.base}/a.txt", b"x")

    class Gone(MemoryDocuments):
        def add(self, *_: object) -> Any:
            raise NotFound

    taker = bay.world.services.take_object
    late = type(taker)(
        taker.store, Gone(bay.world.shelves), taker.originals, taker.extract, taker.fail, taker.clock, taker.meter
    )
    assert late(key, version) is None
    assert bay.documents() == []
