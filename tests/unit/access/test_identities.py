"""Access tokens of an identity provider: what is taken, and all that must not be."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from chalicelib.access.identities import AuthenticateIdentity, is_jwt
from chalicelib.access.tokens import Authenticate
from chalicelib.adapters.oidc.tokens import IssuerKeys, OidcTokens
from chalicelib.domain.errors import IdentityUnavailable, StoreBusy, Unauthenticated
from chalicelib.domain.spaces import Door
from tests.fakes.keys import MemoryKeys
from tests.fakes.machine import CountingIds, StillClock

pytestmark = pytest.mark.promise("A1", "A2")

ISSUER = "https://cognito-idp.eu-west-1.amazonaws.com/pool"


@dataclass
class Issuer:
    """An identity provider with a key that it can change."""

    keys: dict[str, Any] = field(default_factory=dict)
    fetched: int = 0
    down: bool = False

    def __post_init__(self) -> None:
        self.rotate("one")

    def rotate(self, name: str) -> None:
        self.keys = {name: rsa.generate_private_key(public_exponent=65537, key_size=2048)}

    def fetch(self) -> Mapping[str, Any]:
        self.fetched += 1
        if self.down:
            raise OSError
        public = {name: RSAAlgorithm.to_jwk(each.public_key(), as_dict=True) for name, each in self.keys.items()}
        return {"keys": [{**each, "kid": name, "alg": "RS256"} for name, each in public.items()]}

    def token(self, kid: str | None = None, algorithm: str = "RS256", key: Any = None, **changes: Any) -> str:
        name = kid or next(iter(self.keys))
        now = int(time.time())
        claims = {
            "iss": ISSUER,
            "sub": "ana",
            "client_id": "our-client",
            "token_use": "access",
            "scope": "openid acervo/knowledge:read memory:read other:thing",
            "username": "Ana",
            "iat": now,
            "exp": now + 600,
            **changes,
        }
        kept = {name: each for name, each in claims.items() if each is not None}
        signing: Any = None if algorithm == "none" else key or self.keys.get(name)
        return jwt.encode(kept, signing, algorithm=algorithm, headers={"kid": name})


@pytest.fixture(scope="module")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def keys() -> MemoryKeys:
    return MemoryKeys()


def _authenticate(issuer: Issuer, keys: MemoryKeys, clock: StillClock, *granted: str) -> Authenticate:
    tokens = OidcTokens(ISSUER, frozenset({"our-client"}), frozenset(granted), IssuerKeys(issuer.fetch, clock))
    return Authenticate(keys, clock, AuthenticateIdentity(keys, tokens, CountingIds(), clock))


def test_who_comes_for_the_first_time_gets_an_account_and_keeps_it(
    issuer: Issuer, keys: MemoryKeys, clock: StillClock
) -> None:
    authenticate = _authenticate(issuer, keys, clock)
    first = authenticate(issuer.token(), Door.MCP)
    assert first.scopes == {"knowledge:read", "memory:read"}
    assert first.personal_space_id in first.roles
    assert keys.accounts[first.user_id].name == "Ana"
    again = authenticate(issuer.token(scope="knowledge:read"), Door.MCP)
    assert again.user_id == first.user_id
    assert again.scopes == {"knowledge:read"}
    assert authenticate(issuer.token(sub="bob"), Door.MCP).user_id != first.user_id
    assert len(keys.accounts) == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://evil.example"},
        {"client_id": "another-client"},
        {"client_id": None},
        {"aud": "another"},
        {"aud": ["another", 7]},
        {"token_use": "id"},
        {"exp": int(time.time()) - 60},
        {"exp": None},
        {"sub": None},
        {"iat": None},
        {"nbf": int(time.time()) + 86_400},
    ],
)
def test_a_token_that_is_not_for_us_or_not_now_is_refused(
    issuer: Issuer, keys: MemoryKeys, clock: StillClock, changes: dict[str, Any]
) -> None:
    with pytest.raises(Unauthenticated):
        _authenticate(issuer, keys, clock)(issuer.token(**changes), Door.MCP)
    assert keys.accounts == {}


def test_an_audience_will_do_where_there_is_one(issuer: Issuer, keys: MemoryKeys, clock: StillClock) -> None:
    token = issuer.token(aud=["our-client", "another"], client_id="another")
    assert _authenticate(issuer, keys, clock)(token, Door.MCP).user_id


def test_no_signature_but_the_issuers_is_taken(issuer: Issuer, keys: MemoryKeys, clock: StillClock) -> None:
    authenticate = _authenticate(issuer, keys, clock)
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    unsigned = issuer.token(algorithm="none")
    tampered = issuer.token()[:-8] + "AAAAAAAA"
    shared = issuer.token(algorithm="HS256", key="x" * 32)
    for token in (issuer.token(key=stranger), unsigned, tampered, shared, "a.b.c", "e30.e30.e30", "x" * 9000 + ".b.c"):
        with pytest.raises(Unauthenticated):
            authenticate(token, Door.MCP)


def test_scopes_may_come_from_the_settings(issuer: Issuer, keys: MemoryKeys, clock: StillClock) -> None:
    authenticate = _authenticate(issuer, keys, clock, "memory:read", "no:such")
    assert authenticate(issuer.token(scope="openid email"), Door.MCP).scopes == {"memory:read"}
    assert authenticate(issuer.token(scope=["knowledge:read", 7]), Door.MCP).scopes == {"knowledge:read"}


def test_keys_are_kept_and_new_ones_are_found_but_not_asked_for_at_will(keys: MemoryKeys, clock: StillClock) -> None:
    issuer = Issuer()
    authenticate = _authenticate(issuer, keys, clock)
    for _ in range(3):
        authenticate(issuer.token(), Door.MCP)
    assert issuer.fetched == 1
    issuer.rotate("two")
    with pytest.raises(Unauthenticated):
        authenticate(issuer.token(), Door.MCP)
    assert issuer.fetched == 1
    clock.pass_(seconds=30)
    authenticate(issuer.token(), Door.MCP)
    assert issuer.fetched == 2
    issuer.down = True
    clock.pass_(hours=2)
    authenticate(issuer.token(), Door.MCP)
    assert issuer.fetched == 3


def test_an_issuer_that_never_answered_is_told_and_asked_again(keys: MemoryKeys, clock: StillClock) -> None:
    issuer = Issuer()
    issuer.down = True
    authenticate = _authenticate(issuer, keys, clock)
    with pytest.raises(IdentityUnavailable):
        authenticate(issuer.token(), Door.MCP)
    issuer.down = False
    assert authenticate(issuer.token(), Door.MCP).user_id


def test_two_first_requests_make_one_account(issuer: Issuer, clock: StillClock) -> None:
    class Late(MemoryKeys):
        """Does not see the account that the other request makes meanwhile."""

        looks = 0

        def user_of(self, subject_hash: str) -> str | None:
            self.looks += 1
            return None if self.looks == 2 else super().user_of(subject_hash)

    keys = Late()
    authenticate = _authenticate(issuer, keys, clock)
    first = authenticate(issuer.token(), Door.MCP)
    assert authenticate(issuer.token(), Door.MCP).user_id == first.user_id
    assert len(keys.accounts) == 1


def test_a_store_that_is_busy_says_so(issuer: Issuer, clock: StillClock) -> None:
    class Busy(MemoryKeys):
        def add_account(self, *_: Any) -> None:
            raise StoreBusy

    with pytest.raises(StoreBusy):
        _authenticate(issuer, Busy(), clock)(issuer.token(), Door.MCP)


def test_an_account_that_was_deleted_stays_deleted(issuer: Issuer, keys: MemoryKeys, clock: StillClock) -> None:
    authenticate = _authenticate(issuer, keys, clock)
    gone = authenticate(issuer.token(), Door.MCP)
    del keys.accounts[gone.user_id]
    with pytest.raises(Unauthenticated):
        authenticate(issuer.token(), Door.MCP)


def test_without_an_issuer_no_such_token_is_taken(issuer: Issuer, keys: MemoryKeys, clock: StillClock) -> None:
    with pytest.raises(Unauthenticated):
        Authenticate(keys, clock)(issuer.token(), Door.MCP)


@pytest.mark.parametrize("name", [None, "", " ", "a\nb", "x" * 300])
def test_names_are_lines(issuer: Issuer, keys: MemoryKeys, clock: StillClock, name: str | None) -> None:
    who = _authenticate(issuer, keys, clock)(issuer.token(username=name, sub="carla"), Door.MCP)
    found = keys.accounts[who.user_id].name
    assert found.isprintable()
    assert 0 < len(found) <= 200


def test_our_own_tokens_are_no_jwt() -> None:
    assert not is_jwt("acv_" + "0" * 26 + "_" + "x" * 43)
