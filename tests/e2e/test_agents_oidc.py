"""Bearer tokens of a real issuer, the local cloud's Cognito, verified as the REST function would verify them."""

from typing import Any

import pytest

from chalicelib.access.identities import AuthenticateIdentity
from chalicelib.access.tokens import Authenticate
from chalicelib.adapters.machine import RandomIds, SystemClock
from chalicelib.adapters.oidc.tokens import IssuerKeys, OidcTokens, published
from chalicelib.domain.errors import Unauthenticated
from chalicelib.domain.spaces import Door
from infra.local.stack import Stack
from tests.fakes.keys import MemoryKeys

pytestmark = pytest.mark.promise("A1")


@pytest.fixture(scope="module")
def pool(stack: Stack) -> dict[str, Any]:
    """A user pool with one person in it, and the tokens they got by logging in."""
    cognito: Any = stack.admin_session().client("cognito-idp")
    pool_id = cognito.create_user_pool(PoolName="people")["UserPool"]["Id"]
    client = cognito.create_user_pool_client(
        UserPoolId=pool_id,
        ClientName="agents",
        ExplicitAuthFlows=["ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
    )["UserPoolClient"]["ClientId"]
    cognito.admin_create_user(UserPoolId=pool_id, Username="ana", MessageAction="SUPPRESS")
    cognito.admin_set_user_password(UserPoolId=pool_id, Username="ana", Password="Long-enough-1", Permanent=True)
    logged_in = cognito.admin_initiate_auth(
        UserPoolId=pool_id,
        ClientId=client,
        AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": "ana", "PASSWORD": "Long-enough-1"},
    )["AuthenticationResult"]
    return {"id": pool_id, "client": client, **logged_in}


def _authenticate(stack: Stack, pool: dict[str, Any], client: str) -> Authenticate:
    keys, clock = MemoryKeys(), SystemClock()
    issuer = f"https://cognito-idp.{stack.region}.amazonaws.com/{pool['id']}"
    fetch = published(issuer, f"{stack.endpoint_url}/{pool['id']}/.well-known/jwks.json")
    tokens = OidcTokens(issuer, frozenset({client}), frozenset({"memory:read"}), IssuerKeys(fetch, clock))
    return Authenticate(keys, clock, AuthenticateIdentity(keys, tokens, RandomIds(), clock))


def test_an_access_token_of_the_pool_is_a_person_with_a_space(stack: Stack, pool: dict[str, Any]) -> None:
    authenticate = _authenticate(stack, pool, pool["client"])
    principal = authenticate(pool["AccessToken"], Door.MCP)
    assert principal.scopes == {"memory:read"}
    assert principal.roles.keys() == {principal.personal_space_id}
    assert authenticate(pool["AccessToken"], Door.MCP).user_id == principal.user_id


@pytest.mark.parametrize("kind", ["IdToken", "RefreshToken"])
def test_its_other_tokens_open_nothing(stack: Stack, pool: dict[str, Any], kind: str) -> None:
    with pytest.raises(Unauthenticated):
        _authenticate(stack, pool, pool["client"])(pool[kind], Door.MCP)


def test_a_token_for_another_client_opens_nothing(stack: Stack, pool: dict[str, Any]) -> None:
    with pytest.raises(Unauthenticated):
        _authenticate(stack, pool, "another")(pool["AccessToken"], Door.MCP)


def test_a_token_that_was_touched_opens_nothing(stack: Stack, pool: dict[str, Any]) -> None:
    head, body, signature = pool["AccessToken"].split(".")
    with pytest.raises(Unauthenticated):
        _authenticate(stack, pool, pool["client"])(f"{head}.{body}.{signature[::-1]}", Door.MCP)
