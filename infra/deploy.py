"""`python -m infra.deploy`: what `make deploy` does.

Reads STAGE, STACK, ARTIFACT_BUCKET, AWS_REGION, AWS_ENDPOINT_URL and PARAMETERS ("Name=value ...").
With AWS_ENDPOINT_URL it deploys to LocalStack or the laptop cloud, without it to the account that
the shell's AWS settings name.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from infra.clients import Clients
from infra.deployment import Deployer, DeploymentError
from infra.local import gateway
from infra.local.stack import api_url, session_at
from infra.package import PackageError, build

BUILD = Path("build") / "package"
DEFAULT_REGION = "eu-west-1"


@dataclass(frozen=True)
class Order:
    """What to deploy where."""

    stage: str
    stack: str
    region: str
    endpoint_url: str
    artifacts: str
    parameters: Mapping[str, str]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Order":
        """Read it; raises ValueError for a parameter that is no `Name=value`."""
        stage = environment.get("STAGE") or "dev"
        pairs = [pair.partition("=") for pair in environment.get("PARAMETERS", "").split()]
        if wrong := [name for name, separator, _ in pairs if not separator]:
            raise ValueError(f"PARAMETERS holds {wrong[0]!r}; write Name=value, separated by blanks.")
        endpoint_url = environment.get("AWS_ENDPOINT_URL", "")
        local = {"Cloud": "local", "AccessLog": "off"} if endpoint_url else {}
        return cls(
            stage=stage,
            stack=environment.get("STACK") or f"acervo-{stage}",
            region=environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or DEFAULT_REGION,
            endpoint_url=endpoint_url,
            artifacts=environment.get("ARTIFACT_BUCKET", ""),
            parameters={"Stage": stage, **local, **{name: value for name, _, value in pairs}},
        )

    def session(self) -> Clients:
        """At the endpoint if one is named, else AWS."""
        if self.endpoint_url:
            return session_at(self.endpoint_url, self.region)
        on_aws: Any = boto3.Session(region_name=self.region)
        return cast("Clients", on_aws)


def deploy(order: Order, folder: Path) -> str:
    """Deploy the package in `folder`; gives the address of the API."""
    session = order.session()
    account = session.client("sts").get_caller_identity()["Account"]
    artifacts = order.artifacts or f"acervo-artifacts-{account}-{order.region}"
    deployer = Deployer(session, order.region, glance_s=0.1 if order.endpoint_url else 3.0)
    done = deployer.deploy(folder, order.stack, order.parameters, artifacts)
    if not order.endpoint_url:
        return done.outputs["EndpointURL"].rstrip("/")
    if done.changed:
        gateway.mend(session.client("apigateway"), done.outputs["RestAPIId"], (folder / "sam.yaml").read_text())
    return api_url(order.endpoint_url, done.outputs)


def main() -> int:
    """Build, deploy, say where it is."""
    try:
        order = Order.from_environment(os.environ)
        build(BUILD)
        print(f"{order.stack} answers at {deploy(order, BUILD)}")
    except (DeploymentError, PackageError, BotoCoreError, ClientError, ValueError) as problem:
        print(problem)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
