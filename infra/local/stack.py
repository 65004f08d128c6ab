"""A deployed stack on a local cloud: its addresses, and a key to every door."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from localstack_client.session import Session

from infra.clients import Clients

ONE_TRY = Config(retries={"total_max_attempts": 1})
KEY = "test"
"""Key and secret of the local cloud's owner; it listens on this machine only."""


@dataclass(frozen=True)
class Stack:
    """What a client, a test or the seeding needs to know."""

    name: str
    api_url: str
    endpoint_url: str
    region: str
    outputs: Mapping[str, str]
    index_path: Path
    search: Mapping[str, str]
    """How it searches, as settings of the environment."""

    def admin_session(self) -> Clients:
        """A session that may do everything; `.client(...)` and `.resource(...)` as boto3 has them."""
        return session_at(self.endpoint_url, self.region)

    def session_as(self, function: str) -> Clients:
        """A session that may do what one function may, and no more."""
        sts = self.admin_session().client("sts")
        keys = sts.assume_role(RoleArn=self.role_arn(function), RoleSessionName="acervo")["Credentials"]
        return EndpointSession(
            boto3.Session(keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"], self.region),
            self.endpoint_url,
        )

    def environment(self) -> dict[str, str]:
        """What a process outside needs to work on this stack's tables as its administrator."""
        return {
            "ACERVO_RECORDS_TABLE": self.outputs["RecordsTable"],
            "ACERVO_REVISIONS_TABLE": self.outputs["RevisionsTable"],
            "ACERVO_EPHEMERAL_TABLE": self.outputs["EphemeralTable"],
            "ACERVO_CONTENT_BUCKET": self.outputs["ContentBucket"],
            **self.search,
            "ACERVO_EMBED_QUEUE_URL": self.outputs["EmbedQueue"],
            "ACERVO_EXTRACT_QUEUE_URL": self.outputs["ExtractQueue"],
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": KEY,
            "AWS_REGION": self.region,
            "AWS_DEFAULT_REGION": self.region,
            "AWS_ENDPOINT_URL": self.endpoint_url,
        }

    def role_arn(self, function: str) -> str:
        """The role of `APIHandler`, `Answers`, `Embed`, `Export`, `Extract`, `Index`, `Purge` or `Sweep`."""
        return self.outputs[f"{function}RoleArn"]

    def function_name(self, function: str) -> str:
        """The deployed name of `APIHandler`, `Embed`, `Export`, `Extract`, `Index`, `Purge` or `Sweep`."""
        return self.outputs[f"{function}Name"]


@dataclass(frozen=True)
class EndpointSession:
    """A boto3 session whose clients all go to one address, and do not try again."""

    session: Any
    endpoint_url: str

    def client(self, service_name: str) -> Any:  # noqa: ANN401 - as boto3
        """A client at the address."""
        return self.session.client(service_name, endpoint_url=self.endpoint_url, config=ONE_TRY)

    def resource(self, service_name: str) -> Any:  # noqa: ANN401 - as boto3
        """A resource at the address."""
        return self.session.resource(service_name, endpoint_url=self.endpoint_url, config=ONE_TRY)


def session_at(endpoint_url: str, region: str) -> Clients:
    """An owner's session at a local cloud, whatever AWS settings the caller's shell has."""
    session: Clients = Session(
        aws_access_key_id=KEY,
        aws_secret_access_key=KEY,
        region_name=region,
        localstack_host=endpoint_url.split("://", 1)[-1].rstrip("/"),
    )
    found: str = session.client("sts").meta.endpoint_url
    if found.rstrip("/") != endpoint_url.rstrip("/"):
        raise ValueError(f"AWS_ENDPOINT_URL points to {found}, not to {endpoint_url}: unset it.")
    return session


def api_url(endpoint_url: str, outputs: Mapping[str, str]) -> str:
    """Where the REST API answers: the id changes with each change of the API, so always ask the outputs."""
    stage = outputs["EndpointURL"].rstrip("/").rsplit("/", 1)[-1]
    return f"{endpoint_url.rstrip('/')}/_aws/execute-api/{outputs['RestAPIId']}/{stage}"
