"""The three stories of rule A6, told step by step over a deployed stack.

`python -m tests.e2e.stories` starts a laptop cloud of its own, tells all three and stops it again. Each step prints
what happens and holds it; the tests run the very same.
"""

import io
import os
import sys
import tempfile
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.agents import token_of, tool
from tests.e2e.people import KNOWLEDGE, Person, arrive, until


def _told(step: str) -> None:
    sys.stdout.write(f"  {step}\n")


def chat_user(ana: Person) -> None:
    """What one conversation remembers, the next one knows, in another client."""
    chat = token_of(ana, "Chat app", "generic-public", "memory:read", "memory:write")
    kept = tool(ana.http, chat, "remember", content="I am vegetarian and live in Lisbon", memory_type="identity")
    _told(f"a chat app remembers: {kept['content']!r}")
    other = token_of(ana, "Another chat app", "chatgpt-public", "memory:read")
    pack = tool(ana.http, other, "recall_context", query="where does the user live, what do they eat: vegetarian?")
    assert [each["id"] for each in pack["items"]] == [kept["id"]]
    _told("a new conversation in another app recalls it at once")
    results = tool(ana.http, other, "search", query="vegetarian")["results"]
    assert tool(ana.http, other, "fetch", id=results[0]["id"])["text"] == kept["content"]
    _told("and finds and fetches it with the tools that connectors know")
    tool(ana.http, chat, "update_memory", id=kept["id"], content="I am vegetarian and live in Porto")
    pack = tool(ana.http, other, "recall_context", query="where does the user live now: Porto?")
    assert "Porto" in pack["context_text"]
    _told("what changed is recalled as it is now")
    tool(ana.http, chat, "forget", id=kept["id"])
    assert tool(ana.http, other, "recall_context", query="vegetarian Porto")["items"] == []
    _told("what is forgotten is recalled no more")


def developer(dev: Person) -> None:
    """A task goes from one tool to another, with what was decided, what is to be done, and the documents."""
    base = dev.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": dev.space, "name": "Guidelines"})["id"]
    body = {"title": "Retries", "content": "# Retries\n\nEvery client retries with jitter, at most three times."}
    item = dev.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", body)
    dev.ok("POST", f"{KNOWLEDGE}/items/{item['id']}/publish")
    assert until(lambda: dev.search("retries"))
    scopes = ("memory:read", "memory:write", "memory:restore", "knowledge:read")
    editor = token_of(dev, "Cursor", "cursor-plugin", *scopes)
    terminal = token_of(dev, "Claude Code", "ordinary-full", *scopes)
    path = "projects/gateway"
    tool(
        dev.http,
        editor,
        "remember",
        content="The gateway client retries in http/retry.py",
        path=path,
        agent_id="cursor",
    )
    todo = tool(dev.http, editor, "create_memory_todo", content="Add jitter to http/retry.py", path=path)
    tool(dev.http, editor, "save_state", state_key="gateway", content="Tests are red in test_retry.py; next: jitter")
    _told("in the editor: a fact, a to-do, and where the task stands")
    state = tool(dev.http, terminal, "restore_state", state_key="gateway")
    assert state["content"].startswith("Tests are red")
    assert state["source"]["token_name"] == "Cursor"
    _told("in the terminal: the state is there, and says that it came from the editor")
    pack = tool(
        dev.http, terminal, "recall_context", query="how do clients retry in the gateway", include_knowledge=True
    )
    kinds = {each["kind"] for each in pack["items"]}
    assert kinds == {"memory", "knowledge"}
    reference = next(each["reference"] for each in pack["items"] if each["kind"] == "knowledge")
    assert reference == f"knowledge:{item['id']}@{item['current_revision_id']}"
    _told(f"one recall brings the fact and the guideline, to be cited as {reference}")
    tool(dev.http, terminal, "complete_memory_todo", id=todo["id"])
    tool(dev.http, terminal, "record_event", content="Jitter is in", path=path)
    assert tool(dev.http, editor, "list_memory_todos")["todos"] == []
    assert tool(dev.http, terminal, "get_timeline", path=path)["events"][0]["content"] == "Jitter is in"
    _told("the to-do is done for both, and the timeline says what happened")


