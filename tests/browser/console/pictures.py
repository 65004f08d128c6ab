"""`make pictures`: every panel and the main dialogs, light and dark, wide and narrow, in both languages.

Over a laptop cloud of its own, with a bakery's knowledge in it. They are there to be looked at; some are in the docs.
"""

import argparse
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from PIL import Image
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from infra.local.console import visit
from infra.local.laptop import Laptop, laptop
from infra.local.places import ROOT, Places
from tests.browser.conftest import QUIET
from tests.browser.console.bakery import BREAD, Bakery, settle
from tests.e2e.conftest import without_wishes
from tests.e2e.people import KNOWLEDGE, Person, arrive

WIDTHS = {"wide": (1180, 800), "narrow": (360, 740)}
THEMES = ("light", "dark")
SHOWN = {"item": "item", "item-compared": "compared", "search": "search"}
"""Scenes that are in the docs, and their names there."""
GLANCE_MS = 150
LANGUAGES = {"en": "en-GB", "es": "es-ES"}

type Act = Callable[[Page], object]


@dataclass(frozen=True)
class Scene:
    """A place, and what is done there before the picture is taken."""

    name: str
    place: str
    act: Act | None = None
    personal: bool = False


def press(label: str, nth: int = 0) -> Act:
    """Click the button whose place in the page's main part is told by a selector."""
    return lambda page: page.locator(label).nth(nth).click()


def both(*acts: Act) -> Act:
    """One after the other."""
    return lambda page: [act(page) for act in acts]


def typed(selector: str, text: str) -> Act:
    """Fill a field in."""
    return lambda page: page.locator(selector).first.fill(text)


def conflict(ana: Person, bakery: Bakery) -> Act:
    """Somebody else saves while one writes."""

    def act(page: Page) -> None:
        text = page.locator(".source")
        text.fill(text.input_value().replace("five minutes", "ten minutes"))
        where = f"{KNOWLEDGE}/items/{bakery.item}"
        now = ana.ok("GET", where)["current_revision_id"]
        item = ana.ok(
            "PATCH",
            where,
            {"expected_revision_id": now, "content": BREAD.format("The dough rests 18 hours", "call Marta")},
        )
        page.locator("main .bar button").first.click()
        page.locator("dialog[open]").wait_for()
        before = BREAD.format("The dough rests 16 hours", "call Marta or Luis and write it into the log")
        ana.ok("PATCH", where, {"expected_revision_id": item["current_revision_id"], "content": before})

    return act


def scenes(bakery: Bakery, ana: Person) -> Iterator[Scene]:
    """All there is to see."""
    item, base, page = f"#knowledge/{bakery.item}", f"#knowledge/{bakery.base}", f"#pages/{bakery.page}"
    first = "main .head-row button"
    yield Scene("bases", "#knowledge")
    yield Scene("bases-none", "#knowledge", personal=True)
    yield Scene("base-new", "#knowledge", press(first))
    yield Scene("base", base)
    yield Scene("base-delete", base, press(first, 2))
    yield Scene("item-new", f"{base}/new")
    yield Scene("item", item)
    yield Scene("item-old", f"{item}@{bakery.first}")
    yield Scene("item-write", f"{item}/edit")
    yield Scene("item-history", f"{item}/history")
    compare = both(press(".timeline input", 0), press(".timeline input", 1), press("main .stack > .actions > button"))
    yield Scene("item-compared", f"{item}/history", compare)
    yield Scene("item-conflict", f"{item}/edit", conflict(ana, bakery))
    yield Scene("files", f"{base}/files")
    yield Scene("search", "#search?q=what+does+E-17+mean")
    yield Scene("search-beside", "#search?q=steam+valve&beside=1")
    yield Scene("memory", "#memory")
    yield Scene("memory-projects", "#memory/projects")
    yield Scene("memory-todos", "#memory/todos")
    yield Scene("memory-timeline", "#memory/timeline")
    yield Scene("pages", "#pages")
    yield Scene("page-new", "#pages", press(first))
    yield Scene("page-about", f"{page}/about")
    yield Scene("page-topics", f"{page}/topics")
    yield Scene("page-images", f"{page}/images")
    yield Scene("page-links", f"{page}/links")
    ask = both(typed("main form input", "What does E-17 on the oven mean?"), press("main form button[type=submit]"))
    yield Scene("page-try", f"{page}/try", ask)
    yield Scene("page-use", f"{page}/use")
    yield Scene("keys", "#keys")
    yield Scene("key-new", "#keys", press(first))
    made = both(
        press(first),
        typed("dialog[open] input", "Claude Code"),
        press("dialog[open] button[type=submit]"),
        press("dialog[open] summary", 1),
    )
    yield Scene("key-made", "#keys", made)
    yield Scene("team", "#team", press("main summary"))
    yield Scene("team-none", "#team", personal=True)
    yield Scene("team-add", "#team", press(first))
    yield Scene("account", "#account")
    yield Scene("device", "#device")
    yield Scene("lost", "#nowhere")


