"""The laptop cloud as a whole: emulator, package, deployment - for `make up` and for the tests."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from infra.deployment import Deployer
from infra.local import answering, emulation, gateway
from infra.local.answering import Answering
from infra.local.emulation import Emulation
from infra.local.places import REGION, STAGE, Places
from infra.local.stack import Stack, api_url, session_at
from infra.package import build

STACK = "acervo-dev"
ARTIFACTS = "acervo-artifacts"
UNLIMITED = "100000"
SEARCH = {
    "ACERVO_SEARCH": "Search",
    "ACERVO_SQLITE_PATH": "SqlitePath",
    "ACERVO_OPENSEARCH_URL": "OpenSearchUrl",
    "ACERVO_EMBEDDER": "Embedder",
    "ACERVO_EMBEDDING_MODEL": "EmbeddingModel",
    "ACERVO_EMBEDDING_DIMENSION": "EmbeddingDimension",
    "ACERVO_EMBEDDING_URL": "EmbeddingUrl",
    "ACERVO_EMBEDDING_QUERY_PREFIX": "EmbeddingQueryPrefix",
    "ACERVO_EMBEDDING_PASSAGE_PREFIX": "EmbeddingPassagePrefix",
}
"""Settings of search that may be chosen for `make up`, and the parameters of the template that set them."""

PEOPLE = {
    "ACERVO_OIDC_ISSUER": "OidcIssuer",
    "ACERVO_OIDC_AUDIENCE": "OidcAudience",
    "ACERVO_OIDC_SCOPES": "OidcScopes",
    "ACERVO_OIDC_KEYS_URL": "OidcKeysUrl",
    "ACERVO_OIDC_CLIENT_ID": "OidcClientId",
    "ACERVO_OIDC_ASKED_SCOPES": "OidcAskedScopes",
}
"""Settings of an identity provider that may be chosen for `make up`, likewise."""


@dataclass(frozen=True)
class Laptop:
    """A running laptop cloud with Acervo on it."""

    emulation: Emulation
    stack: Stack
    answering: Answering


@contextmanager
def laptop(places: Places, *, persist: bool) -> Iterator[Laptop]:
    """Start, deploy, hand over, and stop for certain."""
    with ThreadPoolExecutor(1) as worker:
        packaging = worker.submit(build, places.build, thin=True)
        emulator = emulation.start(places, persist=persist)
        try:
            packaging.result()
            stack = deploy(places, emulator.endpoint_url)
            answers = answering.start(places, stack)
            try:
                yield Laptop(emulator, stack, answers)
            finally:
                answers.stop()
        finally:
            emulator.stop()


def deploy(places: Places, endpoint_url: str) -> Stack:
    """Deploy the package in the places' build folder, and mend what the emulator drops."""
    session = session_at(endpoint_url, REGION)
    done = Deployer(session, REGION, glance_s=0.03).deploy(
        places.build, STACK, parameters(places, endpoint_url), ARTIFACTS
    )
    if done.changed:
        template = (places.build / "sam.yaml").read_text()
        gateway.mend(session.client("apigateway"), done.outputs["RestAPIId"], template)
    return Stack(
        STACK, api_url(endpoint_url, done.outputs), endpoint_url, REGION, done.outputs, places.index, search(places)
    )


def search(places: Places) -> dict[str, str]:
    """How the laptop searches: as the environment says, else in one file and with the embedder of its own."""
    defaults = {"ACERVO_SEARCH": "sqlite", "ACERVO_EMBEDDER": "e5", "ACERVO_SQLITE_PATH": str(places.index)}
    given = {name: value for name, value in places.environment.items() if name in SEARCH and value}
    return {**defaults, **given}


def parameters(places: Places, endpoint_url: str) -> dict[str, str]:
    """One machine, one user: the embedded engine, quick retries, no throttling, no log role."""
    return {
        "AccessLog": "off",
        "ApiBurstLimit": UNLIMITED,
        "ApiRateLimit": UNLIMITED,
        "Cloud": "local",
        **{SEARCH[name]: value for name, value in search(places).items()},
        **{PEOPLE[name]: value for name, value in places.environment.items() if name in PEOPLE and value},
        "AnswersPublicUrl": places.answers_url(),
        "PublicUrl": endpoint_url + "/_aws/execute-api/{api_id}/{stage}",
        "EmbedConcurrency": "2",
        "ExtractConcurrency": "2",
        "ExtractVisibilitySeconds": "60",
        "SignInTries": UNLIMITED,
        "Stage": STAGE,
        "StreamRetryAttempts": "4",
    }
