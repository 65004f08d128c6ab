"""Big content in an S3 bucket, with its versions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.errors import ImageRefused, KnowledgeRuntimeDisabled, NotFound, StoreBusy, UploadMissing
from chalicelib.domain.files import Form
from chalicelib.domain.pages import Image
from chalicelib.domain.time import Clock
from chalicelib.ingest.ports import Stored
from chalicelib.knowledge.content import maps_folder

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_LINKED_S = 600
"""Seconds that a link to an archive works."""

_BATCH = 1000
"""Keys of one DeleteObjects, by S3's limits."""


@dataclass(frozen=True, slots=True)
class S3Blobs:
    """The ports `Blobs` and `Parcels` over one bucket."""

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

    def store(self, key: str, archive: IO[bytes]) -> None:
        """Store an archive under its key, in parts if it is large."""
        kind = {"ContentType": "application/zip"}
        _call(lambda: self.client.upload_fileobj(archive, self.bucket, key, ExtraArgs=kind))

    def link(self, key: str, filename: str) -> str:
        """An address that anybody can read the object at, for ten minutes."""
        asked = {"Bucket": self.bucket, "Key": key, "ResponseContentDisposition": f'attachment; filename="{filename}"'}
        return _call(lambda: self.client.generate_presigned_url("get_object", Params=asked, ExpiresIn=_LINKED_S))

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

    def count_object(self, key: str, version: str | None) -> int:
        """How many versions of exactly that object there are; of one version, whether it is there."""
        return sum(1 for _ in self._exactly(key, version, "Versions"))

    def erase_object(self, key: str, version: str | None) -> None:
        """Remove one version of exactly that object, or all."""
        kinds = ("Versions",) if version else ("Versions", "DeleteMarkers")
        for each in [found for kind in kinds for found in self._exactly(key, version, kind)]:
            gone = partial(self.client.delete_object, Bucket=self.bucket, Key=key, VersionId=each["VersionId"])
            _call(gone)

    def _exactly(self, key: str, version: str | None, kind: str) -> Iterator[dict[str, str]]:
        for each in self._versions(key, kind):
            if each["Key"] == key and version in {None, each["VersionId"]}:
                yield each

    def _versions(self, prefix: str, kind: str) -> Iterator[dict[str, str]]:
        asked: Any = {"Bucket": self.bucket, "Prefix": prefix}
        while True:
            page: Any = _call(partial(self.client.list_object_versions, **asked))
            for each in page.get(kind, []):
                yield {"Key": each["Key"], "VersionId": each["VersionId"]}
            if not page.get("IsTruncated"):
                return
            asked = {**asked, "KeyMarker": page["NextKeyMarker"], "VersionIdMarker": page["NextVersionIdMarker"]}


@dataclass(frozen=True, slots=True)
class S3Originals:
    """The port `Originals` over the same bucket."""

    client: "S3Client"
    blobs: S3Blobs
    clock: Clock

    def form(self, key: str, media_type: str, size: int, expires_at: datetime) -> Form:
        """A form for one file of that type and at most that size, which can be used until then."""
        left = max(1, int((expires_at - self.clock.now()).total_seconds()))
        conditions: list[Any] = [{"Content-Type": media_type}, ["content-length-range", 1, size]]
        made = self.client.generate_presigned_post(
            self.blobs.bucket, key, Fields={"Content-Type": media_type}, Conditions=conditions, ExpiresIn=left
        )
        return Form(made["url"], made["fields"], expires_at)

    def origin(self) -> str:
        """Where forms are posted to and links lead."""
        address = urlsplit(self.client.generate_presigned_post(self.blobs.bucket, "origin")["url"])
        return f"{address.scheme}://{address.netloc}"

    def link(self, key: str, version: str | None, filename: str) -> str:
        """An address that anybody can save a version of the file from, under that name, for ten minutes."""
        asked = {
            "Bucket": self.blobs.bucket,
            "Key": key,
            **_version(version),
            # Saved, never shown: RFC 6266 for the name, and no type that a browser would open.
            "ResponseContentDisposition": f"attachment; filename*=UTF-8''{quote(filename, safe='')}",
            "ResponseContentType": "application/octet-stream",
        }
        return _call(lambda: self.client.generate_presigned_url("get_object", Params=asked, ExpiresIn=_LINKED_S))

    def look(self, key: str, version: str | None) -> Stored | None:
        """What is known of a version of an object, by default the latest; None if it is not there."""
        try:
            found = _call(partial(self.client.head_object, Bucket=self.blobs.bucket, Key=key, **_version(version)))
        except NotFound:
            return None
        return Stored(
            version=found.get("VersionId"),
            size=found["ContentLength"],
            modified=found["LastModified"],
            metadata=found.get("Metadata", {}),
        )

    def fetch(self, key: str, version: str | None) -> bytes:
        """The file. Raises UploadMissing."""
        try:
            found = _call(partial(self.client.get_object, Bucket=self.blobs.bucket, Key=key, **_version(version)))
        except NotFound:
            raise UploadMissing from None
        return _call(found["Body"].read)

    def erase_object(self, key: str, version: str | None) -> None:
        """Remove one version of exactly that object, or all."""
        self.blobs.erase_object(key, version)


