"""Hostile and careless requests get a clear error, and change nothing."""

import pytest

from tests.hostile import REQUESTS, Bad, filled
from tests.unit.api.world import World

pytestmark = pytest.mark.promise("H2")


@pytest.mark.parametrize("bad", REQUESTS, ids=[each.name for each in REQUESTS])
def test_a_bad_request_gets_a_clear_error_and_changes_nothing(bad: Bad) -> None:
    world = World()
    ana = world.person("Ana")
    space = ana.account.personal_space_id
    base = world.base(ana, space)
    item = world.item(ana, base)
    before = (dict(world.shelves.bases_), dict(world.shelves.items_), dict(world.shelves.revisions_))
    path, raw = filled(bad, {"base": base, "item": item["id"], "revision": item["current_revision_id"], "space": space})
    answer = world.web(
        bad.method, path, raw=raw, token=None if "authorization" in bad.headers else ana.token, headers=bad.headers
    )
    assert (answer.status, answer.json["code"]) == (bad.status, bad.code), answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert bad.mentions in answer.text
    assert answer.json["detail"].endswith((".", "`."))
    assert (world.shelves.bases_, world.shelves.items_, world.shelves.revisions_) == before


def test_an_error_never_quotes_what_was_sent() -> None:
    world = World()
    ana = world.person("Ana")
    secret = "hunter2-hunter2"
    for body in ({"query": secret, "mode": secret}, {"query": {"x": secret}}, {secret[:3]: secret}):
        assert secret not in world.web("POST", "/api/v1/knowledge/search", body, token=ana.token).text


def test_there_are_at_least_thirty() -> None:
    assert len(REQUESTS) >= 30
    assert len({each.name for each in REQUESTS}) == len(REQUESTS)
