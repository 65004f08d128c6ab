"""The life of documents, from an upload or a drop to an item, over HTTP and through the worker's door."""

import json
import threading
from typing import Any
from urllib.parse import quote_plus

import pytest

from chalicelib.domain.documents import Document, DocumentStatus
from chalicelib.domain.errors import StoreBusy
from chalicelib.domain.spaces import Role
from chalicelib.ingest.extracting import ATTEMPTS, LEASE, ExtractDocument
from chalicelib.ingest.snapshot import Snapshot
from chalicelib.workers import follow
from chalicelib.workers.extract import extract
from tests.fakes.mortal import Killed, Life, Mortal
from tests.unit.api.world import KNOWLEDGE, Person, World
from tests.unit.ingest.files import docx, line, paragraph, pdf
from tests.web import Answered

pytestmark = pytest.mark.promise("I2", "I3")

DOCUMENTS = "/api/v1/documents"
FILE = docx(paragraph("Turn it off and on."))


class Bay:
    """A world with a person, a base, and hands to put files into it."""

    def __init__(self) -> None:
        self.world = World()
        self.ana = self.world.person("Ana")
        self.space = self.ana.account.personal_space_id
        self.base = self.world.base(self.ana, self.space)

    def request(self, filename: str = "report.docx", size: int = 1000, **more: object) -> Any:
        body = {"filename": filename, "size": size, "knowledge_base_id": self.base, **more}
        return self.world.ok(self.ana, "POST", DOCUMENTS, body)

    def upload(self, content: bytes = FILE, filename: str = "report.docx", **more: object) -> str:
        asked = self.request(filename, len(content), **more)
        self.deliver(*self.put(asked["upload"]["fields"]["key"], content))
        return str(asked["document_id"])

    def put(self, key: str, content: bytes, **metadata: str) -> tuple[str, str]:
        self.world.clock.pass_(seconds=1)
        return key, self.world.blobs.drop(key, content, self.world.clock.now(), **metadata)

    def drop(self, name: str, content: bytes, **metadata: str) -> Document:
        put = self.put(f"inbox/{self.base}/{name}", content, **metadata)
        assert self.deliver(*put) == []
        return self.documents()[0]

    def deliver(self, *put: str) -> list[str]:
        return self.work(message(*put))

    def work(self, *bodies: str) -> list[str]:
        records = [{"messageId": f"m{number}", "body": each} for number, each in enumerate(bodies)]
        answer = extract({"Records": records}, self.world.services, self.world.journal)
        return [each["itemIdentifier"] for each in answer["batchItemFailures"]]

    def read(self, document_id: str) -> Any:
        return self.world.ok(self.ana, "GET", f"{DOCUMENTS}/{document_id}")

    def documents(self) -> list[Document]:
        return sorted(self.world.shelves.documents_.values(), key=lambda each: each.id, reverse=True)

    def content(self, document: Any) -> str:
        path = f"{KNOWLEDGE}/items/{document['knowledge_item_id']}/revisions/{document['knowledge_revision_id']}"
        return str(self.world.ok(self.ana, "GET", path)["content"])

    @property
    def counts(self) -> tuple[int, int]:
        """Items and revisions."""
        return len(self.world.shelves.items_), len(self.world.shelves.revisions_)


def message(key: str, version: str, event: str = "ObjectCreated:Put") -> str:
    put = {"eventName": event, "s3": {"object": {"key": quote_plus(key), "versionId": version}}}
    return json.dumps({"Records": [put]})


@pytest.fixture
def bay() -> Bay:
    return Bay()


