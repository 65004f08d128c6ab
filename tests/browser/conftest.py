"""A browser for all tests, and servers for it to look at."""

import asyncio
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, sync_playwright
from starlette.applications import Starlette

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or the one that Playwright brings. Its loop occupies this thread until the module ends."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor from Spain, without anything from the test before."""
    made = browser.new_context(locale="es-ES", viewport={"width": 900, "height": 1000})
    made.set_default_timeout(10_000)
    yield made
    made.close()


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """The address of an app that runs beside the test."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, access_log=False, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    socket = config.bind_socket()
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[socket])), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        socket.close()


@pytest.fixture
def serve() -> Iterator[Callable[[Starlette], str]]:
    """Serves apps until the test ends."""
    with ExitStack() as stack:
        yield lambda app: stack.enter_context(served(app))
