"""What a session has to offer here: boto3's own, and LocalStack's stand-in for it, both do."""

from typing import Any, Protocol


class Clients(Protocol):
    """Makes clients of services."""

    def client(self, service_name: str) -> Any:  # noqa: ANN401 - boto3 makes its classes at run time
        """A low-level client."""

    def resource(self, service_name: str) -> Any:  # noqa: ANN401
        """A resource, where the service has them."""
