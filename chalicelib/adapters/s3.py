"""Big content in an S3 bucket, with its versions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.errors import KnowledgeRuntimeDisabled, NotFound, StoreBusy

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_BATCH = 1000
"""Keys of one DeleteObjects, by S3's limits."""


@dataclass(frozen=True, slots=True)
class S3Blobs:
    """The port `Blobs` over one bucket."""

    client: "S3Client"
    bucket: str

    def put(self, key: str, content: bytes) -> None:
        """Store the content under the key."""
        kind = "text/markdown; charset=utf-8"
        _call(lambda: self.client.put_object(Bucket=self.bucket, Key=key, Body=content, ContentType=kind))

    def get(self, key: str) -> bytes:
        """The content. Raises NotFound if it is gone."""
        found = _call(partial(self.client.get_object, Bucket=self.bucket, Key=key))
        return _call(found["Body"].read)

    def count(self, prefix: str) -> int:
        """How many objects lie under the prefix, every version counted."""
        return sum(1 for _ in self._versions(prefix, "Versions"))

    def erase(self, prefix: str) -> None:
        """Remove all versions of all objects under the prefix, and the markers of what was deleted before."""
        doomed = [*self._versions(prefix, "Versions"), *self._versions(prefix, "DeleteMarkers")]
        for begin in range(0, len(doomed), _BATCH):
            batch: Any = {"Objects": doomed[begin : begin + _BATCH], "Quiet": True}
            answer = _call(partial(self.client.delete_objects, Bucket=self.bucket, Delete=batch))
            if answer.get("Errors"):
                raise StoreBusy

    def _versions(self, prefix: str, kind: str) -> Iterator[dict[str, str]]:
        asked: Any = {"Bucket": self.bucket, "Prefix": prefix}
        while True:
            page: Any = _call(partial(self.client.list_object_versions, **asked))
            for each in page.get(kind, []):
                yield {"Key": each["Key"], "VersionId": each["VersionId"]}
            if not page.get("IsTruncated"):
                return
            asked = {**asked, "KeyMarker": page["NextKeyMarker"], "VersionIdMarker": page["NextVersionIdMarker"]}


def _call[T](call: Callable[[], T]) -> T:
    try:
        return call()
    except ClientError as fault:
        code = fault.response["Error"]["Code"]
        if code == "NoSuchKey":
            raise NotFound from fault
        if code == "NoSuchBucket":
            raise KnowledgeRuntimeDisabled from fault
        if fault.response["ResponseMetadata"]["HTTPStatusCode"] >= 500 or code == "SlowDown":  # noqa: PLR2004
            raise StoreBusy from fault
        raise
    except BotoCoreError as fault:
        raise StoreBusy from fault
