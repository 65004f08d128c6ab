"""The workers as Chalice takes them."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from chalice.app import Blueprint, CloudWatchEvent, DynamoDBEvent, Rate

from chalicelib.domain.errors import ConcurrentChange, NotFound
from chalicelib.domain.watching import Journal
from chalicelib.wiring import Services
from chalicelib.workers.stream import Failures, changed, each

STREAM = "arn:aws:dynamodb:us-east-1:123456789012:table/records/stream/2026-01-01T00:00:00.000"
"""Stands in for the stream's name, which the template puts there."""

WIND_DOWN_MS = 20_000
"""Time a purge leaves itself to end in order."""


def blueprint(services: Callable[[], Services], journal: Callable[[], Journal]) -> Blueprint:
    """All workers."""
    made = Blueprint(__name__)

    @made.on_dynamodb_record(STREAM, name="index")
    def index(event: DynamoDBEvent) -> Failures:
        """Keep the search index in step with items."""
        return each(changed(event.to_dict(), "item"), services().index_item, "index", journal())

    @made.on_dynamodb_record(STREAM, name="purge")
    def purge(event: DynamoDBEvent) -> Failures:
        """Go on with deletions for good."""
        context: Any = event.context

        def run(purge_id: str) -> None:
            # Another worker is on it, or it is gone: either way there is nothing to do.
            with suppress(ConcurrentChange, NotFound):
                services().run_purge(purge_id, lambda: context.get_remaining_time_in_millis() > WIND_DOWN_MS)

        return each(changed(event.to_dict(), "purge"), run, "purge", journal())

    @made.schedule(Rate(5, unit=Rate.MINUTES), name="sweep")
    def sweep(_: CloudWatchEvent) -> dict[str, int]:
        """Wake deletions that got stuck or are due for their second pass."""
        return {"woken": len(services().sweep_purges())}

    return made
