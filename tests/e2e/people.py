"""People on the deployed stack, over HTTP."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from infra.local.stack import Stack

_ROOT = Path(__file__).parents[2]
KNOWLEDGE = "/api/v1/knowledge"


@dataclass(frozen=True)
class Person:
    """Somebody with a token of every scope."""

    http: httpx.Client
    user_id: str
    space: str
    token: str

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        return self.http.request(method, path, json=body, headers={"Authorization": f"Bearer {self.token}", **headers})

    def ok(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        answer = self.ask(method, path, body, **headers)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()

    def search(self, query: str, **more: object) -> list[dict[str, Any]]:
        body = {"query": query, "max_results": 50, **more}
        return list(self.ok("POST", f"{KNOWLEDGE}/search", body)["results"])

    def read(self, item_id: str, revision_id: str | None = None) -> httpx.Response:
        pin = {"knowledge_revision_id": revision_id} if revision_id else {}
        return self.ask("POST", f"{KNOWLEDGE}/search", {"knowledge_item_id": item_id, **pin})


def arrive(stack: Stack, http: httpx.Client, name: str) -> Person:
    """Make an account as the operator does, with the command line."""
    environment = {**stack.environment(), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "infra.cli", "admin", "create-account", name]
    done = subprocess.run(command, env=environment, cwd=_ROOT, capture_output=True, text=True, check=True)
    facts = dict(line.split() for line in done.stdout.splitlines())
    return Person(http, facts["user"], facts["space"], facts["token"])


def until[R](look: Callable[[], R], seconds: float = 20.0) -> R:
    """What `look` gives once it gives something; the index follows by itself, but not at once."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)