def team_pilot(owner: Person, member: Person, viewer: Person, stranger: Person) -> None:
    """A team remembers together: it shows who said what, strangers see nothing, all can be taken along and deleted."""
    team = owner.ok("POST", "/api/v1/teams", {"name": "Pilot"})["id"]
    for person, role in ((member, "member"), (viewer, "viewer")):
        owner.ok("POST", f"/api/v1/teams/{team}/members", {"user_id": person.user_id, "role": role})
    agent = token_of(member, "Mia's agent", "ordinary-full", "memory:read", "memory:write")
    kept = tool(owner.http, agent, "remember", content="The pilot ends in March", team_id=team, agent_id="planner")
    _told("a member's agent remembers something for the team")
    for person in (owner, viewer):
        found = until(partial(_found, person, team))
        source = found[0]["memory"]["source"]
        assert (source["user_id"], source["agent_id"], source["token_name"]) == (
            member.user_id,
            "planner",
            "Mia's agent",
        )
    _told("owner and viewer find it, with who said it, by which agent, with which token")
    assert tool(owner.http, stranger.token, "recall_context", query="pilot March")["items"] == []
    assert stranger.ask("GET", f"/v1/memories/{kept['id']}/explain").status_code == 404
    _told("for a stranger there is no such thing")
    assert viewer.ask("POST", f"/v1/memories/{kept['id']}/forget", {}).status_code == 403
    _told("a viewer may not forget it")
    _export(owner, team)
    private = tool(owner.http, member.token, "remember", content="Mia's own note")
    closed = member.ok("DELETE", "/v1/account", {"confirm": "Mia"})
    assert member.ask("GET", "/api/v1/me").status_code == 401
    receipt = until(lambda: _receipt(owner.http, closed["id"]), 60)
    assert receipt["removed"]["memories"] == 1
    _told(f"the member deletes her account; the receipt counts {receipt['removed']}")
    assert tool(owner.http, owner.token, "explain_memory", id=kept["id"])["content"] == "The pilot ends in March"
    assert owner.ask("GET", f"/v1/memories/{private['id']}/explain").status_code == 404
    assert [each["user_id"] for each in owner.ok("GET", f"/api/v1/teams/{team}/members")["members"]] == sorted(
        [owner.user_id, viewer.user_id]
    )
    _told("what she said in the team is still the team's; her own is gone")
    tool(owner.http, owner.token, "forget", id=kept["id"])
    assert tool(owner.http, viewer.token, "search_memory", query="pilot", team_id=team)["results"] == []
    _told("the owner deletes that as well")


def _found(person: Person, team: str) -> Any:
    return tool(person.http, person.token, "search_memory", query="pilot", team_id=team)["results"]


def _export(owner: Person, team: str) -> None:
    asked = owner.ok("POST", "/v1/exports")
    done = until(lambda: _done(owner, asked["id"]), 60)
    fetched = httpx.get(done["url"])
    assert fetched.is_success, f"{fetched.status_code} {fetched.text[:500]} {done}"
    archive = zipfile.ZipFile(io.BytesIO(fetched.content))
    records = archive.read(f"memory/{team}/records.jsonl").decode()
    assert "The pilot ends in March" in records
    assert '"agent_id": "planner"' in records
    _told(f"the owner exports everything: {len(archive.namelist())} files, {done['size_bytes']} bytes")


def _done(owner: Person, export_id: str) -> Any:
    found = owner.ok("GET", f"/v1/exports/{export_id}")
    return found if found["status"] == "done" else None


def _receipt(http: httpx.Client, closure_id: str) -> Any:
    found = http.get(f"/v1/closures/{closure_id}").json()
    return found if found["status"] == "done" else None


def main() -> None:
    """Tell all three on a laptop cloud of their own."""
    from infra.local.laptop import laptop
    from infra.local.places import Places

    with tempfile.TemporaryDirectory() as folder:
        own = {name: each for name, each in os.environ.items() if not name.startswith("ACERVO_")}
        places = replace(Places(), home=Path(folder), environment=own)
        with laptop(places, persist=False) as running, httpx.Client(base_url=running.stack.api_url, timeout=30) as http:
            sys.stdout.write("A chat user\n")
            chat_user(arrive(running.stack, http, "Ana"))
            sys.stdout.write("A developer across two tools\n")
            developer(arrive(running.stack, http, "Dev"))
            sys.stdout.write("A team pilot\n")
            olga, mia, vic, mallory = (arrive(running.stack, http, each) for each in ("Olga", "Mia", "Vic", "Mallory"))
            team_pilot(olga, mia, vic, mallory)
            sys.stdout.write("All three stories hold.\n")


if __name__ == "__main__":
    main()
