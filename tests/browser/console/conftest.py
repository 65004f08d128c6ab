"""A browser that is signed in, on the deployed stack and over fakes, and watched."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from infra.local.laptop import Laptop, laptop
from infra.local.places import Places
from infra.local.stack import Stack
from tests.browser.console.driving import Console
from tests.browser.console.serving import served
from tests.browser.console.watching import Watch
from tests.e2e.conftest import without_wishes
from tests.e2e.people import Person, arrive
from tests.pictures import png
from tests.unit.api.world import World

expect.set_options(timeout=10_000)

SESSION = "/api/v1/session"
BUCKET = "https://bucket.test"
"""Where the fakes say that files lie."""


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laptop]:
    """The laptop cloud, deployed by the same code as `make up`; one for all stories."""
    environment = without_wishes(Places().environment)
    with laptop(Places(home=tmp_path_factory.mktemp("console"), environment=environment), persist=False) as started:
        yield started


@pytest.fixture(scope="session")
def stack(running: Laptop) -> Stack:
    return running.stack


@pytest.fixture(scope="session")
def http(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack.api_url, timeout=40) as client:
        yield client


@pytest.fixture(scope="session")
def people(stack: Stack, http: httpx.Client) -> Callable[[str], Person]:
    """Somebody by name; the same one whenever asked."""
    known: dict[str, Person] = {}

    def somebody(name: str) -> Person:
        if name not in known:
            known[name] = arrive(stack, http, name)
        return known[name]

    return somebody


@dataclass
class Tabs:
    """Opens browsers, and holds at the end that none of them did what the console may not do."""

    browser: Browser
    stack: ExitStack
    url: str
    homes: tuple[str, ...]
    watches: list[Watch] = field(default_factory=list)

    def context(self, *, locale: str = "en-GB", width: int = 900, height: int = 900, **how: Any) -> Watch:
        """A browser that nobody is signed in with."""
        made = self.browser.new_context(
            locale=locale,
            viewport={"width": width, "height": height},
            permissions=["clipboard-read", "clipboard-write"],
            **how,
        )
        self.stack.callback(made.close)
        made.set_default_timeout(10_000)
        made.set_default_navigation_timeout(30_000)
        made.route(f"{BUCKET}/**", lambda route: route.fulfill(body=png(), content_type="image/png"))
        watch = Watch(made, self.homes)
        self.watches.append(watch)
        return watch

    def signed_in(self, token: str, **how: Any) -> Console:
        """A tab of somebody who is signed in."""
        watch = self.context(**how)
        self.sign_in(watch.context, token)
        watch.secrets.add(token)
        return self.tab(watch)

    def sign_in(self, context: BrowserContext, token: str) -> None:
        """As the page does, with the context's own cookies."""
        site = urlsplit(self.url)
        headers = {"origin": f"{site.scheme}://{site.netloc}", "sec-fetch-site": "same-origin"}
        answer = context.request.post(f"{self.url}{SESSION}", data={"token": token}, headers=headers)
        assert answer.ok, answer.text()

    def tab(self, watch: Watch) -> Console:
        """One more tab of a browser."""
        return Console(watch.context.new_page(), self.url, watch)

    def settle(self) -> None:
        """Hold what was seen against what may be."""
        for watch in self.watches:
            assert not watch.unknown()
            assert not watch.betrayed()


@contextmanager
def _tabs(browser: Browser, url: str, *more: str) -> Iterator[Tabs]:
    with ExitStack() as stack:
        tabs = Tabs(browser, stack, url, (f"{url}/", *more))
        yield tabs
        tabs.settle()


@pytest.fixture
def tabs(browser: Browser, running: Laptop) -> Iterator[Tabs]:
    """Browsers at the deployed stack: its API, its bucket, its answer pages."""
    stack = running.stack
    with _tabs(browser, stack.api_url, f"{stack.endpoint_url}/", f"{running.answering.url}/") as made:
        yield made


@pytest.fixture
def ana(people: Callable[[str], Person]) -> Person:
    return people("Ana")


@pytest.fixture
def console(tabs: Tabs, ana: Person) -> Console:
    """Ana's tab on the deployed stack."""
    return tabs.signed_in(ana.token)


@pytest.fixture
def world() -> World:
    """A house over fakes, of the test's own."""
    return World()


@pytest.fixture
def fakes(browser: Browser, world: World) -> Iterator[Tabs]:
    """Browsers at the house over fakes."""
    with served(world) as url, _tabs(browser, url, f"{BUCKET}/") as made:
        yield made
