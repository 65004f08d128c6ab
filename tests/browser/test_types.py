"""What browsers are given holds the types that its comments say."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.packages import packages


@pytest.mark.promise("H1")
def test_the_scripts_have_the_types_that_they_say() -> None:
    compiler = packages("typescript@5.9.3") / "typescript" / "bin" / "tsc"
    node = shutil.which("node")
    project = Path(__file__).with_name("tsconfig.json")
    done = subprocess.run([str(node), str(compiler), "-p", str(project)], capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0
