"""Every route × every role and a stranger × own, team and foreign objects: what may not be seen does not exist.

What is expected is written here from the specification, not taken from the code under test.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from chalicelib.api.rest.table import ROUTES, VISIT_ROUTES
from chalicelib.domain.ids import Kind
from chalicelib.domain.spaces import Membership, Role
from tests.factories import new_id
from tests.unit.api.browser import at_browser
from tests.unit.api.world import KNOWLEDGE, Content, Person, World
from tests.web import Answered

pytestmark = pytest.mark.promise("K11", "K10")

PEOPLE = ("owner", "admin", "member", "viewer", "stranger")

ANYONE, EDITORS, ADMINS = {"owner", "admin", "member", "viewer"}, {"owner", "admin", "member"}, {"owner", "admin"}

BASE_ROUTES = {
    "readBase": ("GET", "", None, ANYONE),
    "changeBase": ("PATCH", "", {"name": "Other"}, ADMINS),
    "archiveBase": ("POST", "/archive", None, ADMINS),
    "restoreBase": ("POST", "/restore", None, ADMINS),
    "deleteBase": ("DELETE", "", {"confirm": "Runbooks"}, ADMINS),
    "listItems": ("GET", "/items", None, ANYONE),
    "countBase": ("GET", "/counts", None, ANYONE),
    "createItem": ("POST", "/items", {"title": "New", "content": "x"}, EDITORS),
}

ITEM_ROUTES = {
    "readItem": ("GET", "", None, ANYONE),
    "editItem": ("PATCH", "", {"title": "Other", "expected_revision_id": "{revision}"}, EDITORS),
    "publishItem": ("POST", "/publish", None, EDITORS),
    "withdrawItem": ("POST", "/withdraw", None, EDITORS),
    "archiveItem": ("POST", "/archive", None, EDITORS),
    "restoreItem": ("POST", "/restore", None, EDITORS),
    "deleteItem": ("DELETE", "", {"confirm": "Restarting"}, ADMINS),
    "countItem": ("GET", "/counts", None, ANYONE),
    "listRevisions": ("GET", "/revisions", None, ANYONE),
    "readRevision": ("GET", "/revisions/{revision}", None, ANYONE),
    "renderRevision": ("GET", "/revisions/{revision}/html", None, ANYONE),
    "mergeEdit": ("POST", "/merge", {"expected_revision_id": "{revision}", "content": "Other."}, EDITORS),
    "restoreRevision": ("POST", "/revisions/{revision}/restore", {"expected_revision_id": "{revision}"}, EDITORS),
    "compareRevisions": ("GET", "/diff?from={revision}&to={revision}", None, ANYONE),
}

MEMBER_ROUTES = {
    "listMembers": ("GET", "", None, ANYONE),
    "addMember": ("POST", "", {"user_id": "{user}", "role": "viewer"}, ADMINS),
    "setMember": ("PUT", "/{user}", {"role": "viewer"}, ADMINS),
    "removeMember": ("DELETE", "/{user}", None, ADMINS),
}

MEMORY_ROUTES = {
    "explainMemory": ("GET", "/memories/{memory}/explain", None, ANYONE),
    "updateMemory": ("PATCH", "/memories/{memory}", {"content": "Other"}, EDITORS),
    "forgetMemory": ("POST", "/memories/{memory}/forget", {}, EDITORS),
    "completeTodo": ("POST", "/todos/{todo}/complete", None, EDITORS),
    "readProject": ("GET", "/projects/{project}", None, ANYONE),
    "linkProject": ("POST", "/projects/{project}/links", {"knowledge_item_ids": ["{item}"]}, EDITORS),
    "unlinkProject": ("POST", "/projects/{project}/unlink", {"knowledge_item_ids": ["{item}"]}, EDITORS),
    "deleteProject": ("DELETE", "/projects/{project}", None, EDITORS),
    "remember": ("POST", "/memories", {"content": "x", "team_id": "{space}"}, EDITORS),
    "listMemories": ("GET", "/memories?team_id={space}", None, ANYONE),
    "createTodo": ("POST", "/todos", {"content": "x", "team_id": "{space}"}, EDITORS),
    "listTodos": ("GET", "/todos?team_id={space}", None, ANYONE),
    "recordEvent": ("POST", "/timeline/events", {"content": "x", "team_id": "{space}"}, EDITORS),
    "readTimeline": ("GET", "/timeline/events?team_id={space}", None, ANYONE),
    "saveState": ("PUT", "/state", {"state_key": "current", "content": "x", "team_id": "{space}"}, EDITORS),
    "restoreState": ("GET", "/state?state_key=current&team_id={space}", None, ANYONE),
    "createProject": ("POST", "/projects", {"name": "New", "path": "projects/new", "team_id": "{space}"}, EDITORS),
    "listProjects": ("GET", "/projects?team_id={space}", None, ANYONE),
}
DOCUMENT_ROUTES = {
    "readDocument": ("GET", "", None, EDITORS),
    "linkOriginal": ("GET", "/original", None, EDITORS),
    "retryDocument": ("POST", "/retry", None, EDITORS),
    "deleteDocument": ("DELETE", "", None, EDITORS),
}

_TOPIC = {"title": "New", "description": "x", "knowledge_base_ids": ["{base}"]}
_LINK = {"kind": "link", "label": "New", "url": "https://lola.example/new"}
PAGE_ROUTES = {
    "readPage": ("GET", "", None, ADMINS),
    "changePage": ("PATCH", "", {"name": "Other"}, ADMINS),
    "goLive": ("POST", "/go-live", None, ADMINS),
    "pausePage": ("POST", "/pause", None, ADMINS),
    "deletePage": ("DELETE", "", {"confirm": "Casa Lola"}, ADMINS),
    "addTopic": ("POST", "/topics", _TOPIC, ADMINS),
    "changeTopic": ("PUT", "/topics/{topic}", _TOPIC, ADMINS),
    "removeTopic": ("DELETE", "/topics/{topic}", None, ADMINS),
    "addLink": ("POST", "/links", _LINK, ADMINS),
    "changeLink": ("PUT", "/links/{link}", _LINK, ADMINS),
    "removeLink": ("DELETE", "/links/{link}", None, ADMINS),
    "announceImage": ("POST", "/images", {"media_type": "image/png"}, ADMINS),
    "takeImage": ("PUT", "/images/{image}", {"kind": "photo", "shows": "A room"}, ADMINS),
    "changeImage": ("PATCH", "/images/{image}", {"approved": False}, ADMINS),
    "removeImage": ("DELETE", "/images/{image}", None, ADMINS),
    "readUsage": ("GET", "/usage", None, ADMINS),
    "tryPage": ("POST", "/try", {"question": "one"}, ADMINS),
}

ITEM_KINDS = {"published": ANYONE, "draft": EDITORS, "archived": EDITORS}

OTHERS = {
    "recallContext",
    "createBase",
    "listBases",
    "readPurge",
    "searchKnowledge",
    "createTeam",
    "listSpaces",
    "readMe",
    "readLimits",
    "renderMarkdown",
}
OWN = {"recallContext", "requestExport", "listExports", "readExport", "closeAccount"}
VISITS = {"listClients", "readConsole", "signIn", "readSession", "signOut"}
"""Routes for whoever has no token; they are about nothing but the session itself."""
TOKENS = {"reviewDeviceLogin", "decideDeviceLogin", "listTokens", "createToken", "revokeToken"}


@dataclass(frozen=True)
class Cell:
    """One request, and who may see its object and who may do it."""

    name: str
    request: Callable[[World, Content, "Ids"], tuple[str, str, Any]]
    sees: frozenset[str]
    may: frozenset[str]


@dataclass(frozen=True)
class Ids:
    """The ids that stand in a request."""

    base: str
    item: str
    revision: str
    space: str
    purge: str
    document: str
    user: str
    memory: str
    todo: str
    project: str
    page: str
    topic: str
    image: str
    link: str

    @classmethod
    def unknown(cls, user: str) -> "Ids":
        base, item, revision = new_id(Kind.BASE), new_id(Kind.ITEM), new_id(Kind.REVISION)
        notes = [new_id(each) for each in (Kind.MEMORY, Kind.TODO, Kind.PROJECT)]
        notes += [new_id(each) for each in (Kind.PAGE, Kind.TOPIC, Kind.IMAGE, Kind.LINK)]
        return cls(base, item, revision, new_id(Kind.SPACE), new_id(Kind.PURGE), new_id(Kind.DOCUMENT), user, *notes)


def _filled(value: Any, ids: Ids) -> Any:
    if isinstance(value, dict):
        return {key: _filled(each, ids) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, ids) for each in value]
    return value.format(**vars(ids)) if isinstance(value, str) else value


def _cell(name: str, path: str, row: tuple[str, str, Any, set[str]], sees: set[str]) -> Cell:
    method, rest, body, may = row

    def request(_: World, __: Content, ids: Ids) -> tuple[str, str, Any]:
        return method, (path + rest).format(**vars(ids)), _filled(body, ids)

    return Cell(name, request, frozenset(sees), frozenset(may & sees))


def _cells() -> Iterator[tuple[str, Cell]]:
    """What each cell is about ("base", or a kind of item), and the cell."""
    for name, row in BASE_ROUTES.items():
        yield "base", _cell(name, KNOWLEDGE + "/bases/{base}", row, ANYONE)
    for kind, sees in ITEM_KINDS.items():
        for name, row in ITEM_ROUTES.items():
            yield kind, _cell(f"{name}:{kind}", KNOWLEDGE + "/items/{item}", row, sees)
    for prefix, rows in (("/v1", MEMORY_ROUTES), ("/api/v1/teams/{space}/members", MEMBER_ROUTES)):
        yield from (("base", _cell(name, prefix, row, ANYONE)) for name, row in rows.items())
    create: tuple[str, str, Any, set[str]] = ("POST", "", {"space_id": "{space}", "name": "New"}, ADMINS)
    yield "base", _cell("createBase", KNOWLEDGE + "/bases", create, ANYONE)
    yield "base", _cell("listBases", KNOWLEDGE + "/bases?space={space}", ("GET", "", None, ANYONE), ANYONE)
    yield "base", _cell("readPurge", KNOWLEDGE + "/purges/{purge}", ("GET", "", None, ADMINS), ANYONE)
    for body in ({"query": "one", "knowledge_base_id": "{base}"}, {"query": "one", "space": "{space}"}):
        yield "base", _cell("searchKnowledge", KNOWLEDGE + "/search", ("POST", "", body, ANYONE), ANYONE)
    yield from _document_cells()
    yield from _page_cells()
    for kind in ITEM_KINDS:
        sees = ANYONE if kind == "published" else set()
        for body in (
            {"knowledge_item_id": "{item}"},
            {"knowledge_item_id": "{item}", "knowledge_revision_id": "{revision}"},
        ):
            yield kind, _cell(f"searchKnowledge:{kind}", KNOWLEDGE + "/search", ("POST", "", body, sees), sees)


def _document_cells() -> Iterator[tuple[str, Cell]]:
    for name, row in DOCUMENT_ROUTES.items():
        yield "base", _cell(name, "/api/v1/documents/{document}", row, EDITORS)
    upload: dict[str, Any] = {"filename": "a.pdf", "size": 1, "knowledge_base_id": "{base}"}
    yield "base", _cell("requestUpload", "/api/v1/documents", ("POST", "", upload, EDITORS), ANYONE)
    listed = "/api/v1/documents?knowledge_base_id={base}"
    yield "base", _cell("listDocuments", listed, ("GET", "", None, ANYONE), ANYONE)


def _page_cells() -> Iterator[tuple[str, Cell]]:
    for name, row in PAGE_ROUTES.items():
        yield "base", _cell(name, "/api/v1/pages/{page}", row, ANYONE)
    new: dict[str, Any] = {"space_id": "{space}", "name": "New", "about": "x", "language": "es"}
    yield "base", _cell("createPage", "/api/v1/pages", ("POST", "", new, ADMINS), ANYONE)
    yield "base", _cell("listPages", "/api/v1/pages?space={space}", ("GET", "", None, ADMINS), ANYONE)


CELLS = list(_cells())


class Stage:
    """The world of one cell: a team with everyone in it, and somebody else's team."""

    def __init__(self) -> None:
        self.world = World()
        self.people = {role: self.world.person(role) for role in PEOPLE}
        self.outsider = self.world.person("outsider")
        self.guest = self.world.person("guest")
        team = self.world.team(self.people["owner"], **{role: self.people[role] for role in PEOPLE[1:-1]})
        member = Membership(team, self.guest.account.user_id, Role.VIEWER, self.world.clock.now())
        self.world.keys.put_member(None, member)
        self.team = self.world.content(self.people["owner"], team)
        self.foreign = self.world.content(self.outsider, self.world.team(self.outsider))
        self.private = self.world.content(self.outsider, self.outsider.account.personal_space_id)

    def ids(self, content: Content, kind: str) -> Ids:
        item = content.published if kind == "base" else getattr(content, kind)
        return Ids(
            base=content.base,
            item=item["id"],
            revision=item["current_revision_id"],
            space=content.space,
            purge=content.purge,
            document=content.document,
            user=self.guest.account.user_id,
            memory=content.memory,
            todo=content.todo,
            project=content.project,
            page=content.page,
            topic=content.topic,
            image=content.image,
            link=content.link,
        )

    def ask(self, who: Person, cell: Cell, content: Content, ids: Ids) -> Answered:
        method, path, body = cell.request(self.world, content, ids)
        return self.world.web(method, path, body, token=who.token)


