"""The three stories of rule A6, over the deployed stack. `python -m tests.e2e.stories` tells them to a person."""

from collections.abc import Iterator

import httpx
import pytest

from infra.local.stack import Stack
from tests.e2e.people import Person, arrive
from tests.e2e.stories import chat_user, developer, team_pilot

pytestmark = pytest.mark.promise("A6")


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack.api_url, timeout=30) as client:
        yield client


def _person(stack: Stack, http: httpx.Client, name: str) -> Person:
    return arrive(stack, http, name)


def test_a_chat_user_is_known_in_the_next_conversation(stack: Stack, http: httpx.Client) -> None:
    chat_user(_person(stack, http, "Ana"))


def test_a_developer_goes_on_in_another_tool(stack: Stack, http: httpx.Client) -> None:
    developer(_person(stack, http, "Dev"))


@pytest.mark.promise("A8")
def test_a_team_sees_who_said_what_exports_and_deletes(stack: Stack, http: httpx.Client) -> None:
    olga, mia, vic, mallory = (_person(stack, http, name) for name in ("Olga", "Mia", "Vic", "Mallory"))
    team_pilot(olga, mia, vic, mallory)
