"""The stores under contract: the one on DynamoDB (by moto) and the one in memory."""

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from moto import mock_aws

from chalicelib.adapters.dynamodb.conversations import DynamoConversations
from chalicelib.adapters.dynamodb.defences import DynamoBuckets, DynamoDayKeys, DynamoReplays
from chalicelib.adapters.dynamodb.devices import DynamoDevices, DynamoLimits
from chalicelib.adapters.dynamodb.documents import DynamoDocuments
from chalicelib.adapters.dynamodb.fuses import DynamoFuses
from chalicelib.adapters.dynamodb.keys import DynamoKeys, DynamoTeams
from chalicelib.adapters.dynamodb.knowledge import DynamoKnowledge
from chalicelib.adapters.dynamodb.memory import DynamoMemory
from chalicelib.adapters.dynamodb.notes import DynamoNotes
from chalicelib.adapters.dynamodb.pages import DynamoPages
from chalicelib.adapters.dynamodb.purges import DynamoPurges
from chalicelib.adapters.dynamodb.sessions import DynamoSessions
from chalicelib.adapters.dynamodb.standing import DynamoShelf
from chalicelib.adapters.dynamodb.tables import Tables
from chalicelib.adapters.machine import SystemClock, SystemSecrets
from chalicelib.adapters.s3 import S3Blobs, S3Originals
from chalicelib.answers.defence_ports import Buckets, DayKeys, FuseStore, Replays
from chalicelib.answers.ports import ConversationStore, PageStore
from tests.fakes.keys import MemoryKeys
from tests.fakes.memory import MemoryNotes, MemoryRecords
from tests.fakes.pages import MemoryConversations, MemoryDefences, MemoryFuses, MemoryPages
from tests.fakes.shelves import MemoryBlobs, MemoryDocuments, MemoryShelves
from tests.stores import Stores

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

BUCKET = "acervo-content"


def make_tables(client: "DynamoDBClient") -> Tables:
    """Tables as the template makes them."""
    for name, keys in (("records", ("pk", "sk")), ("revisions", ("pk", "sk")), ("ephemeral", ("pk",))):
        client.create_table(
            TableName=name,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": each, "AttributeType": "S"} for each in keys],
            KeySchema=[{"AttributeName": each, "KeyType": "HASH" if each == "pk" else "RANGE"} for each in keys],
        )
    return Tables(client, "records", "revisions", "ephemeral", pause=lambda _: None)


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in [each for each in os.environ if each.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with mock_aws():
        yield


@pytest.fixture
def tables(aws: None) -> Tables:
    import boto3

    return make_tables(boto3.client("dynamodb"))


@pytest.fixture
def s3(aws: None) -> S3Blobs:
    import boto3

    client = boto3.client("s3")
    client.create_bucket(Bucket=BUCKET)
    client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    return S3Blobs(client, BUCKET)


@dataclass(frozen=True, slots=True)
class Gates:
    """What public pages are kept and defended by."""

    pages: PageStore
    buckets: Buckets
    keys: DayKeys
    replays: Replays
    fuses: FuseStore
    conversations: ConversationStore


class OneAtATime:
    """A client whose calls happen one after the other: DynamoDB does so with writes of one row, moto does not."""

    def __init__(self, client: "DynamoDBClient") -> None:
        self._client, self._lock = client, threading.Lock()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._client, name)
        if name == "exceptions":
            return found

        def call(**asked: object) -> object:
            with self._lock:
                return found(**asked)

        return call


def gates_on(tables: Tables) -> Gates:
    return Gates(
        DynamoPages(tables),
        DynamoBuckets(tables),
        DynamoDayKeys(tables, SystemSecrets()),
        DynamoReplays(tables),
        DynamoFuses(tables),
        DynamoConversations(tables),
    )


@pytest.fixture(params=["dynamodb", "memory"])
def gates(request: pytest.FixtureRequest) -> Gates:
    if request.param == "memory":
        defences = MemoryDefences()
        return Gates(MemoryPages(), defences, defences, defences, MemoryFuses(), MemoryConversations())
    tables: Tables = request.getfixturevalue("tables")
    return gates_on(replace(tables, client=OneAtATime(tables.client)))  # type: ignore[arg-type]


@pytest.fixture(params=["dynamodb", "memory"])
def stores(request: pytest.FixtureRequest) -> Stores:
    if request.param == "memory":
        keys = MemoryKeys()
        shelves = MemoryShelves(keys.role_of)
        blobs = MemoryBlobs()
        documents = MemoryDocuments(shelves)
        return Stores(
            shelves,
            shelves,
            shelves,
            shelves,
            shelves,
            blobs,
            keys,
            keys,
            keys,
            keys,
            keys,
            keys,
            MemoryRecords(),
            MemoryNotes(),
            documents,
            blobs,
            blobs.drop,
        )
    tables = request.getfixturevalue("tables")
    shelf = DynamoShelf(tables)
    s3: S3Blobs = request.getfixturevalue("s3")

    def put_file(key: str, content: bytes, **metadata: str) -> str:
        return s3.client.put_object(Bucket=s3.bucket, Key=key, Body=content, Metadata=metadata)["VersionId"]

    return Stores(
        DynamoKnowledge(tables),
        DynamoPurges(tables),
        shelf,
        shelf,
        shelf,
        s3,
        DynamoKeys(tables),
        DynamoTeams(tables),
        DynamoDevices(tables),
        DynamoSessions(tables),
        DynamoSessions(tables),
        DynamoLimits(tables),
        DynamoMemory(tables),
        DynamoNotes(tables),
        DynamoDocuments(tables),
        S3Originals(s3.client, s3, SystemClock()),
        put_file,
    )
