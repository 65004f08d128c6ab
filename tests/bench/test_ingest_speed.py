"""Extraction holds its ratios against markitdown (rule I8)."""

import subprocess
import sys

import pytest

from infra.local.places import ROOT
from tests.shared import shared


@pytest.mark.promise("I8")
def test_extraction_is_twice_as_fast_as_markitdown_with_no_more_memory_and_loses_nothing_that_it_finds() -> None:
    shared("docs", "expected.json")
    peer = ROOT / "build" / "peer"
    subprocess.run(
        [ROOT / "infra" / "environment", str(peer), "tests/bench/requirements-peer.txt"], cwd=ROOT, check=True
    )
    command = [sys.executable, "-m", "tests.bench.ingest", str(peer / "bin" / "python")]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
