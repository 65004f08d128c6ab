"""What every store of documents, and every place of originals, does."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from chalicelib.domain.documents import Document, DocumentStatus, Failure, Origin, Target
from chalicelib.domain.errors import ConcurrentChange, IdempotencyKeyReused, NotFound, UploadMissing
from tests.factories import a_base, a_document, once
from tests.fakes.machine import START
from tests.stores import Stores

pytestmark = pytest.mark.promise("I2")


def test_a_document_is_read_and_listed_as_it_was_written(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    full = a_document(
        base,
        origin=Origin.DROP,
        object_version="v",
        title="T",
        locator="l",
        attached_to="item_x",
        metadata={"team": "ops"},
        attempts=2,
        done=3,
        total=4,
        failure=Failure("document_empty", "No.", retryable=False),
        target=Target("item_x", "rev_x", "rev_w"),
        revision_id="rev_x",
    )
    plain = a_document(base)
    for each in (full, plain):
        assert stores.documents.add(each, None) == each
        assert stores.documents.document(each.id) == each
    assert stores.documents.documents(base.id, None, 10).entries == (plain, full)
    first = stores.documents.documents(base.id, None, 1)
    assert (first.entries, stores.documents.documents(base.id, first.after, 1).entries) == ((plain,), (full,))
    assert stores.documents.document("doc_none") is None


@pytest.mark.promise("I3")
def test_adding_what_is_there_gives_what_is_there(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    document = stores.documents.add(a_document(base), None)
    queued = stores.documents.change(document, document.uploaded("v1", 9, START))
    assert stores.documents.add(document, None) == queued
    with pytest.raises(NotFound):
        stores.documents.add(a_document(a_base()), None)


@pytest.mark.promise("K7")
def test_a_repeated_request_answers_the_same_document(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    document = stores.documents.add(a_document(base), once())
    assert stores.documents.replayed(once()) == document
    assert stores.documents.add(a_document(base), once()) == document
    assert stores.documents.replayed(once("another")) is None
    with pytest.raises(IdempotencyKeyReused):
        stores.documents.replayed(once(asked="that"))
    stores.documents.remove(document)
    with pytest.raises(NotFound):
        stores.documents.replayed(once())


@pytest.mark.promise("I3")
def test_of_two_workers_that_saw_the_same_one_is_refused(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    document = stores.documents.add(a_document(base, status=DocumentStatus.QUEUED), None)
    stores.documents.change(document, document.claimed(START))
    with pytest.raises(ConcurrentChange):
        stores.documents.change(document, document.claimed(START))
    stores.documents.remove(document)
    with pytest.raises(NotFound):
        stores.documents.change(document, document.claimed(START))


def test_what_is_neither_ready_nor_failed_is_found_until_it_is(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    document = stores.documents.add(a_document(base), None)
    assert stores.documents.unsettled() == (document,)
    failed = stores.documents.change(document, document.failed(Failure("c", "m", retryable=True), START))
    assert stores.documents.unsettled() == ()
    retried = stores.documents.change(failed, failed.retried(START))
    assert stores.documents.unsettled() == (retried,)
    stores.documents.change(retried, retried.ready("rev_x", START))
    assert stores.documents.unsettled() == ()


@pytest.mark.promise("K16")
def test_deletion_for_good_finds_documents_by_their_base_and_by_the_item_they_become(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    document = stores.documents.add(a_document(base, object_version="v1"), None)
    planned = stores.documents.change(document, document.aimed(Target("item_x", "rev_x", None), START))
    for owner in (base.id, "item_x"):
        assert stores.graves.document_ids(owner, None) == stores.graves.document_ids(owner, 5) == (document.id,)
    assert stores.graves.document_object(document.id) == (document.key, "v1")
    stores.graves.erase_document(base.id, planned.id)
    assert stores.documents.document(document.id) is None
    assert stores.graves.document_object(document.id) is None
    assert stores.documents.unsettled() == ()
    assert stores.graves.document_ids(base.id, None) == stores.graves.document_ids("item_x", None) == ()
    stores.graves.erase_document(base.id, planned.id)


def test_files_are_looked_at_fetched_and_erased_by_version(stores: Stores) -> None:
    key = "inbox/kb_a/a.pdf"
    first = stores.put_file(key, b"one", team="ops")
    second = stores.put_file(key, b"second")
    stores.put_file(f"{key}.bak", b"other")
    latest, older = stores.originals.look(key, None), stores.originals.look(key, first)
    assert latest
    assert older
    assert (latest.version, latest.size) == (second, 6)
    assert (older.version, older.size, dict(older.metadata)) == (first, 3, {"team": "ops"})
    assert stores.originals.fetch(key, first) == b"one"
    assert stores.originals.fetch(key, None) == b"second"
    assert (stores.blobs.count_object(key, None), stores.blobs.count_object(key, first)) == (2, 1)
    stores.originals.erase_object(key, second)
    assert stores.originals.fetch(key, None) == b"one"
    with pytest.raises(UploadMissing):
        stores.originals.fetch(key, second)
    stores.blobs.erase_object(key, None)
    assert stores.originals.look(key, None) is None
    assert stores.blobs.count_object(f"{key}.bak", None) == 1


@pytest.mark.promise("I6")
def test_a_form_holds_the_key_the_type_and_the_size(stores: Stores) -> None:
    import base64
    import json

    expires = START + timedelta(days=36_500)
    form = stores.originals.form("originals/a/b.pdf", "application/pdf", 7, expires)
    assert (form.fields["key"], form.fields["Content-Type"], form.expires_at) == (
        "originals/a/b.pdf",
        "application/pdf",
        expires,
    )
    if "policy" in form.fields:
        conditions = json.loads(base64.b64decode(form.fields["policy"]))["conditions"]
        assert ["content-length-range", 1, 7] in conditions
        assert {"Content-Type": "application/pdf"} in conditions
        assert {"key": "originals/a/b.pdf"} in conditions


def test_a_document_changes_as_its_life_goes(stores: Stores) -> None:
    base = stores.knowledge.add_base(a_base(), None)
    document = stores.documents.add(a_document(base), None)
    seen = [document]
    changes: list[Callable[[Document], Document]] = [
        lambda each: each.uploaded("v1", 12, START),
        lambda each: each.claimed(START),
        lambda each: each.progressed(1, 2, START),
        lambda each: each.aimed(Target("item_a", "rev_a", None), START),
        lambda each: each.ready("rev_a", START),
    ]
    for change in changes:
        seen.append(stores.documents.change(seen[-1], change(seen[-1])))
        assert stores.documents.document(document.id) == seen[-1]
    assert [each.status for each in seen[1:]] == [
        DocumentStatus.QUEUED,
        *[DocumentStatus.EXTRACTING] * 3,
        DocumentStatus.READY,
    ]
    assert replace(seen[-1], version=1) != document


def test_a_link_saves_one_version_under_a_name_and_opens_nothing(stores: Stores) -> None:
    name = 'informe año; "1"\r\n.pdf'
    link = stores.originals.link("originals/a/b.pdf", "v1", name)
    assert link.startswith(stores.originals.origin() + "/")
    assert "originals/a/b.pdf" in link
    asked = parse_qs(urlsplit(link).query)
    assert asked["versionId"] == ["v1"]
    disposition = asked.get("response-content-disposition")
    if disposition is not None:  # Of the fake nobody saves anything.
        assert asked["response-content-type"] == ["application/octet-stream"]
        assert disposition == ["attachment; filename*=UTF-8''informe%20a%C3%B1o%3B%20%221%22%0D%0A.pdf"]
    form = stores.originals.form("originals/a/b.pdf", "application/pdf", 7, START + timedelta(hours=1))
    assert form.url.startswith(stores.originals.origin())
