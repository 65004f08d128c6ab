"""What the stream door is told of where it stands, besides the desk."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from chalicelib.access.ports import Secrets
from chalicelib.domain.watching import Journal
from chalicelib.settings import Settings


@dataclass(frozen=True, slots=True)
class Front:
    """Where the door stands."""

    adapted: bool
    """Whether the Lambda Web Adapter hands requests over, whose headers are believed then."""
    public_url: str
    """What its addresses begin with; empty to take it from each request."""
    image_origin: str
    """Where pictures are fetched from."""
    console_origin: str
    """Where the console is, which may frame any page to show it to its owner; empty if that is not known."""
    robot_check: str
    """`altcha`, `turnstile` or `none`."""
    journal: Journal
    secrets: Secrets


def front() -> Front:
    """Where this process stands, as the settings say. Raises BadSettings."""
    from chalicelib.adapters.machine import SystemSecrets
    from chalicelib.wiring import journal, settings

    given = settings()
    return Front(
        adapted=given.answers_adapted,
        public_url=given.answers_public_url.rstrip("/"),
        image_origin=_bucket_origin(given),
        console_origin=_origin(given.public_url),
        robot_check=given.proof,
        journal=journal(),
        secrets=SystemSecrets(),
    )


def _bucket_origin(settings: Settings) -> str:
    """The origin that signed addresses of the bucket have."""
    import boto3
    from botocore.config import Config

    client = boto3.client("s3", config=Config(signature_version="s3v4"))
    asked = {"Bucket": settings.content_bucket, "Key": "images"}
    return _origin(client.generate_presigned_url("get_object", Params=asked))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
