"""The command line and the sample knowledge, against the deployed stack."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.cli.session import Session, load
from infra.local import seed
from infra.local.laptop import Laptop
from infra.local.stack import Stack
from tests.e2e.people import Person, arrive, until

pytestmark = pytest.mark.promise("P5")

_ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def ana(stack: Stack) -> Iterator[Person]:
    with httpx.Client(base_url=stack.api_url, timeout=30) as http:
        yield arrive(stack, http, "Ana of the command line")


class Shell:
    """Somebody's command line."""

    def __init__(self, person: Person) -> None:
        self.person = person

    def __call__(self, *words: str, token: str | None = None) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": os.environ["PATH"],
            "ACERVO_URL": str(self.person.http.base_url),
            "ACERVO_TOKEN": token or self.person.token,
        }
        command = [sys.executable, "-m", "infra.cli", *words]
        return subprocess.run(command, env=environment, cwd=_ROOT, capture_output=True, text=True, check=False)

    def json(self, *words: str) -> Any:
        done = self("--json", *words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def test_a_folder_is_put_published_found_read_and_put_again(ana: Person, tmp_path: Path) -> None:
    shell = Shell(ana)
    base = shell.json("create-base", "Folder")["id"]
    (tmp_path / "sub").mkdir()
    (tmp_path / "one.md").write_text("# Uno\n\nnarwhalone text\n")
    (tmp_path / "sub" / "two.txt").write_text("narwhaltwo text\n")
    (tmp_path / ".hidden.md").write_text("secret")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    put = shell.json("put", str(tmp_path), "--base", base, "--publish")
    assert [(each["locator"], each["outcome"]) for each in put] == [("one.md", "created"), ("sub/two.txt", "created")]
    hits = until(lambda: shell.json("search", "narwhaltwo")["results"])
    assert hits[0]["reference"] == put[1]["reference"]
    assert shell("read", put[1]["reference"]).stdout == "narwhaltwo text\n"

    (tmp_path / "one.md").write_text("# Uno\n\nnarwhalthree text\n")
    again = shell.json("put", str(tmp_path), "--base", base, "--publish")
    assert [each["outcome"] for each in again] == ["updated", "unchanged"]
    assert shell("read", put[0]["reference"]).stdout == "# Uno\n\nnarwhalone text\n"
    assert len(shell.json("history", put[0]["item_id"])) == 2

    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\xfa")
    failed = shell("put", str(tmp_path), "--base", base)
    assert (failed.returncode, "bad.md: This is not text" in failed.stderr.replace("\n", " ")) == (4, True)
    assert "2 unchanged" in failed.stdout

    shell.json("withdraw", put[0]["item_id"])
    statuses = {each["locator"]: each["status"] for each in shell.json("items", "--base", base)}
    assert statuses == {"one.md": "draft", "sub/two.txt": "published"}
    assert json.loads(shell("items", "--base", base, "--status", "draft", "--json").stdout)[0]["locator"] == "one.md"
    assert shell.json("archive", put[0]["item_id"])[0]["status"] == "archived"
    assert shell.json("restore", put[0]["item_id"])[0]["status"] == "draft"


def test_mistakes_end_in_a_sentence_and_a_status(ana: Person) -> None:
    shell = Shell(ana)
    refused = shell("items", "--base", "kb_none")
    assert (refused.returncode, refused.stderr.strip()) == (4, "There is no such thing here. Check the id.")
    assert shell("whoami", token="acv_wrong").returncode == 4
    assert shell("items").returncode == 2
    with httpx.Client(base_url="http://127.0.0.1:9") as http:
        nowhere = Shell(Person(http, "", "", "x"))("whoami")
    assert (nowhere.returncode, "Is it running?" in nowhere.stderr) == (3, True)


@pytest.mark.promise("A1")
def test_no_output_holds_the_token(ana: Person) -> None:
    shell = Shell(ana)
    for words in (["whoami"], ["bases"], ["search", "x"], ["items", "--base", "kb_none"], ["--json", "whoami"]):
        done = shell(*words)
        assert ana.token not in done.stdout + done.stderr


@pytest.mark.promise("K18")
def test_an_operator_switches_knowledge_off_and_on(stack: Stack, ana: Person) -> None:
    environment = {**stack.environment(), "PATH": os.environ["PATH"]}
    for switch, status in (("off", 503), ("on", 200)):
        command = [sys.executable, "-m", "infra.cli", "admin", "knowledge", switch, ana.user_id]
        subprocess.run(command, env=environment, cwd=_ROOT, check=True)
        assert ana.ask("GET", "/api/v1/knowledge/bases").status_code == status


@pytest.mark.promise("K18")
def test_an_operator_needs_nothing_but_what_make_up_has_kept(running: Laptop, ana: Person) -> None:
    stack = running.stack
    seed.plant(stack, running.answering.url)
    kept = str(stack.index_path.with_name("session.json"))
    done = Shell(ana)("admin", "--session", kept, "create-account", "Ben")
    assert done.returncode == 0, done.stderr
    facts = dict(line.split() for line in done.stdout.splitlines())
    ben = Person(ana.http, facts["user"], facts["space"], facts["token"])
    assert ben.ok("GET", "/api/v1/me")["name"] == "Ben"
    nowhere = Shell(ana)("admin", "--session", kept, "knowledge", "off", "user_none")
    assert (nowhere.returncode, "There is no account user_none." in nowhere.stderr) == (1, True)


@pytest.mark.promise("P4")
def test_the_sample_is_planted_once_found_and_read_and_its_token_is_private(running: Laptop) -> None:
    stack = running.stack
    shown = dict(seed.plant(stack, running.answering.url))
    path = stack.index_path.with_name("session.json")
    assert path.stat().st_mode & 0o077 == 0
    session = load(path)
    assert session is not None
    assert shown["Found"].startswith("Conflicts: two people edit the same item")
    again = dict(seed.plant(stack, running.answering.url))
    assert load(path) == session
    assert again["Found"] == shown["Found"]
    questions = (
        ("qué hago con un conflicto de edición", "Conflictos de edición"),
        ("last_owner", "Roles and spaces"),
        ("ERR_CONN_RESET", "Finding things"),
        ("lápida recibo", "Borrado definitivo"),
        ("ACERVO_PORT", "Getting started on a laptop"),
    )
    with httpx.Client(base_url=session.url, timeout=30) as http:
        person = Person(http, "", "", session.token)
        for question, title in questions:
            assert person.search(question)[0]["title"] == title


def test_a_session_that_is_damaged_counts_as_none(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    assert load(path) is None
    path.write_text("{")
    assert load(path) is None
    Session("http://127.0.0.1:1", "acv_x", "kb_x").save(path)
    assert load(path) == Session("http://127.0.0.1:1", "acv_x", "kb_x")
