"""What a browser did that the console may not do."""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page, Request, WebError

OFFLINE = r"ERR_INTERNET_DISCONNECTED|ERR_FAILED"
"""What a browser says where a test took the network away."""

_VIOLATIONS = """addEventListener("securitypolicyviolation", (seen) =>
    console.error(`csp: ${seen.effectiveDirective} ${seen.blockedURI} ${seen.sample}`));"""

_STORES = """async () => {
    const kept = [JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}), document.cookie];
    for (const {name} of await indexedDB.databases()) {
        const asked = indexedDB.open(name);
        const opened = await new Promise((done) => (asked.onsuccess = () => done(asked.result)));
        for (const store of opened.objectStoreNames) {
            const all = opened.transaction(store).objectStore(store).getAll();
            kept.push(JSON.stringify(await new Promise((done) => (all.onsuccess = () => done(all.result)))));
        }
        opened.close();
    }
    return kept.join("\\n");
}"""


@dataclass
class Watch:
    """One browser context, watched: policy violations, messages, errors, requests to where nobody sent it."""

    context: BrowserContext
    homes: tuple[str, ...]
    """What addresses may begin with: the API, the bucket, the answer page."""
    secrets: set[str] = field(default_factory=set)
    """What must stand in no address, no line of the log, no store of the browser."""
    troubles: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    """Patterns of troubles that a test brings about."""
    dialogs: list[str] = field(default_factory=list)
    under_way: int = 0
    """Requests that have no answer yet."""
    accepts: bool = False
    """Whether messages of the browser are wanted, and answered with yes."""

    def __post_init__(self) -> None:
        self.context.add_init_script(_VIOLATIONS)
        self.context.on("console", self._line)
        self.context.on("weberror", self._error)
        self.context.on("dialog", self._dialog)
        self.context.on("request", self._request)
        self.context.on("requestfinished", self._answered)
        self.context.on("requestfailed", self._answered)

    def knows(self, *patterns: str) -> None:
        """What the test brings about itself."""
        self.known += patterns

    def quiet(self, page: Page) -> None:
        """Wait until nothing is asked any more."""
        still = 0
        for _ in range(400):
            page.wait_for_timeout(25)
            still = still + 1 if self.under_way <= 0 else 0
            if still == 4:
                return
        raise AssertionError("The page goes on asking.")

    def _answered(self, _: Request) -> None:
        self.under_way -= 1

    def _line(self, message: ConsoleMessage) -> None:
        self.lines.append(message.text)
        if message.type in {"error", "warning"}:
            self.troubles.append(f"console: {message.text} ({_place(message.location)})")

    def _error(self, error: WebError) -> None:
        self.troubles.append(f"error: {error.error}")

    def _dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        if not self.accepts:
            self.troubles.append(f"dialog: {dialog.message}")
            dialog.dismiss()
        else:
            dialog.accept()

    def _request(self, request: Request) -> None:
        self.asked.append(request.url)
        self.under_way += 1
        self.secrets |= {each for each in [request.headers.get("x-csrf-token")] if each}
        if not request.url.startswith((*self.homes, "blob:", "data:")):
            self.troubles.append(f"request: {request.url}")

    def unknown(self) -> list[str]:
        """Every trouble that the test did not bring about."""
        return [each for each in self.troubles if not any(re.search(known, each) for known in self.known)]

    def betrayed(self) -> list[str]:
        """Where a secret was seen: addresses, lines of the log, what the browser keeps."""
        places = {"address": "\n".join(self.asked), "log": "\n".join(self.lines), "kept": self._kept()}
        cookies = {each["value"] for each in self.context.cookies() if "value" in each}
        return [
            f"{each[:12]}… in {where}"
            for where, text in places.items()
            for each in self.secrets | cookies
            if each and each in text
        ]

    def _kept(self) -> str:
        return "\n".join(str(page.evaluate(_STORES)) for page in self.context.pages if self._is_ours(page))

    def _is_ours(self, page: Page) -> bool:
        return not page.is_closed() and page.url.startswith(self.homes)


def _place(location: Any) -> str:
    """Path and query of where a line came from."""
    found = urlsplit(str(location.get("url", "")))
    return found.path + (f"?{found.query}" if found.query else "")
