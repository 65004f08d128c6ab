"""Leaving: everything of an account in an archive, and its deletion for good, killed at every point."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from chalicelib.domain.accounts import ClosureStatus
from chalicelib.domain.errors import ConcurrentChange
from chalicelib.portability.closing import RunClosure
from tests.unit.api.world import KNOWLEDGE, Person, World

pytestmark = pytest.mark.promise("A8")


class Leaving:
    """A world in which Ana has everything there is to have."""

    def __init__(self) -> None:
        self.world = world = World()
        self.ana, self.bob = world.person("Ana"), world.person("Bob")
        self.space = self.ana.account.personal_space_id
        self.team = world.team(self.bob, member=self.ana)
        self.alone = world.team(self.ana)
        for space in (self.space, self.alone):
            self.fill(self.ana, space)
        self.kept = world.ok(self.ana, "POST", "/v1/memories", {"content": "For the team", "team_id": self.team})["id"]
        self.bobs = world.ok(self.bob, "POST", "/v1/memories", {"content": "Bob's own"})["id"]
        world.index_all()

    def fill(self, person: Person, space: str) -> None:
        world = self.world
        base = world.base(person, space, f"Base of {space}")
        item = world.item(person, base, "publish", content="First words")
        body = {"content": "Second words", "expected_revision_id": item["current_revision_id"]}
        world.ok(person, "PATCH", f"{KNOWLEDGE}/items/{item['id']}", body)
        place = {"team_id": space}
        for number in range(30):
            world.ok(person, "POST", "/v1/memories", {"content": f"Secret fact {number}", "path": "a/b", **place})
        world.ok(person, "POST", "/v1/todos", {"content": "Secret task", **place})
        world.ok(person, "POST", "/v1/timeline/events", {"content": "Secret event", **place})
        world.ok(person, "PUT", "/v1/state", {"state_key": "k", "content": "Secret state", **place})
        world.ok(person, "POST", "/v1/projects", {"name": "Secret", "path": "projects/x", **place})

    def export(self) -> tuple[Any, zipfile.ZipFile]:
        asked = self.world.ok(self.ana, "POST", "/v1/exports")
        self.world.services.run_export(asked["id"])
        done = self.world.ok(self.ana, "GET", f"/v1/exports/{asked['id']}")
        key = done["url"].removeprefix("https://bucket.example/").partition("?")[0]
        return done, zipfile.ZipFile(io.BytesIO(self.world.blobs.objects[key]))

    def close(self) -> str:
        return str(self.world.ok(self.ana, "DELETE", "/v1/account", {"confirm": "Ana"})["id"])

    def work(self, closure_id: str, has_time: Callable[[], bool] = lambda: True) -> None:
        """What the stream's worker would do by now, with the purges it starts."""
        for _ in range(3):
            self.world.services.run_closure(closure_id, has_time)
            for purge_id in list(self.world.shelves.purges_):
                self.world.services.run_purge(purge_id, lambda: True)

    def left(self) -> list[str]:
        """What still lies anywhere of Ana's."""
        world = self.world
        mine = (self.space, self.alone)
        found = [
            *(each.id for each in world.memories.records.values() if each.space_id in mine),
            *(each.id for each in world.notes.todos_.values()),
            *(each.id for each in world.notes.events_.values()),
            *(str(each) for each in world.notes.states_),
            *(each.id for each in world.notes.projects_.values()),
            *(each.id for each in world.keys.tokens_.values() if each.user_id == self.ana.account.user_id),
            *(each for each in world.shelves.items_),
            *(each for each in world.shelves.bases_),
            *(str(each) for each in world.shelves.revisions_),
            *(each for each in world.blobs.objects),
            *(each for each in mine if each in world.keys.spaces_),
            *(str(each) for each in world.keys.members_ if self.ana.account.user_id in each),
            *(each.id for each in world.leaving.exports_.values()),
        ]
        leads = world.memory_search.find("secret fact", frozenset(mine), 10)
        return [*found, *(each.memory_id for each in leads)]


