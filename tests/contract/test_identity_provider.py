"""The identity provider that the settings name, at one that others have written."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from chalicelib.access.provider_sign_in import proofs_of
from chalicelib.adapters.machine import SystemClock
from chalicelib.domain.errors import IdentityUnavailable, Unauthenticated
from chalicelib.settings import Settings
from chalicelib.wiring.identity import Oidc
from tests.providers import provider

pytestmark = pytest.mark.promise("A1")

BACK = "https://acervo.example/sign-in/callback"
PROOFS = proofs_of("a secret")


@pytest.fixture(scope="module")
def oidc() -> Iterator[Oidc]:
    with provider() as address:
        yield _oidc(address)


def _oidc(issuer: str) -> Oidc:
    given = {"oidc_issuer": issuer, "oidc_audience": "us", "oidc_client_id": "us", "oidc_scopes": "memory:read"}
    return Oidc(Settings.model_validate(given), SystemClock())


def _code(oidc: Oidc, sub: str) -> str:
    """What somebody comes back with."""
    decided = httpx.post(oidc.address("a-state", PROOFS, BACK), data={"sub": sub})
    query = parse_qs(urlsplit(decided.headers["location"]).query)
    assert query["state"] == ["a-state"]
    return query["code"][0]


def test_it_says_who_signed_in(oidc: Oidc) -> None:
    ana = oidc.redeem(_code(oidc, "ana"), PROOFS, BACK)
    assert (ana.name, ana.scopes) == ("Ana García", frozenset({"memory:read"}))
    assert oidc.redeem(_code(oidc, "ana"), PROOFS, BACK).subject_hash == ana.subject_hash
    assert oidc.redeem(_code(oidc, "ben"), PROOFS, BACK).subject_hash != ana.subject_hash


def test_a_code_is_good_once_and_for_what_was_asked(oidc: Oidc) -> None:
    code = _code(oidc, "ana")
    oidc.redeem(code, PROOFS, BACK)
    for bad in (code, "made-up"):
        with pytest.raises(Unauthenticated):
            oidc.redeem(bad, PROOFS, BACK)
    with pytest.raises(Unauthenticated):
        oidc.redeem(_code(oidc, "ana"), proofs_of("another secret"), BACK)


def test_its_tokens_that_are_not_for_us_open_nothing(oidc: Oidc) -> None:
    with pytest.raises(Unauthenticated):
        oidc.verify("opaque")


def test_a_provider_that_is_not_there_is_told() -> None:
    with pytest.raises(IdentityUnavailable):
        _oidc("http://127.0.0.1:9").address("a-state", PROOFS, BACK)
