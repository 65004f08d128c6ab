"""Keeping knowledge by hand on the deployed stack: from the first base to the last receipt."""

import os
import subprocess
import sys
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from infra.local.places import ROOT
from infra.local.stack import Stack
from tests.browser.console.conftest import Tabs
from tests.browser.console.driving import Console
from tests.e2e.people import KNOWLEDGE, Person, until

pytestmark = pytest.mark.promise("W1")


def test_from_the_first_base_to_a_citation_that_is_read(console: Console, ana: Person) -> None:
    page = console.page
    base = console.new_base("Runbooks", "How we run things")
    console.click("New item")
    console.fill(Title="Restart the zymurgy", Markdown="# Steps\n\nStop the **zymurgy** first.")
    expect(page.locator(".preview strong")).to_have_text("zymurgy")
    console.click("Save and publish")
    expect(console.heading).to_have_text("Restart the zymurgy")
    expect(page.locator(".head .badge")).to_have_text("published")
    until(lambda: ana.search("zymurgy", knowledge_base_id=base))
    page.get_by_role("searchbox").first.fill("zymurgy")
    page.keyboard.press("Enter")
    hit = page.locator(".hits > li").first
    expect(hit.locator("mark").first).to_have_text("zymurgy")
    console.click("Copy citation", hit)
    citation = page.evaluate("navigator.clipboard.readText()")
    assert citation.startswith("knowledge:item_")
    expect(page.locator(".toast", has_text="Copied.")).to_be_visible()
    item, _, revision = citation.removeprefix("knowledge:").partition("@")
    ana.ok("PATCH", f"{KNOWLEDGE}/items/{item}", {"expected_revision_id": revision, "content": "Something else."})
    page.get_by_role("searchbox").first.fill(citation)
    page.keyboard.press("Enter")
    expect(page.locator(".prose strong")).to_have_text("zymurgy")
    expect(page.get_by_role("link", name="An older version; the current one is revision 2")).to_be_visible()
    assert unquote(console.place) == f"knowledge/{item}@{revision}"


def test_an_old_version_is_compared_and_restored(console: Console, ana: Person) -> None:
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "History"})["id"]
    item = ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "Ports", "content": "Port 80 is open.\n"})
    edit = {"expected_revision_id": item["current_revision_id"], "content": "Port 8080 is shut.\n"}
    ana.ok("PATCH", f"{KNOWLEDGE}/items/{item['id']}", edit)
    page = console.open(f"#knowledge/{item['id']}/history")
    expect(page.locator(".timeline > li")).to_have_count(2)
    for box in page.get_by_role("checkbox").all():
        box.check()
    console.click("Compare the two")
    expect(page.get_by_role("heading", name="From revision 1 to 2")).to_be_visible()
    expect(page.locator(".difference ins b").first).to_have_text("8080")
    page.reload()
    expect(page.locator(".difference del b").first).to_have_text("80")
    console.click("Restore this version: Revision 1")
    console.click("Restore this version")
    expect(page.locator(".prose")).to_have_text("Port 80 is open.")
    expect(page.locator("main .badge", has_text="Revision 3")).to_be_visible()
    told = ana.ok("GET", f"{KNOWLEDGE}/items/{item['id']}/revisions")["revisions"][0]
    assert (told["number"], told["provenance"]["door"]) == (3, "console")


def test_an_item_goes_through_its_life_and_out_of_the_search(console: Console, ana: Person) -> None:
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "Lives"})["id"]
    item = ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "Xylo", "content": "Xylophones."})["id"]
    page = console.open(f"#knowledge/{item}")
    badge = page.locator(".head .badge")
    for step, confirmed, status in (
        ("Publish", False, "published"),
        ("Withdraw", True, "draft"),
        ("Archive", True, "archived"),
        ("Restore", False, "draft"),
    ):
        console.click(step)
        if confirmed:
            console.confirm(step)
        expect(badge).to_have_text(status)
    assert ana.search("xylophones", knowledge_base_id=base) == []


