"""What people paste into their programs: it parses, and the page says the same as `make up`."""

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from chalicelib.api.clients import Configuration, configurations
from infra.references import ROOT

pytestmark = pytest.mark.promise("A5")

URL = "https://acervo.example.com/mcp"
PAGE = (ROOT / "docs" / "how-to" / "connect-an-agent.md").read_text()
BY_PROGRAM = {each.program: each for each in configurations(URL, "acv_…")}


def parsed(configuration: Configuration) -> Any:
    readers: Mapping[str, Callable[[str], Any]] = {"json": json.loads, "toml": tomllib.loads, "bash": shlex.split}
    return readers[configuration.language](configuration.text)


@pytest.mark.parametrize("program", BY_PROGRAM)
def test_the_page_has_it_word_for_word(program: str) -> None:
    section = re.split(r"^## ", PAGE.split(f"## {program}\n")[1], flags=re.MULTILINE)[0]
    configuration = BY_PROGRAM[program]
    assert f"```{configuration.language}\n{configuration.text}\n```" in section
    assert configuration.where == "a shell" or f"`{configuration.where}`" in section


def test_each_has_the_form_that_its_program_documents() -> None:
    bearer = {"Authorization": "Bearer acv_…"}
    assert parsed(BY_PROGRAM["Cursor"]) == {"mcpServers": {"acervo": {"url": URL, "headers": bearer}}}
    command = ["claude", "mcp", "add", "--transport", "http", "acervo", URL, "--header", "Authorization: Bearer acv_…"]
    assert parsed(BY_PROGRAM["Claude Code"]) == command
    assert parsed(BY_PROGRAM["VS Code"]) == {"servers": {"acervo": {"type": "http", "url": URL, "headers": bearer}}}
    codex = {"mcp_servers": {"acervo": {"url": URL, "bearer_token_env_var": "ACERVO_TOKEN"}}}
    assert parsed(BY_PROGRAM["Codex"]) == codex
    assert parsed(BY_PROGRAM["Gemini CLI"]) == {"mcpServers": {"acervo": {"httpUrl": URL, "headers": bearer}}}


def test_json_fits_in_a_line_and_the_rest_stays_as_it_is() -> None:
    for each in BY_PROGRAM.values():
        assert "\n" not in each.compact() or each.language == "toml"
        assert parsed(Configuration(each.program, each.where, each.language, each.compact())) == parsed(each)
