"""The two doors of the stress run: use cases in process on the real tables, and REST over HTTP."""

import os
from dataclasses import dataclass
from typing import Any

import httpx

from chalicelib.access.accounts import operator_for
from chalicelib.domain.errors import ConcurrentChange, IllegalMove, StaleRevision, StoreBusy
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.revisions import Provenance
from chalicelib.domain.spaces import Door, Principal
from chalicelib.knowledge.drafts import Edit, NewItem
from chalicelib.search.request import SearchRequest
from chalicelib.settings import Settings
from chalicelib.wiring import Services, assemble, lay
from infra.local.stack import Stack
from tests.bench.ledger import ITEMS, Desk, Lost
from tests.e2e.people import KNOWLEDGE, Person, arrive

_RACES = (ConcurrentChange, IllegalMove, StaleRevision, StoreBusy)
_RACE_CODES = frozenset({"concurrent_change", "illegal_move", "stale_revision", "store_busy"})


@dataclass
class Direct:
    """Use cases in this process; the deployed index function follows the stream beside them."""

    services: Services
    principal: Principal
    items: list[str]

    def state(self, item: int) -> tuple[str, str]:
        found = self.services.read_item(self.principal, self.items[item])
        return found.current_revision_id, found.status.value

    def edit(self, item: int, seen: str, text: str) -> str:
        made = Provenance(self.principal.user_id, Door.REST)
        try:
            after = self.services.edit_item(self.principal, self.items[item], Edit(seen, text), made, None)
        except _RACES as race:
            raise Lost from race
        return after.current_revision_id

    def move(self, item: int, move: str) -> None:
        try:
            self.services.move_item(self.principal, self.items[item], Move(move), None)
        except _RACES as race:
            raise Lost from race

    def search(self, word: str) -> list[tuple[int, str]]:
        found = self.services.retrieve(SearchRequest(word, max_results=50), self.principal)
        return [(self.items.index(each.item_id), each.revision_id) for each in found.hits]

    def numbers(self, item: int) -> list[int]:
        numbers, after = [], None
        while True:
            _, page = self.services.list_revisions(self.principal, self.items[item], after, 100)
            numbers += [each.number for each in page.entries]
            after = page.after
            if after is None:
                return numbers


def direct(stack: Stack) -> Desk:
    """A desk on the stack's tables."""
    os.environ.update(stack.environment())  # boto3 reads it
    services = assemble(lay(Settings.read(stack.environment())))
    principal = operator_for(services.create_account("Stress"))
    (space,) = principal.roles
    base = services.bases.create(principal, space, "Stress", "", None)
    made = Provenance(principal.user_id, Door.REST)
    items = [
        services.create_item(principal, base.id, NewItem(f"Item {n}", f"item/{n}", f"common word{n}"), made, None).id
        for n in range(ITEMS)
    ]
    for each in items:
        services.move_item(principal, each, Move.PUBLISH, None)
    return Direct(services, principal, items)


@dataclass
class Remote:
    """REST over HTTP."""

    person: Person
    items: list[str]

    def state(self, item: int) -> tuple[str, str]:
        found = self.person.ok("GET", f"{KNOWLEDGE}/items/{self.items[item]}")
        return found["current_revision_id"], found["status"]

    def edit(self, item: int, seen: str, text: str) -> str:
        body = {"expected_revision_id": seen, "content": text}
        return str(self._write("PATCH", "", item, body)["current_revision_id"])

    def move(self, item: int, move: str) -> None:
        self._write("POST", f"/{move}", item, None)

    def search(self, word: str) -> list[tuple[int, str]]:
        hits = self.person.search(word)
        return [(self.items.index(each["knowledge_item_id"]), each["knowledge_revision_id"]) for each in hits]

    def numbers(self, item: int) -> list[int]:
        numbers, query = [], "limit=100"
        while True:
            page = self.person.ok("GET", f"{KNOWLEDGE}/items/{self.items[item]}/revisions?{query}")
            numbers += [each["number"] for each in page["revisions"]]
            if page["next_cursor"] is None:
                return numbers
            query = f"limit=100&cursor={page['next_cursor']}"

    def _write(self, method: str, rest: str, item: int, body: object) -> Any:
        answer = self.person.ask(method, f"{KNOWLEDGE}/items/{self.items[item]}{rest}", body)
        if not answer.is_success:
            if answer.json().get("code") in _RACE_CODES:
                raise Lost
            message = f"{method} {rest}: {answer.status_code} {answer.text}"
            raise AssertionError(message)
        return answer.json()


def remote(stack: Stack) -> Desk:
    """A desk at the deployed API."""
    person = arrive(stack, httpx.Client(base_url=stack.api_url, timeout=60), "Stress")
    base = person.ok("POST", f"{KNOWLEDGE}/bases", {"space_id": person.space, "name": "Stress"})["id"]
    items = []
    for n in range(ITEMS):
        body = {"title": f"Item {n}", "locator": f"item/{n}", "content": f"common word{n}"}
        item = person.ok("POST", f"{KNOWLEDGE}/bases/{base}/items", body)["id"]
        person.ok("POST", f"{KNOWLEDGE}/items/{item}/publish")
        items.append(item)
    return Remote(person, items)
