"""Many files at once on the deployed stack: text, code and documents, good and bad."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Route, expect

from tests.browser.console.driving import Console
from tests.browser.console.watching import OFFLINE
from tests.e2e.people import KNOWLEDGE, Person, until
from tests.unit.ingest.files import docx, line, paragraph, pdf, pptx, shape, sheet, xlsx

pytestmark = pytest.mark.promise("W1")

LATIN = "La señal llegó mañana por la tarde, según el último año; después, nadie contestó."
_CELLS = xlsx("Sums||" + sheet('<s:c r="A1" t="str"><s:v>Zymurgy in a cell</s:v></s:c>'))
DOCUMENTS = {
    "report.pdf": pdf(line("Zymurgy on page one"), line("Zymurgy on page two")),
    "notes.docx": docx(paragraph("Zymurgy in words")),
    "talk.pptx": pptx(shape("Zymurgy on a slide")),
    "sums.xlsx": _CELLS,
}
TEXTS = {
    "readme.md": "# Léame\n\nHola.".encode(),
    "latin.txt": LATIN.encode("latin-1"),
    "wide.txt": "Wide words".encode("utf-16"),
    "page.html": b"<h1>Title</h1><p>Text<script>alert(1)</script>",
    "rows.csv": b"a,b\n1,2\n",
    "data.json": b'{"a": 1}',
    **{f"code_{number}.py": f"def zymurgy_{number}() -> None: ...\n".encode() for number in range(8)},
}
BAD = {"broken.docx": b"This is not a zip.", "program.exe": b"MZ\x00\x00"}


def _payloads(files: dict[str, bytes]) -> list[FilePayload]:
    return [{"name": name, "mimeType": "application/octet-stream", "buffer": each} for name, each in files.items()]


def _base(ana: Person, name: str) -> str:
    return str(ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": name})["id"])


def _items(ana: Person, base: str) -> dict[str, str]:
    found = ana.ok("GET", f"{KNOWLEDGE}/bases/{base}/items?limit=100")["items"]
    return {each["locator"]: each["status"] for each in found}


def _choose(console: Console, files: dict[str, bytes]) -> None:
    console.page.locator("input[type=file]").first.set_input_files(_payloads(files))


def test_twenty_files_of_which_two_are_bad(console: Console, ana: Person) -> None:
    base = _base(ana, "Twenty")
    files = {**DOCUMENTS, **TEXTS, **BAD}
    assert len(files) == 20
    page = console.open(f"#knowledge/{base}/files")
    page.evaluate("""() => {
        window.said = new Set();
        const rows = document.querySelector(".loading");
        new MutationObserver(() => rows.querySelectorAll("[role=status]").forEach((each) => said.add(each.textContent)))
            .observe(rows, {childList: true, subtree: true, characterData: true});
    }""")
    _choose(console, files)
    rows = page.locator(".loading > li")
    expect(rows).to_have_count(20)
    expect(rows.filter(has_text="ready")).to_have_count(18, timeout=90_000)
    expect(rows.filter(has_text="failed")).to_have_count(2)
    said = set(page.evaluate("[...said]"))
    assert {"waiting", "uploading", "ready"} <= said
    assert [each for each in said if each.startswith(("queued", "reading"))]
    expect(rows.filter(has_text="broken.docx")).to_contain_text("damaged, or not what its name says")
    expect(rows.filter(has_text="program.exe")).to_contain_text("Files of this kind (exe) are not taken")
    assert _items(ana, base) == dict.fromkeys({*DOCUMENTS, *TEXTS}, "published")
    rows.filter(has_text="latin.txt").get_by_role("link", name="Open").click()
    expect(page.locator(".prose")).to_have_text(LATIN)
    page.go_back()
    before = page.locator(".listing .rows > li")
    expect(before).to_have_count(5)
    expect(before.filter(has_text="broken.docx")).to_contain_text("damaged")
    console.click("Remove: broken.docx")
    expect(before).to_have_count(4)


def _published(ana: Person, base: str) -> set[str]:
    """Their locators, once nothing is a draft any more."""
    found = _items(ana, base)
    return set(found) if set(found.values()) == {"published"} else set()


def test_a_file_with_the_path_of_an_item_becomes_its_next_revision(console: Console, ana: Person) -> None:
    base = _base(ana, "Again")
    page = console.open(f"#knowledge/{base}/files")
    for text in (b"First.", b"Second."):
        _choose(console, {"same.md": text})
        expect(page.locator(".loading > li").last).to_contain_text("ready")
        page.reload()
        console.settled()
    found = ana.ok("GET", f"{KNOWLEDGE}/bases/{base}/items")["items"]
    assert [(each["locator"], each["current_revision_number"]) for each in found] == [("same.md", 2)]


def test_a_reload_in_the_middle_loses_neither_files_nor_their_publishing(console: Console, ana: Person) -> None:
    base = _base(ana, "Reloaded")
    page = console.open(f"#knowledge/{base}/files")
    _choose(console, DOCUMENTS)
    expect(page.locator(".loading > li")).to_have_count(len(DOCUMENTS))
    still = page.locator(".loading > li").filter(has_text=re.compile("waiting|uploading"))
    expect(still).to_have_count(0, timeout=40_000)
    page.reload()
    console.settled()
    assert console.watch.dialogs == []
    listed = page.locator(".listing .rows > li")
    expect(listed).to_have_count(4)
    expect(listed.filter(has_text="ready")).to_have_count(4, timeout=60_000)
    # The tick that they were brought with counts, however late they become ready.
    assert until(lambda: _published(ana, base)) == set(DOCUMENTS)


def test_two_looks_at_a_document_publish_it_once(console: Console, ana: Person) -> None:
    base, held = _base(ana, "Twice"), list[Route]()
    page = console.open(f"#knowledge/{base}/files")
    page.route("**/publish", lambda route: held.append(route))  # noqa: PLW0108 - Playwright looks into it
    with page.expect_request("**/publish", timeout=40_000):
        _choose(console, {"report.pdf": DOCUMENTS["report.pdf"]})
    page.get_by_role("link", name="Search").click()
    expect(console.heading).to_have_text("Search")
    page.go_back()
    expect(console.row("report.pdf")).to_contain_text("ready")
    page.wait_for_timeout(500)
    assert len(held) == 1
    held[0].continue_()
    assert until(lambda: _published(ana, base)) == {"report.pdf"}
    expect(console.row("report.pdf")).not_to_contain_text("failed")


def test_what_one_person_wished_is_not_published_by_who_signs_in_after_them(
    console: Console, ana: Person, people: Callable[[str], Person]
) -> None:
    ben, team = people("Ben"), ana.ok("POST", "/api/v1/teams", {"name": "Shared desk"})["id"]
    ana.ok("POST", f"/api/v1/teams/{team}/members", {"user_id": ben.user_id, "role": "member"})
    base = str(ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": team, "name": "Shared"})["id"])
    console.watch.secrets.add(ben.token)
    console.watch.knows(OFFLINE, "401.*/session")
    page = console.open(f"#knowledge/{base}/files", team)
    page.route("**/publish", lambda route: route.abort())
    _choose(console, {"report.pdf": DOCUMENTS["report.pdf"]})
    expect(page.locator(".loading > li")).to_contain_text("There is no connection", timeout=40_000)
    page.unroute("**/publish")
    for person, status in ((ben, "draft"), (ana, "published")):
        console.click("Sign out")
        page.get_by_label("Token").fill(person.token)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        console.open(f"#knowledge/{base}/files", team)
        expect(console.row("report.pdf")).to_contain_text("ready")
        console.watch.quiet(page)
        assert _items(ana, base) == {"report.pdf": status}


def test_going_away_while_files_are_on_their_way_asks_first(console: Console, ana: Person) -> None:
    base = _base(ana, "Leaving")
    page = console.open(f"#knowledge/{base}/files")
    page.route(
        "**/knowledge/bases/*/items", lambda route: None if route.request.method == "POST" else route.continue_()
    )
    _choose(console, {"slow.md": b"Slow."})
    expect(page.locator(".loading > li")).to_contain_text("uploading")
    console.watch.knows("dialog: Files are still being uploaded. Leave anyway?")
    page.get_by_role("link", name="Search").click()
    expect(page.locator(".loading > li")).to_be_visible()
    assert console.place == f"knowledge/{base}/files"
    assert len(console.watch.dialogs) == 1
    console.watch.accepts = True
    page.get_by_role("link", name="Search").click()
    expect(console.heading).to_have_text("Search")
