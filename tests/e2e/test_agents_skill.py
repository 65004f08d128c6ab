"""The skill against the deployed stack: every command, for people and for programs, and no token anywhere."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from infra.local.stack import Stack
from tests.e2e.agents import SKILL, Skill, approve, node
from tests.e2e.people import KNOWLEDGE, Person, arrive, until

pytestmark = pytest.mark.promise("A9", "A10")


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack.api_url, timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
def ana(stack: Stack, http: httpx.Client) -> Person:
    return arrive(stack, http, "Ana")


@pytest.fixture
def skill(stack: Stack, ana: Person, tmp_path: Path) -> Iterator[Skill]:
    made = Skill(stack.api_url, tmp_path, ana.token)
    yield made
    assert ana.token not in "".join(made.printed)


def test_every_command_does_what_it_says(skill: Skill, ana: Person) -> None:
    assert "memory:read" in skill.json("doctor")["scopes"]
    assert skill.text("doctor").startswith("The server answers. The token may: ")
    memory_id = skill.json("remember", "--content", "We use pnpm in the shop", "--path", "projects/shop")
    assert memory_id.startswith("mem_")
    assert (
        skill.text("remember", "--content", "We use pnpm in the shop", "--path=projects/shop")
        == f"Remembered as {memory_id}."
    )
    for verb in ("recall", "search"):
        assert skill.json(verb, "--query", "pnpm", "--limit", "3")[0]["id"] == memory_id
        assert "We use pnpm in the shop" in skill.text(verb, "--query", "pnpm")
    assert skill.text("search", "--query", "zebra crossing") == "Nothing was found."
    assert skill.json("read", "--id", memory_id)["content"] == "We use pnpm in the shop"
    assert "from user_" in skill.text("read", "--id", memory_id)
    assert skill.json("update", "--id", memory_id, "--content", "We use npm in the shop")["version"] == 2
    assert skill.text("update", "--id", memory_id, "--path", "x") == f"Changed {memory_id}; it is at version 3."
    assert skill.json("forget", "--id", memory_id, "--confirm")["forgotten"] is True
    assert skill.text("forget", "--id", memory_id, "--confirm") == f"Forgot {memory_id}."
    assert skill.json("search", "--query", "npm") == []
    todo = skill.json("todo-add", "--content", "Rotate the key", "--due_at", "2026-12-24")
    assert skill.json("todo-list")[0]["id"] == todo["id"]
    assert skill.text("todo-list").startswith(f"[ ] {todo['id']}  Rotate the key")
    assert skill.json("todo-done", "--id", todo["id"])["status"] == "done"
    assert skill.text("todo-done", "--id", todo["id"]) == "Done: Rotate the key"
    assert skill.text("todo-list") == "Nothing to do."
    assert skill.text("todo-list", "--status", "all").startswith("[x]")
    assert skill.json("save-state", "--key", "release", "--content", "Half way")["state_key"] == "release"
    assert skill.text("save-state", "--current_task", "Fix it") == "Saved the state current."
    assert skill.json("restore-state", "--key", "release")["content"] == "Half way"
    assert skill.text("restore-state") == "Current task: Fix it"
    assert skill.json("auth", "status")["user_id"] == ana.user_id
    assert "token from XMEMO_KEY" in skill.text("auth", "status")
    assert "XMEMO_KEY is set from outside" in skill.text("logout")


def test_context_is_recalled_from_memory_and_documents(skill: Skill, ana: Person) -> None:
    base = ana.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": ana.space, "name": "Ops"})["id"]
    item = ana.ok(
        "POST", f"{KNOWLEDGE}/bases/{base}/items", {"title": "Gateway", "content": "The gateway restarts at noon."}
    )
    ana.ok("POST", f"{KNOWLEDGE}/items/{item['id']}/publish")
    assert until(lambda: ana.search("gateway"))
    skill.json("remember", "--content", "The gateway is owned by the payments team")
    for include in (["--include_knowledge", "true"], ["--include_knowledge"], ["--include_knowledge=true"]):
        pack = skill.json("recall-context", "--query", "gateway", *include)
        assert {each["kind"] for each in pack["items"]} == {"memory", "knowledge"}
    assert (
        skill.json("recall-context", "--query", "gateway", "--include_knowledge", "false")["knowledge"]["reason"]
        == "not_asked"
    )
    text = skill.text("recall-context", "--query", "gateway", "--max_tokens", "400")
    assert f"knowledge:{item['id']}@" in text
    assert text.endswith("knowledge: included")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ((), 2, ""),
        (("dance",), 2, "There is no command"),
        (("remember",), 2, "needs --content"),
        (("remember", "--content"), 2, "needs a value"),
        (("remember", "--content", "x", "--colour", "red"), 2, "takes no --colour"),
        (("remember", "--content", "x", "--content", "y"), 2, "given twice"),
        (("remember", "loose text"), 2, "Put texts behind their flag"),
        (("forget", "--id", "mem_1"), 2, "needs --confirm"),
        (("read", "--id", "../../etc"), 2, "An id is"),
        (("search", "--query", "x", "--limit", "many"), 1, "limit"),
        (("read", "--id", "mem_0"), 5, "There is no such thing"),
        (("restore-state", "--key", "none"), 5, "Nothing is saved"),
        (("doctor", "--base-url", "http://example.com"), 2, "https"),
        (("doctor", "--base-url", "nonsense"), 2, "Say where"),
        (("doctor", "--base-url", "http://127.0.0.1:9"), 8, "does not answer"),
    ],
)
def test_what_goes_wrong_has_a_code_and_a_sentence(
    skill: Skill, arguments: tuple[str, ...], code: int, says: str
) -> None:
    found, out, err = skill.run(*arguments)
    assert (found, says in err + out) == (code, True), (out, err)
    found, out, err = skill.run(*arguments, "--json")
    assert found == code
    if arguments:
        assert says in json.loads(out)["error"]["message"]


def test_without_a_login_or_with_too_little_the_codes_differ(stack: Stack, ana: Person, tmp_path: Path) -> None:
    bare = Skill(stack.api_url, tmp_path)
    assert bare.run("search", "--query", "x")[0] == 3
    assert bare.text("doctor").endswith("run login, or set XMEMO_KEY.")
    assert bare.text("auth", "status") == "Not logged in."
    wrong = Skill(stack.api_url, tmp_path, "acv_" + "0" * 26 + "_" + "x" * 43)
    assert wrong.run("search", "--query", "x")[0] == 3
    weak_token = ana.ok("POST", "/api/v1/tokens", {"name": "weak", "scopes": ["memory:read"]})["token"]
    weak = Skill(stack.api_url, tmp_path, weak_token)
    code, out, _ = weak.run("remember", "--content", "x", "--json")
    assert (code, json.loads(out)["error"]["required"]) == (4, ["memory:write"])
    assert weak_token not in "".join(weak.printed)


def test_logging_in_keeps_the_token_where_nobody_else_reads_it(
    stack: Stack, http: httpx.Client, ana: Person, tmp_path: Path
) -> None:
    skill = Skill(stack.api_url, tmp_path)
    environment = {"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(tmp_path), "XMEMO_BASE_URL": stack.api_url}
    process = subprocess.Popen(
        [node(), str(SKILL), "login", "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        uri = process.stderr.readline()
        approver = threading.Thread(target=approve, args=(http, ana, uri))
        approver.start()
        out, err = process.communicate(timeout=60)
        approver.join()
    finally:
        process.kill()
    done = json.loads(out)
    assert (process.returncode, done["user_id"]) == (0, ana.user_id), err
    file = tmp_path / "xmemo" / "tokens.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    token = json.loads(file.read_text())[stack.api_url]
    assert skill.json("remember", "--content", "From a device")
    assert skill.json("auth", "status")["token_name"] == "xmemo-skill (device login)"
    assert skill.run("search", "--query", "x", "--base-url", "http://localhost:9")[0] == 3, "sent to another address"
    file.chmod(0o644)
    code, _, said = skill.run("search", "--query", "x")
    assert (code, "chmod 600" in said) == (3, True)
    file.chmod(0o600)
    assert skill.text("logout") == "Logged out; the token is revoked."
    assert not file.exists()
    assert http.get("/v1/auth/token/validate", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert token not in "".join([out, err, uri, *skill.printed])


def test_a_token_is_added_from_standard_input(stack: Stack, ana: Person, tmp_path: Path) -> None:
    skill = Skill(stack.api_url, tmp_path)
    assert skill.run("auth", "add", stdin="")[0] == 2
    assert skill.run("auth", "add", stdin="acv_nonsense")[0] == 3
    code, out, err = skill.run("auth", "add", stdin=f"{ana.token}\n")
    assert (code, err) == (0, "")
    assert out.startswith("The token is kept in ")
    assert skill.json("doctor")["auth_valid"] is True
    assert ana.token not in "".join(skill.printed)


def test_not_even_a_token_that_the_server_sends_back_is_printed(skill: Skill, ana: Person) -> None:
    skill.json("remember", "--content", f"My token is {ana.token}")
    assert "[token]" in skill.text("search", "--query", "token")
    assert "[token]" in json.dumps(skill.json("search", "--query", "token"))


def test_no_text_of_a_server_moves_the_cursor(skill: Skill) -> None:
    skill.json("remember", "--content", "zebra \x1b[2J\u202e hidden")
    shown = skill.text("search", "--query", "zebra")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
