"""Every place has an address that can be shared, reloaded and gone back from."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.console.conftest import Tabs
from tests.browser.console.driving import Console
from tests.unit.api.world import Content, Person, World

FOLLOW = """to => {
    const link = Object.assign(document.createElement("a"), {href: to});
    document.body.append(link);
    link.click();
    link.remove();
}"""

pytestmark = pytest.mark.promise("W1")


@pytest.fixture
def owner(world: World) -> Person:
    return world.person("Ana")


@pytest.fixture
def content(world: World, owner: Person) -> Content:
    return world.content(owner, world.team(owner))


def places(content: Content) -> list[str]:
    """Everything that has an address, in a team's space."""
    item, base, page = content.published, content.base, content.page
    revision = item["current_revision_id"]
    return [
        "knowledge",
        f"knowledge/{base}",
        f"knowledge/{base}?status=published&sort=title",
        f"knowledge/{base}/new",
        f"knowledge/{base}/files",
        f"knowledge/{content.archived_base}",
        f"knowledge/{item['id']}",
        f"knowledge/{item['id']}@{revision}",
        f"knowledge/{item['id']}/edit",
        f"knowledge/{item['id']}/history",
        f"knowledge/{item['id']}/history?from={revision}&to={revision}",
        f"knowledge/purges/{content.purge}",
        "search",
        "search?q=One&mode=lexical",
        "search?q=One&mode=hybrid&alpha=0.8&beside=true",
        "memory",
        "memory/projects",
        f"memory/projects/{content.project}",
        "memory/todos",
        "memory/todos?status=any",
        "memory/timeline",
        "pages",
        *(f"pages/{page}/{tab}" for tab in ("about", "topics", "images", "links", "try", "use")),
        "keys",
        "team",
        "account",
        "device?code=ABCD-EFGH",
    ]


def _content(page: Page) -> str:
    return page.locator("main").inner_text()


def test_every_address_shows_the_same_after_a_reload_and_when_one_comes_back(
    fakes: Tabs, world: World, owner: Person, content: Content
) -> None:
    console = fakes.signed_in(owner.token)
    # What is told as "17 hours ago" is the same from first to last.
    console.page.context.clock.set_fixed_time(world.clock.now() + timedelta(hours=2))
    # The purge's worker does not run here: its page looks again and again, which is what it is for.
    seen: list[tuple[str, str]] = []
    for place in places(content):
        page = console.open(f"#{place}", content.space)
        seen.append((page.url, _content(page)))
        page.reload()
        console.settled()
        assert _content(page) == seen[-1][1], place
    assert len({text for _, text in seen}) > len(seen) - 6
    first, *rest = seen
    console.page.goto(first[0])
    console.settled()
    for url, text in rest:
        console.page.evaluate(FOLLOW, url)
        expect(console.page).to_have_url(url)
        console.settled()
        expect(console.page.locator("main")).to_have_text(text, use_inner_text=True)
    for url, text in reversed(seen[:-1]):
        console.page.go_back()
        expect(console.page).to_have_url(url)
        expect(console.page.locator("main")).to_have_text(text, use_inner_text=True)
    console.page.go_forward()
    expect(console.page).to_have_url(seen[1][0])


@pytest.mark.parametrize(
    "place",
    ["nothing", "knowledge/kb_nothing", "knowledge/item_nothing", "pages/page_nothing", "%E0%A4%A", "search?q=%"],
)
def test_an_address_of_nothing_says_so_and_leads_on(fakes: Tabs, owner: Person, place: str) -> None:
    console = fakes.signed_in(owner.token)
    console.watch.knows("(404|400).*/api/v1")
    page = console.open(f"#{place}")
    if not place.startswith("search"):
        expect(page.get_by_role("alert")).to_be_visible()
        console.click("Go to your knowledge")
    expect(console.heading).to_have_text("Search" if place.startswith("search") else "Knowledge")


def test_what_lies_in_another_space_is_shown_with_the_roles_one_has_there(
    fakes: Tabs, owner: Person, content: Content
) -> None:
    console = fakes.signed_in(owner.token)
    page = console.open(f"#knowledge/{content.published['id']}")
    expect(page).to_have_url(f"{console.url}/?space={content.space}#knowledge/{content.published['id']}")
    expect(page.locator("#space")).to_have_value(content.space)


def test_a_stranger_is_asked_who_they_are_and_then_stays_where_they_wanted_to_go(
    fakes: Tabs, owner: Person, content: Content
) -> None:
    watch = fakes.context()
    watch.knows("401.*/api/v1/session")
    watch.secrets.add(owner.token)
    console = Console(watch.context.new_page(), fakes.url, watch)
    console.page.goto(f"{fakes.url}/?space={content.space}#knowledge/{content.base}")
    console.page.get_by_label("Token").fill(owner.token)
    console.page.keyboard.press("Enter")
    expect(console.heading).to_have_text("Runbooks")
    assert console.place == f"knowledge/{content.base}"
