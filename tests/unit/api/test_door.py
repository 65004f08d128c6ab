"""What the REST door does around every use case."""

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from chalicelib.api import cursors
from chalicelib.api.clients import configurations
from chalicelib.api.errors import InvalidCursor
from chalicelib.api.rest.door import MAX_BODY, MAX_REPLY
from chalicelib.api.rest.table import ROUTES
from chalicelib.domain.documents import Failure
from chalicelib.domain.errors import UploadMissing
from chalicelib.domain.ids import Kind
from chalicelib.domain.plans import CATALOGUE
from chalicelib.domain.text import MAX_BYTES
from tests.factories import new_id
from tests.unit.api.world import KNOWLEDGE, Person, World

pytestmark = pytest.mark.promise("H2")

_CODE = Path(__file__).parents[3] / "chalicelib"


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.promise("K18")
def test_knowledge_that_is_off_answers_503_on_every_route_and_only_there(world: World) -> None:
    ana = world.person("Ana")
    world.keys.set_knowledge(ana.account.user_id, enabled=False)
    for route in ROUTES:
        path = route.path.replace("{", "").replace("}", "")
        answer = world.web(route.method, path, {}, token=ana.token)
        assert (answer.status == 503) == route.path.startswith((KNOWLEDGE, "/api/v1/documents")), route.name
        if answer.status == 503:
            assert answer.json["code"] == "knowledge_runtime_disabled"


@pytest.mark.promise("K19")
def test_plans_are_shown_to_anybody(world: World) -> None:
    plans = world.web("GET", "/api/v1/plans").json["plans"]
    assert [each["id"] for each in plans] == [each.id for each in CATALOGUE]


@pytest.mark.promise("K19")
def test_no_code_path_reads_a_plan_to_refuse() -> None:
    readers = set()
    for path in _CODE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            attribute = isinstance(node, ast.Attribute) and node.attr in {"plan", "CATALOGUE"}
            imported = isinstance(node, ast.ImportFrom) and node.module == "chalicelib.domain.plans"
            if attribute or imported:
                readers.add(path.relative_to(_CODE).as_posix())
    # The route that shows the plans, the shape that shows one's own, and the row that keeps it.
    assert readers == {"api/rest/table.py", "api/wire/access.py", "adapters/dynamodb/keys.py"}


@pytest.mark.promise("K19")
def test_an_account_of_any_plan_goes_beyond_what_the_plan_sets_aside(world: World) -> None:
    ana = world.person("Ana")
    for plan in CATALOGUE:
        world.keys.accounts[ana.account.user_id] = replace(ana.account, plan=plan.id)
        for _ in range(CATALOGUE[0].bases + 1):
            world.base(ana, ana.account.personal_space_id)


@pytest.mark.promise("A2")
def test_each_route_asks_for_the_scope_it_says(world: World) -> None:
    ana = world.person("Ana")
    for route in ROUTES:
        others = [each for each in ("knowledge:read", "knowledge:write", "tokens:admin") if each not in route.scopes]
        issued = world.ok(ana, "POST", "/api/v1/tokens", {"name": "narrow", "scopes": others})
        path = route.path.replace("{", "").replace("}", "")
        answer = world.web(route.method, path, {}, token=issued["token"])
        if route.scopes:
            assert (answer.status, answer.json["code"]) == (403, "insufficient_scope"), route.name
            assert answer.json["required"] == list(route.scopes)
            assert "insufficient_scope" in answer.headers["WWW-Authenticate"]
        else:
            assert answer.status == 200


@pytest.mark.promise("K7")
def test_a_repeat_answers_the_same_and_spaces_in_the_json_do_not_matter(world: World) -> None:
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    path = f"{KNOWLEDGE}/bases/{base}/items"
    key = {"idempotency-key": "k-1"}
    first = world.web("POST", path, raw=b'{"title": "T", "content": "c"}', token=ana.token, headers=key)
    again = world.web("POST", path, raw=b'{"content":"c","title":"T"}', token=ana.token, headers=key)
    assert (first.status, again.status, first.text) == (201, 201, again.text)
    other = world.web("POST", path, {"title": "T", "content": "other"}, token=ana.token, headers=key)
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")
    elsewhere = world.web("POST", f"{KNOWLEDGE}/items/{first.json['id']}/publish", token=ana.token, headers=key)
    assert elsewhere.status == 422
    ben = world.person("Ben")
    theirs = f"{KNOWLEDGE}/bases/{world.base(ben, ben.account.personal_space_id)}/items"
    assert world.web("POST", theirs, {"title": "T", "content": "c"}, token=ben.token, headers=key).status == 201


