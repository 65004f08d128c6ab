"""A browser at the console: it keeps the cookie, sends what browsers send, and knows the session's CSRF token."""

from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any

from tests.unit.api.world import Person, World
from tests.web import Answered

SESSION = "/api/v1/session"
HOST = "acervo.example"
ORIGIN = f"https://{HOST}"


@dataclass
class Browser:
    """One browser of one person."""

    world: World
    cookie: str = ""
    csrf: str = ""
    sends: dict[str, str] = field(
        default_factory=lambda: {"host": HOST, "origin": ORIGIN, "sec-fetch-site": "same-origin"}
    )

    def __call__(self, method: str, path: str, body: object = None, **headers: str) -> Answered:
        sent = {**self.sends, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if self.cookie:
            sent.setdefault("cookie", f"acervo_session={self.cookie}")
        if self.csrf:
            sent.setdefault("x-csrf-token", self.csrf)
        answer = self.world.web(method, path, body, headers=sent)
        if "Set-Cookie" in answer.headers:
            morsel = SimpleCookie(answer.headers["Set-Cookie"])["acervo_session"]
            self.cookie = morsel.value if morsel["max-age"] != "0" else ""
        return answer

    def sign_in(self, **how: str) -> Any:
        answer = self("POST", SESSION, how)
        assert answer.status == 200, answer
        self.csrf = answer.json["csrf_token"]
        return answer.json


def at_browser(world: World, person: Person) -> Browser:
    """A browser that the person is signed in with."""
    browser = Browser(world)
    browser.sign_in(token=person.token)
    return browser
