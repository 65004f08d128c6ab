"""Documents on the deployed stack: uploads and drops, through S3, the queue and the worker (rules I2, I3)."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus

import httpx
import pytest

from infra.local.stack import Stack
from tests.e2e.people import KNOWLEDGE, Person, arrive, until
from tests.unit.ingest.files import NAMES, docx, line, office, paragraph, pdf, pptx, shape, sheet, xlsx

pytestmark = pytest.mark.promise("I2")

DOCUMENTS = "/api/v1/documents"


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack.api_url, timeout=40) as client:
        yield client


@pytest.fixture(scope="module")
def ana(stack: Stack, http: httpx.Client) -> Person:
    return arrive(stack, http, "Ana")


@pytest.fixture
def base(ana: Person) -> str:
    return str(ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "Runbooks"})["id"])


def _upload(ana: Person, base: str, filename: str, content: bytes, **more: object) -> Any:
    body = {"filename": filename, "size": len(content), "knowledge_base_id": base, **more}
    asked = ana.ok("POST", DOCUMENTS, body)
    sent = httpx.post(asked["upload"]["url"], data=asked["upload"]["fields"], files={"file": content})
    assert sent.is_success, sent.text
    return asked["document_id"]


def _settled(ana: Person, document_id: str) -> Any:
    def look() -> Any:
        found = ana.ok("GET", f"{DOCUMENTS}/{document_id}")
        return found if found["status"] in {"ready", "failed"} else None

    return until(look, 60)


def _queue_is_empty(stack: Stack, name: str) -> bool:
    sqs = stack.admin_session().client("sqs")
    asked = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    found = sqs.get_queue_attributes(QueueUrl=stack.outputs[name], AttributeNames=asked)["Attributes"]
    return all(int(each) == 0 for each in found.values())


FILES = {
    "report.pdf": (pdf(line("Zymurgy by the page")), "Zymurgy by the page"),
    "report.docx": (docx(paragraph("Zymurgy in words")), "Zymurgy in words"),
    "report.pptx": (pptx(shape("Zymurgy on a slide")), "Zymurgy on a slide"),
    "report.xlsx": (xlsx("Zymurgy||" + sheet('<s:c r="A1" t="str"><s:v>Zymurgy in a cell</s:v></s:c>')), "in a cell"),
}


@pytest.mark.parametrize("filename", FILES)
def test_an_uploaded_document_becomes_an_item_that_is_found_and_cited(ana: Person, base: str, filename: str) -> None:
    content, words = FILES[filename]
    found = _settled(ana, _upload(ana, base, filename, content))
    assert (found["status"], found["failure"]) == ("ready", None)
    ana.ok("POST", f"{KNOWLEDGE}/items/{found['knowledge_item_id']}/publish")
    hits = until(lambda: ana.search("zymurgy", knowledge_base_id=base))
    assert [each["reference"] for each in hits] == [found["reference"]]
    assert words in hits[0]["content"]
    original = ana.ok("GET", f"{DOCUMENTS}/{found['id']}/original")
    saved = httpx.get(original["url"])
    assert saved.content == content
    assert "response-content-disposition=attachment" in original["url"]
    assert original["url"].startswith(ana.ok("GET", "/api/v1/limits")["upload_origin"])


@pytest.mark.promise("I6")
def test_a_form_takes_nothing_larger_and_nothing_else(ana: Person, base: str) -> None:
    body = {"filename": "a.pdf", "size": 100, "knowledge_base_id": base}
    form = ana.ok("POST", DOCUMENTS, body)["upload"]
    larger = httpx.post(form["url"], data=form["fields"], files={"file": b"x" * 101})
    assert larger.status_code in {400, 403}
    elsewhere = {**form["fields"], "key": "content/elsewhere"}
    assert httpx.post(form["url"], data=elsewhere, files={"file": b"x"}).status_code in {400, 403}
    another_type = {**form["fields"], "Content-Type": "text/html"}
    assert httpx.post(form["url"], data=another_type, files={"file": b"x"}).status_code in {400, 403}


@pytest.mark.promise("I3", "I5")
def test_fifty_files_dropped_at_once_two_of_them_poisonous_and_delivered_twice(
    stack: Stack, ana: Person, base: str
) -> None:
    s3, sqs = stack.admin_session().client("s3"), stack.admin_session().client("sqs")
    poison = {7: ("broken.pdf", b"%PDF-1.7 and then nothing"), 31: ("bomb.docx", _bomb())}
    puts = []
    for number in range(50):
        name, content = poison.get(number, (f"guide {number}.md", f"# Guide {number}\n\nText.\n".encode()))
        key = f"inbox/{base}/drop/{name}"
        put = s3.put_object(Bucket=stack.outputs["ContentBucket"], Key=key, Body=content)
        puts.append((key, put["VersionId"]))
    for key, version in puts:
        sqs.send_message(QueueUrl=stack.outputs["ExtractQueue"], MessageBody=_event(key, version))

    def settled() -> Any:
        found = _all_documents(ana, base)
        done = len(found) == 50 and all(each["status"] in {"ready", "failed"} for each in found)
        return found if done and _queue_is_empty(stack, "ExtractQueue") else None

    documents = until(settled, 120)
    assert documents
    failed = {each["filename"]: each["failure"]["code"] for each in documents if each["status"] == "failed"}
    assert failed == {"drop/broken.pdf": "document_unreadable", "drop/bomb.docx": "document_unreadable"}
    items = _all_items(ana, base)
    assert len(items) == 48
    assert {each["current_revision_number"] for each in items} == {1}
    guides = {f"drop/guide {number}.md" for number in range(50) if number not in poison}
    assert {each["locator"] for each in items} == guides
    # Known errors are the files' own and recorded with them: what goes to the dead letters is ours.
    assert _queue_is_empty(stack, "ExtractDeadLetters")


def _event(key: str, version: str) -> str:
    put = {"eventName": "ObjectCreated:Put", "s3": {"object": {"key": quote_plus(key), "versionId": version}}}
    return json.dumps({"Records": [put]})


def _bomb() -> bytes:
    """A document whose text would be 99 GB."""
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 99}">' for n in range(9))
    body = "<w:body><w:p><w:r><w:t>&e8;</w:t></w:r></w:p></w:body>"
    return office("docx", {"word/document.xml": f"<!DOCTYPE d [{entities}]><w:document {NAMES}>{body}</w:document>"})


def _all_documents(ana: Person, base: str) -> list[Any]:
    return _all(ana, f"{DOCUMENTS}?knowledge_base_id={base}&limit=100", "documents")


def _all_items(ana: Person, base: str) -> list[Any]:
    return _all(ana, f"{KNOWLEDGE}/bases/{base}/items?limit=100", "items")


def _all(ana: Person, path: str, name: str) -> list[Any]:
    found: list[Any] = []
    cursor = ""
    while True:
        page = ana.ok("GET", path + cursor)
        found += page[name]
        if page["next_cursor"] is None:
            return found
        cursor = f"&cursor={page['next_cursor']}"


@pytest.mark.promise("I3")
def test_a_message_that_is_none_holds_up_nobody(stack: Stack, ana: Person, base: str) -> None:
    sqs = stack.admin_session().client("sqs")
    sqs.send_message(QueueUrl=stack.outputs["ExtractQueue"], MessageBody="no event at all")
    document_id = _upload(ana, base, "report.docx", docx(paragraph("All the same.")))
    assert _settled(ana, document_id)["status"] == "ready"


@pytest.mark.promise("K16")
def test_deletion_for_good_leaves_no_original(stack: Stack, ana: Person, base: str) -> None:
    s3 = stack.admin_session().client("s3")
    bucket = stack.outputs["ContentBucket"]
    s3.put_object(Bucket=bucket, Key=f"inbox/{base}/a.txt", Body=b"dropped")
    _settled(ana, _upload(ana, base, "report.docx", docx(paragraph("Uploaded."))))
    assert until(lambda: len([each for each in _all_documents(ana, base) if each["status"] == "ready"]) == 2)
    purge = ana.ok("DELETE", f"{KNOWLEDGE}/bases/{base}", {"confirm": "Runbooks"})

    def done() -> Any:
        found = ana.ok("GET", f"{KNOWLEDGE}/purges/{purge['id']}")
        return found if found["status"] == "done" else None

    removed = until(done)["removed"]
    assert (removed["items"], removed["documents"], removed["objects"]) == (2, 2, 2)
    for prefix in ("originals", "inbox", "content"):
        found = s3.list_object_versions(Bucket=bucket, Prefix=f"{prefix}/{base}/")
        assert not found.get("Versions")
        assert not found.get("DeleteMarkers")


@pytest.mark.promise("I2")
def test_a_long_document_tells_how_far_it_is(ana: Person, base: str) -> None:
    pages = [line(f"Page {number} says {number}.", size=10) * 40 for number in range(400)]
    document_id = _upload(ana, base, "long.pdf", pdf(*pages))
    seen: list[Any] = []

    def look() -> bool:
        seen.append(ana.ok("GET", f"{DOCUMENTS}/{document_id}"))
        return seen[-1]["status"] in {"ready", "failed"}

    assert until(look, 60)
    assert seen[-1]["status"] == "ready", seen[-1]
    assert {each["progress"]["total"] for each in seen} <= {0, 400}
