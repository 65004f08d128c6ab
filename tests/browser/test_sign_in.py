"""Sessions in a real Chromium over a deployed stack: what browsers do with cookies is theirs to say."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from infra.local.laptop import laptop
from infra.local.places import Places
from infra.local.stack import Stack
from tests.e2e.conftest import without_wishes
from tests.e2e.people import arrive
from tests.providers import provider

pytestmark = pytest.mark.promise("A1")

CLIENT = "acervo-console"

CALL = """async ({url, method, body, csrf, mode}) => {
    const headers = {...(csrf ? {"X-CSRF-Token": csrf} : {})};
    const sent = body === null ? undefined : new Blob([body]);
    try {
        const answer = await fetch(url, {method, headers, body: sent, mode, credentials: "include"});
        return {status: answer.status, json: await answer.json().catch(() => null)};
    } catch (refused) {
        return {status: 0, json: null};
    }
}"""
"""A blob without a type is sent without a Content-Type, which needs no preflight."""


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A laptop cloud at 127.0.0.1, whose people sign in at localhost: another site, to a browser."""
    with provider("localhost") as issuer:
        wishes = {
            "ACERVO_OIDC_ISSUER": issuer,
            "ACERVO_OIDC_AUDIENCE": CLIENT,
            "ACERVO_OIDC_CLIENT_ID": CLIENT,
            "ACERVO_OIDC_SCOPES": "knowledge:read",
            "ACERVO_EMBEDDER": "none",
        }
        environment = {**without_wishes(Places().environment), **wishes}
        places = Places(home=tmp_path_factory.mktemp("sign-in"), environment=environment)
        with laptop(places, persist=False) as running:
            yield running.stack


@pytest.fixture(scope="module")
def token(stack: Stack) -> str:
    with httpx.Client(base_url=stack.api_url, timeout=30) as http:
        return arrive(stack, http, "Ana").token


@pytest.fixture
def page(browser: Browser, stack: Stack) -> Iterator[Page]:
    """A page of ours, in which the test may run scripts."""
    context: BrowserContext = browser.new_context(bypass_csp=True)
    made = context.new_page()
    made.goto(f"{stack.api_url}/health")
    yield made
    context.close()


def _call(page: Page, url: str, method: str = "GET", body: str | None = None, **more: str) -> Any:
    asked = {"url": url, "method": method, "body": body, "csrf": more.get("csrf"), "mode": more.get("mode", "cors")}
    return page.evaluate(CALL, asked)


def _sign_in(page: Page, stack: Stack, token: str) -> str:
    answer = _call(page, f"{stack.api_url}/api/v1/session", "POST", f'{{"token": "{token}"}}')
    assert answer["status"] == 200
    return str(answer["json"]["csrf_token"])


def _teams(stack: Stack, token: str) -> list[str]:
    answer = httpx.get(f"{stack.api_url}/api/v1/spaces", headers={"Authorization": f"Bearer {token}"}, timeout=30)
    return [each["name"] for each in answer.json()["spaces"] if each["kind"] == "team"]


def test_a_page_of_ours_works_with_the_cookie_and_cannot_read_it(page: Page, stack: Stack, token: str) -> None:
    csrf = _sign_in(page, stack, token)
    assert page.evaluate("document.cookie") == ""
    assert _call(page, f"{stack.api_url}/api/v1/me")["status"] == 200
    teams = f"{stack.api_url}/api/v1/teams"
    assert _call(page, teams, "POST", '{"name": "Without"}')["json"]["code"] == "csrf_failed"
    assert _call(page, teams, "POST", '{"name": "Ours"}', csrf=csrf)["status"] == 201
    assert _teams(stack, token) == ["Ours"]
    page.reload()
    assert _call(page, f"{stack.api_url}/api/v1/session")["json"]["csrf_token"] == csrf
    assert _call(page, f"{stack.api_url}/api/v1/session", "DELETE", csrf=csrf)["json"] == {"signed_out": True}
    assert page.context.cookies() == []
    assert _call(page, f"{stack.api_url}/api/v1/me")["status"] == 401


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_of_another_program_on_this_machine_does_nothing(
    page: Page, stack: Stack, token: str, serve: Callable[[Starlette], str], host: str
) -> None:
    """To a browser, another port of the same host is the same site: SameSite lets its requests carry the cookie."""

    async def hostile(_: Request) -> HTMLResponse:
        return HTMLResponse("<!doctype html><title>Elsewhere</title>")

    csrf = _sign_in(page, stack, token)
    before = _teams(stack, token)
    secret = page.context.cookies()[0]["value"]
    page.goto(serve(Starlette(routes=[Route("/", hostile)])).replace("127.0.0.1", host))
    base = stack.api_url
    for mode in ("no-cors", "cors"):
        _call(page, f"{base}/api/v1/teams", "POST", '{"name": "Theirs"}', mode=mode)
        _call(page, f"{base}/api/v1/session", "POST", f'{{"token": "{token}"}}', mode=mode)
    _call(page, f"{base}/api/v1/teams", "POST", '{"name": "Theirs"}', csrf=csrf)
    _call(page, f"{base}/api/v1/session", "DELETE", csrf=csrf)
    assert _call(page, f"{base}/api/v1/me") == {"status": 0, "json": None}
    assert _teams(stack, token) == before
    assert [each["value"] for each in page.context.cookies()] == [secret]
    page.goto(f"{base}/health")
    assert _call(page, f"{base}/api/v1/session")["json"]["csrf_token"] == csrf


def test_somebody_comes_back_from_another_site_signed_in(page: Page, stack: Stack) -> None:
    page.goto(f"{stack.api_url}/sign-in/oidc?then=/me%23knowledge")
    assert page.url.startswith("http://localhost:")
    page.fill("input[name=sub]", "ana")
    page.press("input[name=sub]", "Enter")
    page.wait_for_url("**/me#knowledge")
    assert page.url == f"{stack.api_url}/me#knowledge"
    told = _call(page, f"{stack.api_url}/api/v1/session")
    assert told["json"]["name"] == "Ana García"
    session = next(each for each in page.context.cookies() if each["name"] == "acervo_session")
    assert (session["sameSite"], session["httpOnly"]) == ("Strict", True)
