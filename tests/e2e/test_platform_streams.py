"""The laptop cloud's table streams behave as Lambda's do, so that what is tested here holds there."""

import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.emulator.verdicts import Progress, Rules, failed, first_failed, succeeded, width
from infra.local.laptop import laptop
from infra.local.places import Places
from infra.local.stack import Stack

pytestmark = pytest.mark.promise("P4")

PATIENCE_S = 20.0
RULES = Rules(batch_size=100, retries=3, bisect=True, partial=True)


def test_a_bad_change_is_split_off_before_it_uses_up_tries() -> None:
    verdict = failed(10, 0, RULES, Progress())
    assert (verdict.advance, verdict.dead, width(RULES, verdict.progress)) == (0, False, 5)
    alone = failed(1, 0, RULES, verdict.progress)
    assert (alone.advance, alone.progress.tries) == (0, 1)


def test_what_was_handled_before_the_failed_change_is_not_handed_out_again() -> None:
    assert failed(10, 4, RULES, Progress()).advance == 4


def test_without_bisecting_the_whole_batch_is_tried_again_and_given_up() -> None:
    rules = Rules(batch_size=10, retries=0, bisect=False, partial=True)
    verdict = failed(10, 0, rules, Progress())
    assert verdict.dead
    assert verdict.advance == 10


def test_negative_retries_mean_for_ever() -> None:
    rules = Rules(batch_size=1, retries=-1, bisect=False, partial=False)
    assert not failed(1, 0, rules, Progress(tries=10_000)).dead


def test_an_unknown_report_condemns_the_whole_batch() -> None:
    assert first_failed(["7", "8"], ["8"]) == 1
    assert first_failed(["7", "8"], ["None"]) == 0
    assert first_failed(["7", "8"], []) is None


@given(
    size=st.integers(1, 40),
    bad=st.sets(st.integers(0, 39)),
    batch=st.integers(1, 12),
    retries=st.integers(0, 3),
    partial=st.booleans(),
)
def test_every_good_change_is_handled_and_every_bad_one_ends_among_the_dead(
    *, size: int, bad: set[int], batch: int, retries: int, partial: bool
) -> None:
    rules = Rules(batch, retries, bisect=True, partial=partial)
    place, progress, handled, dead = 0, Progress(), set[int](), list[int]()
    while place < size:
        taken = range(place, min(size, place + width(rules, progress)))
        wrong = next((number for number in taken if number in bad), None)
        handled |= {number for number in taken if wrong is None or (number < wrong)}
        at = None if wrong is None else (wrong - place if partial else 0)
        verdict = succeeded(len(taken)) if at is None else failed(len(taken), at, rules, progress)
        if verdict.dead:
            dead += taken[: verdict.advance]
        place, progress = place + verdict.advance, verdict.progress
    assert handled >= set(range(size)) - bad
    assert dead == sorted(bad & set(range(size)))


FOLLOWER = """
import os, time

def handle(event, context):
    failed = []
    for record in event["Records"]:
        name = record["dynamodb"]["Keys"]["pk"]["S"]
        if name.startswith("raises"):
            raise ValueError(name)
        if name.startswith("reported"):
            return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
        time.sleep(float(os.environ["PACE_S"]))
        with open(os.environ["SEEN"], "a") as seen:
            print(name, file=seen)
"""


def follow(stack: Stack, name: str, seen: Path, pace_s: float = 0.0) -> tuple[Any, str]:
    """A table of its own, and a function that follows it and notes what it sees; gives table and dead letters."""
    session = stack.admin_session()
    table = session.resource("dynamodb").create_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    )
    sqs = session.client("sqs")
    queue: str = sqs.create_queue(QueueName=name)["QueueUrl"]
    queue_arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("follower.py", FOLLOWER)
    functions = session.client("lambda")
    functions.create_function(
        FunctionName=name,
        Runtime="python3.12",
        Handler="follower.handle",
        Role=stack.role_arn("Sweep"),
        Code={"ZipFile": code.getvalue()},
        Environment={"Variables": {"SEEN": str(seen), "PACE_S": str(pace_s)}},
    )
    functions.create_event_source_mapping(
        FunctionName=name,
        EventSourceArn=table.latest_stream_arn,
        StartingPosition="TRIM_HORIZON",
        BatchSize=4,
        MaximumRetryAttempts=1,
        BisectBatchOnFunctionError=True,
        FunctionResponseTypes=["ReportBatchItemFailures"],
        DestinationConfig={"OnFailure": {"Destination": queue_arn}},
    )
    return table, queue


def test_bad_changes_end_among_the_dead_letters_and_hold_up_nobody(stack: Stack, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    table, queue = follow(stack, "followed", seen)
    names = [f"good{number}" for number in range(12)]
    names[3:3], names[9:9] = ["raises"], ["reported"]
    for name in names:
        table.put_item(Item={"pk": name})
    good = {name for name in names if name.startswith("good")}
    wait_for(lambda: seen.exists() and set(seen.read_text().split()) == good)
    sqs = stack.admin_session().client("sqs")
    dead = [
        message["Body"]
        for _ in range(2)
        for message in sqs.receive_message(QueueUrl=queue, WaitTimeSeconds=5, MaxNumberOfMessages=1)["Messages"]
    ]
    assert all('"batchSize": 1' in body and "RetryAttemptsExhausted" in body for body in dead)


def test_changes_that_nobody_read_before_a_stop_are_read_after_it(fresh_places: Places, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    names = {f"good{number}" for number in range(24)}
    with laptop(fresh_places, persist=True) as first:
        table, _ = follow(first.stack, "followed", seen, pace_s=0.1)
        for name in names:
            table.put_item(Item={"pk": name})
        wait_for(seen.exists)
    assert set(seen.read_text().split()) < names
    with laptop(fresh_places, persist=True) as second:
        wait_for(lambda: set(seen.read_text().split()) == names)
        second.stack.admin_session().resource("dynamodb").Table("followed").put_item(Item={"pk": "good-later"})
        wait_for(lambda: "good-later" in seen.read_text())


def wait_for(condition: Callable[[], bool]) -> None:
    """Bounded; says so if it takes too long."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