def settled(page: Page) -> None:
    """Wait until nothing is on its way, and then a glance longer."""
    for _ in range(2):
        page.wait_for_timeout(GLANCE_MS)
        page.wait_for_load_state("networkidle")
        expect(page.locator(".waiting, [aria-busy=true]")).to_have_count(0, timeout=20_000)


@contextmanager
def signed_in(browser: Browser, url: str, person: Person | None, how: tuple[str, str, str]) -> Iterator[Page]:
    """A tab of somebody, as wide, dark and Spanish as is asked for."""
    width, theme, language = how
    x, y = WIDTHS[width]
    context = browser.new_context(locale=LANGUAGES[language], viewport={"width": x, "height": y}, color_scheme=theme)  # type: ignore[arg-type]
    context.set_default_timeout(30_000)
    if person:
        site = urlsplit(url)
        headers = {"origin": f"{site.scheme}://{site.netloc}", "sec-fetch-site": "same-origin"}
        assert context.request.post(f"{url}/api/v1/session", data={"token": person.token}, headers=headers).ok
    yield context.new_page()
    context.close()


def taken(page: Page, where: Path) -> None:
    """The whole of a page; of a dialog, what is in sight."""
    page.screenshot(path=where, animations="disabled", full_page=not page.locator("dialog[open]").count())


def take(
    running: Laptop, browser: Browser, to: Path, wanted: str, how: tuple[str, str, str], people: tuple[Person, Bakery]
) -> Iterator[str]:
    """All scenes whose names hold what is wanted, in one way; yields what did not come about."""
    url, (ana, bakery) = running.stack.api_url, people
    suffix = "-".join(how)
    with signed_in(browser, url, None, how) as page:
        page.goto(f"{url}/me")
        settled(page)
        taken(page, to / f"sign-in.{suffix}.png")
    with signed_in(browser, url, ana, how) as page:
        for scene in scenes(bakery, ana):
            if wanted not in scene.name:
                continue
            page.goto("about:blank")
            page.goto(f"{url}/{'me' if scene.personal else f'?space={bakery.space}'}{scene.place}")
            try:
                page.locator("main h1").first.wait_for()
                settled(page)
                if scene.act:
                    scene.act(page)
                    settled(page)
            except (Error, AssertionError) as fault:
                yield f"{scene.name}.{suffix}: {str(fault).splitlines()[0]}"
            taken(page, to / f"{scene.name}.{suffix}.png")


def publish(to: Path) -> None:
    """Put the pictures of the docs where the docs show them: their tops, in few colours."""
    for scene, name in SHOWN.items():
        with Image.open(to / f"{scene}.wide-light-en.png") as picture:
            top = picture.convert("RGB").crop((0, 0, picture.width, min(picture.height, WIDTHS["wide"][1])))
            top.quantize(64).save(ROOT / "docs" / "pictures" / f"{name}.png", optimize=True)


def main() -> None:
    """Take them."""
    asked = argparse.ArgumentParser(prog="make pictures", description=__doc__)
    asked.add_argument("scene", nargs="?", default="", help="only scenes whose name holds this")
    asked.add_argument("--how", default="", help="only this way, such as wide-light-en")
    asked.add_argument("--docs", action="store_true", help="renew the pictures of the docs, too")
    given = asked.parse_args()
    to = ROOT / "build" / "pictures"
    to.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="acervo-pictures-")))
        places = Places(home=home, environment=without_wishes(Places().environment))
        running = stack.enter_context(laptop(places, persist=False))
        http = stack.enter_context(httpx.Client(base_url=running.stack.api_url, timeout=40))
        ana, ben = (arrive(running.stack, http, name) for name in ("Ana", "Ben"))
        people = (ana, settle(ana, ben))
        visit(f"{running.stack.api_url}/me")  # so that no picture waits for a function to start
        chromium = stack.enter_context(sync_playwright()).chromium
        browser = chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        stack.callback(browser.close)
        hows = [how for how in product(WIDTHS, THEMES, LANGUAGES) if given.how in "-".join(how)]
        missed = [each for how in hows for each in take(running, browser, to, given.scene, how, people)]
    if given.docs:
        publish(to)
    print(f"{len(list(to.glob('*.png')))} pictures are in {to}", *missed, sep="\n")  # noqa: T201
    raise SystemExit(bool(missed))


if __name__ == "__main__":
    main()
