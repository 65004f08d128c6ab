"""Keys, devices, teams and leaving, on the deployed stack."""

import io
import zipfile
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.console.conftest import Tabs
from tests.browser.console.driving import Console
from tests.e2e.people import KNOWLEDGE, Person, arrive

pytestmark = pytest.mark.promise("W1")


def test_a_key_is_made_shown_once_used_and_revoked(console: Console, ana: Person, http: httpx.Client) -> None:
    page = console.open("#keys")
    console.ask("New key")
    console.fill(Name="Claude Code on the laptop")
    console.dialog.get_by_label("knowledge:read").check()
    console.click("Create key")
    expect(console.dialog).to_contain_text("This is the only time that the key is shown")
    shown = console.dialog.locator("pre").first
    key = shown.inner_text()
    assert key.startswith("acv_")
    console.watch.secrets.add(key)
    console.click("Copy key")
    assert page.evaluate("navigator.clipboard.readText()") == key
    console.dialog.locator("summary").first.click()
    expect(console.dialog.locator("details[open] pre")).to_contain_text(key)
    console.click("I have kept it")
    expect(page.get_by_text(key)).to_have_count(0)
    page.reload()
    expect(console.row("Claude Code on the laptop")).to_contain_text("Never used")
    assert page.get_by_text(key).count() == 0
    asked = {"Authorization": f"Bearer {key}"}
    assert http.get("/api/v1/me", headers=asked).status_code == 200
    page.reload()
    expect(console.row("Claude Code on the laptop")).to_contain_text("Last used")
    console.ask("Revoke: Claude Code on the laptop")
    console.confirm("Revoke")
    expect(page.locator(".past summary")).to_have_text("One key that no longer works")
    assert http.get("/api/v1/me", headers=asked).status_code == 401


def test_a_team_is_made_and_people_are_let_in_changed_and_removed(
    console: Console, tabs: Tabs, people: Callable[[str], Person]
) -> None:
    bea, page = people("Bea"), console.open("#account")
    console.ask("New team")
    console.fill(Name_of_the_team="Operations")
    console.click("New team")
    expect(console.heading).to_have_text("Operations")
    console.ask("Add member")
    console.fill(Their_account_id="user_nobody")
    console.watch.knows("(404|400|422).*/members")
    console.click("Add member")
    expect(console.dialog.get_by_role("alert")).to_contain_text("There is no account user_nobody")
    console.fill(Their_account_id=bea.user_id)
    console.click("Add member")
    expect(console.row("Bea").get_by_label("Role of Bea")).to_have_value("viewer")
    team = page.url.partition("space=")[2].partition("#")[0]
    theirs = tabs.signed_in(bea.token)
    theirs.open("#knowledge", team)
    expect(theirs.heading).to_have_text("Knowledge")
    expect(theirs.page.get_by_role("button", name="New base")).to_have_count(0)
    console.row("Bea").get_by_label("Role of Bea").select_option("admin")
    expect(page.locator(".toast", has_text="Saved.")).to_be_visible()
    theirs.page.reload()
    expect(theirs.page.get_by_role("button", name="New base").first).to_be_visible()
    console.ask("Remove: Bea")
    console.confirm("Remove")
    expect(console.row("Bea")).to_have_count(0)
    theirs.page.reload()
    expect(theirs.page.get_by_role("alert")).to_contain_text("There is no such space, or you are not in it.")
    console.ask("Leave the team")
    console.click("Leave the team", console.dialog)
    expect(console.dialog.get_by_role("alert")).to_contain_text("A team keeps at least one owner")
    console.watch.knows("409.*/members")


@pytest.mark.promise("W2")
def test_viewer_member_and_admin_see_and_may_do_what_their_role_says(
    tabs: Tabs, ana: Person, people: Callable[[str], Person]
) -> None:
    team = ana.ok("POST", "/api/v1/teams", {"name": "Roles"})["id"]
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": team, "name": "Shared"})["id"]
    for title, step in (("Public words", "publish"), ("Rough words", None)):
        item = ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": title, "content": title})
        if step:
            ana.ok("POST", f"{KNOWLEDGE}/items/{item['id']}/{step}")
    sees = {"viewer": 1, "member": 2, "admin": 2}
    offers = {
        "viewer": set(),
        "member": {"New item", "Bring files"},
        "admin": {"New item", "Bring files", "Rename", "Archive", "Delete for good"},
    }
    for role, count in sees.items():
        person = people(f"The {role}")
        ana.ok("POST", f"/api/v1/teams/{team}/members", {"user_id": person.user_id, "role": role})
        console = tabs.signed_in(person.token)
        page = console.open(f"#knowledge/{base}", team)
        expect(page.locator(".rows > li")).to_have_count(count)
        offered = page.locator(".head .actions").locator("button, a").all_inner_texts()
        assert set(offered) == offers[role]
        page.get_by_role("link", name="Public words").click()
        expect(console.heading).to_have_text("Public words")
        tabs_shown = set(page.locator(".tabs a").all_inner_texts())
        assert ("Write" in tabs_shown) is (role != "viewer")


def test_a_device_is_looked_at_and_let_in(console: Console, http: httpx.Client) -> None:
    asked = {"client_id": "xmemo-skill", "scopes": ["memory:read", "memory:write"]}
    started = http.post("/v1/auth/device/start", json=asked).json()
    opened = http.get(started["verification_uri_complete"], follow_redirects=False)
    page = console.page
    page.goto(opened.headers["location"])
    expect(console.field("Code")).to_have_value(started["user_code"])
    console.click("Look")
    expect(page.get_by_role("heading", name="xmemo-skill")).to_be_visible()
    expect(page.get_by_text("It would act as Ana.")).to_be_visible()
    console.click("Let it in")
    expect(page.get_by_text("It is let in. Go back to your terminal.")).to_be_visible()
    grant = "urn:ietf:params:oauth:grant-type:device_code"
    polled = http.post("/v1/auth/device/token", json={"device_code": started["device_code"], "grant_type": grant})
    token = polled.json()["access_token"]
    console.watch.secrets.add(token)
    assert http.get("/v1/memories", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    page.reload()
    console.click("Look")
    expect(page.get_by_role("alert")).to_contain_text("No device waits with this code")
    console.watch.knows("404.*/device-logins/review")


def test_everything_is_taken_along_and_the_account_is_closed(tabs: Tabs, stack: object, http: httpx.Client) -> None:
    leaver = arrive(stack, http, "Leaver")  # type: ignore[arg-type]
    base = leaver.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": leaver.space, "name": "Mine"})["id"]
    leaver.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "Kept", "content": "Words to keep."})
    console = tabs.signed_in(leaver.token)
    page = console.open("#account")
    console.click("Prepare the archive")
    with page.expect_download(timeout=60_000) as download:
        page.get_by_role("link", name="Download").click(timeout=60_000)
    archive = zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes()))
    assert any(b"Words to keep." in archive.read(name) for name in archive.namelist())
    page.reload()
    expect(page.get_by_role("link", name="Download")).to_be_visible()
    console.ask("Delete the account")
    console.dialog.get_by_label("Type “Leaver” to confirm").fill("Leaver")
    console.click("Delete the account")
    expect(console.dialog).to_contain_text("The account is deleted")
    receipt = console.dialog.get_by_role("link").get_attribute("href")
    assert receipt is not None
    assert httpx.get(receipt).json()["status"] in {"running", "done"}
    console.click("Close", console.dialog)
    expect(page.get_by_label("Token")).to_be_visible()
    assert leaver.ask("GET", "/api/v1/me").status_code == 401
    console.watch.knows("401.*/api/v1/session")