_SHOWN_S = 3600
"""Seconds that the address of a picture works."""


@dataclass(frozen=True, slots=True)
class S3Pictures:
    """The ports `Pictures` and `ImageAddresses` over the same bucket."""

    originals: S3Originals

    def form(self, key: str, media_type: str, size: int, expires_at: datetime) -> Form:
        """A form that uploads one file of that type and at most that size, until then."""
        return self.originals.form(key, media_type, size, expires_at)

    def fetch(self, key: str, most: int) -> bytes:
        """An uploaded file."""
        blobs = self.originals.blobs
        try:
            found = _call(partial(blobs.client.get_object, Bucket=blobs.bucket, Key=key))
        except NotFound:
            raise UploadMissing from None
        if found["ContentLength"] > most:
            raise ImageRefused(reason=f"it has {found['ContentLength']} bytes, and at most {most} are taken")
        return _call(found["Body"].read)

    def put(self, key: str, media_type: str, content: bytes) -> None:
        """Keep a picture to be shown."""
        blobs = self.originals.blobs
        _call(lambda: blobs.client.put_object(Bucket=blobs.bucket, Key=key, Body=content, ContentType=media_type))

    def erase(self, prefix: str) -> None:
        """Remove every version of all files whose keys begin so."""
        self.originals.blobs.erase(prefix)

    def url(self, image: Image) -> str:
        """An address of the bucket that anybody can read the picture at, for an hour, and as a picture only."""
        blobs = self.originals.blobs
        asked = {
            "Bucket": blobs.bucket,
            "Key": image.key,
            "ResponseContentType": image.media_type,
            "ResponseCacheControl": f"private, max-age={_SHOWN_S}",
        }
        return _call(lambda: blobs.client.generate_presigned_url("get_object", Params=asked, ExpiresIn=_SHOWN_S))


@dataclass(frozen=True, slots=True)
class S3Maps:
    """The port `MapStore` over the same bucket."""

    blobs: S3Blobs

    def map(self, base_id: str) -> bytes:
        """The map of a base. Raises NotFound."""
        try:
            return self.blobs.get(f"{maps_folder(base_id)}topics")
        except ClientError as fault:
            # Whoever may not list a bucket is not told what is missing in it, but that it may not be read.
            # Source: Amazon S3, GetObject, "Permissions".
            if fault.response["Error"]["Code"] == "AccessDenied":
                raise NotFound from fault
            raise

    def put_map(self, base_id: str, content: bytes) -> None:
        """Keep the map of a base."""
        key, kind = f"{maps_folder(base_id)}topics", "application/octet-stream"
        _call(lambda: self.blobs.client.put_object(Bucket=self.blobs.bucket, Key=key, Body=content, ContentType=kind))


def _version(version: str | None) -> dict[str, Any]:
    return {"VersionId": version} if version else {}


def _call[T](call: Callable[[], T]) -> T:
    try:
        return call()
    except ClientError as fault:
        code = fault.response["Error"]["Code"]
        # A HEAD has no body to say more than its status in; a version that is deleted answers 405.
        if code in {"NoSuchKey", "NoSuchVersion", "404", "405", "MethodNotAllowed"}:
            raise NotFound from fault
        if code == "NoSuchBucket":
            raise KnowledgeRuntimeDisabled from fault
        if fault.response["ResponseMetadata"]["HTTPStatusCode"] >= 500 or code == "SlowDown":  # noqa: PLR2004
            raise StoreBusy from fault
        raise
    except BotoCoreError as fault:
        raise StoreBusy from fault
