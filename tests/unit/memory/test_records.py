"""Memory over REST and MCP: what one conversation remembers, another finds; and nobody else does."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.domain.memory import WORKING_LIFE, under
from tests.unit.api.world import Person, World
from tests.unit.mcp.desk import Desk

pytestmark = pytest.mark.promise("A6")


@pytest.fixture
def desk() -> Desk:
    return Desk()


def _contents(found: Any) -> list[str]:
    return [each["memory"]["content"] for each in found["results"]]


def test_what_is_remembered_is_found_at_once_by_another_client(desk: Desk) -> None:
    chat = desk.token(desk.ana, "generic-public", "memory:read", "memory:write")
    editor = desk.token(desk.ana, "cursor-plugin", "memory:read")
    kept = desk.ok("remember", chat, content="We use pnpm in every repository", path="/projects/x/", agent_id="chat")
    assert kept["path"] == "projects/x"
    found = desk.ok("search_memory", editor, query="which package manager: pnpm?")["results"]
    assert found[0]["memory"]["id"] == kept["id"]
    source = found[0]["memory"]["source"]
    assert (source["client"], source["token_name"], source["agent_id"], source["door"]) == (
        "generic-public",
        "generic-public token",
        "chat",
        "mcp",
    )


def test_it_is_found_by_the_index_too_once_that_has_followed(desk: Desk) -> None:
    for number in range(40):
        desk.ok("remember", content=f"Fact number {number} about gateways")
    desk.ok("remember", content="Unrelated")
    old = desk.ok("search_memory", query="fact 3")
    assert "Fact number 3 about gateways" not in _contents(old)
    desk.world.index_all()
    assert "Fact number 3 about gateways" in _contents(desk.ok("search_memory", query="fact 3"))


def test_the_very_same_is_remembered_once_for_as_long_as_it_is_there(desk: Desk) -> None:
    first = desk.ok("remember", content="Same")
    assert desk.ok("remember", content="Same")["id"] == first["id"]
    assert desk.ok("remember", content="Same", path="elsewhere")["id"] != first["id"]
    desk.ok("forget", id=first["id"])
    again = desk.ok("remember", content="Same")
    assert again["id"] != first["id"]
    assert again["status"] == "active"


def test_a_change_is_attributed_and_found(desk: Desk) -> None:
    kept = desk.ok("remember", content="We deploy on Tuesdays")
    desk.world.index_all()
    other = desk.token(desk.ana, "cursor-plugin", "memory:write", "memory:read")
    changed = desk.ok("update_memory", other, id=kept["id"], content="We deploy on Fridays")
    assert (changed["version"], changed["updated_by"]["client"]) == (2, "cursor-plugin")
    assert _contents(desk.ok("search_memory", query="deploy Fridays")) == ["We deploy on Fridays"]
    assert desk.ok("explain_memory", id=kept["id"]) == changed
    assert desk.ok("update_memory", id=kept["id"], content="We deploy on Fridays") == changed


def test_what_is_forgotten_is_found_no_more_though_the_index_has_it(desk: Desk) -> None:
    kept = desk.ok("remember", content="Temporary gateway note")
    desk.world.index_all()
    assert desk.ok("forget", id=kept["id"]) == {"id": kept["id"], "forgotten": True, "mode": "soft_delete"}
    assert desk.ok("forget", id=kept["id"])["forgotten"]
    assert _contents(desk.ok("search_memory", query="gateway note")) == []
    assert desk.ok("explain_memory", id=kept["id"])["status"] == "deleted"
    error = desk.call("update_memory", id=kept["id"], content="x")["structuredContent"]["error"]
    assert error["code"] == "forgotten"
    assert desk.world.ok(desk.ana, "GET", "/v1/memories")["memories"] == []


def test_working_memory_expires_unless_it_is_used(desk: Desk) -> None:
    for content in ("used gateway task", "unused hinge task"):
        desk.ok("remember", content=content, memory_type="working")
    desk.world.index_all()
    desk.world.clock.pass_(days=13)
    assert _contents(desk.ok("search_memory", query="gateway")) == ["used gateway task"]
    desk.world.clock.pass_(days=2)
    assert _contents(desk.ok("search_memory", query="gateway")) == ["used gateway task"]
    assert _contents(desk.ok("search_memory", query="hinge")) == []
    unused = next(each for each in desk.world.memories.records.values() if "hinge" in each.content)
    assert desk.call("update_memory", id=unused.id, content="x")["structuredContent"]["error"]["code"] == "not_found"
    desk.world.index_all()
    assert _contents(desk.ok("search_memory", query="hinge")) == []


def test_other_memory_does_not_expire_and_may_become_working_and_back(desk: Desk) -> None:
    kept = desk.ok("remember", content="x")
    assert "expires_at" not in kept
    working = desk.ok("update_memory", id=kept["id"], memory_type="working")
    assert working["expires_at"] == (desk.world.clock.now() + WORKING_LIFE).isoformat().replace("+00:00", "Z")
    assert "expires_at" not in desk.ok("update_memory", id=kept["id"], memory_type="semantic")


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"path": "projects/x"}, {"gateway one", "gateway two"}),
        ({"path": "projects/x/%"}, {"gateway one", "gateway two"}),
        ({"path": "projects/xy"}, {"gateway three"}),
        ({"bucket": "work"}, {"gateway two"}),
        ({"bucket": "%"}, {"gateway one", "gateway two", "gateway three"}),
        ({"memory_type": "procedural"}, {"gateway three"}),
        ({"memory_type": "auto"}, {"gateway one", "gateway two", "gateway three"}),
    ],
)
@pytest.mark.parametrize("indexed", [True, False])
def test_filters_hold_with_and_without_the_index(
    desk: Desk, filters: dict[str, str], expected: set[str], *, indexed: bool
) -> None:
    desk.ok("remember", content="gateway one", path="projects/x")
    desk.ok("remember", content="gateway two", path="projects/x/notes", bucket="work")
    desk.ok("remember", content="gateway three", path="projects/xy", memory_type="procedural")
    if indexed:
        desk.world.index_all()
    assert set(_contents(desk.ok("search_memory", query="gateway", **filters))) == expected


@given(path=st.lists(st.sampled_from("abc"), max_size=4), prefix=st.lists(st.sampled_from("abc"), max_size=4))
def test_below_a_path_means_whole_parts(path: list[str], prefix: list[str]) -> None:
    assert under("/".join(path), "/".join(prefix)) == (path[: len(prefix)] == prefix)


@pytest.mark.promise("K11")
@pytest.mark.parametrize("indexed", [True, False])
def test_one_persons_memory_is_never_anothers(desk: Desk, *, indexed: bool) -> None:
    """Every tool that reads, for a stranger, with and without the index: as if there were nothing."""
    kept = desk.ok("remember", content="Ana's gateway secret", path="projects/x")
    todo = desk.ok("create_memory_todo", content="Ana's task")
    desk.ok("record_event", content="Ana's event")
    desk.ok("save_state", content="Ana's state")
    if indexed:
        desk.world.index_all()
    bob = desk.world.person("Bob")
    assert _contents(desk.ok("search_memory", bob.token, query="gateway secret")) == []
    assert desk.ok("list_memory_todos", bob.token, status="all")["todos"] == []
    assert desk.ok("get_timeline", bob.token)["events"] == []
    assert desk.call("restore_state", bob.token)["structuredContent"]["error"]["code"] == "no_state"
    space = desk.ana.account.personal_space_id
    for name, arguments in (
        ("explain_memory", {"id": kept["id"]}),
        ("update_memory", {"id": kept["id"], "content": "x"}),
        ("forget", {"id": kept["id"]}),
        ("complete_memory_todo", {"id": todo["id"]}),
        ("remember", {"content": "x", "team_id": space}),
        ("search_memory", {"query": "x", "team_id": space}),
        ("list_memory_todos", {"team_id": space}),
        ("get_timeline", {"team_id": space}),
        ("restore_state", {"team_id": space}),
        ("save_state", {"content": "x", "team_id": space}),
        ("record_event", {"content": "x", "team_id": space}),
        ("create_memory_todo", {"content": "x", "team_id": space}),
    ):
        error = desk.call(name, bob.token, **arguments)["structuredContent"]["error"]
        assert error["code"] == "not_found", name


@pytest.mark.promise("K10")
def test_a_teams_memory_is_the_teams_by_role(desk: Desk) -> None:
    world = desk.world
    people: dict[str, Person] = {each: world.person(each) for each in ("admin", "member", "viewer")}
    team = world.team(desk.ana, **people)
    kept = desk.ok("remember", people["member"].token, content="The team deploys on Tuesdays", team_id=team)
    desk.ok("remember", people["member"].token, content="My own deploy diary")
    for indexed in (False, True):
        for person in (desk.ana, *people.values()):
            found = desk.ok("search_memory", person.token, query="deploy", team_id=team)
            if indexed or person is people["member"]:
                assert _contents(found) == ["The team deploys on Tuesdays"]
                assert found["results"][0]["memory"]["source"]["user_id"] == people["member"].account.user_id
            everything = _contents(desk.ok("search_memory", person.token, query="deploy"))
            assert ("My own deploy diary" in everything) == (person is people["member"])
        world.index_all()
    error = desk.call("forget", people["viewer"].token, id=kept["id"])["structuredContent"]["error"]
    assert (error["code"], error["role"]) == ("not_allowed", "viewer")
    world.ok(people["admin"], "DELETE", f"/api/v1/teams/{team}/members/{people['member'].account.user_id}")
    assert _contents(desk.ok("search_memory", people["member"].token, query="deploy")) == ["My own deploy diary"]


@pytest.mark.promise("A2")
def test_a_token_of_one_team_reaches_no_personal_memory(desk: Desk) -> None:
    team = desk.world.team(desk.ana)
    desk.ok("remember", content="Private gateway")
    desk.world.index_all()
    narrow = desk.token(desk.ana, "ordinary-full", "memory:read", "memory:write", spaces=[team])
    assert _contents(desk.ok("search_memory", narrow, query="gateway")) == []
    error = desk.call("remember", narrow, content="x")["structuredContent"]["error"]
    assert error["code"] == "token_limited"
    assert desk.ok("remember", narrow, content="x", team_id=team)["space_id"] == team


def test_search_goes_on_over_the_newest_while_the_engine_is_down(desk: Desk) -> None:
    desk.ok("remember", content="Newest gateway")

    class Down:
        def __getattr__(self, name: str) -> Any:
            from chalicelib.domain.errors import SearchUnavailable

            raise SearchUnavailable

    object.__setattr__(desk.world.memory_search, "index", Down())
    assert _contents(desk.ok("search_memory", query="gateway")) == ["Newest gateway"]
    error = desk.call("search_memory", query="something else")["structuredContent"]["error"]
    assert error["code"] == "search_unavailable"


@pytest.mark.parametrize(
    "arguments",
    [
        {"content": ""},
        {"content": "   "},
        {"content": "a\0b"},
        {"content": "x" * 20_001},
        {"content": "x", "path": "a\nb"},
        {"content": "x", "path": "a" * 201},
        {"content": "x", "bucket": ""},
        {"content": "x", "memory_type": "dream"},
        {"content": "x", "team_id": "Ärger"},
        {"content": 7},
        {},
    ],
)
def test_what_cannot_be_remembered_is_refused_with_the_place(desk: Desk, arguments: dict[str, Any]) -> None:
    result = desk.call("remember", **arguments)
    assert result["structuredContent"]["error"]["code"] == "invalid_arguments"
    assert desk.world.memories.records == {}


@pytest.mark.parametrize("era", ["2025-11-25", "2026-07-28"])
def test_a_lone_surrogate_is_refused_in_both_eras(desk: Desk, era: str) -> None:
    answer = desk.send("tools/call", {"name": "remember", "arguments": {"content": "\ud800"}}, era=era)
    assert answer.status == 400 or answer.json["result"]["isError"]
    assert desk.world.memories.records == {}


def test_a_fresh_record_stands_where_its_words_put_it(desk: Desk) -> None:
    for number in range(12):
        desk.ok("remember", content=f"The gateway has a manual, page {number}")
    desk.world.index_all()
    desk.ok("remember", content="Restart the gateway with care on Tuesdays")
    desk.ok("remember", content="Unrelated words")
    found = _contents(desk.ok("search_memory", query="restart gateway Tuesdays", limit=5))
    assert found[0] == "Restart the gateway with care on Tuesdays"
    assert "Unrelated words" not in found


def test_a_todo_goes_from_open_to_done(desk: Desk) -> None:
    todo = desk.ok("create_memory_todo", content="Write the runbook", due_at="2026-12-24")
    assert todo["due_at"] == "2026-12-24T00:00:00Z"
    assert [each["id"] for each in desk.ok("list_memory_todos")["todos"]] == [todo["id"]]
    done = desk.ok("complete_memory_todo", id=todo["id"])
    desk.world.clock.pass_(hours=1)
    assert desk.ok("complete_memory_todo", id=todo["id"]) == done
    assert desk.ok("list_memory_todos")["todos"] == []
    assert [each["id"] for each in desk.ok("list_memory_todos", status="all")["todos"]] == [todo["id"]]


def test_todos_of_one_status_come_in_full_pages(desk: Desk) -> None:
    for number in range(6):
        todo = desk.ok("create_memory_todo", content=f"Task {number}")
        if number % 2:
            desk.ok("complete_memory_todo", id=todo["id"])
    page = desk.world.ok(desk.ana, "GET", "/v1/todos?limit=2")
    assert [each["content"] for each in page["todos"]] == ["Task 4", "Task 2"]
    rest = desk.world.ok(desk.ana, "GET", f"/v1/todos?limit=2&cursor={page['next_cursor']}")
    assert [each["content"] for each in rest["todos"]] == ["Task 0"]


def test_the_timeline_is_read_by_period_and_path(desk: Desk) -> None:
    for day, path in ((1, "a"), (2, "b"), (3, "a/c")):
        desk.ok("record_event", content=f"Day {day}", occurred_at=f"2026-11-0{day}T10:00:00+02:00", path=path)
    read = desk.ok("get_timeline", since="2026-11-01T08:00:00Z", until="2026-11-03T08:00:00Z")["events"]
    assert [each["content"] for each in read] == ["Day 2", "Day 1"]
    assert [each["content"] for each in desk.ok("get_timeline", path="a", limit=1)["events"]] == ["Day 3"]
    now = desk.ok("record_event", content="Now")
    assert now["occurred_at"] == "2026-11-30T12:00:00Z"


def test_a_state_is_handed_over_by_key(desk: Desk) -> None:
    writer = desk.token(desk.ana, "ordinary-full", "memory:write")
    reader = desk.token(desk.ana, "cursor-plugin", "memory:restore")
    for content in ("first", "half way"):
        desk.ok("save_state", writer, content=content)
    desk.ok("save_state", writer, content="other", state_key="release")
    assert desk.ok("restore_state", reader)["content"] == "half way"
    assert desk.ok("restore_state", reader, state_key="release")["content"] == "other"
    error = desk.call("restore_state", reader, state_key="none")["structuredContent"]["error"]
    assert (error["code"], error["state_key"]) == ("no_state", "none")


@pytest.mark.promise("K17")
def test_linking_unlinking_and_forgetting_change_no_item() -> None:
    world = World()
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    item = world.item(ana, base, "publish")
    before = world.shelves.items_[item["id"]]
    project = world.ok(ana, "POST", "/v1/projects", {"name": "X", "path": "projects/x"})
    memory = world.ok(ana, "POST", "/v1/memories", {"content": f"See {item['id']}", "path": "projects/x"})
    links = {"knowledge_item_ids": [item["id"]], "document_ids": ["doc_1"]}
    linked = world.ok(ana, "POST", f"/v1/projects/{project['id']}/links", links)
    assert (linked["knowledge_item_ids"], linked["document_ids"]) == ([item["id"]], ["doc_1"])
    assert world.ok(ana, "POST", f"/v1/projects/{project['id']}/links", links) == linked
    only = {"knowledge_item_ids": [item["id"]]}
    assert world.ok(ana, "POST", f"/v1/projects/{project['id']}/unlink", only)["knowledge_item_ids"] == []
    world.ok(ana, "POST", f"/v1/memories/{memory['id']}/forget", {"mode": "soft_delete"})
    world.ok(ana, "DELETE", f"/v1/projects/{project['id']}")
    assert world.shelves.items_[item["id"]] == before
    assert world.web("GET", f"/v1/projects/{project['id']}", token=ana.token).status == 404


def test_projects_are_listed_and_keep_their_path() -> None:
    world = World()
    ana = world.person("Ana")
    for name in ("x", "y"):
        world.ok(ana, "POST", "/v1/projects", {"name": name, "path": f"projects/{name}/"})
    page = world.ok(ana, "GET", "/v1/projects?limit=1")
    assert [each["path"] for each in page["projects"]] == ["projects/y"]
    answer = world.web("POST", "/v1/projects", {"name": "z", "path": "projects/x"}, token=ana.token)
    assert (answer.status, answer.json["code"]) == (409, "project_taken")


def test_records_are_listed_in_pages_and_by_path() -> None:
    world = World()
    ana = world.person("Ana")
    for number in range(3):
        world.ok(
            ana, "POST", "/v1/memories", {"content": f"Fact {number}", "path": "even" if number % 2 == 0 else "odd"}
        )
    page = world.ok(ana, "GET", "/v1/memories?limit=2")
    rest = world.ok(ana, "GET", f"/v1/memories?limit=2&cursor={page['next_cursor']}")
    contents = [each["content"] for each in page["memories"] + rest["memories"]]
    assert contents == ["Fact 2", "Fact 1", "Fact 0"]
    assert [each["content"] for each in world.ok(ana, "GET", "/v1/memories?path=odd")["memories"]] == ["Fact 1"]


@pytest.mark.promise("K7")
def test_a_retry_with_a_key_remembers_once() -> None:
    world = World()
    ana = world.person("Ana")
    headers = {"idempotency-key": "k"}
    for path, body in (
        ("/v1/memories", {"content": "x"}),
        ("/v1/todos", {"content": "x"}),
        ("/v1/timeline/events", {"content": "x"}),
        ("/v1/projects", {"name": "x", "path": "x"}),
    ):
        key = {"idempotency-key": f"k{path.rpartition('/')[2]}"}
        first = world.web("POST", path, body, token=ana.token, headers=key)
        assert first.status == 201
        assert world.web("POST", path, body, token=ana.token, headers=key).json["id"] == first.json["id"]
        other = {**body, "path": "other"}
        assert world.web("POST", path, other, token=ana.token, headers=key).status == 422
    assert headers


def test_the_index_is_set_back_with_the_table(desk: Desk) -> None:
    """A restored backup is older than the index; its word counts all the same."""
    kept = desk.ok("remember", content="Old words")
    old = desk.world.memories.records[kept["id"]]
    desk.ok("update_memory", id=kept["id"], content="New phrases")
    desk.world.index_all()
    desk.world.memories.records[kept["id"]] = old
    desk.world.index_all()
    desk.world.memories.records = {**desk.world.memories.records}
    found = desk.world.memory_search.find("old words", frozenset({old.space_id}), 5)
    assert [each.memory_id for each in found] == [kept["id"]]
    del desk.world.memories.records[kept["id"]]
    desk.world.services.notebook.index(kept["id"])
    assert desk.world.memory_search.find("old words", frozenset({old.space_id}), 5) == ()


def test_being_found_writes_at_most_once_a_day(desk: Desk) -> None:
    kept = desk.ok("remember", content="gateway task", memory_type="working")
    desk.world.clock.pass_(hours=23)
    desk.ok("search_memory", query="gateway")
    assert desk.world.memories.records[kept["id"]].expires_at == desk.world.clock.now() + WORKING_LIFE - timedelta(
        hours=23
    )
    desk.world.clock.pass_(hours=2)
    desk.ok("search_memory", query="gateway")
    assert desk.world.memories.records[kept["id"]].expires_at == desk.world.clock.now() + WORKING_LIFE
