"""The sentences of the console: the same in both languages, each of them used, one for every error."""

import json
import re
import shutil
import subprocess
from functools import cache

import pytest

from tests.packages import ROOT

pytestmark = pytest.mark.promise("W1")

FOLDER = ROOT / "chalicelib" / "web" / "console"
OF_PROGRAMS = {"authorization_pending", "slow_down", "expired_token", "session_required"}
"""What only programs and visitors of answer pages meet."""


@cache
def texts(language: str) -> dict[str, str]:
    """Every sentence of a language by its key."""
    script = f"import {{{language} as all}} from '{FOLDER / language}.js'; console.log(JSON.stringify(all))"
    command = [str(shutil.which("node")), "--input-type=module", "-e", script]
    rooms = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {f"{room}.{name}": text for room, all_ in rooms.items() for name, text in all_.items()}


def gaps(text: str) -> set[str]:
    """The names that a sentence leaves open."""
    return set(re.findall(r"\{(\w+)[|}]", text))


def test_both_languages_have_the_same_keys_and_the_same_gaps() -> None:
    english, spanish = texts("en"), texts("es")
    assert list(english) == list(spanish)
    assert {key: gaps(text) for key, text in english.items()} == {key: gaps(text) for key, text in spanish.items()}
    assert not [key for key, text in {**english, **spanish}.items() if not text.strip()]


def test_every_sentence_is_used_and_every_one_used_is_there() -> None:
    sources = [each for each in FOLDER.iterdir() if each.suffix in {".js", ".html"} and each.stem not in {"en", "es"}]
    code = "\n".join(each.read_text() for each in sources)
    known = texts("en")
    rooms = {key.partition(".")[0] for key in known}
    said = {each for each in re.findall(r'["`]([a-z]+\.[a-z_]+)["`]', code) if each.partition(".")[0] in rooms}
    assert said <= known.keys()
    made = re.findall(r"`([a-z]+\.[a-z_]*)\$\{", code)
    assert not [key for key in known if key not in said and not key.startswith(tuple(made))]


def test_every_error_of_the_api_has_a_sentence() -> None:
    document = json.loads((ROOT / "docs" / "reference" / "openapi.json").read_text())
    told = [
        answer.get("description", "")
        for path in document["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict)
        for answer in operation.get("responses", {}).values()
    ]
    codes = {code for text in told for code in re.findall(r"`([a-z_]+)`", text)}
    assert len(codes) > 30
    missing = {code for code in codes - OF_PROGRAMS if f"problems.{code}" not in texts("en")}
    assert missing == set()
