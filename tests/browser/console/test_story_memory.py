"""What agents keep in mind, kept by hand on the deployed stack."""

from datetime import datetime

import pytest
from playwright.sync_api import expect

from tests.browser.console.driving import Console
from tests.e2e.people import KNOWLEDGE, Person

pytestmark = pytest.mark.promise("W1")


def test_a_record_is_written_explained_changed_and_forgotten(console: Console, ana: Person) -> None:
    page = console.open("#memory")
    console.ask("Remember something")
    console.fill(What="We deploy on Tuesdays", Path="projects/x")
    console.field("Kind").select_option("procedural")
    console.click("Save")
    row = console.row("We deploy on Tuesdays")
    expect(row).to_contain_text("how-to")
    console.ask("Where it is from", row)
    expect(console.dialog).to_contain_text(ana.user_id)
    expect(console.dialog).to_contain_text("console")
    console.click("Close")
    console.ask("Edit", row)
    console.fill(What="We deploy on Wednesdays")
    console.click("Save")
    expect(console.row("Wednesdays")).to_be_visible()
    page.get_by_label("Path").fill("projects/y")
    console.click("Only below")
    expect(page.get_by_text("Nothing is remembered here yet.")).to_be_visible()
    page.go_back()
    console.ask("Forget", console.row("Wednesdays"))
    console.confirm("Forget")
    expect(console.row("Wednesdays")).to_have_count(0)
    assert ana.ok("GET", "/v1/memories?path=projects/x")["memories"] == []


def test_a_project_links_memory_to_knowledge(console: Console, ana: Person) -> None:
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "Linked"})["id"]
    item = ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "Runbook", "content": "x"})
    page = console.open("#memory/projects")
    console.ask("New project")
    console.fill(Name="Zymurgy", Path="projects/zymurgy", What_it_holds="All of it")
    console.click("Save")
    expect(page.get_by_role("heading", name="Zymurgy")).to_be_visible()
    citation = f"knowledge:{item['id']}@{item['current_revision_id']}"
    page.get_by_label("Citation or id of an item").last.fill(citation)
    console.click("Link")
    expect(page.get_by_role("link", name="Runbook")).to_be_visible()
    console.click("Unlink: Runbook")
    expect(page.get_by_text("Nothing is linked yet.")).to_be_visible()
    console.ask("Delete the project")
    console.confirm("Delete the project")
    expect(console.row("Zymurgy")).to_have_count(0)


def test_to_dos_are_done_and_events_are_told_in_ones_own_time(console: Console, ana: Person) -> None:
    page = console.open("#memory/todos")
    console.ask("New to-do")
    console.fill(What="Write it down", Due="2031-05-06T09:30")
    console.click("Save")
    expect(console.row("Write it down")).to_contain_text("due 6 May 2031")
    told = ana.ok("GET", "/v1/todos")["todos"][0]["due_at"]
    local = page.evaluate("told => new Date(told).getHours() * 60 + new Date(told).getMinutes()", told)
    assert local == 9 * 60 + 30
    console.click("Done", console.row("Write it down"))
    expect(console.row("Write it down")).to_have_count(0)
    page.get_by_label("To-dos").last.select_option("done")
    expect(console.row("Write it down")).to_contain_text("Done")
    page.get_by_role("link", name="Timeline").click()
    console.ask("Record an event")
    console.fill(What="The release went out", When_it_happened="2026-01-02T03:04")
    console.click("Save")
    expect(console.row("The release went out")).to_contain_text("2 Jan 2026")
    happened = ana.ok("GET", "/v1/timeline/events")["events"][0]["occurred_at"]
    assert datetime.fromisoformat(happened).year == 2026