def _looks_unknown(stage: Stage, who: Person, cell: Cell, content: Content, ids: Ids) -> bool:
    """Whether the answer is, to the byte, the one that ids nobody ever had get."""
    found = stage.ask(who, cell, content, ids)
    unknown = stage.ask(who, cell, content, Ids.unknown(ids.user))
    return found.status == 404 and (found.status, found.text, found.headers) == (
        unknown.status,
        unknown.text,
        unknown.headers,
    )


@pytest.mark.parametrize("role", PEOPLE)
@pytest.mark.parametrize(("kind", "cell"), CELLS, ids=[f"{cell.name}-{n}" for n, (_, cell) in enumerate(CELLS)])
def test_each_role_meets_exactly_what_the_table_says(role: str, kind: str, cell: Cell) -> None:
    stage = Stage()
    ids = stage.ids(stage.team, kind)
    who = stage.people[role]
    if role not in cell.sees:
        assert _looks_unknown(stage, who, cell, stage.team, ids)
    elif role not in cell.may:
        answer = stage.ask(who, cell, stage.team, ids)
        assert (answer.status, answer.json["code"]) == (403, "not_allowed")
    else:
        assert stage.ask(who, cell, stage.team, ids).status in {200, 201, 202, 409, 410}


@pytest.mark.parametrize("role", PEOPLE)
@pytest.mark.parametrize(("kind", "cell"), CELLS, ids=[f"{cell.name}-{n}" for n, (_, cell) in enumerate(CELLS)])
def test_what_is_of_another_team_or_of_another_person_does_not_exist(role: str, kind: str, cell: Cell) -> None:
    stage = Stage()
    for content in (stage.foreign, stage.private):
        assert _looks_unknown(stage, stage.people[role], cell, content, stage.ids(content, kind))


