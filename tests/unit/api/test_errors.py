"""The one table from what went wrong to what a door answers."""

import pytest

from chalicelib.api.errors import STATUS, problem
from chalicelib.domain.errors import InsufficientScope, KnownError, StaleRevision, StoreBusy, Unauthenticated

pytestmark = pytest.mark.promise("H2")


def _classes() -> set[type[KnownError]]:
    return {each for each in KnownError.__subclasses__() if each.__module__.startswith("chalicelib")}


def test_every_known_error_has_one_row() -> None:
    assert set(STATUS) == _classes()
    assert len({each.code for each in STATUS}) == len(STATUS)


def test_a_problem_holds_the_facts_and_says_what_to_do() -> None:
    status, body, headers = problem(StaleRevision("rev_a", "rev_b", 7), "request-1")
    assert status == 409
    assert headers == {"Content-Type": "application/problem+json"}
    assert (body["code"], body["expected"], body["actual"], body["number"]) == ("stale_revision", "rev_a", "rev_b", 7)
    assert (body["type"], body["request_id"]) == ("urn:acervo:error:stale_revision", "request-1")
    assert "merge" in body["detail"]


@pytest.mark.promise("A2")
def test_refused_tokens_are_challenged_in_the_header_and_told_in_the_body() -> None:
    _, _, headers = problem(Unauthenticated(), "r")
    assert headers["WWW-Authenticate"] == 'Bearer realm="acervo", error="invalid_token"'
    _, body, headers = problem(InsufficientScope(required=("knowledge:read", "knowledge:write")), "r")
    assert 'scope="knowledge:read knowledge:write"' in headers["WWW-Authenticate"]
    assert body["required"] == ["knowledge:read", "knowledge:write"]


def test_what_can_be_sent_again_says_when() -> None:
    assert problem(StoreBusy(), "r")[2]["Retry-After"] == "1"
