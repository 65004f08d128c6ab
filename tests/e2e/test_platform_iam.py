"""Least privilege, proved where it is enforced: on the deployed roles (K1, P1)."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from infra.local.stack import Stack

FUNCTIONS = ("APIHandler", "Embed", "Export", "Extract", "Index", "Purge", "Reconcile", "Reset", "Sweep")
POLICIES = Path(__file__).resolve().parents[2] / ".chalice"
WITHOUT_NAMES = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}
KEY = {"pk": {"S": "item_probe"}, "sk": {"S": "rev_probe"}}


@pytest.fixture(scope="module")
def as_role(stack: Stack) -> Callable[[str, str], Any]:
    """A client that holds the permissions of one function."""
    return lambda function, service: stack.session_as(function).client(service)


@pytest.fixture(autouse=True)
def _no_probe_left(stack: Stack) -> Iterator[None]:
    yield
    admin = stack.admin_session().client("dynamodb")
    for table in ("RecordsTable", "RevisionsTable"):
        admin.delete_item(TableName=stack.outputs[table], Key=KEY)


def refused(call: Callable[..., object], **request: object) -> bool:
    """Whether the policies forbid a call; any other error is one."""
    try:
        call(**request)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code in {"AccessDeniedException", "AccessDenied", "403"}:
            return True
        raise
    return False


@pytest.mark.promise("K1")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_role_may_update_a_revision(stack: Stack, as_role: Callable[..., Any], function: str) -> None:
    dynamodb = as_role(function, "dynamodb")
    update = {
        "TableName": stack.outputs["RevisionsTable"],
        "Key": KEY,
        "UpdateExpression": "SET content = :c",
        "ExpressionAttributeValues": {":c": {"S": "changed"}},
    }
    assert refused(dynamodb.update_item, **update)
    assert refused(dynamodb.transact_write_items, TransactItems=[{"Update": update}])


@pytest.mark.promise("K1")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_only_the_purge_worker_may_delete_a_revision(stack: Stack, as_role: Callable[..., Any], function: str) -> None:
    dynamodb = as_role(function, "dynamodb")
    table = stack.outputs["RevisionsTable"]
    allowed = function == "Purge"
    assert refused(dynamodb.delete_item, TableName=table, Key=KEY) is not allowed
    transaction = [{"Delete": {"TableName": table, "Key": KEY}}]
    assert refused(dynamodb.transact_write_items, TransactItems=transaction) is not allowed
    batch = {table: [{"DeleteRequest": {"Key": KEY}}]}
    assert refused(dynamodb.batch_write_item, RequestItems=batch)


@pytest.mark.promise("K1")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_only_writers_of_items_write_revisions(stack: Stack, as_role: Callable[..., Any], function: str) -> None:
    put = {"TableName": stack.outputs["RevisionsTable"], "Item": KEY}
    assert refused(as_role(function, "dynamodb").put_item, **put) is not (function in {"APIHandler", "Extract"})


@pytest.mark.promise("K2")
def test_one_transaction_over_both_tables_says_what_it_found(stack: Stack, as_role: Callable[..., Any]) -> None:
    dynamodb = as_role("APIHandler", "dynamodb")
    records, revisions = stack.outputs["RecordsTable"], stack.outputs["RevisionsTable"]
    dynamodb.put_item(TableName=records, Item={**KEY, "current": {"S": "rev_2"}})
    with pytest.raises(ClientError) as lost:
        dynamodb.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": revisions, "Item": KEY, "ConditionExpression": "attribute_not_exists(pk)"}},
                {
                    "Update": {
                        "TableName": records,
                        "Key": KEY,
                        "UpdateExpression": "SET #c = :new",
                        "ConditionExpression": "#c = :seen",
                        "ExpressionAttributeNames": {"#c": "current"},
                        "ExpressionAttributeValues": {":new": {"S": "rev_3"}, ":seen": {"S": "rev_1"}},
                        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                    }
                },
            ]
        )
    reasons: Any = lost.value.response
    assert [reason["Code"] for reason in reasons["CancellationReasons"]] == ["None", "ConditionalCheckFailed"]
    assert reasons["CancellationReasons"][1]["Item"]["current"] == {"S": "rev_2"}
    assert "Item" not in dynamodb.get_item(TableName=revisions, Key=KEY)


@pytest.mark.promise("P1")
def test_functions_reach_only_their_part_of_the_bucket(stack: Stack, as_role: Callable[..., Any]) -> None:
    bucket = stack.outputs["ContentBucket"]
    rest, purge, index, sweep = (as_role(function, "s3") for function in ("APIHandler", "Purge", "Index", "Sweep"))
    version = rest.put_object(Bucket=bucket, Key="content/probe", Body=b"x")["VersionId"]
    assert index.get_object(Bucket=bucket, Key="content/probe")["Body"].read() == b"x"
    assert refused(rest.put_object, Bucket=bucket, Key="elsewhere/probe", Body=b"x")
    assert refused(index.put_object, Bucket=bucket, Key="content/probe", Body=b"y")
    assert refused(sweep.get_object, Bucket=bucket, Key="content/probe")
    assert refused(rest.delete_object, Bucket=bucket, Key="content/probe")
    assert refused(purge.list_object_versions, Bucket=bucket, Prefix="elsewhere/")
    found = purge.list_object_versions(Bucket=bucket, Prefix="content/probe")["Versions"]
    assert [each["VersionId"] for each in found] == [version]
    purge.delete_object(Bucket=bucket, Key="content/probe", VersionId=version)
    assert not purge.list_object_versions(Bucket=bucket, Prefix="content/probe").get("Versions")


@pytest.mark.promise("P1")
@pytest.mark.parametrize("function", ["Embed", "Export", "Extract", "Index", "Purge", "Reconcile", "Sweep"])
def test_workers_have_nothing_to_do_with_sessions(stack: Stack, as_role: Callable[..., Any], function: str) -> None:
    dynamodb = as_role(function, "dynamodb")
    assert refused(dynamodb.get_item, TableName=stack.outputs["EphemeralTable"], Key={"pk": {"S": "session"}})


@pytest.mark.promise("P1")
def test_no_policy_says_star_where_a_name_exists() -> None:
    files = sorted(POLICIES.glob("policy-*.json"))
    assert len(files) == len(FUNCTIONS)
    for file in files:
        for statement in statements(json.loads(file.read_text())):
            actions = statement["Action"]
            assert not [action for action in actions if "*" in action], file.name
            resources = statement["Resource"] if isinstance(statement["Resource"], list) else [statement["Resource"]]
            if "*" in resources:
                assert set(actions) <= WITHOUT_NAMES, (file.name, statement.get("Sid"))


def statements(policy: dict[str, Any]) -> list[dict[str, Any]]:
    """All statements, those under a condition of the template too."""
    return [each["Fn::If"][1] if "Fn::If" in each else each for each in policy["Statement"]]
