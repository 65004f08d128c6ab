"""The laptop cloud as a whole: emulator, package, deployment - for `make up` and for the tests."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from infra.deployment import Deployer
from infra.local import emulation, gateway
from infra.local.emulation import Emulation
from infra.local.places import REGION, STAGE, Places
from infra.local.stack import Stack, api_url, session_at
from infra.package import build

STACK = "acervo-dev"
ARTIFACTS = "acervo-artifacts"
UNLIMITED = "100000"


@dataclass(frozen=True)
class Laptop:
    """A running laptop cloud with Acervo on it."""

    emulation: Emulation
    stack: Stack


@contextmanager
def laptop(places: Places, *, persist: bool) -> Iterator[Laptop]:
    """Start, deploy, hand over, and stop for certain."""
    with ThreadPoolExecutor(1) as worker:
        packaging = worker.submit(build, places.build, thin=True)
        emulator = emulation.start(places, persist=persist)
        try:
            packaging.result()
            yield Laptop(emulator, deploy(places, emulator.endpoint_url))
        finally:
            emulator.stop()


def deploy(places: Places, endpoint_url: str) -> Stack:
    """Deploy the package in the places' build folder, and mend what the emulator drops."""
    session = session_at(endpoint_url, REGION)
    done = Deployer(session, REGION, glance_s=0.03).deploy(places.build, STACK, parameters(places), ARTIFACTS)
    if done.changed:
        template = (places.build / "sam.yaml").read_text()
        gateway.mend(session.client("apigateway"), done.outputs["RestAPIId"], template)
    return Stack(STACK, api_url(endpoint_url, done.outputs), endpoint_url, REGION, done.outputs, places.index)


def parameters(places: Places) -> dict[str, str]:
    """One machine, one user: the embedded engine, quick retries, no throttling, no log role."""
    return {
        "AccessLog": "off",
        "ApiBurstLimit": UNLIMITED,
        "ApiRateLimit": UNLIMITED,
        "Cloud": "local",
        "OpenSearchUrl": places.environment.get("ACERVO_OPENSEARCH_URL", ""),
        "Search": places.environment.get("ACERVO_SEARCH", "sqlite"),
        "SqlitePath": str(places.index),
        "Stage": STAGE,
        "StreamRetryAttempts": "4",
    }
