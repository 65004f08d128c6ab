"""What the end-to-end tests of agents share: an MCP client in a few lines, and the skill as a process."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.people import Person

ROOT = Path(__file__).parents[2]
SKILL = ROOT / "skills" / "xmemo" / "scripts" / "xmemo-skill.mjs"
NODE_NEEDED = 20


def token_of(person: Person, name: str, profile: str, *scopes: str) -> str:
    """Another token of somebody, as another client has it."""
    body = {"name": name, "scopes": list(scopes), "profile": profile}
    return str(person.ok("POST", "/api/v1/tokens", body)["token"])


def tool(http: httpx.Client, token: str, name: str, **arguments: object) -> Any:
    """The structured content of a tool call that has to go well."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    headers = {"Authorization": f"Bearer {token}", "MCP-Protocol-Version": "2025-11-25"}
    answer = http.post("/mcp", json=message, headers=headers)
    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    assert not result["isError"], result
    return result["structuredContent"]


def node() -> str:
    """Node, if there is one that is new enough; else the test is skipped."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node.js is not installed")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.removeprefix("v").partition(".")[0]) < NODE_NEEDED:
        pytest.skip(f"Node.js {NODE_NEEDED} or newer is needed")
    return found


@dataclass
class Skill:
    """The skill, run as an agent runs it; keeps all that it ever printed."""

    base_url: str
    home: Path
    key: str | None = None
    printed: list[str] = field(default_factory=list)

    def run(self, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
        """Exit code, standard output and standard error."""
        environment = {"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(self.home), "XMEMO_BASE_URL": self.base_url}
        if self.key:
            environment["XMEMO_KEY"] = self.key
        done = subprocess.run(
            [node(), str(SKILL), *arguments],
            check=False,
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.printed += [done.stdout, done.stderr]
        return done.returncode, done.stdout, done.stderr

    def json(self, *arguments: str) -> Any:
        """The answer of a command that has to go well."""
        code, out, err = self.run(*arguments, "--json")
        assert code == 0, (arguments, code, out, err)
        return json.loads(out)

    def text(self, *arguments: str) -> str:
        """What a person reads of a command that has to go well."""
        code, out, err = self.run(*arguments)
        assert code == 0, (arguments, code, out, err)
        return out.strip()


def approve(http: httpx.Client, person: Person, uri: str) -> None:
    """Open the address, sign in, look, and let the device in: what a person does in a browser."""
    code = re.search(r"user_code=([A-Z-]+)", uri)
    assert code
    opened = http.get(f"/v1/auth/device?user_code={code[1]}")
    base = str(http.base_url).rstrip("/")
    assert (opened.status_code, opened.headers["location"]) == (302, f"{base}/me#device={code[1]}")
    with httpx.Client(base_url=base, timeout=30) as browser:
        session = browser.post("/api/v1/session", json={"token": person.token}).json()
        browser.headers["X-CSRF-Token"] = session["csrf_token"]
        review = browser.post("/api/v1/device-logins/review", json={"user_code": code[1]}).json()
        decision = {"user_code": code[1], "secret": review["secret"], "decision": "approve"}
        decided = browser.post("/api/v1/device-logins/decide", json=decision)
        assert decided.json() == {"status": "approved"}, decided.text