@pytest.mark.parametrize(("kind", "cell"), CELLS, ids=[f"{cell.name}-{n}" for n, (_, cell) in enumerate(CELLS)])
def test_ones_own_space_is_ones_own(kind: str, cell: Cell) -> None:
    stage = Stage()
    answer = stage.ask(stage.outsider, cell, stage.private, stage.ids(stage.private, kind))
    if "owner" in cell.sees:
        assert answer.status in {200, 201, 202, 409, 410}
    else:
        assert answer.status == 404


@pytest.mark.parametrize("role", PEOPLE)
def test_lists_and_searches_hold_nothing_of_others(role: str) -> None:
    stage = Stage()
    who, world = stage.people[role], stage.world
    bases = {each["space_id"] for each in world.ok(who, "GET", f"{KNOWLEDGE}/bases")["bases"]}
    spaces = {each["id"] for each in world.ok(who, "GET", "/api/v1/spaces")["spaces"]}
    assert bases <= spaces
    assert not spaces & {stage.foreign.space, stage.private.space}
    hits = world.search(who, "one", max_results=50).json["results"]
    expected = {stage.team.published["id"]} if role != "stranger" else set()
    assert {each["knowledge_item_id"] for each in hits} == expected


@pytest.mark.parametrize("role", PEOPLE)
def test_tokens_of_others_do_not_exist(role: str) -> None:
    stage = Stage()
    who = stage.people[role]
    found = stage.world.web("DELETE", f"/api/v1/tokens/{stage.outsider.token_id}", token=who.token)
    unknown = stage.world.web("DELETE", f"/api/v1/tokens/{new_id(Kind.TOKEN)}", token=who.token)
    assert (found.status, found.text) == (404, unknown.text)
    listed = stage.world.ok(who, "GET", "/api/v1/tokens")["tokens"]
    assert [each["id"] for each in listed] == [who.token_id]


