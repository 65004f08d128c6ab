"""The files of the console, as they are served."""

import re
from importlib.resources import files

import pytest

from chalicelib.api.rest.blueprint import Front, blueprint
from chalicelib.wiring import Services
from tests.unit.api.world import World
from tests.web import Pages

MOST = 150_000
"""Bytes of all that one browser is given, before compression (decision 0066)."""


@pytest.mark.promise("W3", "W6")
@pytest.mark.parametrize("path", ["/me", "/", "/?space=space_01"])
def test_the_page_lets_nothing_in_and_nothing_out(path: str) -> None:
    answer = World().web("GET", path)
    rules = dict(each.split(" ", 1) for each in answer.headers["Content-Security-Policy"].split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == "'self'"
    assert rules["frame-ancestors"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["require-trusted-types-for"] == "'script'"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", answer.text)


@pytest.mark.promise("W5")
def test_scripts_and_styles_have_names_of_their_content_and_are_kept() -> None:
    web = World().web
    named = re.findall(r'(?:href|src)="([^"]*/assets/[^"]+)"', web("GET", "/me").text)
    assert any(each.endswith("/app.js") for each in named)
    for each in named:
        answer = web("GET", each)
        assert answer.status == 200
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    stale = web("GET", re.sub(r"/assets/\w+/", "/assets/0123/", named[0]))
    assert stale.status == 200
    assert stale.headers["Cache-Control"] == "no-store"


@pytest.mark.promise("W3")
@pytest.mark.parametrize(
    "name", ["index.html", "contract.d.ts", "..%2Fanswer%2Fpage.js", "%2Fetc%2Fpasswd", "nothing.js"]
)
def test_nothing_else_is_served(name: str) -> None:
    assert World().web("GET", f"/assets/0123/{name}").status == 404


@pytest.mark.promise("W5")
@pytest.mark.parametrize("other", ["en.js", "es.js"])
def test_all_that_a_browser_of_one_language_is_given_is_small(other: str) -> None:
    web = World().web
    page = web("GET", "/me").text
    assets = re.findall(r'[^"]*/assets/\w+/', page)[0]
    folder = files("chalicelib.web").joinpath("console")
    kinds = {"css", "js", "svg"}
    names = [each.name for each in folder.iterdir() if each.name.rpartition(".")[2] in kinds and each.name != other]
    assert len(page.encode()) + sum(len(web("GET", f"{assets}{each}").text.encode()) for each in names) < MOST


@pytest.mark.promise("W5")
def test_files_are_served_before_anything_is_wired() -> None:
    def wire() -> Services:
        raise AssertionError

    app = Front(app_name="acervo", configure_logs=False)
    app.register_blueprint(blueprint(wire, Pages))
    web = World().web
    web.app = app
    assert web("GET", "/assets/0123/app.js").status == 200