def test_an_upload_becomes_a_draft_with_its_provenance(bay: Bay) -> None:
    asked = bay.request(size=len(FILE))
    assert asked["document"]["status"] == "pending_upload"
    assert asked["upload"]["fields"]["size"] == str(len(FILE))
    assert asked["upload"]["expires_at"] > asked["document"]["created_at"]
    put = bay.put(asked["upload"]["fields"]["key"], FILE)
    assert bay.deliver(*put) == []
    found = bay.read(asked["document_id"])
    assert (found["status"], found["failure"]) == ("ready", None)
    assert found["reference"] == f"knowledge:{found['knowledge_item_id']}@{found['knowledge_revision_id']}"
    item = bay.world.ok(bay.ana, "GET", f"{KNOWLEDGE}/items/{found['knowledge_item_id']}")
    assert (item["status"], item["source_type"], item["title"], item["locator"]) == (
        "draft",
        "file",
        "report",
        "report.docx",
    )
    path = f"{KNOWLEDGE}/items/{item['id']}/revisions/{item['current_revision_id']}"
    made = bay.world.ok(bay.ana, "GET", path)["revision"]["provenance"]
    assert (made["document_id"], made["filename"], made["door"]) == (found["id"], "report.docx", "worker")
    assert made["author"] == bay.ana.account.user_id
    assert made["extractor"].startswith("acervo-docx/1")
    assert len(made["original_sha256"]) == 64


def test_the_same_object_delivered_often_makes_one_revision(bay: Bay) -> None:
    asked = bay.request(size=len(FILE))
    put = bay.put(asked["upload"]["fields"]["key"], FILE)
    assert bay.work(message(*put), message(*put), message(*put)) == []
    assert bay.counts == (1, 1)
    assert bay.work(message(*put)) == []
    assert bay.counts == (1, 1)