@pytest.mark.promise("K2")
def test_if_match_stands_in_for_the_expected_revision(world: World) -> None:
    ana = world.person("Ana")
    item = world.item(ana, world.base(ana, ana.account.personal_space_id))
    path = f"{KNOWLEDGE}/items/{item['id']}"
    read = world.web("GET", path, token=ana.token)
    assert read.headers["ETag"] == f'"{item["current_revision_id"]}"'
    edited = world.web("PATCH", path, {"content": "Two."}, token=ana.token, headers={"if-match": read.headers["ETag"]})
    assert (edited.status, edited.json["current_revision_number"]) == (200, 2)
    stale = world.web("PATCH", path, {"content": "Three."}, token=ana.token, headers={"if-match": read.headers["ETag"]})
    assert (stale.status, stale.json["actual"]) == (409, edited.json["current_revision_id"])
    restore = f"{path}/revisions/{item['current_revision_id']}/restore"
    restored = world.web("POST", restore, token=ana.token, headers={"if-match": edited.headers["ETag"]})
    assert (restored.status, restored.json["current_revision_number"]) == (200, 3)


@pytest.mark.promise("K8")
def test_a_revision_comes_whole_as_markdown_or_says_to_read_it_in_pages(world: World) -> None:
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    item = world.item(ana, base, content="# Año\n\n“quoted”")
    path = f"{KNOWLEDGE}/items/{item['id']}/revisions/{item['current_revision_id']}"
    raw = world.web("GET", path, token=ana.token, headers={"accept": "text/markdown"})
    assert (raw.headers["Content-Type"], raw.text) == ("text/markdown; charset=utf-8", "# Año\n\n“quoted”\n")
    hostile = world.item(ana, base, content="\x01" * (MAX_REPLY // 6 + 1))
    path = f"{KNOWLEDGE}/items/{hostile['id']}/revisions/{hostile['current_revision_id']}"
    refused = world.web("GET", path, token=ana.token, headers={"accept": "text/markdown"})
    assert (refused.status, refused.json["code"]) == (413, "reply_too_large")
    assert len(world.ok(ana, "GET", path)["content"]) == 4000


def test_a_body_that_no_lambda_would_be_handed_is_refused(world: World) -> None:
    ana = world.person("Ana")
    raw = b'{"title": "' + b"x" * MAX_BODY + b'"}'
    answer = world.web("POST", f"{KNOWLEDGE}/bases/kb_x/items", raw=raw, token=ana.token)
    assert (answer.status, answer.json["code"]) == (413, "payload_too_large")


def test_lists_are_paged_by_opaque_cursors_that_belong_to_them(world: World) -> None:
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    made = [world.item(ana, base)["id"] for _ in range(5)]
    seen, cursor = [], ""
    while True:
        page = world.ok(ana, "GET", f"{KNOWLEDGE}/bases/{base}/items?limit=2{cursor}")
        seen += [each["id"] for each in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == made[::-1]
    first = world.ok(ana, "GET", f"{KNOWLEDGE}/bases/{base}/items?limit=2")["next_cursor"]
    other = world.base(ana, ana.account.personal_space_id)
    for elsewhere in (
        f"{KNOWLEDGE}/bases/{other}/items",
        f"{KNOWLEDGE}/bases",
        f"{KNOWLEDGE}/bases/{base}/items?status=draft",
    ):
        mark = "&" if "?" in elsewhere else "?"
        answer = world.web("GET", f"{elsewhere}{mark}cursor={first}", token=ana.token)
        assert (answer.status, answer.json["code"]) == (400, "invalid_cursor")


@pytest.mark.parametrize("made", [["x", "y"], [1], {"a": 1}, ["x"], None, "x"])
def test_a_cursor_of_any_other_shape_is_refused(made: object) -> None:
    import base64

    packed = base64.urlsafe_b64encode(json.dumps(made).encode()).decode()
    with pytest.raises(InvalidCursor):
        cursors.take("list", packed)
    with pytest.raises(InvalidCursor):
        cursors.take("list", "not base 64!")


def test_where_nothing_answers_and_for_another_method_the_shape_is_the_same(world: World) -> None:
    nowhere = world.web("GET", "/api/v2/nowhere")
    assert (nowhere.status, nowhere.json["code"]) == (404, "no_such_route")
    other = world.web("PATCH", f"{KNOWLEDGE}/bases")
    assert (other.status, other.json["code"]) == (405, "method_not_allowed")
    assert other.headers["Allow"] == "GET, POST"


def test_what_should_not_happen_is_500_with_a_request_id_and_no_details(world: World) -> None:
    ana = world.person("Ana")
    world.shelves.base = None  # type: ignore[assignment, method-assign]
    answer = world.web("GET", f"{KNOWLEDGE}/bases/kb_x", token=ana.token)
    assert (answer.status, answer.json["code"], answer.json["request_id"]) == (500, "internal_error", "request")
    assert "NoneType" not in answer.text
    operation, request_id, outcome = world.journal.entries[-1]
    assert (operation, request_id, outcome.status) == ("readBase", "request", 500)
    assert isinstance(outcome.fault, TypeError)


def test_locators_are_made_from_titles_and_unique_and_a_conflict_names_the_other_item(world: World) -> None:
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    body = {"title": "Cómo reiniciar: guía 2.0", "content": "c"}
    item = world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    assert item["locator"] == "cómo-reiniciar-guía-2.0"
    again = world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    assert again["locator"] == f"{item['locator']}-{again['id'][-6:]}"
    named = {**body, "locator": item["locator"]}
    taken = world.web("POST", f"{KNOWLEDGE}/bases/{base}/items", named, token=ana.token)
    assert (taken.status, taken.json["knowledge_item_id"]) == (409, item["id"])
    found = world.ok(ana, "GET", f"{KNOWLEDGE}/bases/{base}/items?locator=c%C3%B3mo-reiniciar-gu%C3%ADa-2.0")
    assert [each["id"] for each in found["items"]] == [item["id"]]
    assert world.ok(ana, "GET", f"{KNOWLEDGE}/bases/{base}/items?locator=none")["items"] == []


@pytest.mark.promise("K2")
def test_two_different_expectations_are_refused(world: World) -> None:
    ana = world.person("Ana")
    item = world.item(ana, world.base(ana, ana.account.personal_space_id))
    body = {"content": "Two.", "expected_revision_id": item["current_revision_id"]}
    path = f"{KNOWLEDGE}/items/{item['id']}"
    answer = world.web("PATCH", path, body, token=ana.token, headers={"if-match": '"rev_old"'})
    assert (answer.status, answer.json["errors"][0]["where"]) == (400, "header.If-Match")


@pytest.mark.promise("K7")
def test_every_create_and_every_move_of_knowledge_takes_a_key() -> None:
    posted = {each.name for each in ROUTES if each.method != "GET" and each.path.startswith(KNOWLEDGE)}
    # Both only answer with what they were sent, and write nothing.
    assert posted - {each.name for each in ROUTES if each.repeatable} == {"searchKnowledge", "mergeEdit"}


@pytest.mark.promise("A2")
def test_a_missing_scope_is_named_in_words(world: World) -> None:
    ana = world.person("Ana")
    issued = world.ok(ana, "POST", "/api/v1/tokens", {"name": "narrow", "scopes": ["knowledge:read"]})
    answer = world.web("GET", "/api/v1/tokens", token=issued["token"])
    assert answer.json["detail"] == "This token lacks a scope: tokens:admin. Make one that has it."


@pytest.mark.promise("W3")
def test_markdown_comes_as_html_that_is_safe_to_show(world: World) -> None:
    ana = world.person("Ana")
    text = "# One\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) [y](https://a.example)"
    shown = world.ok(ana, "POST", "/api/v1/render", {"markdown": text})
    assert shown["next_offset"] is None
    assert "<img" not in shown["html"]
    assert '<a href="https://a.example" rel="noopener noreferrer nofollow">y</a>' in shown["html"]
    item = world.item(ana, world.base(ana, ana.account.personal_space_id), content=text)
    path = f"{KNOWLEDGE}/items/{item['id']}/revisions/{item['current_revision_id']}/html"
    of_revision = world.ok(ana, "GET", path)
    assert (of_revision["html"], of_revision["revision"]["number"]) == (shown["html"], 1)
    assert world.web("GET", path, token=ana.token).headers["Content-Type"] == "application/json"
    long = world.ok(ana, "POST", "/api/v1/render", {"markdown": "Some words.\n\n" * 20_000})
    rest = {"markdown": "Some words.\n\n" * 20_000, "offset": long["next_offset"]}
    assert world.ok(ana, "POST", "/api/v1/render", rest)["next_offset"] > long["next_offset"]
    too_large = world.web("POST", "/api/v1/render", {"markdown": "x" * (MAX_BYTES + 1)}, token=ana.token)
    assert (too_large.status, too_large.json["code"]) == (413, "content_too_large")


@pytest.mark.promise("K6")
def test_a_difference_marks_words_if_asked_to(world: World) -> None:
    ana = world.person("Ana")
    item = world.item(ana, world.base(ana, ana.account.personal_space_id), content="The old fox.")
    path = f"{KNOWLEDGE}/items/{item['id']}"
    edit = {"content": "The new fox.", "expected_revision_id": item["current_revision_id"]}
    edited = world.ok(ana, "PATCH", path, edit)
    diff = f"{path}/diff?from={item['current_revision_id']}&to={edited['current_revision_id']}"
    assert [each["pieces"] for each in world.ok(ana, "GET", diff)["changes"]] == [None, None]
    deleted, inserted = (each["pieces"] for each in world.ok(ana, "GET", f"{diff}&words=true")["changes"])
    assert [each["kind"] for each in deleted] == ["equal", "delete", "equal"]
    assert [each["text"] for each in inserted] == ["The ", "new", " fox.\n"]


@pytest.mark.promise("K11")
def test_people_have_names_as_long_as_they_are_in_the_space(world: World) -> None:
    ana, ben = world.person("Ana"), world.person("Ben")
    team = world.team(ana, member=ben)
    base = world.base(ana, team)
    item = world.item(ben, base)
    document = world.document(ben, base)
    revisions = f"{KNOWLEDGE}/items/{item['id']}/revisions"
    first = item["current_revision_id"]

    def named() -> list[str | None]:
        lists = [
            *world.ok(ana, "GET", f"{KNOWLEDGE}/bases/{base}/items")["items"],
            world.ok(ana, "GET", f"{KNOWLEDGE}/items/{item['id']}"),
            *world.ok(ana, "GET", f"/api/v1/documents?knowledge_base_id={base}")["documents"],
            world.ok(ana, "GET", f"/api/v1/documents/{document}"),
        ]
        made = [
            *world.ok(ana, "GET", revisions)["revisions"],
            world.ok(ana, "GET", f"{revisions}/{first}")["revision"],
            world.ok(ana, "GET", f"{revisions}/{first}/html")["revision"],
            world.ok(ana, "GET", f"{KNOWLEDGE}/items/{item['id']}/diff?from={first}&to={first}")["to"],
        ]
        return [each["created_by_name"] for each in lists] + [each["provenance"]["author_name"] for each in made]

    assert named() == ["Ben"] * 8
    bases = [*world.ok(ana, "GET", f"{KNOWLEDGE}/bases")["bases"], world.ok(ana, "GET", f"{KNOWLEDGE}/bases/{base}")]
    assert [each["created_by_name"] for each in bases] == ["Ana"] * 2
    members = f"/api/v1/teams/{team}/members"
    assert {each["name"] for each in world.ok(ana, "GET", members)["members"]} == {"Ana", "Ben"}
    world.ok(ana, "DELETE", f"{members}/{ben.account.user_id}")
    assert named() == [None] * 8
    added = world.ok(ana, "POST", members, {"user_id": ben.account.user_id, "role": "viewer"})
    assert (added["name"], added["role"]) == ("Ben", "viewer")


@pytest.mark.promise("K10")
def test_a_space_says_what_ones_role_allows(world: World) -> None:
    ana, ben, cleo = (world.person(name) for name in ("Ana", "Ben", "Cleo"))
    team = world.team(ana, viewer=ben, member=cleo)

    def allowed(who: Person) -> set[str]:
        spaces = world.ok(who, "GET", "/api/v1/spaces")["spaces"]
        return {action for each in spaces if each["id"] == team for action in each["allowed"]}

    assert allowed(ben) == {"space:read"}
    assert allowed(cleo) == {"space:read", "item:read_drafts", "item:write", "memory:write"}
    assert allowed(ana) >= {"base:admin", "item:delete", "page:admin", "members:admin", "owners:admin"}


@pytest.mark.promise("K10")
def test_items_are_filtered_sorted_and_counted(world: World) -> None:
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    path = f"{KNOWLEDGE}/bases/{base}"
    made = [world.item(ana, base, "publish", title=title) for title in ("b guide", "a guide", "c")]
    first = world.ok(ana, "GET", f"{path}/items?sort=title&contains=guide&limit=1")
    rest = world.ok(ana, "GET", f"{path}/items?sort=title&contains=guide&limit=1&cursor={first['next_cursor']}")
    assert [each["title"] for each in first["items"] + rest["items"]] == ["a guide", "b guide"]
    assert rest["next_cursor"] is None
    other = world.web("GET", f"{path}/items?sort=updated&cursor={first['next_cursor']}", token=ana.token)
    assert other.json["code"] == "invalid_cursor"
    assert world.ok(ana, "GET", f"{path}/items?locator={made[2]['locator']}&contains=guide")["items"] == []
    counts = world.ok(ana, "GET", f"{path}/counts")
    assert counts == {
        "items": {"draft": 0, "published": 3, "archived": 0},
        "revisions": 3,
        "documents": 0,
        "at_least": False,
    }
    assert world.ok(ana, "GET", f"{KNOWLEDGE}/items/{made[0]['id']}/counts") == {"revisions": 1, "documents": 0}


@pytest.mark.promise("I2")
def test_unfinished_documents_are_listed_and_files_are_saved_by_a_link(world: World) -> None:
    ana = world.person("Ana")
    base = world.base(ana, ana.account.personal_space_id)
    waiting, ready, failed = (world.document(ana, base) for _ in range(3))
    documents = world.shelves.documents_
    now = world.clock.now()
    documents[ready] = documents[ready].uploaded("v1", 10, now).ready("rev_x", now)
    gone = Failure(UploadMissing.code, "It is gone.", retryable=False)
    documents[failed] = documents[failed].failed(gone, now)
    path = f"/api/v1/documents?knowledge_base_id={base}"
    assert [each["id"] for each in world.ok(ana, "GET", f"{path}&unfinished=true")["documents"]] == [waiting]
    assert world.ok(ana, "GET", f"{path}&unfinished=true&status=ready")["documents"] == []
    assert len(world.ok(ana, "GET", path)["documents"]) == 3
    saved = world.ok(ana, "GET", f"/api/v1/documents/{ready}/original")
    assert saved["filename"] == "report.pdf"
    assert saved["url"].startswith(world.ok(ana, "GET", "/api/v1/limits")["upload_origin"])
    for each in (waiting, failed):
        answer = world.web("GET", f"/api/v1/documents/{each}/original", token=ana.token)
        assert (answer.status, answer.json["code"]) == (410, "upload_missing")


@pytest.mark.promise("K11", "K17")
def test_a_project_names_what_it_links_to_and_is_the_callers_to_see(world: World) -> None:
    ana, ben = world.person("Ana"), world.person("Ben")
    team = world.team(ana, viewer=ben)
    base, secret = world.base(ana, team), world.base(ana, ana.account.personal_space_id)
    public, draft = world.item(ana, base, "publish", title="Public"), world.item(ana, base, title="Draft")
    private = world.item(ana, secret, "publish", title="Private")
    document, gone = world.document(ana, base), new_id(Kind.ITEM)
    project = world.ok(ana, "POST", "/v1/projects", {"name": "P", "path": "p", "team_id": team})["id"]
    items = sorted([public["id"], draft["id"], private["id"], gone])
    world.ok(ana, "POST", f"/v1/projects/{project}/links", {"knowledge_item_ids": items, "document_ids": [document]})

    def names(token: str) -> tuple[set[str], list[str | None]]:
        read = world.web("GET", f"/v1/projects/{project}", token=token).json
        assert [each["id"] for each in read["knowledge_items"]] == read["knowledge_item_ids"] == items
        titles = {each["title"] for each in read["knowledge_items"]} - {None}
        return titles, [each["filename"] for each in read["documents"]]

    assert names(ana.token) == ({"Public", "Draft", "Private"}, ["report.pdf"])
    assert names(ben.token) == ({"Public"}, [None])
    narrow = world.ok(ana, "POST", "/api/v1/tokens", {"name": "memory", "scopes": ["memory:read"]})
    assert names(narrow["token"]) == (set(), [None])
    world.ok(ana, "POST", f"{KNOWLEDGE}/bases/{base}/archive")
    assert names(ben.token) == (set(), [None])
    world.ok(ana, "DELETE", f"{KNOWLEDGE}/bases/{base}", {"confirm": "Runbooks"})
    assert names(ana.token)[0] == {"Private"}


@pytest.mark.promise("A8")
def test_exports_are_listed_newest_first_and_only_ones_own(world: World) -> None:
    ana, ben = world.person("Ana"), world.person("Ben")
    made = [world.ok(ana, "POST", "/v1/exports")["id"] for _ in range(2)]
    assert [each["id"] for each in world.ok(ana, "GET", "/v1/exports")["exports"]] == made[::-1]
    assert world.ok(ben, "GET", "/v1/exports")["exports"] == []


@pytest.mark.promise("A5")
def test_what_to_paste_into_clients_is_the_same_as_on_a_laptop(world: World) -> None:
    told = world.web("GET", "/api/v1/console/clients", headers={"host": "acervo.example"}).json
    assert told["mcp_url"] == "https://acervo.example/mcp"
    expected = configurations(told["mcp_url"], told["placeholder"])
    assert [(each["program"], each["where"], each["text"]) for each in told["clients"]] == [
        (each.program, each.where, each.text) for each in expected
    ]
