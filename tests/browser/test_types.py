"""What browsers are given holds the types that its comments say, and those of the API's own document."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.packages import ROOT, packages

NAMES = ("typescript@5.9.3", "openapi-typescript@7.13.0")
TYPES = ROOT / "build" / "types" / "openapi.d.ts"


@pytest.mark.promise("H1")
def test_the_scripts_have_the_types_that_they_say() -> None:
    tools = packages(*NAMES)
    node = str(shutil.which("node"))
    document = ROOT / "docs" / "reference" / "openapi.json"
    maker = tools / "openapi-typescript" / "bin" / "cli.js"
    subprocess.run([node, str(maker), str(document), "-o", str(TYPES)], check=True, capture_output=True)
    project = Path(__file__).with_name("tsconfig.json")
    compiler = tools / "typescript" / "bin" / "tsc"
    done = subprocess.run([node, str(compiler), "-p", str(project)], capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0
