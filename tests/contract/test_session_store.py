"""What every store of sessions and sign-in links does."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.access.provider_ports import Attempt
from chalicelib.access.session_ports import Session, SessionStore, SignInLink
from chalicelib.adapters.dynamodb.sessions import DynamoSessions
from chalicelib.adapters.dynamodb.tables import Tables
from chalicelib.domain.errors import NotFound
from tests.contract.conftest import OneAtATime
from tests.fakes.keys import MemoryKeys
from tests.fakes.machine import START
from tests.stores import Stores

pytestmark = pytest.mark.promise("A1")

SESSION = Session(
    "0" * 64, "user_ana", frozenset({"memory:read", "tokens:admin"}), "tok_1", START, START, START + timedelta(days=30)
)
LINK = SignInLink("1" * 64, "user_ana", frozenset({"memory:read"}), START + timedelta(minutes=10))


def test_a_session_is_found_as_it_was_written(stores: Stores) -> None:
    for session in (SESSION, replace(SESSION, secret_hash="2" * 64, token_id=None, scopes=frozenset())):
        stores.sessions.add_session(session)
        assert stores.sessions.session(session.secret_hash) == session
    assert stores.sessions.session("3" * 64) is None


def test_use_is_noted_and_does_not_bring_back_what_was_ended(stores: Stores) -> None:
    stores.sessions.add_session(SESSION)
    used = replace(SESSION, used_at=START + timedelta(hours=1))
    stores.sessions.used_session(used)
    assert stores.sessions.session(SESSION.secret_hash) == used
    stores.sessions.end_session(SESSION.secret_hash)
    stores.sessions.used_session(used)
    assert stores.sessions.session(SESSION.secret_hash) is None
    stores.sessions.end_session(SESSION.secret_hash)


def test_a_link_is_taken_once(stores: Stores) -> None:
    stores.sessions.add_link(LINK)
    assert stores.sessions.take_link(LINK.secret_hash) == LINK
    for unknown in (LINK.secret_hash, "4" * 64):
        with pytest.raises(NotFound):
            stores.sessions.take_link(unknown)


def test_an_attempt_is_taken_once(stores: Stores) -> None:
    attempt = Attempt("5" * 64, "6" * 64, "/me#keys", START + timedelta(minutes=10))
    stores.attempts.add_attempt(attempt)
    assert stores.attempts.take_attempt(attempt.state_hash) == attempt
    for unknown in (attempt.state_hash, LINK.secret_hash):
        with pytest.raises(NotFound):
            stores.attempts.take_attempt(unknown)


@pytest.fixture(params=["dynamodb", "memory"])
def contended(request: pytest.FixtureRequest) -> SessionStore:
    """A store that several threads may use."""
    if request.param == "memory":
        return MemoryKeys()
    tables: Tables = request.getfixturevalue("tables")
    return DynamoSessions(replace(tables, client=OneAtATime(tables.client)))  # type: ignore[arg-type]


def test_of_two_who_take_a_link_at_once_one_gets_it(contended: SessionStore) -> None:
    contended.add_link(LINK)

    def take(_: int) -> bool:
        try:
            contended.take_link(LINK.secret_hash)
        except NotFound:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(8))) == 1
