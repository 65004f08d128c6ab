"""What the stream door is told of where it stands, besides the desk."""

from dataclasses import dataclass

from chalicelib.access.ports import Secrets
from chalicelib.domain.watching import Journal


@dataclass(frozen=True, slots=True)
class Front:
    """Where the door stands."""

    adapted: bool
    """Whether the Lambda Web Adapter hands requests over, whose headers are believed then."""
    public_url: str
    """What its addresses begin with; empty to take it from each request."""
    image_origin: str
    """Where pictures are fetched from."""
    robot_check: str
    """`altcha`, `turnstile` or `none`."""
    journal: Journal
    secrets: Secrets
