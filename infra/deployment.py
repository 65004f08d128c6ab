"""Puts a package into a cloud by CloudFormation: AWS, LocalStack or the laptop, all the same way."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from infra.clients import Clients

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_s3 import S3Client

CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
CODE = "./deployment.zip"
FINGERPRINT = "0" * 64
"""Stands in the template where the hash of everything that makes a version has to be."""
PATIENCE_S = 1800.0
GLANCE_S = 0.05
REGION_WITHOUT_CONSTRAINT = "us-east-1"
"""S3 refuses to be told this one."""


class DeploymentError(Exception):
    """CloudFormation refused or rolled back; the message has its reasons."""


@dataclass(frozen=True)
class Deployment:
    """What a deployment left: the stack's outputs, and whether anything changed."""

    outputs: Mapping[str, str]
    changed: bool


@dataclass(frozen=True)
class Deployer:
    """A session with the right to deploy, and how often to look at progress."""

    session: Clients
    region: str
    glance_s: float = 3.0

    def deploy(self, folder: Path, stack: str, parameters: Mapping[str, str], artifacts: str) -> Deployment:
        """Bring the stack to what the package in `folder` says; data stay."""
        template_url = self._upload(folder, parameters, artifacts)
        cloudformation = self.session.client("cloudformation")
        self._clear_failed_creation(cloudformation, stack)
        request = {
            "StackName": stack,
            "TemplateURL": template_url,
            "Capabilities": CAPABILITIES,
            "Parameters": [{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()],
            "Tags": [{"Key": "application", "Value": "acervo"}],
        }
        changed = self._create_or_update(cloudformation, request)
        return Deployment(self._wait(cloudformation, stack), changed)

    def _upload(self, folder: Path, parameters: Mapping[str, str], bucket: str) -> str:
        """Code under its hash, so that unchanged code is no change; the template beside it."""
        storage = self.session.client("s3")
        self._ensure_bucket(storage, bucket)
        code = (folder / "deployment.zip").read_bytes()
        code_key = f"acervo/{hashlib.sha256(code).hexdigest()}.zip"
        template = fingerprinted(
            (folder / "sam.yaml").read_text().replace(CODE, f"s3://{bucket}/{code_key}"), parameters
        )
        template_key = f"acervo/{hashlib.sha256(template).hexdigest()}.yaml"
        storage.put_object(Bucket=bucket, Key=code_key, Body=code)
        storage.put_object(Bucket=bucket, Key=template_key, Body=template)
        return f"{storage.meta.endpoint_url}/{bucket}/{template_key}"

    def _ensure_bucket(self, storage: "S3Client", bucket: str) -> None:
        try:
            storage.head_bucket(Bucket=bucket)
        except ClientError as missing:
            if missing.response["Error"]["Code"] not in {"404", "NoSuchBucket"}:
                raise DeploymentError(f"The bucket {bucket} for the code cannot be used: {missing}") from missing
            request: dict[str, Any] = {"Bucket": bucket}
            if self.region != REGION_WITHOUT_CONSTRAINT:
                request["CreateBucketConfiguration"] = {"LocationConstraint": self.region}
            storage.create_bucket(**request)

    def _clear_failed_creation(self, cloudformation: "CloudFormationClient", stack: str) -> None:
        """A stack whose creation failed can only be deleted; it never held data."""
        if _status(cloudformation, stack) == "ROLLBACK_COMPLETE":
            cloudformation.delete_stack(StackName=stack)
            self._until_settled(cloudformation, stack)

    def _create_or_update(self, cloudformation: "CloudFormationClient", request: Mapping[str, Any]) -> bool:
        try:
            if _status(cloudformation, request["StackName"]) in {None, "DELETE_COMPLETE"}:
                cloudformation.create_stack(**request)
            else:
                cloudformation.update_stack(**request)
        except ClientError as refused:
            if "No updates are to be performed" in str(refused):
                return False
            raise DeploymentError(f"CloudFormation refused the template: {refused}") from refused
        return True

    def _wait(self, cloudformation: "CloudFormationClient", stack: str) -> dict[str, str]:
        status = self._until_settled(cloudformation, stack)
        if status not in {"CREATE_COMPLETE", "UPDATE_COMPLETE"}:
            raise DeploymentError(f"The stack {stack} ended as {status}:\n{_reasons(cloudformation, stack)}")
        described = cloudformation.describe_stacks(StackName=stack)["Stacks"][0]
        return {output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", [])}

    def _until_settled(self, cloudformation: "CloudFormationClient", stack: str) -> str | None:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            status = _status(cloudformation, stack)
            if status is None or not status.endswith("_IN_PROGRESS"):
                return status
            time.sleep(self.glance_s)
        raise DeploymentError(f"The stack {stack} is still changing after {PATIENCE_S / 60:.0f} minutes.")


def fingerprinted(template: str, parameters: Mapping[str, str]) -> bytes:
    """The template with the hash of itself and its parameters filled in."""
    whole = template + json.dumps(dict(parameters), sort_keys=True)
    return template.replace(FINGERPRINT, hashlib.sha256(whole.encode()).hexdigest()).encode()


def _status(cloudformation: "CloudFormationClient", stack: str) -> str | None:
    try:
        status: str = cloudformation.describe_stacks(StackName=stack)["Stacks"][0]["StackStatus"]
    except ClientError as missing:
        if "does not exist" in str(missing):
            return None
        raise
    return status


def _reasons(cloudformation: "CloudFormationClient", stack: str) -> str:
    events = cloudformation.describe_stack_events(StackName=stack)["StackEvents"]
    return "\n".join(
        f"  {event['LogicalResourceId']}: {event.get('ResourceStatusReason', event['ResourceStatus'])}"
        for event in events
        if event["ResourceStatus"].endswith("_FAILED")
    )
