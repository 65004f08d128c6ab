"""How long each panel of the console takes until it can be used, beyond the API's own time (rule W5).

`python -m tests.bench.console_speed`, over a laptop cloud of its own. Milliseconds, p50 of seven visits each; the API's
time is that during which at least one of its answers was waited for.
"""

import shutil
import statistics
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from infra.local.laptop import laptop
from infra.local.places import Places
from tests.browser.conftest import QUIET
from tests.e2e.conftest import without_wishes
from tests.e2e.people import KNOWLEDGE, Person, arrive

VISITS = 7
SPANS = """() => {
    const asked = performance.getEntriesByType("resource").filter((each) => each.name.includes("/v1/"));
    return asked.map((each) => [each.startTime, each.responseEnd]);
}"""


def main() -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as home:
        places = Places(home=Path(home), environment=without_wishes(Places().environment))
        with laptop(places, persist=False) as running, httpx.Client(base_url=running.stack.api_url, timeout=40) as http:
            _measure(running.stack.api_url, arrive(running.stack, http, "Ana"))


def _measure(url: str, ana: Person) -> None:
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "Runbooks"})["id"]
    items = [
        ana.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": f"Item {number}", "content": "Words. " * 500})["id"]
        for number in range(60)
    ]
    panels = ["knowledge", f"knowledge/{base}", f"knowledge/{items[0]}", f"knowledge/{items[0]}/edit"]
    panels += ["search", "memory", "pages", "keys", "team", "account"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        context = browser.new_context(locale="en-GB")
        _sign_in(context, url, ana.token)
        print("| panel | until usable | of it the API | the page |\n|---|---|---|---|")
        for panel in panels:
            taken = [_visit(context, f"{url}/me#{panel}") for _ in range(VISITS)]
            whole, api = (statistics.median(each) for each in zip(*taken, strict=True))
            page = statistics.median(one - other for one, other in taken)
            print(f"| {panel.split('_')[0]} | {whole:.0f} | {api:.0f} | {page:.0f} |")
        browser.close()


def _sign_in(context: BrowserContext, url: str, token: str) -> None:
    site = urlsplit(url)
    headers = {"origin": f"{site.scheme}://{site.netloc}", "sec-fetch-site": "same-origin"}
    assert context.request.post(f"{url}/api/v1/session", data={"token": token}, headers=headers).ok


def _visit(context: BrowserContext, address: str) -> tuple[float, float]:
    """Milliseconds until usable, and of those the API's."""
    page = context.new_page()
    page.goto(address, wait_until="commit")
    expect(page.locator("main h1[tabindex]")).not_to_be_empty(timeout=30_000)
    expect(page.locator(".waiting")).to_have_count(0)
    whole = float(page.evaluate("performance.now()"))
    api = _covered(page)
    page.close()
    return whole, api


def _covered(page: Page) -> float:
    """How long at least one answer was waited for."""
    total = until = 0.0
    for start, end in sorted(page.evaluate(SPANS)):
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total


if __name__ == "__main__":
    main()
