"""axe-core over a page."""

from typing import Any

from playwright.sync_api import Page

from tests.packages import packages


def violations(page: Page) -> list[str]:
    """What axe-core finds by WCAG 2.2 AA: rule and element, each."""
    # Through the debugger, which the page's policy does not stop.
    page.evaluate((packages("axe-core@4.14.1") / "axe-core" / "axe.min.js").read_text())
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found: dict[str, Any] = page.evaluate("tags => axe.run({runOnly: tags})", tags)
    return [f"{each['id']}: {node['target']}" for each in found["violations"] for node in each["nodes"]]
