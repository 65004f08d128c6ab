"""What a fresh laptop cloud is given, so that there is something to see; and a look whether it works.

Runs as a process of its own (`python -m infra.local.seed`), with the stack's tables and the administrator's keys in its
environment: the first account and token are made on the tables, everything else goes through the REST API as a user's
would.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

from chalicelib.api.clients import configurations
from infra.cli.client import Client, Refused
from infra.cli.files import Taken, sources
from infra.cli.putting import Outcome, put
from infra.cli.session import Session, load
from infra.cli.signing_in import console_at, link_to
from infra.deployment import DeploymentError
from infra.local import help_page
from infra.local.console import visit
from infra.local.stack import Stack

SAMPLE = Path(__file__).parent / "sample"
BASE = "Operating Acervo"
QUESTION = "what to do with a stale revision"
PATIENCE_S = 30.0


def plant(stack: Stack, answers_url: str) -> Sequence[tuple[str, str]]:
    """Put sample knowledge in place if there is none; returns what to print, as label and value.

    Raises:
        DeploymentError: the stack does not do what it should; the message says what.
    """
    environment = {**stack.environment(), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    session = str(stack.index_path.with_name("session.json"))
    command = [sys.executable, "-m", "infra.local.seed", stack.api_url, session, answers_url]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, umask=0o077)
    if done.returncode != 0:
        message = f"The stack is deployed, and does not work:\n{done.stderr.strip()}"
        raise DeploymentError(message)
    return [(label, value) for label, value in json.loads(done.stdout)]


def look(client: Client, base_id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Search, and read by the citation of what was found: the main job, once. Waits for the index to follow."""
    deadline = time.monotonic() + PATIENCE_S
    while not _followed(client, base_id) and time.monotonic() < deadline:
        time.sleep(0.05)
    results = client.call("POST", "/api/v1/knowledge/search", {"query": QUESTION, "max_results": 3})["results"]
    if not results:
        message = f"Nothing was found within {PATIENCE_S:.0f} s of publishing; see the index function's log."
        raise SystemExit(message)
    hit = results[0]
    pin = {name: hit[name] for name in ("knowledge_item_id", "knowledge_revision_id")}
    return hit, client.call("POST", "/api/v1/knowledge/search", {**pin, "limit_chars": 200})


def _followed(client: Client, base_id: str) -> bool:
    """Whether the index has everything that is published in the base."""
    published = client.pages(f"/api/v1/knowledge/bases/{base_id}/items", "items", {"status": "published"})
    return all(each["search"]["state"] == "indexed" for each in published)


def _session(api_url: str, path: Path) -> Session:
    """The token of the last run if it still holds, else a new owner's."""
    kept = load(path)
    if kept is not None:
        try:
            Client(api_url, kept.token).call("GET", "/api/v1/me")
        except Refused:
            kept = None
    if kept is None:
        kept = Session(api_url, _owner())
    return Session(api_url, kept.token, kept.base_id, kept.page_url)


def _owner() -> str:
    from datetime import timedelta

    from chalicelib.access.accounts import operator_for
    from chalicelib.access.scopes import Scope
    from chalicelib.access.tokens import NewToken
    from chalicelib.wiring import services

    wired = services()
    account = wired.create_account("Owner")
    asked = NewToken("make up", frozenset(Scope), expires_in=timedelta(days=365))
    return wired.issue_token(operator_for(account), asked).bearer


def _link(client: Client) -> str:
    """A link that signs the owner in, once; good as long as somebody may leave their laptop open."""
    from datetime import timedelta

    from chalicelib.wiring import services

    user_id = client.call("GET", "/api/v1/me")["user_id"]
    return services().entrance.make_link(user_id, life=timedelta(hours=24))


def _fit_index() -> Sequence[tuple[str, str]]:
    """Make the search index anew if it was made by another version, or for another embedder."""
    from chalicelib.wiring import services

    told = []
    if reason := services().reindex.reason():
        told.append(("Index", f"made anew, {services().reindex().items} items. {reason}"))
    if reason := services().notebook.reindex.reason():
        told.append(("Memory", f"indexed anew, {services().notebook.reindex()} records. {reason}"))
    return told


def _sample(client: Client, base_id: str | None) -> str:
    """The sample base; filled only when it is made, so that what people did to it since stays."""
    if base_id is not None:
        try:
            return str(client.call("GET", f"/api/v1/knowledge/bases/{base_id}")["id"])
        except Refused:
            pass  # It was deleted; that is what it is for.
    space = client.call("GET", "/api/v1/me")["personal_space_id"]
    body = {"space_id": space, "name": BASE, "description": "How to run and use Acervo, in English and Spanish."}
    made = str(client.call("POST", "/api/v1/knowledge/bases", body)["id"])
    taken = Taken.of(client.call("GET", "/api/v1/limits"))
    for source in sources([SAMPLE], taken):
        done = put(client, made, source, publish=True)
        if done.outcome is Outcome.FAILED:
            message = f"{source.path}: {done.why}"
            raise SystemExit(message)
    return made


def _page_id(page_url: str | None) -> str | None:
    return page_url.rpartition("/")[2] if page_url else None


def _agents(session: Session) -> Sequence[tuple[str, str]]:
    """What to paste into programs that speak MCP; Codex takes the token from the line for curl."""
    url = f"{session.url}/mcp"
    pasted = [
        (f"\n  {each.program}", f" into {each.where}:\n{indent(each.compact(), '    ')}")
        for each in configurations(url, session.token)
    ]
    return [("\n  MCP", url), *pasted]


def main() -> None:
    """Seed the stack at the address given, keep its token at the path given; print what to show, as JSON."""
    api_url, path, answers_url = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    session = _session(api_url, path)
    client = Client(session.url, session.token)
    mine = {name: value for name, value in os.environ.items() if name.startswith(("ACERVO_", "AWS_"))}
    fitted = _fit_index()
    base_id = _sample(client, session.base_id)
    page_id = help_page.page(client, base_id, _page_id(session.page_url))
    page_url = f"{answers_url}/p/{page_id}"
    session = Session(session.url, session.token, base_id, page_url, mine)
    session.save(path)
    hit, read = look(client, base_id)
    visit(console_at(session.url))
    curl = (
        'curl -s "$ACERVO_URL/api/v1/knowledge/search" -H "Authorization: Bearer $ACERVO_TOKEN" '
        "-H 'Content-Type: application/json' -d "
    )
    pin = {name: hit[name] for name in ("knowledge_item_id", "knowledge_revision_id")}
    shown = [
        *fitted,
        ("Console", f"{link_to(session.url, _link(client))}  (signs you in, once; within a day)"),
        ("", f"{console_at(session.url)}  (later)"),
        ("Answer page", page_url),
        ("OpenAPI", f"{session.url}/openapi.json"),
        ("Sample base", f"{session.base_id}  {BASE}"),
        ("Searched", f"{QUESTION!r}"),
        ("Found", f"{hit['title']}  {hit['reference']}"),
        ("Read", f"{read['total_chars']} characters, SHA-256 {read['sha256'][:16]}…"),
        ("\n  For curl", f"export ACERVO_URL={session.url} ACERVO_TOKEN={session.token}"),
        ("\n  Search", curl + "'" + json.dumps({"query": QUESTION}) + "'"),
        ("\n  Cite", curl + "'" + json.dumps(pin) + "'"),
        *_agents(session),
        ("\n  Or", './acervo search "stale revision"   ./acervo ask "How do I delete a base?"   ./acervo --help'),
    ]
    json.dump(shown, sys.stdout)


if __name__ == "__main__":
    main()
