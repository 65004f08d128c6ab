"""The chat of the npm package `ai`, as Python tests use it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.packages import packages

PACKAGE = "ai@6.0.326"
"""The newest that runs on Node 20."""


def chat(given: Any) -> list[dict[str, Any]]:
    """What the real client makes of recorded streams, or of a live door (`ai_chat.mjs` says how)."""
    home = packages(PACKAGE).parent
    script = home / "ai_chat.mjs"
    shutil.copyfile(Path(__file__).with_name("ai_chat.mjs"), script)
    done = subprocess.run(
        [shutil.which("node") or "node", str(script)],
        cwd=home,
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told
