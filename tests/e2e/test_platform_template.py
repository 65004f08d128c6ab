"""The template as it is deployed (P2)."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chalice.cli.factory import CLIFactory
from chalice.deploy.validate import validate_configuration

from chalicelib.adapters.powertools import EmbeddedMetrics
from chalicelib.answers.defence_ports import Allowance
from chalicelib.domain.errors import DailyLimitReached
from chalicelib.ingest.limits import Limits
from infra.local.places import ROOT
from tests.unit.answers.gatekeeping import Gatehouse


@pytest.mark.promise("P2")
def test_the_template_is_clean_for_cfn_lint(packaged: Path) -> None:
    lint = Path(sys.executable).with_name("cfn-lint")
    found = subprocess.run([lint, str(packaged)], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


@pytest.mark.promise("P2")
def test_chalice_accepts_the_configuration() -> None:
    validate_configuration(CLIFactory(str(ROOT), environ={}).create_config_obj(chalice_stage_name="dev"))


@pytest.mark.promise("P1")
def test_every_function_has_a_role_of_its_own(resources: dict[str, Any]) -> None:
    functions = {name: each for name, each in resources.items() if each["Type"] == "AWS::Serverless::Function"}
    roles = [each["Properties"]["Role"]["Fn::GetAtt"][0] for each in functions.values()]
    # The streaming function is not Chalice's: its role is in the template.
    assert len(set(roles)) == len(roles) == len(list((ROOT / ".chalice").glob("policy-*.json"))) + 1


@pytest.mark.promise("P1")
def test_every_stream_reader_has_a_way_to_give_up(resources: dict[str, Any]) -> None:
    sources = [
        source["Properties"]
        for each in resources.values()
        for source in each["Properties"].get("Events", {}).values()
        if source["Type"] == "DynamoDB"
    ]
    assert len(sources) == 3
    for source in sources:
        assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        assert source["BisectBatchOnFunctionError"] is True
        assert source["StartingPosition"] == "TRIM_HORIZON"
        assert source["Stream"] == {"Fn::GetAtt": ["RecordsTable", "StreamArn"]}
        assert source["DestinationConfig"]["OnFailure"]["Type"] == "SQS"


@pytest.mark.promise("P1", "I2")
def test_the_reader_of_the_queue_has_a_way_to_give_up_and_time_enough(resources: dict[str, Any]) -> None:
    queue = resources["ExtractQueue"]["Properties"]
    assert queue["RedrivePolicy"]["deadLetterTargetArn"] == {"Fn::GetAtt": ["ExtractDeadLetters", "Arn"]}
    (source,) = resources["Extract"]["Properties"]["Events"].values()
    assert source["Properties"]["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert source["Properties"]["BatchSize"] == 1
    # AWS Lambda, "Configuring a queue to use with Lambda": six times the function's time-out.
    visibility = queue["VisibilityTimeout"] == {"Ref": "ExtractVisibilitySeconds"} and 1080
    assert visibility >= 6 * resources["Extract"]["Properties"]["Timeout"]
    assert resources["Extract"]["Properties"]["Timeout"] > Limits().seconds + 30


@pytest.mark.promise("K16")
@pytest.mark.parametrize("table", ["RecordsTable", "RevisionsTable", "EphemeralTable", "ContentBucket"])
def test_data_outlive_the_stack(resources: dict[str, Any], table: str) -> None:
    assert resources[table]["DeletionPolicy"] == "RetainExceptOnCreate"
    assert resources[table]["UpdateReplacePolicy"] == "Retain"


@pytest.mark.promise("P1")
def test_the_access_log_names_nobody(resources: dict[str, Any]) -> None:
    log = str(resources["RestAPI"]["Properties"]["AccessLogSetting"])
    for tell_tale in ("sourceIp", "userAgent", "context.path", "$context.identity", "querystring"):
        assert tell_tale not in log


@pytest.mark.promise("N9")
def test_the_alarm_of_the_fuse_hears_what_a_blown_fuse_says(
    resources: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """CloudWatch matches namespace, name and exactly these dimensions: one that differs never rings."""
    gate = Gatehouse(allowance=Allowance(0, 0))
    with pytest.raises(DailyLimitReached):
        replace(gate.spend, meter=EmbeddedMetrics("dev"))()
    said = json.loads(capsys.readouterr().out)
    (directive,) = said["_aws"]["CloudWatchMetrics"]
    alarm = resources["AnswersFuseAlarm"]["Properties"]
    assert alarm["Namespace"] == directive["Namespace"]
    assert alarm["MetricName"] == directive["Metrics"][0]["Name"]
    watched = {each["Name"]: each["Value"] for each in alarm["Dimensions"]}
    assert watched.pop("stage") == {"Ref": "Stage"}
    assert set(watched) | {"stage"} == set(directive["Dimensions"][0])
    assert {name: said[name] for name in watched} == watched


@pytest.mark.promise("P2")
def test_every_alarm_leads_to_what_to_do(resources: dict[str, Any]) -> None:
    alarms = [each["Properties"] for each in resources.values() if each["Type"] == "AWS::CloudWatch::Alarm"]
    assert alarms
    for each in alarms:
        page, _, anchor = each["AlarmDescription"].partition("see ")[2].partition("#")
        assert f'<a id="{anchor}">' in (ROOT / page).read_text(), each["AlarmDescription"]
