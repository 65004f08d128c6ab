"""axe-core over a page."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
HOME = ROOT / "build" / "axe"
PACKAGE = "axe-core@4.14.1"


def _script() -> str:
    script = HOME / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("axe-core is an npm package: install Node.js with npm first.")
        HOME.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(HOME), PACKAGE]
        subprocess.run(command, cwd=HOME, check=True)
    return script.read_text()


def violations(page: Page) -> list[str]:
    """What axe-core finds by WCAG 2.2 AA: rule and element, each."""
    page.evaluate(_script())  # through the debugger, which the page's policy does not stop
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found: dict[str, Any] = page.evaluate("tags => axe.run({runOnly: tags})", tags)
    return [f"{each['id']}: {node['target']}" for each in found["violations"] for node in each["nodes"]]