def test_a_base_is_renamed_archived_and_deleted_with_its_name_typed(console: Console, ana: Person) -> None:
    page = console.page
    base = console.new_base("Doomed")
    for number in range(3):
        body = {"title": f"Item {number}", "content": "x"}
        ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    console.ask("Rename")
    console.fill(Name="Doomed, really")
    console.click("Save")
    expect(console.heading).to_have_text("Doomed, really")
    for step in ("Archive", "Restore"):
        console.click(step)
        console.confirm(step)
    expect(page.get_by_text("3 drafts")).to_be_visible()
    console.ask("Delete for good")
    expect(console.dialog).to_contain_text("3 items with 3 revisions")
    forever = console.dialog.get_by_role("button", name="Delete for good")
    expect(forever).to_be_disabled()
    console.dialog.get_by_label("Type “Doomed, really” to confirm").fill("Doomed")
    expect(forever).to_be_disabled()
    console.dialog.get_by_label("Type “Doomed, really” to confirm").fill("Doomed, really")
    forever.click()
    expect(console.heading).to_have_text("Receipt of a deletion")
    expect(page.get_by_text("Gone for good")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("3 items, 3 revisions")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("There is no such thing here")).to_be_visible()
    console.watch.knows(rf"404.*/bases/{base}")


def test_a_list_is_filtered_sorted_and_paged_by_its_address(console: Console, ana: Person) -> None:
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "Many"})["id"]
    for number in range(53):
        body = {"title": f"Item {number:02}", "content": "x", "locator": f"{'a' if number % 2 else 'b'}/{number}"}
        ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    page = console.open(f"#knowledge/{base}")
    rows = page.locator(".rows > li")
    expect(rows).to_have_count(50)
    console.click("Show more")
    expect(rows).to_have_count(53)
    page.get_by_label("Order").select_option("title")
    expect(rows.first).to_contain_text("Item 00")
    page.get_by_label("Title or locator").fill("b/5")
    console.click("Show")
    expect(rows).to_have_count(2)
    page.reload()
    expect(rows).to_have_count(2)
    expect(page.get_by_label("Title or locator")).to_have_value("b/5")
    page.get_by_label("Which items").select_option("published")
    expect(page.get_by_text("No item is like that.")).to_be_visible()
    page.go_back()
    expect(rows).to_have_count(2)


def _link(stack: Stack, user_id: str) -> str:
    environment = {**stack.environment(), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "infra.cli", "admin", "link", "--user", user_id, "--url", stack.api_url]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_an_operators_link_signs_in_once_and_leaves_the_address(tabs: Tabs, stack: Stack, ana: Person) -> None:
    operator_link = _link(stack, ana.user_id)
    watch = tabs.context()
    watch.knows("401.*/api/v1/session", "404.*/api/v1/session")
    watch.secrets.add(operator_link.partition("#sign-in=")[2])
    console = tabs.tab(watch)
    # The address itself is the one place where the secret came from.
    console.page.goto(operator_link)
    expect(console.heading).to_have_text("Knowledge")
    expect(console.page.locator("#who")).to_have_text("Ana")
    assert "sign-in" not in console.page.url
    console.page.go_back()
    assert "sign-in" not in console.page.url
    console.open("#account")
    expect(console.page.locator("main")).to_contain_text(ana.user_id)
    console.page.get_by_role("button", name="Sign out").click()
    expect(console.page.get_by_label("Token")).to_be_visible()
    console.page.goto("about:blank")
    console.page.goto(operator_link)
    expect(console.page.get_by_role("alert")).to_contain_text("was used, or has expired")
    expect(console.page.get_by_label("Token")).to_be_visible()
    console.page.get_by_label("Token").fill(ana.token)
    console.page.get_by_role("button", name="Sign in").click()
    expect(console.heading).to_have_text("Knowledge")


def test_the_other_language_is_spoken_from_then_on(console: Console) -> None:
    page = console.open("#account")
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "es"
    page.reload()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