def test_concurrent_deliveries_make_one_revision(bay: Bay) -> None:
    for number in range(8):
        put = bay.put(f"inbox/{bay.base}/{number}.docx", FILE)
        threads = [threading.Thread(target=bay.deliver, args=put) for _ in range(6)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert bay.counts == (number + 1, number + 1)
    assert {each.status for each in bay.documents()} == {DocumentStatus.READY}


@pytest.mark.promise("K4")
def test_the_same_bytes_again_make_no_revision(bay: Bay) -> None:
    first = bay.read(bay.upload())
    again = bay.read(bay.upload())
    assert again["status"] == "ready"
    assert again["reference"] == first["reference"]
    assert bay.counts == (1, 1)


def test_another_file_of_the_same_name_is_another_item_unless_it_is_said_where_it_belongs(bay: Bay) -> None:
    first = bay.read(bay.upload())
    second = bay.read(bay.upload(docx(paragraph("Something else."))))
    assert first["knowledge_item_id"] != second["knowledge_item_id"]
    assert bay.counts == (2, 2)
    third = bay.read(bay.upload(docx(paragraph("Third.")), locator="report.docx"))
    assert third["knowledge_item_id"] == first["knowledge_item_id"]
    fourth = bay.read(
        bay.upload(docx(paragraph("Fourth.")), "other.docx", knowledge_item_id=first["knowledge_item_id"])
    )
    assert fourth["knowledge_item_id"] == first["knowledge_item_id"]
    assert bay.content(fourth) == "Fourth.\n"
    assert bay.counts == (2, 4)


def test_a_drop_is_taken_in_with_its_key_and_metadata(bay: Bay) -> None:
    document = bay.drop("guides/2026 (a+b)/näme.md", b"---\ntitle: Dropped\n---\nText <b>x</b>\n", team="ops")
    assert (document.status, document.created_by) == (DocumentStatus.READY, bay.space)
    item = bay.world.shelves.items_[str(document.item_id)]
    assert (item.title, item.locator, item.created_by) == ("Dropped", "guides/2026 (a+b)/näme.md", bay.space)
    revision = bay.world.shelves.revisions_[item.id, item.current_revision_id]
    assert revision.inline == "Text \\<b>x\\</b>\n"
    assert revision.source_metadata["object.team"] == "ops"
    assert revision.source_metadata["object.key"] == f"inbox/{bay.base}/guides/2026 (a+b)/näme.md"
    assert bay.world.ok(bay.ana, "GET", f"{KNOWLEDGE}/items/{item.id}")["title"] == "Dropped"


def test_a_file_dropped_again_is_the_next_revision_and_the_same_bytes_are_none(bay: Bay) -> None:
    bay.drop("a.txt", b"One.")
    bay.drop("a.txt", b"One.")
    assert bay.counts == (1, 1)
    bay.drop("a.txt", b"Two.")
    assert bay.counts == (1, 2)
    assert {each.status for each in bay.documents()} == {DocumentStatus.READY}


def test_an_older_version_that_arrives_late_changes_nothing(bay: Bay) -> None:
    old = bay.put(f"inbox/{bay.base}/a.txt", b"Old.")
    new = bay.put(f"inbox/{bay.base}/a.txt", b"New.")
    assert bay.work(message(*new), message(*old)) == []
    item = next(iter(bay.world.shelves.items_.values()))
    assert bay.world.shelves.revisions_[item.id, item.current_revision_id].inline == "New.\n"
    assert bay.counts == (1, 1)
    failures = [each.failure.code for each in bay.documents() if each.failure]
    assert failures == ["superseded"]


@pytest.mark.promise("I5")
def test_what_cannot_be_read_shows_as_a_failed_document_and_the_object_stays(bay: Bay) -> None:
    for name, content, code in (
        ("a.doc", b"x", "unsupported_format"),
        ("b.pdf", b"no pdf", "document_unreadable"),
        ("c.md", b"", "document_empty"),
        ("d.txt", bytes(range(256)) * 4, "undecodable_text"),
        ("e", b"x", "unsupported_format"),
        ("f.txt", b"x" * (2 * 1024 * 1024 + 1), "document_too_large"),
    ):
        document = bay.drop(name, content)
        assert document.failure is not None
        assert (document.failure.code, document.failure.retryable) == (code, False)
        assert document.failure.message.endswith(".")
        assert bay.world.blobs.look(document.key, document.object_version)
    assert bay.counts == (0, 0)
    listed = bay.world.ok(bay.ana, "GET", f"{DOCUMENTS}?knowledge_base_id={bay.base}&status=failed&limit=4")
    assert len(listed["documents"]) == 4
    assert ("documents_failed", 1, {"code": "document_empty"}) in bay.world.meter.counted


def test_one_bad_message_neither_blocks_nor_repeats_the_good_ones(bay: Bay) -> None:
    good = [bay.put(f"inbox/{bay.base}/{number}.txt", b"Text %d" % number) for number in range(3)]
    bodies = [message(*good[0]), "no json", message(*good[1]), '{"some": "thing"}', message(*good[2])]
    assert bay.work(*bodies) == ["m1", "m3"]
    assert bay.counts == (3, 3)
    codes = [outcome.code for _, _, outcome in bay.world.journal.entries if outcome.fault]
    assert codes == ["worker_failed"] * 2


def test_what_is_not_for_us_is_passed_over(bay: Bay) -> None:
    bay.put(f"inbox/{bay.base}/folder/", b"")
    bay.put("inbox/kb_01k3v9m6b0000000000000000a/x.txt", b"x")
    assert (
        bay.work(
            '{"Event": "s3:TestEvent"}',
            message(f"inbox/{bay.base}/folder/", "v1"),
            message("inbox/x.txt", "v1"),
            message("elsewhere/x.txt", "v1"),
            message("inbox/kb_01k3v9m6b0000000000000000a/x.txt", "v000002"),
            message(f"inbox/{bay.base}/gone.txt", "v9"),
            message(f"inbox/{bay.base}/a.txt", "v1", "ObjectRemoved:Delete"),
            '{"document_id": "doc_none"}',
        )
        == []
    )
    assert bay.documents() == []
    assert ("drops_without_base", 1, {}) in bay.world.meter.counted
    assert "inbox/kb_01k3v9m6b0000000000000000a/x.txt" in bay.world.blobs.files


def test_an_upload_whose_document_was_deleted_leaves_no_file(bay: Bay) -> None:
    asked = bay.request(size=len(FILE))
    bay.world.ok(bay.ana, "DELETE", f"{DOCUMENTS}/{asked['document_id']}")
    put = bay.put(asked["upload"]["fields"]["key"], FILE)
    assert bay.deliver(*put) == []
    assert (bay.world.blobs.files, bay.counts) == ({}, (0, 0))


def test_a_form_that_is_used_twice_uploads_once(bay: Bay) -> None:
    asked = bay.request(size=len(FILE))
    key = asked["upload"]["fields"]["key"]
    bay.deliver(*bay.put(key, FILE))
    bay.deliver(*bay.put(key, docx(paragraph("Another."))))
    assert bay.counts == (1, 1)
    assert len(bay.world.blobs.files[key]) == 1


def _failed(bay: Bay) -> str:
    """A document that failed for a reason that passes."""
    asked = bay.request(size=len(FILE))
    put = bay.put(asked["upload"]["fields"]["key"], FILE)
    bay.world.ok(bay.ana, "POST", f"{KNOWLEDGE}/bases/{bay.base}/archive")
    bay.deliver(*put)
    bay.world.ok(bay.ana, "POST", f"{KNOWLEDGE}/bases/{bay.base}/restore")
    return str(asked["document_id"])


@pytest.mark.promise("K15")
def test_what_failed_for_a_reason_that_passes_can_be_retried(bay: Bay) -> None:
    document_id = _failed(bay)
    failure = bay.read(document_id)["failure"]
    assert (failure["code"], failure["retryable"]) == ("knowledge_archived", True)
    retried = bay.world.ok(bay.ana, "POST", f"{DOCUMENTS}/{document_id}/retry")
    assert (retried["status"], bay.world.queue.sent) == ("queued", [document_id])
    assert bay.work(json.dumps({"document_id": document_id})) == []
    assert bay.read(document_id)["status"] == "ready"
    answer = bay.world.web("POST", f"{DOCUMENTS}/{document_id}/retry", token=bay.ana.token)
    assert (answer.status, answer.json["code"]) == (409, "illegal_move")


@pytest.mark.promise("K10")
def test_whoever_lost_the_role_meanwhile_writes_nothing(bay: Bay) -> None:
    world = bay.world
    ben = world.person("Ben")
    team = world.team(bay.ana, member=ben)
    base = world.base(bay.ana, team)
    body = {"filename": "a.docx", "size": len(FILE), "knowledge_base_id": base}
    asked = world.ok(ben, "POST", DOCUMENTS, body)
    put = bay.put(asked["upload"]["fields"]["key"], FILE)
    world.ok(bay.ana, "DELETE", f"/api/v1/teams/{team}/members/{ben.account.user_id}")
    assert bay.deliver(*put) == []
    assert bay.counts == (0, 0)
    failed = world.ok(bay.ana, "GET", f"{DOCUMENTS}/{asked['document_id']}")
    assert failed["failure"]["code"] == "not_allowed"
    assert world.web("GET", f"{DOCUMENTS}/{asked['document_id']}", token=ben.token).status == 404


def test_progress_is_told_by_pages(bay: Bay) -> None:
    seen: list[tuple[int, int]] = []
    world = bay.world

    class Slow:
        """A clock that moves whenever it is looked at, as it does while pages are read."""

        def now(self) -> Any:
            seen.extend((each.done, each.total) for each in bay.documents())
            world.clock.pass_(seconds=1.5)
            return world.clock.now()

    worker = _worker(bay, clock=Slow())
    asked = bay.request("a.pdf", 900)
    _, version = bay.put(asked["upload"]["fields"]["key"], pdf(*(line(f"Page {number}") for number in range(4))))
    document = bay.documents()[0]
    world.documents.change(document, document.uploaded(version, 900, world.clock.now()))
    done = worker(asked["document_id"])
    assert done is not None
    assert done.status is DocumentStatus.READY
    assert {total for _, total in seen} == {0, 4}
    assert [each for each, _ in seen] == sorted(each for each, _ in seen)
    assert bay.read(asked["document_id"])["progress"] == {"done": 4, "total": 4}


def _worker(bay: Bay, life: Life | None = None, clock: Any = None) -> ExtractDocument:
    """The worker's use case, mortal if it has a life."""
    world = bay.world
    mortal: Any = (lambda target: Mortal(target, life)) if life else lambda target: target
    store, documents, originals = mortal(world.shelves), mortal(world.documents), mortal(world.blobs)
    wired = world.services.extract_document
    return ExtractDocument(
        store=store,
        documents=documents,
        originals=originals,
        keys=world.keys,
        read=wired.read,
        snapshot=Snapshot(store, mortal(world.blobs), documents, originals, world.ids, clock or world.clock),
        limits=wired.limits,
        clock=clock or world.clock,
        meter=world.meter,
    )


@pytest.mark.parametrize("kind", ["new", "next", "drop"])
def test_a_worker_killed_at_every_step_is_taken_over_and_nothing_is_lost_or_double(kind: str) -> None:
    killed, life = 0, Life(0)
    for steps in range(300):
        bay = Bay()
        attached = {}
        if kind == "next":
            attached = {"knowledge_item_id": bay.read(bay.upload(docx(paragraph("Before."))))["knowledge_item_id"]}
        big = docx(paragraph("b" * 400_000))
        if kind == "drop":
            key, version = bay.put(f"inbox/{bay.base}/a.docx", big)
        else:
            asked = bay.request(size=len(big), **attached)
            key, version = bay.put(asked["upload"]["fields"]["key"], big)
        life = Life(steps)
        taker = bay.world.services.take_object
        worker = _worker(bay, life)
        mortal: Any = type(taker)(
            Mortal(taker.store, life),
            Mortal(taker.documents, life),
            Mortal(taker.originals, life),
            worker,
            taker.fail,
            taker.clock,
            taker.meter,
        )
        try:
            mortal(key, version)
        except Killed:
            killed += 1
        # The queue delivers the message again, once nobody can be at work on it any more.
        bay.world.clock.pass_(seconds=LEASE.total_seconds())
        assert bay.deliver(key, version) == []
        (document,) = [each for each in bay.documents() if each.object_version == version]
        assert document.status is DocumentStatus.READY, steps
        assert bay.counts == ((1, 2) if kind == "next" else (1, 1)), steps
        item = bay.world.shelves.items_[str(document.item_id)]
        assert item.current_revision_id == document.revision_id
        bay.world.clock.pass_(hours=1)
        bay.world.services.sweep_objects()
        assert len(bay.world.blobs.objects) == 1, steps
        assert bay.world.shelves.intents_ == {}
        if life.left >= 0:
            break
    assert killed > 20
    assert life.left >= 0


def test_a_lost_message_is_made_good_by_the_sweep(bay: Bay) -> None:
    asked = bay.request(size=len(FILE))
    _, version = bay.put(asked["upload"]["fields"]["key"], FILE)
    document = bay.documents()[0]
    queued = bay.world.documents.change(document, document.uploaded(version, len(FILE), bay.world.clock.now()))
    bay.world.documents.change(queued, queued.claimed(bay.world.clock.now()))
    assert bay.world.services.sweep_documents() == 0
    bay.world.clock.pass_(seconds=LEASE.total_seconds())
    assert follow.sweep(bay.world.services)["documents_woken"] == 1
    assert bay.world.queue.sent == [asked["document_id"]]
    assert bay.world.services.sweep_documents() == 0
    assert bay.work(json.dumps({"document_id": asked["document_id"]})) == []
    assert bay.read(asked["document_id"])["status"] == "ready"


def test_a_file_that_never_came_ends_its_document(bay: Bay) -> None:
    asked = bay.request()
    bay.world.clock.pass_(minutes=59)
    assert bay.world.services.sweep_documents() == 0
    bay.world.clock.pass_(minutes=2)
    assert bay.world.services.sweep_documents() == 1
    assert bay.read(asked["document_id"])["failure"]["code"] == "upload_expired"


@pytest.mark.promise("I6")
def test_a_document_that_ends_its_worker_every_time_fails_in_the_end(bay: Bay) -> None:
    put = bay.put(f"inbox/{bay.base}/a.docx", FILE)
    for number in range(ATTEMPTS):
        steps = 6 + 2 * (number == 0)
        with pytest.raises(Killed):
            _dying(bay, steps, *put)
        bay.world.clock.pass_(seconds=LEASE.total_seconds())
    assert bay.deliver(*put) == []
    failure = bay.documents()[0].failure
    assert failure is not None
    assert (failure.code, failure.retryable) == ("extraction_interrupted", True)
    assert bay.counts == (0, 0)


def _dying(bay: Bay, _: int, key: str, version: str) -> None:
    class Deadly:
        def extract(self, *_: object) -> None:
            raise Killed

    services = bay.world.services
    read = type(services.extract_document.read)(Deadly(), services.limits)  # type: ignore[arg-type]
    worker = _worker(bay)
    fatal = type(worker)(
        worker.store,
        worker.documents,
        worker.originals,
        worker.keys,
        read,
        worker.snapshot,
        worker.limits,
        worker.clock,
        worker.meter,
    )
    taker = services.take_object
    type(taker)(taker.store, taker.documents, taker.originals, fatal, taker.fail, taker.clock, taker.meter)(
        key, version
    )


def test_what_passes_is_left_to_the_queue(bay: Bay) -> None:
    put = bay.put(f"inbox/{bay.base}/a.docx", FILE)
    busy = True

    class Busy:
        """A store that is busy for a while."""

        def __getattr__(self, name: str) -> Any:
            if busy and name == "add_item":
                raise StoreBusy
            return getattr(bay.world.shelves, name)

    worker = _worker(bay)
    snapshot = Snapshot(Busy(), bay.world.blobs, bay.world.documents, bay.world.blobs, bay.world.ids, bay.world.clock)
    taker = bay.world.services.take_object
    hindered = ExtractDocument(
        worker.store,
        worker.documents,
        worker.originals,
        worker.keys,
        worker.read,
        snapshot,
        worker.limits,
        worker.clock,
        worker.meter,
    )
    take = type(taker)(taker.store, taker.documents, taker.originals, hindered, taker.fail, taker.clock, taker.meter)
    with pytest.raises(StoreBusy):
        take(*put)
    assert bay.documents()[0].status is DocumentStatus.QUEUED
    busy = False
    take(*put)
    assert bay.documents()[0].status is DocumentStatus.READY
    assert bay.counts == (1, 1)


def test_an_edit_in_between_is_not_lost(bay: Bay) -> None:
    first = bay.read(bay.upload())
    item_id = first["knowledge_item_id"]
    world = bay.world

    class Meddling:
        """Somebody edits the item between the worker's look and its write, once."""

        done = False

        def __getattr__(self, name: str) -> Any:
            if name == "add_revision" and not self.done:
                self.done = True
                item = world.shelves.items_[item_id]
                edit = {"expected_revision_id": item.current_revision_id, "content": "By hand."}
                world.ok(bay.ana, "PATCH", f"{KNOWLEDGE}/items/{item_id}", edit)
            return getattr(world.shelves, name)

    asked = bay.request(size=900, knowledge_item_id=item_id)
    _, version = bay.put(asked["upload"]["fields"]["key"], docx(paragraph("By file.")))
    document = bay.documents()[0]
    world.documents.change(document, document.uploaded(version, 900, world.clock.now()))
    worker = _worker(bay)
    meddled: Any = Meddling()
    snapshot = Snapshot(meddled, world.blobs, world.documents, world.blobs, world.ids, world.clock)
    done = ExtractDocument(
        worker.store,
        worker.documents,
        worker.originals,
        worker.keys,
        worker.read,
        snapshot,
        worker.limits,
        worker.clock,
        worker.meter,
    )(asked["document_id"])
    assert done is not None
    assert done.status is DocumentStatus.READY
    texts = [each.inline for each in sorted(world.shelves.revisions_.values(), key=lambda each: each.number)]
    assert texts == ["Turn it off and on.\n", "By hand.\n", "By file.\n"]


@pytest.mark.promise("K16")
@pytest.mark.parametrize("whole", [True, False])
def test_deletion_for_good_takes_documents_and_originals_with_it(bay: Bay, whole: bool) -> None:  # noqa: FBT001
    world = bay.world
    kept = world.base(bay.ana, bay.space, "Kept")
    bay.drop("a.txt", b"One.")
    document = bay.drop("a.txt", b"Two.")
    failed = bay.drop("b.pdf", b"broken")
    pending = bay.request()
    item = world.shelves.items_[str(document.item_id)]
    path = f"{KNOWLEDGE}/bases/{bay.base}" if whole else f"{KNOWLEDGE}/items/{item.id}"
    confirm = "Runbooks" if whole else item.title
    purge = world.ok(bay.ana, "DELETE", path, {"confirm": confirm})
    world.services.run_purge(purge["id"], lambda: True)
    receipt = world.ok(bay.ana, "GET", f"{KNOWLEDGE}/purges/{purge['id']}")["removed"]
    assert (receipt["items"], receipt["revisions"]) == (1, 2)
    if whole:
        assert (receipt["documents"], receipt["objects"]) == (4, 3)
        assert (world.shelves.documents_, world.blobs.files) == ({}, {})
    else:
        assert (receipt["documents"], receipt["objects"]) == (2, 2)
        assert set(world.shelves.documents_) == {failed.id, pending["document_id"]}
        assert set(world.blobs.files) == {failed.key}
    assert kept in world.shelves.bases_


@pytest.mark.promise("K16")
def test_a_document_whose_item_is_deleted_while_it_is_read_brings_nothing_back(bay: Bay) -> None:
    world = bay.world
    life = Life(10_000)
    worker = _worker(bay, life)
    key, version = bay.put(f"inbox/{bay.base}/a.txt", b"One.")
    taker = world.services.take_object

    class Deleted:
        """The item is deleted for good after the worker has written it, and before it says so."""

        def __getattr__(self, name: str) -> Any:
            if name != "change":
                return getattr(world.documents, name)

            def change(before: Document, after: Document) -> Document:
                if after.status is DocumentStatus.READY:
                    item = world.shelves.items_[str(after.item_id)]
                    purge = world.ok(bay.ana, "DELETE", f"{KNOWLEDGE}/items/{item.id}", {"confirm": item.title})
                    world.services.run_purge(purge["id"], lambda: True)
                return world.documents.change(before, after)

            return change

    documents: Any = Deleted()
    snapshot = Snapshot(world.shelves, world.blobs, documents, world.blobs, world.ids, world.clock)
    late = ExtractDocument(
        worker.store,
        documents,
        worker.originals,
        worker.keys,
        worker.read,
        snapshot,
        worker.limits,
        worker.clock,
        worker.meter,
    )
    type(taker)(taker.store, documents, taker.originals, late, taker.fail, taker.clock, taker.meter)(key, version)
    assert bay.deliver(key, version) == []
    assert (bay.counts, bay.documents(), world.blobs.files) == ((0, 0), [], {})


def _answer(world: World, who: Person, method: str, path: str, body: object = None) -> Answered:
    return world.web(method, path, body, token=who.token)


@pytest.mark.promise("K11")
def test_documents_are_for_those_who_edit(bay: Bay) -> None:
    world = bay.world
    viewer, member, stranger = (world.person(name) for name in ("Vi", "Me", "St"))
    team = world.team(bay.ana, viewer=viewer, member=member)
    base = world.base(bay.ana, team)
    body = {"filename": "a.docx", "size": 10, "knowledge_base_id": base}
    document_id = world.ok(member, "POST", DOCUMENTS, body)["document_id"]
    assert _answer(world, bay.ana, "GET", f"{DOCUMENTS}/{document_id}").status == 200
    assert _answer(world, viewer, "POST", DOCUMENTS, body).status == 403
    assert world.ok(viewer, "GET", f"{DOCUMENTS}?knowledge_base_id={base}")["documents"] == []
    for who in (viewer, stranger):
        for method, rest in (("GET", ""), ("POST", "/retry"), ("DELETE", "")):
            assert _answer(world, who, method, f"{DOCUMENTS}/{document_id}{rest}").status == 404
    assert _answer(world, stranger, "GET", f"{DOCUMENTS}?knowledge_base_id={base}").status == 404
    assert _answer(world, stranger, "POST", DOCUMENTS, body).status == 404
    assert world.keys.role_of(team, member.account.user_id) is Role.MEMBER


@pytest.mark.promise("I5")
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"filename": "a.docx", "size": 0}, 422, "document_empty"),
        ({"filename": "a.docx", "size": 51 * 1024 * 1024}, 413, "document_too_large"),
        ({"filename": "a.odt", "size": 1}, 422, "unsupported_format"),
        ({"filename": "a.md", "size": 1}, 422, "unsupported_format"),
        ({"filename": "a.docx", "size": -1}, 400, "invalid_request"),
        ({"filename": "a.docx", "size": 1, "knowledge_item_id": "item_none"}, 404, "not_found"),
        ({"size": 1}, 400, "invalid_request"),
    ],
)
def test_an_upload_that_cannot_become_anything_is_refused_at_once(
    bay: Bay, body: dict[str, object], status: int, code: str
) -> None:
    answer = _answer(bay.world, bay.ana, "POST", DOCUMENTS, {"knowledge_base_id": bay.base, **body})
    assert (answer.status, answer.json["code"]) == (status, code)
    assert bay.documents() == []


