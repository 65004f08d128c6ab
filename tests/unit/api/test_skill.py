"""The address of the skill, with requests as XMemo's public client sends them."""

from typing import Any

import pytest

from chalicelib.api.skill import OPERATIONS
from tests.unit.api.world import Person, World
from tests.web import Answered

pytestmark = pytest.mark.promise("A10")


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def ana(world: World) -> Person:
    return world.person("Ana")


def _ask(world: World, token: str | None, operation: str, **arguments: object) -> Answered:
    return world.web("POST", "/v1/skill/operations", {"operation": operation, "arguments": arguments}, token=token)


def _ok(world: World, person: Person, operation: str, **arguments: object) -> Any:
    answer = _ask(world, person.token, operation, **arguments)
    assert (answer.status, answer.json["ok"], answer.json["operation"]) == (200, True, operation), answer
    return answer.json["result"]


def test_a_doctor_needs_no_token(world: World, ana: Person) -> None:
    assert _ask(world, None, "doctor").json["result"] == {"status": "ok", "auth_valid": False, "scopes": []}
    assert _ask(world, "acv_nonsense", "doctor").json["result"]["auth_valid"] is False
    found = _ok(world, ana, "doctor")
    assert found["auth_valid"]
    assert "memory:read" in found["scopes"]


@pytest.mark.parametrize("verb", ["recall", "search"])
def test_what_is_remembered_is_recalled(world: World, ana: Person, verb: str) -> None:
    memory_id = _ok(
        world, ana, "remember", content="Use pnpm in this repo", path="projects/cli/conventions", metadata="{}"
    )
    assert memory_id.startswith("mem_")
    found = _ok(world, ana, verb, query="pnpm", limit="5", threshold="0.2", explain="false", prefer_working="true")
    assert {"id": memory_id, "path": "projects/cli/conventions", "content": "Use pnpm in this repo"}.items() <= found[
        0
    ].items()


def test_a_record_is_read_changed_and_forgotten(world: World, ana: Person) -> None:
    memory_id = _ok(world, ana, "remember", content="Old")
    assert _ok(world, ana, "update", id=memory_id, content="New", scope="user")["content"] == "New"
    assert _ok(world, ana, "read", id=memory_id)["content"] == "New"
    assert _ok(world, ana, "forget", id=memory_id) == {"id": memory_id, "forgotten": True}
    assert _ok(world, ana, "search", query="New") == []


def test_the_rest_addresses_that_the_client_uses_besides(world: World, ana: Person) -> None:
    memory_id = _ok(world, ana, "remember", content="Old")
    read = world.web("GET", f"/v1/memories/{memory_id}/explain?include_embedding=false&bucket=work", token=ana.token)
    assert (read.status, read.json["content"], read.json["status"]) == (200, "Old", "active")
    patch = {"content": "New", "metadata": "{}", "scope": "x"}
    assert world.ok(ana, "PATCH", f"/v1/memories/{memory_id}", patch)["content"] == "New"
    forget = {"mode": "soft_delete", "reason": "outdated"}
    assert world.ok(ana, "POST", f"/v1/memories/{memory_id}/forget", forget)["forgotten"] is True
    assert world.ok(ana, "GET", f"/v1/memories/{memory_id}/explain")["status"] == "deleted"
    assert world.web("POST", f"/v1/memories/{memory_id}/forget", {"mode": "hard"}, token=ana.token).status == 400


def test_todos(world: World, ana: Person) -> None:
    todo = _ok(world, ana, "todo-add", content="Write it down", due_at="2026-12-24T10:00:00Z", bucket="work")
    assert {"content": "Write it down", "status": "open"}.items() <= todo.items()
    assert _ok(world, ana, "todo-list") == [todo]
    assert _ok(world, ana, "todo-done", todo_id=todo["id"], note="done")["status"] == "done"
    assert _ok(world, ana, "todo-list") == []
    assert len(_ok(world, ana, "todo-list", status="all")) == 1


@pytest.mark.parametrize(("save", "restore"), [("state-save", "state-restore"), ("save-state", "restore-state")])
def test_states(world: World, ana: Person, save: str, restore: str) -> None:
    saved = _ok(world, ana, save, key="release", content="Half way", ttl_seconds="3600")
    assert {"state_key": "release", "content": "Half way"}.items() <= saved.items()
    assert _ok(world, ana, restore, state_key="release") == saved
    made = _ok(world, ana, save, current_task="Fix it", next_action="Test it")
    assert made["content"] == "Current task: Fix it\nNext action: Test it"
    missing = _ask(world, ana.token, restore, key="none")
    assert (missing.status, missing.json["ok"], missing.json["error"]["code"]) == (404, False, "no_state")


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_every_operation_asks_for_a_token_and_its_scope(world: World, ana: Person, operation: str) -> None:
    refused = _ask(world, None, operation)
    assert (refused.status, refused.json["error"]["code"]) == (401, "unauthenticated")
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    needed = OPERATIONS[operation].scope
    others = [each for each in ("memory:read", "memory:write", "memory:restore", "knowledge:read") if each != needed]
    weak = world.ok(ana, "POST", "/api/v1/tokens", {"name": "weak", "scopes": others})["token"]
    refused = _ask(world, weak, operation)
    assert (refused.status, refused.json["error"]["required"]) == (403, [needed])


@pytest.mark.parametrize(
    ("operation", "arguments", "place"),
    [
        ("expense-add", {"item": "x"}, "operation"),
        ("remember", {}, "arguments.content"),
        ("remember", {"content": "  "}, "arguments.content"),
        ("search", {"query": "x", "limit": "many"}, "arguments.limit"),
        ("todo-done", {}, "arguments.id"),
        ("forget", {"id": "../x"}, "arguments.id"),
        ("state-save", {"key": "x"}, "arguments.content"),
        ("recall", {"query": "x", "memory_type": "dream"}, "arguments.memory_type"),
    ],
)
def test_mistakes_are_told_in_the_envelope(
    world: World, ana: Person, operation: str, arguments: dict[str, object], place: str
) -> None:
    answer = _ask(world, ana.token, operation, **arguments)
    assert answer.status == 400
    assert answer.json["ok"] is False
    error = answer.json["error"]
    assert error["code"] == "invalid_request"
    assert error["request_id"] == "request"
    assert place in error["message"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"operation": 7}', b'{"operation": "remember", "arguments": []}'])
def test_what_is_no_envelope_is_refused_in_one(world: World, ana: Person, raw: bytes) -> None:
    answer = world.web("POST", "/v1/skill/operations", raw=raw, token=ana.token)
    assert (answer.status, answer.json["ok"], answer.json["error"]["code"]) == (400, False, "invalid_request")


@pytest.mark.promise("K11")
def test_another_persons_record_does_not_exist(world: World, ana: Person) -> None:
    memory_id = _ok(world, ana, "remember", content="Private")
    bob = world.person("Bob")
    assert _ok(world, bob, "search", query="private") == []
    for operation in ("read", "forget", "update"):
        answer = _ask(world, bob.token, operation, id=memory_id, content="x")
        assert (answer.status, answer.json["error"]["code"]) == (404, "not_found")