def test_an_export_holds_everything_and_no_secret() -> None:
    leaving = Leaving()
    done, archive = leaving.export()
    assert (done["status"], done["size_bytes"] > 0) == ("done", True)
    names = archive.namelist()
    space = leaving.space
    for each in ("README.md", "account.json", "tokens.jsonl", "memberships.jsonl", f"memory/{space}/records.jsonl"):
        assert each in names
    records = [json.loads(line) for line in archive.read(f"memory/{space}/records.jsonl").splitlines()]
    assert len(records) == 30
    assert records[0]["source"]["client"] == "ordinary-full"
    assert "Secret fact 7" in archive.read(f"memory/{space}/memory.md").decode()
    for kind in ("todos", "events", "states", "projects"):
        assert len(archive.read(f"memory/{space}/{kind}.jsonl").splitlines()) == 1, kind
    pages = [each for each in names if each.startswith(f"knowledge/{space}/item_")]
    assert sorted(each.rpartition("/")[2] for each in pages) == ["1.md", "2.md"]
    assert {archive.read(each).decode() for each in pages} == {"First words\n", "Second words\n"}
    assert f"memory/{leaving.alone}/records.jsonl" in names
    assert leaving.kept in archive.read("memory/elsewhere.jsonl").decode()
    everything = b"".join(archive.read(each) for each in names)
    assert b"secret_hash" not in everything
    assert leaving.ana.token.encode() not in everything
    assert b"Bob's own" not in everything
    assert all(not name.startswith("/") and ".." not in name for name in names)


def test_an_export_is_its_owners_alone_and_has_a_link_once_it_is_done() -> None:
    leaving = Leaving()
    asked = leaving.world.ok(leaving.ana, "POST", "/v1/exports")
    assert (asked["status"], asked["url"]) == ("running", None)
    address = f"/v1/exports/{asked['id']}"
    assert leaving.world.ok(leaving.ana, "GET", address)["url"] is None
    assert leaving.world.web("GET", address, token=leaving.bob.token).status == 404
    first = leaving.world.services.run_export(asked["id"])
    assert leaving.world.services.run_export(asked["id"]) == first


def test_exports_do_not_pile_up() -> None:
    leaving = Leaving()
    answers = [leaving.world.web("POST", "/v1/exports", token=leaving.ana.token).status for _ in range(4)]
    assert answers == [202, 202, 202, 409]


@pytest.mark.promise("A2")
def test_a_token_of_one_space_exports_and_deletes_nothing() -> None:
    leaving = Leaving()
    scopes = ["knowledge:read", "knowledge:write", "memory:read", "memory:write", "tokens:admin"]
    body = {"name": "n", "scopes": scopes, "spaces": [leaving.space]}
    narrow = leaving.world.ok(leaving.ana, "POST", "/api/v1/tokens", body)["token"]
    for method, path, sent in (
        ("POST", "/v1/exports", None),
        ("GET", "/v1/exports/exp_1", None),
        ("DELETE", "/v1/account", {"confirm": "Ana"}),
    ):
        answer = leaving.world.web(method, path, sent, token=narrow)
        assert (answer.status, answer.json["code"]) == (403, "token_limited")


def test_an_account_goes_with_everything_in_it_and_a_receipt() -> None:
    leaving = Leaving()
    leaving.export()
    tokens = len(leaving.world.keys.tokens(leaving.ana.account.user_id))
    closure_id = leaving.close()
    assert leaving.world.web("GET", "/api/v1/me", token=leaving.ana.token).status == 401
    leaving.work(closure_id)
    assert leaving.left() == []
    receipt = leaving.world.web("GET", f"/v1/closures/{closure_id}").json
    assert receipt["status"] == "done"
    assert receipt["removed"] == {"tokens": tokens, "bases": 2, "memories": 60, "notes": 8, "exports": 1}
    assert leaving.world.memories.memory(leaving.kept), "what she remembered in a team is the team's"
    assert leaving.world.memories.memory(leaving.bobs)
    assert leaving.world.ok(leaving.bob, "GET", "/v1/memories")["memories"]
    leaving.world.clock.pass_(minutes=16)
    leaving.work(closure_id)
    closure = leaving.world.leaving.closures_[closure_id]
    assert closure.status is ClosureStatus.SETTLED
    assert leaving.world.services.sweep_closures() == ()


def test_deleting_asks_for_the_name() -> None:
    leaving = Leaving()
    answer = leaving.world.web("DELETE", "/v1/account", {"confirm": "ana"}, token=leaving.ana.token)
    assert (answer.status, answer.json["code"]) == (422, "confirmation_mismatch")
    assert leaving.world.web("GET", "/api/v1/me", token=leaving.ana.token).status == 200


