"""Signing in with a browser on the deployed stack: cookies through the gateway, least privilege, nothing in a log."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from infra.local.laptop import Laptop
from infra.local.stack import Stack
from tests.e2e.people import KNOWLEDGE, Person, arrive

pytestmark = pytest.mark.promise("A1")

SESSION = "/api/v1/session"
_ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def ana(stack: Stack) -> Iterator[Person]:
    with httpx.Client(base_url=stack.api_url, timeout=30) as http:
        yield arrive(stack, http, "Ana at a browser")


@pytest.fixture
def browser(stack: Stack) -> Iterator[httpx.Client]:
    site = urlsplit(stack.api_url)
    headers = {"Sec-Fetch-Site": "same-origin", "Origin": f"{site.scheme}://{site.netloc}"}
    with httpx.Client(base_url=stack.api_url, timeout=30, headers=headers) as http:
        yield http


def _link(stack: Stack, user_id: str) -> str:
    environment = {**stack.environment(), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "infra.cli", "admin", "link", "--user", user_id, "--url", stack.api_url]
    done = subprocess.run(command, env=environment, cwd=_ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_person_signs_in_works_and_signs_out(stack: Stack, ana: Person, browser: httpx.Client) -> None:
    signed = browser.post(SESSION, json={"token": ana.token})
    assert signed.status_code == 200, signed.text
    morsel = SimpleCookie(signed.headers["set-cookie"])["acervo_session"]
    assert morsel["path"] == urlsplit(stack.api_url).path
    assert (morsel["httponly"], morsel["samesite"], morsel["secure"]) == (True, "Strict", "")
    assert browser.get(SESSION).json() == signed.json()
    body = {"space_id": ana.space, "name": "By hand"}
    refused = browser.post(f"{KNOWLEDGE}/bases", json=body)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    csrf = {"X-CSRF-Token": signed.json()["csrf_token"]}
    assert browser.post(f"{KNOWLEDGE}/bases", json=body, headers=csrf).status_code == 201
    foreign = {**csrf, "Sec-Fetch-Site": "cross-site"}
    assert browser.post(f"{KNOWLEDGE}/bases", json=body, headers=foreign).status_code == 403
    assert browser.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).status_code == 401
    stolen = morsel.value
    assert browser.delete(SESSION, headers=csrf).json() == {"signed_out": True}
    assert not browser.cookies
    again = httpx.get(f"{stack.api_url}{SESSION}", headers={"Cookie": f"acervo_session={stolen}"})
    assert (again.status_code, again.json()["code"]) == (401, "unauthenticated")


def test_an_operators_link_signs_one_browser_in(stack: Stack, ana: Person, browser: httpx.Client) -> None:
    link = _link(stack, ana.user_id)
    address, _, secret = link.partition("#sign-in=")
    assert address == f"{stack.api_url}/me"

    def follow(_: int) -> int:
        return httpx.post(f"{stack.api_url}{SESSION}", json={"link": secret}, timeout=30).status_code

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(follow, range(4))) == [200, 404, 404, 404]


def test_a_revoked_token_takes_its_sessions_with_it(ana: Person, browser: httpx.Client) -> None:
    made = ana.ok("POST", "/api/v1/tokens", {"name": "short", "scopes": ["knowledge:read"]})
    assert browser.post(SESSION, json={"token": made["token"]}).status_code == 200
    ana.ok("DELETE", f"/api/v1/tokens/{made['details']['id']}")
    assert browser.get(SESSION).status_code == 401


def test_the_console_learns_where_things_are(stack: Stack, running: Laptop) -> None:
    told = httpx.get(f"{stack.api_url}/api/v1/console").json()
    assert told == {
        "oidc": False,
        "answers_url": running.answering.url,
        "base_url": stack.api_url,
        "mcp_url": f"{stack.api_url}/mcp",
    }


@pytest.mark.promise("H4")
def test_no_log_and_no_row_holds_a_secret(stack: Stack, ana: Person, browser: httpx.Client) -> None:
    secret = _link(stack, ana.user_id).partition("#sign-in=")[2]
    signed = browser.post(SESSION, json={"link": secret}).json()
    cookie, csrf = browser.cookies["acervo_session"], signed["csrf_token"]
    unused = _link(stack, ana.user_id).partition("#sign-in=")[2]
    browser.post(SESSION, json={"link": cookie, "token": secret})
    browser.get(f"/api/v1/{cookie}")
    logs = stack.admin_session().client("logs")
    lines = []
    for group in logs.describe_log_groups()["logGroups"]:
        pages = logs.get_paginator("filter_log_events").paginate(logGroupName=group["logGroupName"])
        lines += [event["message"] for page in pages for event in page["events"]]
    assert any("signIn" in line for line in lines)
    rows = str(stack.admin_session().client("dynamodb").scan(TableName=stack.outputs["EphemeralTable"])["Items"])
    assert "session#" in rows
    assert "signin#" in rows
    for each in (secret, unused, cookie, csrf, "127.0.0.1"):
        assert each not in rows
        assert not [line for line in lines if each in line and each != "127.0.0.1"]
