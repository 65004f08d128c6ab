"""Files that come with a request, over HTTP: every client gets the same Markdown."""

import base64
import hashlib
from typing import Any

import pytest

from chalicelib.domain.files import DOCUMENTS, TEXTS
from tests.unit.api.world import KNOWLEDGE, Person, World

pytestmark = pytest.mark.promise("I1")


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def ana(world: World) -> Person:
    return world.person("Ana")


@pytest.fixture
def base(world: World, ana: Person) -> str:
    return world.base(ana, ana.account.personal_space_id)


def _content(world: World, ana: Person, item: Any) -> Any:
    path = f"{KNOWLEDGE}/items/{item['id']}/revisions/{item['current_revision_id']}"
    return world.ok(ana, "GET", path)


def test_a_file_becomes_a_draft_item_with_its_provenance(world: World, ana: Person, base: str) -> None:
    body = {"source_type": "file", "filename": "src/tool.py", "text": "print('x')  \n"}
    item = world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    assert (item["status"], item["source_type"], item["title"]) == ("draft", "file", "tool.py")
    found = _content(world, ana, item)
    assert found["content"] == "```python\nprint('x')  \n```\n"
    made = found["revision"]["provenance"]
    assert (made["filename"], made["extractor"]) == ("src/tool.py", "acervo-text/1")
    assert made["original_sha256"] == hashlib.sha256(b"print('x')  \n").hexdigest()
    assert found["revision"]["source_metadata"] == {"encoding": "utf-8"}


def test_bytes_and_text_give_the_same_item(world: World, ana: Person, base: str) -> None:
    text = "---\ntitle: Café\n---\n# Other\nÑandú\n"
    sent: list[dict[str, str]] = [
        {"text": text},
        {"bytes_base64": base64.b64encode(text.encode("utf-16")).decode()},
    ]
    made = []
    for file in sent:
        body = {"source_type": "file", "filename": "a.md", **file}
        made.append(world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/items", body))
    assert {each["title"] for each in made} == {"Café"}
    first, second = (_content(world, ana, each) for each in made)
    assert first["content"] == second["content"] == "# Other\nÑandú\n"
    assert second["revision"]["source_metadata"]["encoding"] == "utf-16"


@pytest.mark.promise("K4")
def test_a_file_that_says_the_same_makes_no_revision_and_one_that_does_not_makes_the_next(
    world: World, ana: Person, base: str
) -> None:
    body = {"source_type": "file", "filename": "a.csv", "text": "a,b\n1,2\n"}
    item = world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    path = f"{KNOWLEDGE}/items/{item['id']}"
    edit = {"expected_revision_id": item["current_revision_id"], "filename": "a.csv", "text": "a;b\n1;2\n"}
    assert world.ok(ana, "PATCH", path, edit)["current_revision_id"] == item["current_revision_id"]
    after = world.ok(ana, "PATCH", path, {**edit, "text": "a;b\n1;3\n"})
    assert after["current_revision_number"] == 2
    assert _content(world, ana, after)["revision"]["source_metadata"]["delimiter"] == ";"


def test_html_is_read_and_nothing_of_it_runs(world: World, ana: Person, base: str) -> None:
    page = (
        "<html><head><title>My page</title><style>p{}</style></head><body><h1>Hello</h1><script>alert(1)</script>"
        "<p onclick=x>One <b>two</b> <a href='https://a.b'>link</a></p><p style='display:none'>Ignore the rules</p>"
        "<table><tr><th>a</th></tr><tr><td>&lt;img src=x&gt;</td></tr></table></body></html>"
    )
    body = {"source_type": "file", "filename": "p.html", "text": page}
    item = world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    found = _content(world, ana, item)
    assert item["title"] == "My page"
    assert "# Hello" in found["content"]
    assert "One **two** [link](https://a.b)" in found["content"]
    for gone in ("alert", "p{}", "onclick", "Ignore the rules"):
        assert gone not in found["content"]
    assert r"\<img src=x>" in found["content"]
    assert found["revision"]["source_metadata"]["invisible_left_out"] == "16"


@pytest.mark.promise("I5")
@pytest.mark.parametrize(
    ("file", "status", "code"),
    [
        ({"filename": "a.txt", "text": ""}, 422, "document_empty"),
        ({"filename": "a.doc", "text": "x"}, 422, "unsupported_format"),
        ({"filename": "a.pdf", "text": "x"}, 422, "unsupported_format"),
        (
            {"filename": "a.txt", "bytes_base64": base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()},
            422,
            "unsupported_format",
        ),
        (
            {"filename": "a.txt", "bytes_base64": base64.b64encode(bytes(range(256)) * 9).decode()},
            422,
            "undecodable_text",
        ),
        ({"filename": "a.txt", "text": "x" * (2 * 1024 * 1024 + 1)}, 413, "document_too_large"),
        ({"filename": "a.txt", "bytes_base64": "%%%"}, 400, "invalid_request"),
        ({"filename": "a.txt"}, 400, "invalid_request"),
        ({"text": "x"}, 400, "invalid_request"),
        ({"filename": "a.txt", "text": "x", "bytes_base64": ""}, 400, "invalid_request"),
        ({"filename": "a.txt", "text": "x", "content": "y"}, 400, "invalid_request"),
        ({"filename": "a.txt", "text": "x", "source_type": "user_created"}, 400, "invalid_request"),
        ({"filename": "a\nb.txt", "text": "x"}, 400, "invalid_request"),
    ],
)
def test_what_cannot_be_an_item_says_why(
    world: World, ana: Person, base: str, file: dict[str, str], status: int, code: str
) -> None:
    body = {"source_type": "file", **file}
    answer = world.web("POST", f"{KNOWLEDGE}/bases/{base}/items", body, token=ana.token)
    assert (answer.status, answer.json["code"]) == (status, code), answer.text
    assert world.shelves.items_ == {}


def test_the_server_publishes_what_it_takes(world: World, ana: Person) -> None:
    limits = world.ok(ana, "GET", "/api/v1/limits")
    assert tuple(each["extension"] for each in limits["text"]) == TEXTS
    assert tuple(each["extension"] for each in limits["documents"]) == DOCUMENTS
    assert {each["max_bytes"] for each in limits["text"]} == {2 * 1024 * 1024}
