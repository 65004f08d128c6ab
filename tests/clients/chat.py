"""The chat of the npm package `ai`, as Python tests use it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HOME = ROOT / "build" / "ai"
PACKAGE = "ai@6.0.326"
"""The newest that runs on Node 20."""


def install() -> None:
    """Put the package in place, unless it is. Raises SystemExit without npm."""
    if (HOME / "node_modules" / "ai" / "package.json").exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("The AI SDK is an npm package: install Node.js with npm first.")
    HOME.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(HOME), PACKAGE]
    subprocess.run(command, cwd=HOME, check=True)


def chat(given: Any) -> list[dict[str, Any]]:
    """What the real client makes of recorded streams, or of a live door (`ai_chat.mjs` says how)."""
    install()
    script = HOME / "ai_chat.mjs"
    shutil.copyfile(Path(__file__).with_name("ai_chat.mjs"), script)
    done = subprocess.run(
        [shutil.which("node") or "node", str(script)],
        cwd=HOME,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told
