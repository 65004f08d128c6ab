"""An answer page, made by hand on the deployed stack and asked."""

import pytest
from playwright.sync_api import FilePayload, expect

from infra.local.laptop import Laptop
from tests.browser.console.driving import Console
from tests.e2e.people import KNOWLEDGE, Person, until
from tests.e2e.visitors import OPENING
from tests.pictures import drawn

pytestmark = pytest.mark.promise("W1")


def test_a_page_is_made_filled_tried_put_live_and_asked(console: Console, running: Laptop, ana: Person) -> None:
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "Clinic"})["id"]
    item = ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "Opening hours", "content": OPENING})["id"]
    ana.ok("POST", f"{KNOWLEDGE}/items/{item}/publish")
    until(lambda: ana.search("clinic", knowledge_base_id=base))
    page = console.open("#pages")
    console.click("New page")
    origin = page.evaluate("location.origin")
    console.fill(Name="Sol Clinic", What_it_is_about="A clinic in town", Sites_that_may_ask_it=origin, Language="EN")
    console.click("Save")
    expect(console.heading).to_have_text("Sol Clinic")
    console.ask("Add topic")
    console.fill(Title="Opening hours", What_it_covers="When the clinic is open, prices, how to get an appointment")
    console.dialog.get_by_label("Clinic", exact=True).check()
    console.click("Save")
    expect(console.row("Opening hours")).to_contain_text("Draws on 1 base,")
    page.get_by_role("link", name="Links").click()
    console.ask("Add link")
    console.fill(Label="Book", Address="javascript:alert(1)")
    console.click("Save")
    expect(console.dialog.get_by_role("alert")).to_be_visible()
    console.watch.knows("400.*/links", "422.*/links")
    console.fill(Address="https://sol.example/book")
    console.click("Save")
    expect(console.row("Book")).to_contain_text("https://sol.example/book")
    page.get_by_role("link", name="Images").click()
    console.click("Add picture")
    picture: FilePayload = {"name": "patio.png", "mimeType": "image/png", "buffer": drawn("PNG")}
    console.dialog.locator("input[type=file]").set_input_files(picture)
    console.fill(What_it_shows="The patio of the clinic")
    console.click("Add picture")
    shown = console.row("The patio of the clinic")
    expect(shown).to_contain_text("not approved")
    assert until(lambda: shown.locator("img").evaluate("each => each.naturalWidth")) == 40
    console.click("Approve", shown)
    expect(shown.locator(".badge")).to_have_text("approved")
    page.get_by_role("link", name="Try it").click()
    console.fill(A_question="When is the clinic open?")
    console.click("Try it", page.locator("main form"))
    expect(page.locator("main ol li").first).to_contain_text("9:00")
    console.click("Go live")
    inside = page.frame_locator("iframe")
    inside.get_by_label("Your question").fill("When is the clinic open?")
    inside.get_by_label("Your question").press("Enter")
    expect(inside.locator(".sections > section").first).to_be_visible(timeout=40_000)
    expect(inside.locator(".stop")).to_have_count(0, timeout=40_000)
    expect(inside.locator(".answer, .sections").first).to_contain_text("9:00")
    page.get_by_role("link", name="Use", exact=True).click()
    expect(page.get_by_text("One question answered")).to_be_visible()
    expect(page.locator(".chart > li")).to_have_count(14)
    expect(page.locator("pre.code")).to_contain_text(running.answering.url)
    console.ask("Pause")
    console.confirm("Pause")
    expect(page.locator(".head .badge")).to_have_text("paused")
    page.get_by_role("link", name="About").click()
    console.ask("Delete for good")
    console.dialog.get_by_label("Type “Sol Clinic” to confirm").fill("Sol Clinic")
    console.confirm("Delete for good")
    expect(console.heading).to_have_text("Answer pages")
    expect(console.row("Sol Clinic")).to_have_count(0)
