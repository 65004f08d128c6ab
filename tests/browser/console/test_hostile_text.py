"""What anybody wrote is shown as it is, in every panel, and never runs."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.console.conftest import Tabs
from tests.browser.console.driving import Console
from tests.browser.console.payloads import asked, payloads, some, spread
from tests.browser.console.test_story_places import places
from tests.unit.api.world import KNOWLEDGE, Content, Person, World

pytestmark = pytest.mark.promise("W3")

SUSPECTS = """() => {
    const found = [];
    for (const each of document.querySelectorAll("main *, dialog *")) {
        if (/^(script|iframe|object|embed|base|meta|link|style)$/i.test(each.localName)
            && !each.classList.contains("preview-page")) found.push(each.outerHTML.slice(0, 200));
        for (const {name, value} of each.attributes) {
            if (/^on|^srcdoc$/.test(name)) found.push(`${each.localName} ${name}`);
            if (/^(href|src|action|formaction)$/.test(name) && !/^(https?|mailto|tel):/.test(each[name] || "https:"))
                found.push(`${name}=${value}`);
        }
    }
    return found;
}"""


@pytest.fixture
def owner(world: World) -> Person:
    return world.person("<script>alert(1)</script>")


@pytest.fixture
def content(world: World, owner: Person) -> Content:
    return world.content(owner, world.team(owner))


@pytest.fixture
def console(fakes: Tabs, owner: Person) -> Console:
    made = fakes.signed_in(owner.token)
    made.watch.knows("(400|404|409|422).*/v1/")
    return made


def _clean(page: Page) -> None:
    assert page.evaluate(SUSPECTS) == []


def _all(console: Console, place: str, content: Content) -> Page:
    """A place with its whole list."""
    page = console.open(f"#{place}", content.space)
    more = page.locator("main .listing > .actions > button:visible")
    while more.count():
        more.click()
        console.settled()
    return page


def _item(world: World, owner: Person, base: str, texts: list[str]) -> str:
    body = {"title": "All of them", "content": "\n\n".join(texts)}
    return str(world.ok(owner, "POST", f"{KNOWLEDGE}/bases/{base}/items", body)["id"])


def test_every_field_of_every_object_in_every_panel(
    world: World, owner: Person, content: Content, console: Console
) -> None:
    given = payloads()
    count = spread(world, owner, content, given)
    texts = some(given, 60, 120)
    for number, text in enumerate(texts):
        body = {"title": text, "locator": text, "content": text, "filename": f"{number}.md", "source_type": "file"}
        asked(world, owner, "POST", f"{KNOWLEDGE}/bases/{content.base}/items", {k: body[k] for k in list(body)[:3]})
    asked(world, owner, "PATCH", f"{KNOWLEDGE}/bases/{content.base}", {"name": texts[0], "description": texts[1]})
    world.index_all()
    shown = places(content)
    for place in shown:
        _clean(_all(console, place, content))
    page = _all(console, "memory", content)
    told = page.locator("main .rows .passage").all_inner_texts()
    assert set(texts[:6]) <= set(told)
    page = _all(console, "knowledge", content)
    for text in texts[:6]:
        expect(page.locator("main strong", has_text=text).first).to_be_attached()
    print(f"\n{count} fields taken of {len(texts)} payloads, in {len(shown)} places")


def test_every_payload_as_a_title_and_as_a_text_of_its_own(
    world: World, owner: Person, content: Content, console: Console
) -> None:
    given = payloads()
    made = []
    for text in given:
        body = {"title": text[:300], "content": text}
        item = asked(world, owner, "POST", f"{KNOWLEDGE}/bases/{content.base}/items", body)
        made += [item] if item else []
    assert len(made) > len(given) * 0.9
    page = _all(console, f"knowledge/{content.base}", content)
    titles = page.locator("main .rows strong").evaluate_all("all => all.map((each) => each.textContent)")
    assert {each["title"] for each in made} <= set(titles)
    _clean(page)
    print(f"\n{len(made)} of {len(given)} payloads taken as titles and texts of items, in a list of {len(titles)}")


def test_every_payload_read_compared_edited_and_put_together(
    world: World, owner: Person, content: Content, console: Console
) -> None:
    given = payloads()
    half = len(given) // 2
    for texts in (given[:half], given[half:]):
        item = _item(world, owner, content.base, texts)
        found = world.ok(owner, "GET", f"{KNOWLEDGE}/items/{item}")
        page = console.open(f"#knowledge/{item}", content.space)
        while page.locator(".prose > button").count():
            page.locator(".prose > button").scroll_into_view_if_needed()
            console.settled()
        _clean(page)
        page = console.open(f"#knowledge/{item}/edit", content.space)
        expect(console.field("Markdown")).not_to_have_value("")
        if page.get_by_role("button", name="Render it").is_visible():
            console.click("Render it")
            console.settled()
        _clean(page)
        revision = found["current_revision_id"]
        theirs = "\n\n".join(each[::-1] if number % 3 else each for number, each in enumerate(texts))
        edit = {"expected_revision_id": revision, "content": theirs}
        changed = world.ok(owner, "PATCH", f"{KNOWLEDGE}/items/{item}", edit)
        # As a program types: Chromium itself takes long to insert so much at once.
        console.field("Markdown").evaluate(
            "(each, text) => { each.value = text; each.dispatchEvent(new Event('input')); }", "\n\n".join(texts[::-1])
        )
        console.click("Save")
        expect(console.dialog).to_be_visible(timeout=60_000)
        _clean(page)
        page.keyboard.press("Escape")
        query = f"?from={revision}&to={changed['current_revision_id']}"
        page = console.open(f"#knowledge/{item}/history{query}", content.space)
        expect(page.locator(".difference")).to_be_visible(timeout=60_000)
        _clean(page)
    print(f"\n{len(given)} payloads read, previewed, compared, in conflict")


def test_every_payload_in_the_address_and_as_a_question(
    world: World, owner: Person, content: Content, console: Console
) -> None:
    given = some(payloads(), 100, 200)
    world.item(owner, content.base, "publish", title="alert(1)", content=" ".join(given))
    page = console.open("#search?q=alert&mode=lexical", content.space)
    expect(page.locator(".hits mark").first).to_be_visible()
    _clean(page)
    forms = ("search?q={}", "search?q=x&mode={}", "{}", "knowledge/{}", "memory/projects/{}", "device={}", "pages/x/{}")
    for number, text in enumerate(given):
        page.evaluate("to => { location.hash = to; }", forms[number % len(forms)].format(quote(text, safe="")))
        console.watch.quiet(page)
        _clean(page)
    for text in given[:20]:
        page.get_by_role("searchbox").first.fill(text)
        page.keyboard.press("Enter")
        console.watch.quiet(page)
        _clean(page)
    print(f"\n{len(given)} payloads in addresses, 20 as questions")
