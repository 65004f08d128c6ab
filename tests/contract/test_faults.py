"""What the vendor's faults become, inside the adapters and nowhere higher."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from botocore.stub import ANY, Stubber

from chalicelib.adapters.dynamodb.tables import Tables, check
from chalicelib.adapters.s3 import S3Blobs, S3Maps
from chalicelib.domain.errors import KnowledgeRuntimeDisabled, NotFound, StoreBusy

pytestmark = pytest.mark.promise("K18")


@pytest.fixture
def stubbed(aws: None) -> Iterator[tuple[Tables, Stubber]]:
    client = boto3.client("dynamodb", region_name="us-east-1")
    with Stubber(client) as stubber:
        yield Tables(client, "records", "revisions", "ephemeral", pause=lambda _: None), stubber


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("ProvisionedThroughputExceededException", StoreBusy),
        ("ThrottlingException", StoreBusy),
        ("InternalServerError", StoreBusy),
        ("ResourceNotFoundException", KnowledgeRuntimeDisabled),
        ("AccessDeniedException", ClientError),
    ],
)
def test_faults_of_the_table(stubbed: tuple[Tables, Stubber], code: str, error: type[Exception]) -> None:
    tables, stubber = stubbed
    stubber.add_client_error("get_item", code)
    with pytest.raises(error):
        tables.get("records", {"pk": "a", "sk": "b"})


def test_nobody_at_the_other_end(aws: None) -> None:
    class Nowhere:
        def get_item(self, **_: Any) -> Any:
            raise EndpointConnectionError(endpoint_url="http://127.0.0.1:1")

    with pytest.raises(StoreBusy):
        Tables(Nowhere(), "r", "v", "e").get("r", {"pk": "a", "sk": "b"})  # type: ignore[arg-type]


def _cancelled(stubber: Stubber, *reasons: dict[str, Any]) -> None:
    stubber.add_client_error(
        "transact_write_items",
        "TransactionCanceledException",
        modeled_fields={"CancellationReasons": list(reasons)},
    )


def _refusing() -> Any:
    return check("records", {"pk": "a", "sk": "b"}, "attribute_exists(pk)", {}, lambda _: NotFound())


@pytest.mark.promise("K2")
def test_transactions_that_met_are_sent_again_and_then_the_condition_speaks(stubbed: tuple[Tables, Stubber]) -> None:
    tables, stubber = stubbed
    _cancelled(stubber, {"Code": "TransactionConflict"})
    _cancelled(stubber, {"Code": "ConditionalCheckFailed"})
    with pytest.raises(NotFound):
        tables.transact([_refusing()])
    stubber.assert_no_pending_responses()


@pytest.mark.promise("K2")
def test_transactions_that_keep_meeting_end_in_busy(stubbed: tuple[Tables, Stubber]) -> None:
    tables, stubber = stubbed
    for _ in range(6):
        _cancelled(stubber, {"Code": "TransactionConflict"})
    with pytest.raises(StoreBusy):
        tables.transact([_refusing()])


def test_a_transaction_cancelled_for_another_reason_is_not_hidden(stubbed: tuple[Tables, Stubber]) -> None:
    tables, stubber = stubbed
    _cancelled(stubber, {"Code": "ValidationError"})
    with pytest.raises(ClientError):
        tables.transact([_refusing()])


@pytest.mark.promise("S8")
def test_a_batched_read_asks_again_for_what_was_left_out(stubbed: tuple[Tables, Stubber]) -> None:
    tables, stubber = stubbed
    left = {"records": {"Keys": [{"pk": {"S": "b"}, "sk": {"S": "x"}}], "ConsistentRead": True}}
    first = {"Responses": {"records": [{"pk": {"S": "a"}, "sk": {"S": "x"}}]}, "UnprocessedKeys": left}
    stubber.add_response("batch_get_item", first, {"RequestItems": ANY})
    second = {"Responses": {"records": [{"pk": {"S": "b"}, "sk": {"S": "x"}}]}, "UnprocessedKeys": {}}
    stubber.add_response("batch_get_item", second, {"RequestItems": left})
    found = tables.batch([{"pk": "a", "sk": "x"}, {"pk": "b", "sk": "x"}])
    assert [row["pk"] for row in found] == ["a", "b"]
    for _ in range(6):
        stubber.add_response("batch_get_item", {"Responses": {}, "UnprocessedKeys": left}, {"RequestItems": ANY})
    with pytest.raises(StoreBusy):
        list(tables.batch([{"pk": "b", "sk": "x"}]))


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [
        ("NoSuchKey", 404, NotFound),
        ("NoSuchBucket", 404, KnowledgeRuntimeDisabled),
        ("SlowDown", 503, StoreBusy),
        ("InternalError", 500, StoreBusy),
        ("AccessDenied", 403, ClientError),
    ],
)
@pytest.mark.promise("K8")
def test_faults_of_the_bucket(aws: None, code: str, status: int, error: type[Exception]) -> None:
    client = boto3.client("s3", region_name="us-east-1")
    with Stubber(client) as stubber:
        stubber.add_client_error("get_object", code, http_status_code=status)
        with pytest.raises(error):
            S3Blobs(client, "bucket").get("key")


@pytest.mark.parametrize(("code", "error"), [("AccessDenied", NotFound), ("InvalidObjectState", ClientError)])
@pytest.mark.promise("N3")
def test_a_map_that_is_missing_is_missing_too_for_whoever_may_not_list_the_bucket(
    aws: None, code: str, error: type[Exception]
) -> None:
    """S3 tells them 403, so the first turn of every base would fail there."""
    client = boto3.client("s3", region_name="us-east-1")
    with Stubber(client) as stubber:
        stubber.add_client_error("get_object", code, http_status_code=403)
        with pytest.raises(error):
            S3Maps(S3Blobs(client, "bucket")).map("kb_1")


@pytest.mark.promise("K8")
def test_nobody_at_the_buckets_end() -> None:
    class Nowhere:
        def get_object(self, **_: Any) -> Any:
            raise EndpointConnectionError(endpoint_url="http://127.0.0.1:1")

    with pytest.raises(StoreBusy):
        S3Blobs(Nowhere(), "bucket").get("key")  # type: ignore[arg-type]


@pytest.mark.promise("K16")
def test_objects_that_would_not_go_are_not_passed_over(aws: None) -> None:
    client = boto3.client("s3", region_name="us-east-1")
    version = {"Key": "content/a", "VersionId": "1"}
    pages: list[dict[str, Any]] = [
        {"Versions": [version], "IsTruncated": True, "NextKeyMarker": "content/a", "NextVersionIdMarker": "1"},
        {"Versions": [version]},
        {},
    ]
    with Stubber(client) as stubber:
        for page in pages:
            stubber.add_response("list_object_versions", page)
        stubber.add_response("delete_objects", {"Errors": [{"Key": "content/a", "Code": "InternalError"}]})
        with pytest.raises(StoreBusy):
            S3Blobs(client, "bucket").erase("content/")
