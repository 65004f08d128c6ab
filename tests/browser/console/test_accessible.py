"""Everybody can use it: WCAG 2.2 AA by axe-core, narrow and zoomed, by keyboard, told as it happens."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.console.conftest import Tabs
from tests.browser.console.test_story_places import places
from tests.unit.api.world import KNOWLEDGE, Content, Person, World

pytestmark = pytest.mark.promise("W4")

LOOKS = [
    pytest.param("light", 900, "en-GB", id="light-900-en"),
    pytest.param("dark", 320, "es-ES", id="dark-320-es"),
    pytest.param("dark", 900, "es-ES", id="dark-900-es"),
    pytest.param("light", 320, "en-GB", id="light-320-en"),
]


@pytest.fixture
def owner(world: World) -> Person:
    return world.person("Ana")


@pytest.fixture
def content(world: World, owner: Person) -> Content:
    bea, team = world.person("Bea"), world.team(owner)
    world.ok(owner, "POST", f"/api/v1/teams/{team}/members", {"user_id": bea.account.user_id, "role": "member"})
    made = world.content(owner, team)
    edit = {
        "expected_revision_id": made.published["current_revision_id"],
        "content": "# One\n\nTwo, `three`, [four](#).\n",
    }
    world.ok(owner, "PATCH", f"{KNOWLEDGE}/items/{made.published['id']}", edit)
    world.index_all()
    return made


def _wide(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


@pytest.mark.parametrize(("scheme", "width", "locale"), LOOKS)
def test_every_panel(fakes: Tabs, owner: Person, content: Content, scheme: Any, width: int, locale: str) -> None:
    console = fakes.signed_in(owner.token, locale=locale, width=width, color_scheme=scheme, reduced_motion="reduce")
    console.watch.knows("400.*/device-logins")
    found: list[str] = []
    for place in places(content):
        page = console.open(f"#{place}", content.space)
        found += [f"{place}: {each}" for each in violations(page)]
        if _wide(page) > width:
            found.append(f"{place}: {_wide(page)} px wide")
    assert found == []


DIALOGS = (
    "knowledge",
    "knowledge/{base}",
    "knowledge/{item}",
    "memory",
    "memory/projects",
    "memory/todos",
    "memory/timeline",
    "pages",
    "pages/{page}",
    "pages/{page}/topics",
    "pages/{page}/links",
    "pages/{page}/images",
    "keys",
    "team",
    "account",
)


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 900)])
def test_every_dialog(fakes: Tabs, owner: Person, content: Content, scheme: Any, width: int) -> None:
    console = fakes.signed_in(owner.token, locale="es-ES", width=width, color_scheme=scheme)
    names = {"base": content.base, "item": content.published["id"], "page": content.page}
    found: list[str] = []
    for place in DIALOGS:
        page = console.open(f"#{place.format(**names)}", content.space)
        # Whatever opens a dialog here, by whatever name.
        for button in page.locator("main button[type=button]:visible").all():
            name = button.inner_text()
            button.click()
            console.watch.quiet(page)
            if page.locator("dialog[open]").count():
                found += [f"{place}, {name}: {each}" for each in violations(page)]
                if _wide(page) > width:
                    found.append(f"{place}, {name}: {_wide(page)} px wide")
                page.keyboard.press("Escape")
                expect(page.locator("dialog")).to_have_count(0)
                expect(button).to_be_focused()
            elif not button.count() or not button.is_visible():
                break
    assert found == []


def test_signing_in(fakes: Tabs) -> None:
    for scheme, locale in (("light", "en-GB"), ("dark", "es-ES")):
        watch = fakes.context(locale=locale, width=320, color_scheme=scheme)
        watch.knows("401.*/api/v1/session")
        console = fakes.tab(watch)
        console.page.goto(f"{fakes.url}/me")
        expect(console.page.locator("h1")).to_have_text("Acervo")
        assert violations(console.page) == []
        assert _wide(console.page) <= 320


def test_at_twice_the_size_nothing_has_to_be_scrolled_sideways(fakes: Tabs, owner: Person, content: Content) -> None:
    console = fakes.signed_in(owner.token, width=640, height=512)
    for place in places(content):
        page = console.open(f"#{place}", content.space)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert _wide(page) <= 640, place


def _tab_to(page: Page, name: str | re.Pattern[str], *roles: Any) -> None:
    """Press Tab until what has this name is in focus; each stop on the way can be seen."""
    wanted = page.get_by_role(roles[0], name=name)
    for role in roles[1:]:
        wanted = wanted.or_(page.get_by_role(role, name=name))
    for _ in range(80):
        page.keyboard.press("Tab")
        seen = page.evaluate("""() => {
            const each = document.activeElement;
            if (!each || each === document.body) return "none";
            const {outlineStyle, outlineWidth, boxShadow} = getComputedStyle(each);
            const {width, height} = each.getBoundingClientRect();
            const visible = (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
            return visible && width > 0 && height > 0 ? "seen" : each.outerHTML.slice(0, 200);
        }""")
        assert seen in {"seen", "none"}, seen
        if wanted.first.evaluate("each => each === document.activeElement"):
            return
    raise AssertionError(f"Not reached by keyboard: {name}")


def test_a_whole_story_by_keyboard_alone(fakes: Tabs, world: World, owner: Person) -> None:
    console = fakes.signed_in(owner.token)
    page, keys = console.open("#knowledge"), console.page.keyboard
    expect(console.heading).to_be_focused()
    _tab_to(page, "New base", "button")
    keys.press("Enter")
    expect(console.field("Name")).to_be_focused()
    keys.type("Runbooks")
    keys.press("Enter")
    expect(console.heading).to_have_text("Runbooks")
    expect(console.heading).to_be_focused()
    _tab_to(page, "New item", "link")
    keys.press("Enter")
    expect(console.heading).to_have_text("New item")
    _tab_to(page, "Title", "textbox")
    keys.type("By keyboard")
    _tab_to(page, "Markdown", "textbox")
    keys.type("All of it.")
    keys.press("Control+s")
    expect(page.locator("#status")).to_have_text("Saved as revision 1.")
    expect(console.heading).to_have_text("By keyboard")
    _tab_to(page, "Publish", "button")
    keys.press("Enter")
    expect(page.locator(".head .badge")).to_have_text("published")
    world.index_all()
    expect(console.heading).to_be_focused()
    _tab_to(page, "Withdraw", "button")
    keys.press("Enter")
    expect(console.dialog).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("button", name="Withdraw")).to_be_focused()
    keys.press("Home")
    page.get_by_role("link", name="Skip to content").focus()
    _tab_to(page, "Search, or paste a citation", "searchbox")
    keys.type("keyboard")
    keys.press("Enter")
    expect(console.heading).to_have_text("Search")
    _tab_to(page, "By keyboard", "link")
    keys.press("Enter")
    expect(page.locator(".prose")).to_have_text("All of it.")
    _tab_to(page, "History", "link")
    keys.press("Enter")
    _tab_to(page, "Compare: Revision 1", "checkbox")
    keys.press("Space")
    expect(page.get_by_role("checkbox")).to_be_checked()


def test_a_filter_keeps_the_focus_of_who_uses_it(fakes: Tabs, owner: Person, content: Content) -> None:
    console = fakes.signed_in(owner.token)
    page = console.open(f"#knowledge/{content.base}", content.space)
    page.get_by_label("Order").focus()
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("sort="))
    console.settled()
    expect(page.get_by_label("Order")).to_be_focused()


def test_saving_and_trouble_are_told_to_those_who_do_not_see_them(fakes: Tabs, owner: Person, content: Content) -> None:
    console = fakes.signed_in(owner.token)
    page = console.open(f"#knowledge/{content.draft['id']}/edit", content.space)
    expect(page.locator("#status")).to_contain_text("Knowledge")
    console.fill(Markdown="Changed.")
    expect(page.get_by_role("status").filter(has_text="Not saved yet")).to_be_attached()
    console.click("Save")
    expect(page.locator("#status")).to_have_text("Saved as revision 2.")
    assert page.locator("#toasts").get_attribute("aria-live") == "polite"
    console.watch.knows("ERR_INTERNET_DISCONNECTED")
    console.watch.context.set_offline(offline=True)
    console.fill(Markdown="Changed again.")
    console.click("Save")
    expect(page.get_by_role("alert")).to_contain_text("There is no connection")
    console.watch.context.set_offline(offline=False)


def test_who_wants_no_motion_gets_none(fakes: Tabs, owner: Person, content: Content) -> None:
    console = fakes.signed_in(owner.token, reduced_motion="reduce")
    for place in places(content):
        page = console.open(f"#{place}", content.space)
        moving = page.evaluate("""() => [...document.querySelectorAll("*")].filter((each) => {
            const {animationName, animationDuration, transitionDuration, scrollBehavior} = getComputedStyle(each);
            const animated = animationName !== "none" && parseFloat(animationDuration) > 0.01;
            return animated || parseFloat(transitionDuration) > 0.01 || scrollBehavior === "smooth";
        }).map((each) => each.outerHTML.slice(0, 100))""")
        assert moving == [], place
