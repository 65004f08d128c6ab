"""Logs and metrics hold nothing that anybody wrote."""

import io
import json

import pytest

from chalicelib.adapters.powertools import EmbeddedMetrics, LogJournal

pytestmark = pytest.mark.promise("H4")


def test_a_line_says_which_operation_how_it_ended_and_how_long_it_took() -> None:
    stream = io.StringIO()
    with LogJournal("t1", "INFO", stream).entry("searchKnowledge", "request-1") as outcome:
        outcome.status = 200
    line = json.loads(stream.getvalue())
    assert {name: line[name] for name in ("level", "operation", "request_id", "status")} == {
        "level": "INFO",
        "operation": "searchKnowledge",
        "request_id": "request-1",
        "status": 200,
    }
    assert line["ms"] >= 0


def test_a_fault_is_told_by_kind_and_place_and_not_by_what_it_says() -> None:
    stream = io.StringIO()
    journal = LogJournal("t2", "INFO", stream)
    with journal.entry("editItem", "request-2") as outcome:
        try:
            int("the text of a document")
        except ValueError as fault:
            outcome.failed("internal_error", fault)
    line = json.loads(stream.getvalue())
    assert line["level"] == "ERROR"
    assert line["fault"][0] == "ValueError"
    assert "test_journal.py" in line["fault"][1]
    assert "document" not in stream.getvalue()


def test_a_count_becomes_a_metric(capsys: pytest.CaptureFixture[str]) -> None:
    EmbeddedMetrics("t3").count("refused", 2, code="stale_revision")
    metric = json.loads(capsys.readouterr().out)
    assert (metric["refused"], metric["code"], metric["stage"]) == ([2.0], "stale_revision", "t3")