def test_nobody_leaves_a_team_without_an_owner() -> None:
    leaving = Leaving()
    answer = leaving.world.web("DELETE", "/v1/account", {"confirm": "Bob"}, token=leaving.bob.token)
    assert (answer.status, answer.json["teams"]) == (409, [leaving.team])


def test_a_receipt_is_for_who_knows_its_id() -> None:
    leaving = Leaving()
    assert leaving.world.web("GET", "/v1/closures/closure_0").status == 404
    assert leaving.world.web("GET", "/v1/closures/purge_01k3v9m6b0000000000000000b").status == 404


class _Killed(Exception):
    """The worker's machine went away."""


class _Mortal:
    """Lets a store do so many calls that change something, then takes the machine away."""

    CHANGES = frozenset(
        {"advance_closure", "erase_listed", "unlist", "erase_owner", "bury_base", "remove_member", "erase"}
    )

    def __init__(self, store: Any, lives: list[int]) -> None:
        self._store, self._lives = store, lives

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in self.CHANGES:
            return found

        def call(*arguments: Any) -> Any:
            self._lives[0] -= 1
            if self._lives[0] < 0:
                raise _Killed
            return found(*arguments)

        return call


@pytest.mark.parametrize("after", [False, True])
def test_a_worker_that_is_killed_anywhere_is_taken_over(*, after: bool) -> None:
    """For each call that changes something: killed before it, or right after it, then another worker goes on."""
    for point in range(200):
        leaving = Leaving()
        world = leaving.world
        closure_id = leaving.close()
        lives = [point]
        run = world.services.run_closure
        stores: dict[str, Any] = {
            "closures": world.leaving,
            "graves": world.shelves,
            "teams": world.keys,
            "shelves": world.blobs,
            "traces": world.memory_search,
        }
        mortal = {name: (_Late if after else _Mortal)(each, lives) for name, each in stores.items()}
        doomed = RunClosure(store=run.store, ids=run.ids, clock=run.clock, **mortal)
        try:
            doomed(closure_id, lambda: True)
        except _Killed:
            leaving.work(closure_id)
        else:
            leaving.work(closure_id)
            assert leaving.left() == []
            return
        assert leaving.left() == [], point
        removed = world.leaving.closures_[closure_id].removed
        assert (removed.memories, removed.notes, removed.tokens) == (60, 8, 1), point
    pytest.fail("the worker never came to an end")


class _Late(_Mortal):
    """As above, but the last call still comes through."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in self.CHANGES:
            return found

        def call(*arguments: Any) -> Any:
            done = found(*arguments)
            self._lives[0] -= 1
            if self._lives[0] < 0:
                raise _Killed
            return done

        return call


def test_two_workers_at_once_do_no_harm() -> None:
    leaving = Leaving()
    closure_id = leaving.close()
    closure = leaving.world.leaving.closures_[closure_id]
    leaving.world.leaving.advance_closure(closure, closure.touched(leaving.world.clock.now()))
    with pytest.raises(ConcurrentChange):
        leaving.world.leaving.advance_closure(closure, closure.touched(leaving.world.clock.now()))
    leaving.work(closure_id)
    assert leaving.left() == []


def test_what_waits_is_woken() -> None:
    leaving = Leaving()
    closure_id = leaving.close()
    assert leaving.world.services.sweep_closures() == ()
    leaving.world.clock.pass_(minutes=3)
    woken = leaving.world.services.sweep_closures()
    assert [each.id for each in woken] == [closure_id]
    leaving.work(closure_id, lambda: False)


def test_what_a_writer_leaves_behind_is_found_by_the_second_pass() -> None:
    leaving = Leaving()
    world = leaving.world
    late = next(each for each in world.memories.records.values() if each.space_id == leaving.space)
    closure_id = leaving.close()
    leaving.work(closure_id)
    world.memories.records[late.id] = late
    world.leaving.gone.clear()
    world.services.notebook.index(late.id)
    world.clock.pass_(minutes=16)
    leaving.work(closure_id)
    assert leaving.left() == []


def test_an_export_of_an_account_that_went_is_nothing() -> None:
    from chalicelib.domain.errors import NotFound

    leaving = Leaving()
    asked = leaving.world.ok(leaving.ana, "POST", "/v1/exports")
    leaving.close()
    with pytest.raises(NotFound):
        leaving.world.services.run_export(asked["id"])
