"""Signing in with an identity provider that others have written, on a deployed stack: over HTTP from end to end."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from infra.local.laptop import laptop
from infra.local.places import Places
from tests.providers import provider

pytestmark = pytest.mark.promise("A1")

CLIENT = "acervo-console"


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with provider() as address:
        yield address


@pytest.fixture(scope="module")
def base(issuer: str, places: Places, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a laptop cloud whose people sign in there."""
    wishes = {
        "ACERVO_OIDC_ISSUER": issuer,
        "ACERVO_OIDC_AUDIENCE": CLIENT,
        "ACERVO_OIDC_CLIENT_ID": CLIENT,
        "ACERVO_OIDC_SCOPES": "knowledge:read memory:read",
        "ACERVO_EMBEDDER": "none",
    }
    home: Path = tmp_path_factory.mktemp("with-people")
    with laptop(replace(places, home=home, environment={**places.environment, **wishes}), persist=False) as running:
        yield running.stack.api_url


@dataclass
class Traveller:
    """A browser, with the provider's page in it."""

    base: str
    http: httpx.Client

    def leave(self, then: str) -> str:
        """The address of the provider's page."""
        left = self.http.get(f"{self.base}/sign-in/oidc", params={"then": then})
        assert left.status_code == 302, left.text
        return left.headers["location"]

    def decide(self, page: str, **form: str) -> str:
        """Where the provider's page leads to, once something was chosen in it."""
        assert self.http.get(page).status_code == 200
        decided = self.http.post(page, data=form)
        assert decided.status_code == 302, decided.text
        return decided.headers["location"]

    def land(self, address: str) -> str:
        """Where that address leads to."""
        landed = self.http.get(address)
        assert landed.status_code == 302, landed.text
        return landed.headers["location"]


@pytest.fixture
def traveller(base: str) -> Iterator[Traveller]:
    with httpx.Client(timeout=30) as http:
        yield Traveller(base, http)


def test_a_person_signs_in_there_and_works_here(traveller: Traveller, base: str) -> None:
    assert traveller.http.get(f"{base}/api/v1/console").json()["oidc"] is True
    page = traveller.leave("/me#knowledge")
    assert "code_challenge_method=S256" in page
    back = traveller.decide(page, sub="ana")
    assert back.startswith(f"{base}/sign-in/callback?")
    assert traveller.land(back) == f"{base}/me#knowledge"
    told = traveller.http.get(f"{base}/api/v1/session").json()
    assert (told["name"], told["scopes"]) == ("Ana García", ["knowledge:read", "memory:read"])
    assert traveller.http.get(f"{base}/api/v1/spaces").json()["spaces"][0]["id"] == told["personal_space_id"]
    assert traveller.land(back) == f"{base}/me#sign-in-failed=sign_in_expired"
    traveller.land(traveller.decide(traveller.leave("/me"), sub="ana"))
    again = traveller.http.get(f"{base}/api/v1/session").json()
    assert again["user_id"] == told["user_id"]
    traveller.land(traveller.decide(traveller.leave("/me"), sub="ben"))
    assert traveller.http.get(f"{base}/api/v1/session").json()["user_id"] != told["user_id"]


def test_who_changes_their_mind_is_told(traveller: Traveller, base: str) -> None:
    back = traveller.decide(traveller.leave("/me"), action="deny")
    assert traveller.land(back) == f"{base}/me#sign-in-failed=access_denied"
    assert traveller.http.get(f"{base}/api/v1/session").status_code == 401


def test_another_browser_cannot_come_back_instead(traveller: Traveller, base: str) -> None:
    back = traveller.decide(traveller.leave("/me"), sub="ana")
    with httpx.Client(timeout=30) as thief:
        assert Traveller(base, thief).land(back) == f"{base}/me#sign-in-failed=sign_in_expired"
        assert not thief.cookies
    made_up = f"{base}/sign-in/callback?code=x&state=y"
    assert traveller.land(made_up) == f"{base}/me#sign-in-failed=sign_in_expired"


def test_nobody_is_led_elsewhere(traveller: Traveller, base: str) -> None:
    back = traveller.decide(traveller.leave("https://evil.example/"), sub="ana")
    landed = traveller.land(back)
    assert urlsplit(landed).netloc == urlsplit(base).netloc
    assert landed == f"{base}/me"
