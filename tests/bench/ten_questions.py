"""`python -m tests.bench.ten_questions`: a visitor's ten questions to the sample page, in Chromium and on the wire.

Writes a picture of each answer and the stream as it came to `build/ten-questions/`, has the AI SDK's client read every
stream, and prints what was said.
"""

import base64
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from infra.local import seed
from infra.local.laptop import laptop
from infra.local.places import ROOT, Places
from tests.browser.conftest import QUIET
from tests.clients.chat import chat

OUT = ROOT / "build" / "ten-questions"
QUESTIONS = (
    ("figure", "How long after a deletion does the second pass come?"),
    ("steps", "What do I do with a stale revision?"),
    ("español", "¿Cómo borro una base para siempre?"),
    ("follow-up", "¿Y cuánto tarda?"),
    ("table and picture", "What is the life cycle of an item?"),
    ("roles", "What may a member do?"),
    ("laptop", "How do I start Acervo on my laptop?"),
    ("modos", "¿Qué modos de búsqueda hay?"),
    ("off topic", "Who won the football world cup in 2022?"),
    ("unsupported", "Does Acervo work with Klingon keyboards?"),
)


def _asked(page: Page, number: int, name: str, question: str) -> dict[str, Any]:
    streams: list[bytes] = []
    page.on("response", lambda each: streams.append(each.body()) if each.url.endswith("/turns") else None)
    page.get_by_role("textbox").fill(question)
    page.keyboard.press("Enter")
    page.locator(".stop").last.wait_for(state="detached")
    page.wait_for_timeout(600)
    page.screenshot(path=OUT / f"{number:02}-{name.replace(' ', '-')}.png")
    stem = OUT / f"{number:02}-{name.replace(' ', '-')}.sse"
    stem.write_bytes(streams[-1])
    page.wait_for_timeout(1200)
    return {
        "name": question,
        "status": 200,
        "headers": {"content-type": "text/event-stream"},
        "body": streams[-1].decode(),
    }


def _said(told: dict[str, Any]) -> str:
    parts = (told["message"] or {"parts": []})["parts"]
    spoken = "".join(each["text"] for each in parts if each["type"] == "text")
    components = [each["data"]["component"] for each in parts if each["type"] == "data-section"]
    return f"{told['status']:6} {told['name']}\n         {spoken}  [{', '.join(components)}]"


def main() -> None:
    """Ask, record, read again, print."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as home, laptop(Places(home=Path(home)), persist=False) as running:
        shown = dict(seed.plant(running.stack, running.answering.url))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
            page = browser.new_context(locale="en-GB", viewport={"width": 820, "height": 1100}).new_page()
            page.goto(shown["Answer page"])
            recorded = [_asked(page, number, *each) for number, each in enumerate(QUESTIONS, 1)]
            browser.close()
    given = [{**each, "body": base64.b64encode(each["body"].encode()).decode()} for each in recorded]
    for told in chat(given):
        print(_said(told))
    references = {each for one in recorded for each in re.findall(r"knowledge:[a-z0-9_@]+", one["body"])}
    print(json.dumps({"streams": len(recorded), "sources": len(references), "folder": str(OUT.relative_to(ROOT))}))


if __name__ == "__main__":
    main()
