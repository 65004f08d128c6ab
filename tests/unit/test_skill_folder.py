"""The skill's folder is one: the format's own validator says so, and its page names every command."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.promise("A9")

_FOLDER = Path(__file__).parents[2] / "skills" / "xmemo"


def test_the_folder_is_a_valid_skill() -> None:
    command = [str(Path(sys.executable).with_name("agentskills")), "validate", str(_FOLDER)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_names_every_command_and_every_exit_code() -> None:
    script = (_FOLDER / "scripts" / "xmemo-skill.mjs").read_text()
    page = (_FOLDER / "SKILL.md").read_text()
    table = script[script.index("const COMMANDS = {") : script.index("\n};\n")]
    commands = re.findall(r"^  '?([a-z][a-z -]*)'?: \{", table, flags=re.MULTILINE)
    assert len(commands) == 17
    for each in commands:
        assert f"`{each}" in page or f"{each}`" in page, each
    codes = re.search(r"const EXIT = \{([^}]*)\}", script)
    assert codes
    for number in re.findall(r"\d+", codes[1]):
        assert re.search(rf"(^|· ){number} ", page, flags=re.MULTILINE), number


def test_the_script_needs_nothing_but_node() -> None:
    script = (_FOLDER / "scripts" / "xmemo-skill.mjs").read_text()
    assert all(each.startswith("node:") for each in re.findall(r"from '([^']+)'", script))
