"""What made a new user stumble, and must not again."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.console.serving import served
from tests.unit.api.world import Person, World


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def ana(world: World) -> Person:
    return world.person("Ana")


@pytest.fixture
def page(context: BrowserContext, world: World, ana: Person) -> Iterator[Page]:
    """Ana's console in Spanish, signed in."""
    with served(world) as url:
        site = urlsplit(url)
        headers = {"origin": f"{site.scheme}://{site.netloc}", "sec-fetch-site": "same-origin"}
        assert context.request.post(f"{url}/api/v1/session", data={"token": ana.token}, headers=headers).ok
        made = context.new_page()
        made.goto(f"{url}/me")
        yield made
        made.close()


@pytest.mark.promise("W1")
def test_one_saves_what_one_writes_now_and_not_what_one_wrote_before(page: Page, world: World, ana: Person) -> None:
    base = world.base(ana, ana.account.personal_space_id)
    page.goto(f"{page.url.partition('#')[0]}#knowledge/{base}/new")
    page.get_by_label("Título", exact=True).fill("Pan")
    page.get_by_label("Markdown", exact=True).fill("Una hora.")
    page.get_by_role("button", name="Guardar y publicar").click()
    page.get_by_role("link", name="Escribir", exact=True).click()
    text = page.get_by_label("Markdown", exact=True)
    expect(text).to_have_value("Una hora.\n")
    text.fill("Dos horas.")
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.method))
    text.press("Control+s")
    expect(page.locator("#status")).to_have_text("Guardado como revisión 2.")
    page.wait_for_timeout(400)
    assert sent.count("PATCH") == 1
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.promise("W1")
def test_a_late_answer_does_not_show_the_place_that_one_left(page: Page, world: World, ana: Person) -> None:
    base = world.base(ana, ana.account.personal_space_id)
    slow, quick = (world.item(ana, base, "publish", title=title) for title in ("Lenta", "Rápida"))
    page.goto(f"{page.url.partition('#')[0]}#knowledge/{base}")
    expect(page.get_by_role("link", name="Lenta")).to_be_visible()
    held: list[Route] = []
    page.route(f"**/items/{slow['id']}", lambda route: held.insert(0, route))
    page.get_by_role("link", name="Lenta").click()
    page.wait_for_function("location.hash.includes('item_')")
    page.evaluate(
        f"history.pushState(null, '', '#knowledge/{quick['id']}'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(page.get_by_role("heading", name="Rápida")).to_be_visible()
    for route in held:
        route.continue_()
    page.wait_for_timeout(400)
    expect(page.get_by_role("heading", name="Rápida")).to_be_visible()


@pytest.mark.promise("W4")
def test_a_dialog_begins_at_its_first_field(page: Page) -> None:
    page.get_by_role("button", name="Nueva base").first.click()
    expect(page.get_by_role("dialog").get_by_role("textbox").first).to_be_focused()


@pytest.mark.promise("W1")
def test_a_team_is_made_where_one_looks_for_it(page: Page) -> None:
    page.get_by_role("link", name="Equipo", exact=True).click()
    page.get_by_role("button", name="Nuevo equipo").click()
    page.get_by_label("Nombre del equipo").fill("Obrador")
    page.get_by_role("dialog").get_by_role("button", name="Nuevo equipo").click()
    expect(page.get_by_role("heading", name="Obrador")).to_be_visible()


@pytest.mark.promise("W4")
def test_a_key_says_in_words_what_it_lets_one_do(page: Page) -> None:
    page.get_by_role("link", name="Claves", exact=True).click()
    page.get_by_role("button", name="Nueva clave").click()
    expect(page.get_by_role("checkbox", name="Leer y buscar conocimiento")).to_be_checked()


@pytest.mark.promise("W1")
def test_who_goes_on_before_the_page_is_there_is_shown_where_they_went(page: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/v1/spaces", hold)
    page.reload()
    page.locator("#panels").wait_for(state="attached")
    page.evaluate("history.pushState(null, '', '#keys'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.get_by_role("heading", name="Claves")).to_be_visible()
    held[0].continue_()
    page.wait_for_timeout(600)
    expect(page.get_by_role("heading", name="Claves")).to_be_visible()
    expect(page.get_by_role("link", name="Claves", exact=True)).to_have_attribute("aria-current", "page")
