"""What a role may not do is not offered; what the server refuses all the same is told where it was tried."""

import pytest
from playwright.sync_api import expect

from chalicelib.domain.spaces import Role
from tests.browser.console.conftest import Tabs
from tests.browser.console.test_story_places import places
from tests.unit.api.world import Content, Person, World

pytestmark = pytest.mark.promise("W2")

WRITES = ("New item", "Bring files", "Publish", "Withdraw", "Archive", "Write", "Restore this version", "Save")
REMEMBERS = ("Remember something", "Edit", "Forget", "New project", "Delete the project", "Link", "New to-do", "Done")
KEEPS = ("New base", "Rename", "Delete for good", "New page", "Go live", "Add topic", "Add link", "Add picture")
LETS_IN = ("Add member",)
OFFERS = {
    "viewer": (),
    "member": WRITES + REMEMBERS,
    "admin": WRITES + REMEMBERS + KEEPS + LETS_IN,
    "owner": WRITES + REMEMBERS + KEEPS + LETS_IN,
}
"""What each role is offered somewhere; of all that is named here, nothing else."""
EVERYTHING = {*WRITES, *REMEMBERS, *KEEPS, *LETS_IN}


@pytest.fixture
def people(world: World) -> dict[str, Person]:
    return {role: world.person(f"The {role}") for role in ("owner", "admin", "member", "viewer")}


@pytest.fixture
def content(world: World, people: dict[str, Person]) -> Content:
    others = {role: person for role, person in people.items() if role != "owner"}
    return world.content(people["owner"], world.team(people["owner"], **others))


@pytest.mark.parametrize("role", OFFERS)
def test_a_role_is_offered_what_it_may_and_nothing_else(
    fakes: Tabs, people: dict[str, Person], content: Content, role: str
) -> None:
    console = fakes.signed_in(people[role].token)
    console.watch.knows("(400|403|404|409).*/v1/")
    offered: set[str] = set()
    for place in [*places(content), f"knowledge/{content.draft['id']}", f"knowledge/{content.archived['id']}/history"]:
        if place.startswith(("device", "account", "keys")):
            continue  # one's own, whatever one is in a team
        page = console.open(f"#{place}", content.space)
        names = page.locator("main").locator("button:visible, a:visible").all_inner_texts()
        offered |= {name.removesuffix("Ctrl+S").strip() for name in names}
    wanted = set(OFFERS[role])
    # The page of the world is live, and old revisions there are none to restore.
    rare = {"Go live", "Restore this version"}
    assert offered & EVERYTHING - rare == wanted - rare
    if role != "owner":
        page = console.open("#team", content.space)
        mine = page.locator("main .rows > li").filter(has_text="· you")
        expect(mine.get_by_role("combobox")).to_have_count(1 if role == "admin" else 0)
        owners = page.locator("main .rows > li").filter(has_text="The owner")
        expect(owners.get_by_role("combobox")).to_have_count(0)


REFUSED = {
    "knowledge": ("New base", "dialog"),
    "knowledge/{draft}": ("Publish", "place"),
    "knowledge/{draft}/edit": ("Save", "place"),
    "memory": ("Remember something", "dialog"),
    "memory/todos": ("Done", "place"),
    "pages/{page}": ("Edit", "dialog"),
    "team": ("Add member", "dialog"),
}


@pytest.mark.parametrize("place", REFUSED)
def test_a_role_that_is_taken_away_meanwhile_is_told_at_the_place(
    fakes: Tabs, world: World, people: dict[str, Person], content: Content, place: str
) -> None:
    name, where = REFUSED[place]
    admin = people["admin"]
    console = fakes.signed_in(admin.token)
    console.watch.knows("(403|404).*/v1/")
    page = console.open(f"#{place.format(draft=content.draft['id'], page=content.page)}", content.space)
    if place.endswith("/edit"):
        console.fill(Markdown="Typed meanwhile.")
    path = f"/api/v1/teams/{content.space}/members/{admin.account.user_id}"
    world.ok(people["owner"], "PUT", path, {"role": Role.VIEWER})
    if where == "dialog":
        console.ask(name)
        for field in console.dialog.locator("input[required]:visible, textarea[required]:visible").all():
            if not field.input_value():
                field.fill(people["viewer"].account.user_id)
        console.dialog.locator("button[type=submit]").click()
        told = console.dialog.get_by_role("alert")
    else:
        button = page.get_by_role("button", name=name, exact=True).first
        button.click()
        told = button.locator("xpath=..").get_by_role("alert")
    expect(told).to_be_visible()
    expect(told).not_to_contain_text("Something went wrong")
    if place.endswith("/edit"):
        expect(console.field("Markdown")).to_have_value("Typed meanwhile.")
