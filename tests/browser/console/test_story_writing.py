"""Writing on the deployed stack while everything else goes wrong: nothing that was typed is lost."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from infra.local.stack import Stack
from tests.browser.console.conftest import Tabs
from tests.browser.console.driving import Console
from tests.browser.console.watching import OFFLINE
from tests.e2e.people import KNOWLEDGE, Person

pytestmark = pytest.mark.promise("W1")

LINES = "One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n"


def _item(person: Person, space: str | None = None, content: str = LINES) -> str:
    body = {"space_id": space or person.space, "name": "Drafts"}
    base = person.ok("POST", f"{KNOWLEDGE}/bases", body)["id"]
    made = person.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "Lines", "content": content})
    return str(made["id"])


def _content(person: Person, item: str, back: int = 0) -> str:
    """The text of the newest revision, or of one before it."""
    revision = person.ok("GET", f"{KNOWLEDGE}/items/{item}/revisions")["revisions"][back]["id"]
    path = f"{KNOWLEDGE}/items/{item}/revisions/{revision}"
    return person.ask("GET", path, Accept="text/markdown").text


def _edit(console: Console, item: str) -> Console:
    console.open(f"#knowledge/{item}/edit")
    expect(console.field("Markdown")).not_to_have_value("")
    return console


def _kept(console: Console) -> None:
    expect(console.page.get_by_text("Not saved yet; kept on this machine.")).to_be_visible()


@pytest.fixture
def beside(console: Console, tabs: Tabs) -> Console:
    """A second tab of the same browser."""
    return tabs.tab(console.watch)


def test_two_tabs_that_changed_different_lines_are_put_together(console: Console, beside: Console, ana: Person) -> None:
    console.watch.knows("409.*/knowledge/items")
    item = _item(ana)
    for tab in (console, beside):
        _edit(tab, item)
    console.fill(Markdown=LINES.replace("One.", "One, mine."))
    beside.fill(Markdown=LINES.replace("Five.", "Five, theirs."))
    console.click("Save")
    expect(console.page.get_by_text("Saved as revision 2.").last).to_be_attached()
    beside.click("Save")
    expect(beside.dialog).to_contain_text("Both changes fit together")
    expect(beside.dialog.locator("ins").first).to_be_visible()
    beside.click("Save this text")
    expect(beside.dialog).to_have_count(0)
    both = LINES.replace("One.", "One, mine.").replace("Five.", "Five, theirs.")
    expect(beside.field("Markdown")).to_have_value(both)
    assert _content(ana, item) == both


def test_two_tabs_that_changed_the_same_line_are_shown_both_sides(
    console: Console, beside: Console, ana: Person
) -> None:
    console.watch.knows("409.*/knowledge/items")
    item = _item(ana)
    mine, theirs = LINES.replace("Two.", "Two, mine."), LINES.replace("Two.", "Two, theirs.")
    for tab in (console, beside):
        _edit(tab, item)
    console.fill(Markdown=theirs)
    beside.fill(Markdown=mine)
    console.click("Save")
    expect(console.page.get_by_text("Saved as revision 2.").last).to_be_attached()
    beside.click("Save")
    dialog = beside.dialog
    expect(dialog).to_contain_text("Both changed the same place")
    for said in ("Two, mine.", "Two, theirs."):
        expect(dialog.locator(".difference").filter(has_text=said)).to_be_visible()
    result = dialog.get_by_label("The text that will be saved")
    assert "Two, mine." in result.input_value()
    beside.click("Start from theirs")
    expect(result).to_have_value(theirs)
    beside.click("Start from mine")
    expect(result).to_have_value(mine)
    # Going away in the middle: what was typed is still there, and meets the other's again.
    beside.page.keyboard.press("Escape")
    expect(beside.field("Markdown")).to_have_value(mine)
    beside.page.reload()
    expect(beside.field("Markdown")).to_have_value(mine)
    beside.click("Save")
    expect(beside.dialog).to_contain_text("Both changed the same place")
    beside.dialog.get_by_label("The text that will be saved").fill(mine.replace("mine", "mine and theirs"))
    beside.click("Save this text")
    expect(beside.dialog).to_have_count(0)
    assert _content(ana, item) == mine.replace("mine", "mine and theirs")
    assert _content(ana, item, back=1) == theirs


@pytest.mark.parametrize("first", ["here", "there"])
def test_a_tab_that_saves_leaves_what_another_one_has_typed(
    console: Console, beside: Console, ana: Person, first: str
) -> None:
    item = _item(ana)
    console.watch.knows("409.*/knowledge/items")
    here, there = LINES.replace("One.", "One, here."), LINES.replace("Five.", "Five, there.")
    for tab in (console, beside):
        _edit(tab, item)
    typed = [(console, here), (beside, there)]
    for tab, text in typed if first == "here" else typed[::-1]:
        tab.fill(Markdown=text)
        _kept(tab)
    console.click("Save")
    expect(console.page.get_by_text("Saved as revision 2.").last).to_be_attached()
    beside.page.reload()
    expect(beside.field("Markdown")).to_have_value(there)
    console.page.reload()
    expect(console.field("Markdown")).to_have_value(here)
    beside.page.close()
    again = Console(console.watch.context.new_page(), console.url, console.watch)
    again.open(f"#knowledge/{item}/edit")
    expect(again.field("Markdown")).to_have_value(there)


def test_a_network_that_goes_in_the_middle_of_a_save_takes_nothing_along(console: Console, ana: Person) -> None:
    item = _item(ana)
    _edit(console, item)
    context = console.watch.context
    console.watch.knows(OFFLINE)
    typed = LINES + "\nTyped without a network.\n"
    context.set_offline(offline=True)
    console.fill(Markdown=typed)
    console.click("Save")
    expect(console.page.get_by_role("alert")).to_contain_text("There is no connection")
    context.set_offline(offline=False)
    console.page.reload()
    expect(console.field("Markdown")).to_have_value(typed)
    expect(console.page.get_by_text("This is what you had typed and not saved")).to_be_visible()
    console.click("Save")
    expect(console.page.get_by_text("Saved as revision 2.").last).to_be_attached()
    expect(console.page.get_by_role("alert")).to_have_count(0)
    assert _content(ana, item) == typed
    console.page.reload()
    expect(console.field("Markdown")).to_have_value(typed)
    expect(console.page.get_by_text("not saved")).to_have_count(0)


@pytest.mark.parametrize("new", [True, False], ids=["new", "edited"])
def test_a_save_whose_answer_is_lost_is_made_once(console: Console, ana: Person, *, new: bool) -> None:
    item = _item(ana)
    base = ana.ok("GET", f"{KNOWLEDGE}/items/{item}")["knowledge_base_id"]
    page, lost = console.page, list[int]()
    console.watch.knows(OFFLINE)

    def lose(route: Route) -> None:
        if route.request.method in {"POST", "PATCH"} and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.route("**/knowledge/bases/*/items" if new else f"**/knowledge/items/{item}", lose)
    console.open(f"#knowledge/{base}/new" if new else f"#knowledge/{item}/edit")
    if new:
        console.fill(Title="Sent twice")
    console.fill(Markdown="Said once.\n")
    console.click("Save")
    expect(page.get_by_role("alert")).to_contain_text("There is no connection")
    assert lost[0] < 300
    console.click("Save")
    expect(page.get_by_text(f"Saved as revision {1 if new else 2}.").last).to_be_attached()
    expect(console.dialog).to_have_count(0)
    items = ana.ok("GET", f"{KNOWLEDGE}/bases/{base}/items")["items"]
    assert len(items) == (2 if new else 1)
    assert {each["current_revision_number"] for each in items} == ({1} if new else {2})


def _end_session(console: Console, stack: Stack) -> None:
    """As if its thirty days were over: the row is gone from the table."""
    table = stack.admin_session().resource("dynamodb").Table(stack.outputs["EphemeralTable"])
    names = [each["AttributeName"] for each in table.key_schema]
    for row in table.scan()["Items"]:
        if str(row["pk"]).startswith("session#"):
            table.delete_item(Key={name: row[name] for name in names})


def test_a_session_that_ends_in_the_middle_of_a_save_is_opened_over_the_page(
    console: Console, stack: Stack, ana: Person
) -> None:
    item = _item(ana)
    _edit(console, item)
    _end_session(console, stack)
    console.watch.knows("401.*")
    typed = LINES + "\nTyped by Ana.\n"
    console.fill(Markdown=typed)
    console.click("Save")
    expect(console.dialog).to_contain_text("Your session has ended")
    console.page.keyboard.press("Escape")
    expect(console.dialog).to_have_count(1)
    console.fill(Token="acv_nonsense")
    console.click("Sign in")
    expect(console.dialog.get_by_role("alert")).to_contain_text("not a valid token")
    console.fill(Token=ana.token)
    console.click("Sign in")
    expect(console.page.get_by_text("Saved as revision 2.").last).to_be_attached()
    expect(console.page.locator("dialog")).to_have_count(0)
    assert _content(ana, item) == typed


def test_somebody_else_who_signs_in_there_saves_nothing_of_the_first_ones(
    console: Console, stack: Stack, ana: Person, people: Callable[[str], Person]
) -> None:
    bea = people("Bea")
    team = ana.ok("POST", "/api/v1/teams", {"name": "Both"})["id"]
    ana.ok("POST", f"/api/v1/teams/{team}/members", {"user_id": bea.user_id, "role": "member"})
    item = _item(ana, team)
    console.open(f"#knowledge/{item}/edit", team)
    expect(console.field("Markdown")).to_have_value(LINES)
    _end_session(console, stack)
    console.watch.knows("401.*")
    console.watch.secrets.add(bea.token)
    typed = LINES + "\nTyped by Ana.\n"
    console.fill(Markdown=typed)
    console.click("Save")
    expect(console.dialog).to_contain_text("Your session has ended")
    console.fill(Token=bea.token)
    console.click("Sign in")
    expect(console.page.locator("#who")).to_have_text("Bea")
    expect(console.field("Markdown")).to_have_value(LINES)
    revisions = ana.ok("GET", f"{KNOWLEDGE}/items/{item}/revisions")["revisions"]
    assert [each["number"] for each in revisions] == [1]
    console.page.get_by_role("button", name="Sign out").click()
    expect(console.page.get_by_label("Token")).to_be_visible()
    console.page.get_by_label("Token").fill(ana.token)
    console.page.get_by_role("button", name="Sign in").click()
    expect(console.page.locator("#who")).to_have_text("Ana")
    console.open(f"#knowledge/{item}/edit", team)
    expect(console.field("Markdown")).to_have_value(typed)
