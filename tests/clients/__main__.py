"""`make clients`: real MCP clients against a laptop cloud: list, call, error, missing scope, wrong profile.

The Python SDK in both eras, both TypeScript SDKs, and the Inspector's command line. Needs npm; the packages are
installed once, into `build/clients`.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from infra.local.laptop import laptop
from infra.local.places import Places
from tests.clients.python_sdk import visit
from tests.e2e.agents import token_of
from tests.e2e.people import arrive

ROOT = Path(__file__).parents[2]
HOME = ROOT / "build" / "clients"
PACKAGES = (
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/inspector@2.12.0",
    "node@24",
)


def install() -> None:
    """Put the clients in place, unless they are."""
    if (HOME / "node_modules" / ".bin" / "mcp-inspector").exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("The clients are npm packages: install Node.js with npm first.")
    HOME.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(HOME), *PACKAGES]
    subprocess.run(command, cwd=HOME, check=True)


def typescript(url: str, tokens: Mapping[str, str], which: str) -> Any:
    """What a TypeScript SDK makes of it."""
    script = HOME / "typescript.mjs"
    shutil.copyfile(Path(__file__).with_name("typescript.mjs"), script)
    node = HOME / "node_modules" / ".bin" / "node"
    given = json.dumps({"url": url, **tokens})
    done = subprocess.run(
        [str(node), str(script), which], cwd=HOME, input=given, capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode != 0:
        raise SystemExit(f"TypeScript {which}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def inspector(url: str, tokens: Mapping[str, str]) -> dict[str, Any]:
    """What the Inspector's command line makes of it."""

    catalog = HOME / "catalog.json"

    def ask(token: str, *arguments: str) -> tuple[int, str]:
        binaries = HOME / "node_modules" / ".bin"
        command = [str(binaries / "mcp-inspector"), "--cli", "--server-url", url, "--transport", "http"]
        command += ["--header", f"Authorization: Bearer {token}", *arguments]
        environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "MCP_CATALOG_PATH": str(catalog)}
        done = subprocess.run(
            command, cwd=HOME, env=environment, capture_output=True, text=True, check=False, timeout=120
        )
        return done.returncode, done.stdout + done.stderr

    call = ("--method", "tools/call", "--tool-name")
    code, listed = ask(tokens["full"], "--method", "tools/list")
    if code != 0:
        raise SystemExit(f"Inspector: {listed}")
    _, called = ask(tokens["full"], *call, "remember", "--tool-arg", "content=Remembered by the Inspector")
    _, wrong = ask(tokens["full"], *call, "remember", "--tool-arg", "contents=x")
    _, weak = ask(tokens["weak"], *call, "remember", "--tool-arg", "content=x")
    _, public = ask(tokens["public"], *call, "search_knowledge", "--tool-arg", "query=x")
    result, _ = json.JSONDecoder().raw_decode(wrong)  # the exit code is told behind it
    return {
        "version": None,
        "tools": [each["name"] for each in json.loads(listed)["tools"]],
        "called": json.loads(called)["structuredContent"],
        "error": result["structuredContent"] if result.get("isError") else None,
        "missing_scope": " ".join(weak.split())[:300],
        "wrong_profile": " ".join(public.split())[:300],
    }


def _says(refusal: str, sentence: str) -> bool:
    """Whether the client shows our sentence, or did not even ask since the tool is not listed."""
    return sentence in refusal or "not found on server" in refusal


def held(name: str, found: Mapping[str, Any]) -> bool:
    """Whether the client got all that it should; prints a line."""
    checks = {
        "list": len(found["tools"]) == 14,
        "call": str(found["called"]["content"]).startswith("Remembered by"),
        "error": bool(found["error"]) and "content" in found["error"]["error"]["message"],
        "missing scope": _says(found["missing_scope"], "memory:write"),
        "wrong profile": _says(found["wrong_profile"], "no tool of that name"),
    }
    marks = ", ".join(f"{check} {'ok' if ok else 'FAILED'}" for check, ok in checks.items())
    print(f"{name:28} {found['version'] or '':12} {marks}")  # noqa: T201
    if not all(checks.values()):
        print(json.dumps(found, indent=1))  # noqa: T201
    return all(checks.values())


def main() -> int:
    """All clients, one after the other."""
    install()
    own = {name: each for name, each in os.environ.items() if not name.startswith("ACERVO_")}
    with tempfile.TemporaryDirectory() as folder:
        places = replace(Places(), home=Path(folder), environment=own)
        with laptop(places, persist=False) as running, httpx.Client(base_url=running.stack.api_url) as http:
            ana = arrive(running.stack, http, "Ana")
            tokens = {
                "full": ana.token,
                "weak": token_of(ana, "weak", "ordinary-full", "memory:read"),
                "public": token_of(ana, "public", "generic-public", "knowledge:read", "memory:read"),
            }
            url = f"{running.stack.api_url}/mcp"
            results = [
                held("Python SDK, handshake era", visit(url, tokens, "legacy")),
                held("Python SDK, stateless era", visit(url, tokens, "2026-07-28")),
                held("TypeScript SDK 1", typescript(url, tokens, "v1")),
                held("TypeScript SDK 2", typescript(url, tokens, "v2")),
                held("Inspector CLI", inspector(url, tokens)),
            ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
