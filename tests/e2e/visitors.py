"""A live page on the deployed stack, and visitors of it."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

from infra.cli.client import Client
from infra.cli.visitor import Visitor, proof
from infra.local.help_page import picture
from infra.local.laptop import Laptop
from tests.e2e.people import arrive
from tests.pictures import png

ORIGIN = "https://sol.example"
OPENING = """# Opening hours

The clinic is open from Monday to Friday, from 9:00 to 19:30.

## In August

In August the clinic closes at 14:00. Emergencies are seen all day.

## Prices

- First visit: 45 euros
- Check-up: 30 euros

## How to get an appointment

1. Choose a day, at least two days ahead.
2. Call us or come by.
3. Bring your card.
"""
HORARIO = """# Horario

La clínica abre de lunes a viernes, de 9:00 a 19:30.

## En agosto

En agosto la clínica cierra a las 14:00. Las urgencias se atienden todo el día.
"""


@dataclass
class Visited:
    """A page of a clinic."""

    id: str
    url: str
    origin: str
    client: Client
    base_id: str
    items: Mapping[str, str]
    """Ids of what it knows, by locator."""
    question: str = "When is the clinic open?"
    _addresses: "count[int]" = field(default_factory=lambda: count(1))

    def fresh_address(self) -> str:
        """An address that has asked nothing yet."""
        number = next(self._addresses)
        return f"198.51.{number // 250}.{number % 250 + 1}"

    def visitor(self) -> Visitor:
        """Somebody who opened the page."""
        return Visitor(self.url)

    def session_over(self, call: Callable[[str, str, str], Mapping[str, Any]]) -> str:
        """A session, opened through another way to the door: method, path and body in, JSON out."""
        challenge = dict(call("GET", f"/pages/{self.id}/challenge", ""))
        body = json.dumps({"proof": proof(challenge)})
        return str(call("POST", f"/pages/{self.id}/sessions", body)["session"])


@contextmanager
def visited(running: Laptop, **changes: object) -> Iterator[Visited]:
    """A new page with new knowledge; everything about it is generous unless changed."""
    with httpx.Client(base_url=running.stack.api_url) as http:
        person = arrive(running.stack, http, "Author")
    client = Client(running.stack.api_url, person.token)
    space = client.call("GET", "/api/v1/me")["personal_space_id"]
    base = str(client.call("POST", "/api/v1/knowledge/bases", {"space_id": space, "name": "Clinic"})["id"])
    items = {}
    for locator, content in (("opening.md", OPENING), ("horario.md", HORARIO)):
        title = content.partition("\n")[0].removeprefix("# ")
        body = {"title": title, "locator": locator, "content": content}
        item = client.call("POST", f"/api/v1/knowledge/bases/{base}/items", body)
        client.call("POST", f"/api/v1/knowledge/items/{item['id']}/publish")
        items[locator] = str(item["id"])
    page: dict[str, object] = {
        "space_id": space,
        "name": "Clínica Sol",
        "about": "A clinic: opening hours, prices, appointments. Una clínica: horario, precios, citas.",
        "not_about": "Politics, cooking, other companies.",
        "language": "es",
        "origins": [ORIGIN],
        "limits": {"turns_per_minute": 600, "burst": 100, "cooldown_s": 0},
        "shows_sources": True,
    }
    made = client.call("POST", "/api/v1/pages", {**page, **changes})
    at = f"/api/v1/pages/{made['id']}"
    topic = {
        "title": "Opening hours",
        "description": "When the clinic is open, prices, appointments. Horario, precios, citas.",
        "knowledge_base_ids": [base],
    }
    client.call("POST", f"{at}/topics", topic)
    client.call("POST", f"{at}/links", {"kind": "action", "label": "Call us", "url": "tel:+34910000000"})
    picture(client, at, png(640, 400), "The entrance of the clinic, with its opening hours on the door")
    client.call("POST", f"{at}/go-live")
    url = f"{running.answering.url}/p/{made['id']}"
    yield Visited(str(made["id"]), url, ORIGIN, client, base, items)
    client.close()
