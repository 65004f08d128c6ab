"""The workers as Chalice takes them: Lambda finds each by its name in this module."""

from typing import Any

from chalice.app import Blueprint, CloudWatchEvent, Cron, DynamoDBEvent, Rate, SQSEvent

from chalicelib.wiring import journal, services
from chalicelib.workers import extract as reading
from chalicelib.workers import follow
from chalicelib.workers.stream import Failures

STREAM = "arn:aws:dynamodb:us-east-1:123456789012:table/records/stream/2026-01-01T00:00:00.000"
QUEUE = "arn:aws:sqs:us-east-1:123456789012:queue"
"""Stand in for names of the stream and a queue, which the template puts there."""

blueprint = Blueprint(__name__)


@blueprint.on_dynamodb_record(STREAM)
def index(event: DynamoDBEvent) -> Failures:
    """Keep the search index in step with items, and have topic maps compiled."""
    return follow.index(event.to_dict(), services(), journal())


@blueprint.on_sqs_message(queue_arn=QUEUE, batch_size=1)
def embed(event: SQSEvent) -> Failures:
    """Give items the vectors that they lack, and bases the topic maps."""
    context: Any = event.context
    return follow.embed(event.to_dict(), context.get_remaining_time_in_millis, services(), journal())


@blueprint.on_dynamodb_record(STREAM)
def purge(event: DynamoDBEvent) -> Failures:
    """Go on with deletions for good."""
    context: Any = event.context
    return follow.purge(event.to_dict(), context.get_remaining_time_in_millis, services(), journal())


@blueprint.schedule(Cron(17, 3, "*", "*", "?", "*"))
def reconcile(event: CloudWatchEvent) -> dict[str, int]:
    """Compare the search index with the table, and mend it."""
    context: Any = event.context
    return follow.reconcile(context.get_remaining_time_in_millis, services())


@blueprint.on_dynamodb_record(STREAM)
def export(event: DynamoDBEvent) -> Failures:
    """Pack exports of accounts."""
    return follow.export(event.to_dict(), services(), journal())


@blueprint.on_sqs_message(queue_arn=QUEUE, batch_size=1)
def extract(event: SQSEvent) -> Failures:
    """Read uploaded and dropped documents."""
    return reading.extract(event.to_dict(), services(), journal())


@blueprint.schedule(Rate(5, unit=Rate.MINUTES))
def sweep(_: CloudWatchEvent) -> dict[str, int]:
    """Wake deletions that need it, and tidy up."""
    return follow.sweep(services())


@blueprint.schedule(Cron(0, 0, "*", "*", "?", "*"))
def reset(_: CloudWatchEvent) -> dict[str, int]:
    """Begin the day of public pages: the fuse counts anew, and yesterday's addresses are forgotten."""
    return follow.reset(services())