def test_someone_who_leaves_sees_nothing_from_the_next_request_on() -> None:
    stage = Stage()
    who = stage.people["member"]
    assert stage.world.search(who, "one").json["results"]
    stage.world.ok(who, "DELETE", f"/api/v1/teams/{stage.team.space}/members/{who.account.user_id}")
    for kind, cell in CELLS:
        assert _looks_unknown(stage, who, cell, stage.team, stage.ids(stage.team, kind))
    assert stage.world.search(who, "one").json["results"] == []


def test_a_narrowed_token_sees_only_its_spaces() -> None:
    stage = Stage()
    owner = stage.people["owner"]
    body = {"name": "narrow", "scopes": ["knowledge:read"], "spaces": [owner.account.personal_space_id]}
    issued = stage.world.ok(owner, "POST", "/api/v1/tokens", body)
    narrow = replace(owner, token=issued["token"])
    assert stage.world.web("GET", f"{KNOWLEDGE}/bases/{stage.team.base}", token=narrow.token).status == 404
    assert stage.world.search(narrow, "one").json["results"] == []


def test_the_matrix_has_a_cell_for_every_route() -> None:
    covered = {cell.name.partition(":")[0] for _, cell in CELLS} | OTHERS | TOKENS | OWN
    assert {each.name for each in ROUTES} == covered
    assert {each.name for each in VISIT_ROUTES} == VISITS


@pytest.mark.parametrize("role", PEOPLE)
def test_a_browser_meets_what_a_token_meets(role: str) -> None:
    stage = Stage()
    who = stage.people[role]
    browser = at_browser(stage.world, who)
    for content in (stage.team, stage.foreign, stage.private):
        for kind, cell in CELLS:
            method, path, body = cell.request(stage.world, content, stage.ids(content, kind))
            if method == "GET":
                by_token = stage.world.web(method, path, body, token=who.token)
                by_cookie = browser(method, path, body)
                assert (by_cookie.status, by_cookie.text) == (by_token.status, by_token.text), cell.name
