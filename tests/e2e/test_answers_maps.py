"""Topic maps on the deployed stack: there before the first visitor asks, from the table's stream."""

from collections.abc import Iterator
from typing import Any

import pytest

from chalicelib.answers.mapping import unpacked
from infra.local.laptop import Laptop
from infra.local.stack import Stack
from tests.e2e.people import until
from tests.e2e.visitors import Visited, visited

pytestmark = pytest.mark.promise("N3")


@pytest.fixture(scope="module")
def page(running: Laptop) -> Iterator[Visited]:
    with visited(running) as made:
        yield made


def _versions(stack: Stack, base_id: str) -> list[Any]:
    """Every map of the base that was ever stored: whoever compiles one, stores it."""
    s3 = stack.admin_session().client("s3")
    found = s3.list_object_versions(Bucket=stack.outputs["ContentBucket"], Prefix=f"maps/{base_id}/")
    return list(found.get("Versions", []))


def _changes(stack: Stack, base_id: str) -> int:
    """How often what is public in the base has changed, as the table counts."""
    key = {"pk": {"S": base_id}, "sk": {"S": "changes"}}
    found = stack.admin_session().client("dynamodb").get_item(TableName=stack.outputs["RecordsTable"], Key=key)
    return int(found["Item"]["changes"]["N"])


def _is_mapped(stack: Stack, base_id: str) -> bool:
    """Whether the map that is stored knows of every change."""
    if not _versions(stack, base_id):
        return False
    s3 = stack.admin_session().client("s3")
    content = s3.get_object(Bucket=stack.outputs["ContentBucket"], Key=f"maps/{base_id}/topics")["Body"].read()
    found = unpacked(content, base_id, "")
    return found is not None and found.changes == _changes(stack, base_id)


def _publish(page: Visited, base_id: str, locator: str) -> None:
    body = {"title": locator, "locator": locator, "content": "The clinic has 24 parking places.\n"}
    item = page.client.call("POST", f"/api/v1/knowledge/bases/{base_id}/items", body)
    page.client.call("POST", f"/api/v1/knowledge/items/{item['id']}/publish")


def test_the_first_visitor_does_not_wait_for_a_map_to_be_compiled(stack: Stack, page: Visited) -> None:
    assert until(lambda: _is_mapped(stack, page.base_id), seconds=30)
    before = len(_versions(stack, page.base_id))
    with page.visitor() as visitor:
        chunks = list(visitor.ask(page.question))
    assert "data-section" in {each["type"] for each in chunks}
    assert len(_versions(stack, page.base_id)) == before


def test_what_is_published_is_in_the_stored_map_soon(stack: Stack, page: Visited) -> None:
    _publish(page, page.base_id, "parking.md")
    assert until(lambda: _is_mapped(stack, page.base_id), seconds=30)


def test_a_base_has_a_map_as_soon_as_a_live_page_draws_on_it(stack: Stack, page: Visited) -> None:
    space = page.client.call("GET", "/api/v1/me")["personal_space_id"]
    other = page.client.call("POST", "/api/v1/knowledge/bases", {"space_id": space, "name": "Garage"})["id"]
    _publish(page, other, "garage.md")
    # What comes after it in the stream has been handled, so it has been too.
    _publish(page, page.base_id, "after.md")
    assert until(lambda: _is_mapped(stack, page.base_id), seconds=30)
    assert _versions(stack, other) == []
    topic = {"title": "Garage", "description": "Where to park.", "knowledge_base_ids": [other]}
    page.client.call("POST", f"/api/v1/pages/{page.id}/topics", topic)
    assert until(lambda: _is_mapped(stack, other), seconds=30)
