"""The dashboard and the alarms look at metrics that there are (P6)."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from chalicelib.adapters.powertools import NAMESPACE
from chalicelib.workers import follow
from infra.local.places import ROOT
from tests.unit.api.world import World

pytestmark = pytest.mark.promise("P6")

type Metric = tuple[str, str, frozenset[str]]
"""Namespace, name, and the names of its dimensions."""

_AWS = {
    # "Amazon API Gateway dimensions and metrics", REST APIs
    ("AWS/ApiGateway", "ApiName"): {"Count", "4XXError", "5XXError", "Latency"},
    # AWS Lambda, "Types of metrics for Lambda functions" and "Monitoring Lambda function URLs"
    ("AWS/Lambda", "FunctionName"): {
        "ConcurrentExecutions",
        "Duration",
        "Errors",
        "IteratorAge",
        "Throttles",
        "Url4xxCount",
        "Url5xxCount",
        "UrlRequestCount",
        "UrlRequestLatency",
    },
    # "Available CloudWatch metrics for Amazon SQS"
    ("AWS/SQS", "QueueName"): {"ApproximateAgeOfOldestMessage", "ApproximateNumberOfMessagesVisible"},
    # "DynamoDB metrics and dimensions"
    ("AWS/DynamoDB", "TableName"): {
        "ConsumedReadCapacityUnits",
        "ConsumedWriteCapacityUnits",
        "ReadThrottleEvents",
        "TransactionConflict",
        "WriteThrottleEvents",
    },
}
_SEARCH = re.compile(r"SEARCH\('\{(?P<schema>[^}]+)\} MetricName=\"(?P<name>[^\"]+)\" stage=\"\$\{Stage\}\"', 'Sum'\)")


def _counted() -> Iterator[tuple[ast.Call, str]]:
    """Every call in the code that counts something, and the module it is in."""
    for path in (ROOT / "chalicelib").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("meter.count"):
                yield node, str(path.relative_to(ROOT))


def _emitted() -> set[Metric]:
    found = set()
    for call, module in _counted():
        name = call.args[0]
        if isinstance(name, ast.Constant):
            dimensions = frozenset({"stage", *(str(each.arg) for each in call.keywords)})
            found.add((NAMESPACE, str(name.value), dimensions))
        else:
            assert module == "chalicelib/workers/follow.py", "the names of metrics are written where they are counted"
    return found | {(NAMESPACE, name, frozenset({"stage"})) for name in follow.sweep(World().services)}


def _of_aws() -> set[Metric]:
    return {(namespace, name, frozenset({key})) for (namespace, key), names in _AWS.items() for name in names}


@pytest.fixture(scope="module")
def widgets(resources: dict[str, Any]) -> list[dict[str, Any]]:
    """Of the dashboard, with the names of what CloudFormation fills in still in place."""
    body = resources["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    found: list[dict[str, Any]] = json.loads(body)["widgets"]
    return found


def _shown(widgets: list[dict[str, Any]]) -> Iterator[Metric]:
    for widget in widgets:
        for entry in widget["properties"].get("metrics", []):
            match entry:
                case [{"expression": str(expression)}] if expression.startswith("SEARCH"):
                    asked = _SEARCH.fullmatch(expression)
                    assert asked, expression
                    namespace, *dimensions = asked["schema"].split(",")
                    yield namespace, asked["name"], frozenset(dimensions)
                case [{"expression": _}]:
                    pass
                case [namespace, name, *dimensions, dict()]:
                    yield namespace, name, frozenset(dimensions[::2])
                case _:
                    pytest.fail(f"not understood: {entry}")


def test_the_dashboard_shows_what_the_code_counts_all_of_it_and_nothing_else(widgets: list[dict[str, Any]]) -> None:
    """CloudWatch matches a name and exactly its dimensions: a graph of anything else stays empty for ever."""
    shown = set(_shown(widgets))
    assert {each for each in shown if each[0] == NAMESPACE} == _emitted()
    assert shown - _emitted() <= _of_aws()


def test_every_alarm_looks_at_a_metric_that_there_is(resources: dict[str, Any]) -> None:
    for each in _alarms(resources).values():
        dimensions = frozenset(dimension["Name"] for dimension in each["Dimensions"])
        assert (each["Namespace"], each["MetricName"], dimensions) in _emitted() | _of_aws()


def test_the_dashboard_shows_every_alarm(resources: dict[str, Any], widgets: list[dict[str, Any]]) -> None:
    shown = [arn for each in widgets if each["type"] == "alarm" for arn in each["properties"]["alarms"]]
    assert sorted(shown) == sorted(f"${{{name}.Arn}}" for name in _alarms(resources))


def test_the_dashboard_names_resources_that_there_are_and_lies_in_a_grid(
    resources: dict[str, Any], widgets: list[dict[str, Any]]
) -> None:
    named = set(re.findall(r"\$\{(\w+)[.}]", json.dumps(widgets)))
    assert named - {"Stage", "DailyTurns", "DailyTokens"} <= set(resources)
    taken = [
        (x, y)
        for each in widgets
        for x in range(each["x"], each["x"] + each["width"])
        for y in range(each["y"], each["y"] + each["height"])
    ]
    assert len(taken) == len(set(taken))
    assert max(x for x, _ in taken) < 24


def _alarms(resources: dict[str, Any]) -> dict[str, Any]:
    found = {name: each["Properties"] for name, each in resources.items() if each["Type"] == "AWS::CloudWatch::Alarm"}
    assert found
    return found