def test_the_item_it_is_attached_to_is_of_the_same_base(bay: Bay) -> None:
    other = bay.world.base(bay.ana, bay.space, "Other")
    item = bay.world.item(bay.ana, other)
    body = {"filename": "a.docx", "size": 1, "knowledge_base_id": bay.base, "knowledge_item_id": item["id"]}
    assert _answer(bay.world, bay.ana, "POST", DOCUMENTS, body).status == 404


@pytest.mark.promise("K18")
def test_documents_are_off_with_knowledge(bay: Bay) -> None:
    asked = bay.request(size=len(FILE))
    bay.world.keys.set_knowledge(bay.ana.account.user_id, enabled=False)
    answer = _answer(bay.world, bay.ana, "GET", f"{DOCUMENTS}/{asked['document_id']}")
    assert (answer.status, answer.json["code"]) == (503, "knowledge_runtime_disabled")
    bay.deliver(*bay.put(asked["upload"]["fields"]["key"], FILE))
    assert bay.counts == (0, 0)
    failure = bay.documents()[0].failure
    assert failure is not None
    assert failure.code == "knowledge_runtime_disabled"


@pytest.mark.promise("K7")
def test_an_upload_asked_for_twice_with_a_key_is_one_document(bay: Bay) -> None:
    body = {"filename": "a.docx", "size": 1, "knowledge_base_id": bay.base}
    answers = [
        bay.world.web("POST", DOCUMENTS, body, token=bay.ana.token, headers={"idempotency-key": "k"}) for _ in range(2)
    ]
    assert answers[0].json == answers[1].json
    assert len(bay.documents()) == 1


@pytest.mark.promise("H4")
def test_neither_names_nor_text_of_files_are_counted_or_logged(bay: Bay) -> None:
    bay.drop("secret-name.txt", b"secret text", team="secret team")
    bay.drop("secret-name.xyz", b"secret text")
    told = repr(bay.world.meter.counted) + repr([(each[0], each[1]) for each in bay.world.journal.entries])
    assert "secret" not in told
