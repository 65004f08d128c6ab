"""Two edits of one revision in one text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.knowledge.merging import Merged, merge
from tests.unit.api.world import KNOWLEDGE, World

pytestmark = pytest.mark.promise("K2")

_TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "d\u2028e"]), max_size=7).map(
    lambda lines: "".join(f"{each}\n" for each in lines)
)

BASE = "# Restart\n\nDrain first.\n\nThen restart.\n\nTell the team.\n"


def test_edits_of_different_lines_are_both_there() -> None:
    mine = BASE.replace("Drain first.", "Drain node 4 first.")
    theirs = BASE.replace("Tell the team.\n", "Tell the team.\n\nWrite it down.\n")
    both = mine.replace("Tell the team.\n", "Tell the team.\n\nWrite it down.\n")
    assert merge(BASE, mine, theirs) == Merged(both, 0)


def test_where_both_changed_the_same_line_mine_is_kept_and_counted() -> None:
    mine, theirs = BASE.replace("Drain", "Empty"), BASE.replace("Drain", "Stop").replace("Tell", "Ask")
    assert merge(BASE, mine, theirs) == Merged(mine.replace("Tell", "Ask"), 1)


def test_a_line_that_one_deleted_and_the_other_changed_is_a_conflict() -> None:
    assert merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n") == Merged("a\nc\n", 1)


@given(_TEXTS, _TEXTS)
def test_who_changed_nothing_takes_the_other(base: str, other: str) -> None:
    assert merge(base, base, other) == Merged(other, 0)
    assert merge(base, other, base) == Merged(other, 0)
    assert merge(base, other, other) == Merged(other, 0)


@given(_TEXTS, _TEXTS, _TEXTS)
def test_either_order_sees_the_same_conflicts_and_a_clean_merge_is_the_same(base: str, one: str, other: str) -> None:
    first, second = merge(base, one, other), merge(base, other, one)
    assert first.conflicts == second.conflicts
    if not first.conflicts:
        assert first.text == second.text
    assert set(first.text.split("\n")) <= set(base.split("\n")) | set(one.split("\n")) | set(other.split("\n"))


def test_a_second_writer_is_handed_both_edits_over_http() -> None:
    world = World()
    ana, bob = world.person("Ana"), world.person("Bob")
    team = world.team(ana, member=bob)
    item = world.item(ana, world.base(ana, team), content=BASE)
    begun = item["current_revision_id"]
    edit = {"content": BASE.replace("Tell", "Ask"), "expected_revision_id": begun}
    saved = world.ok(ana, "PATCH", f"{KNOWLEDGE}/items/{item['id']}", edit)
    sent = {"content": BASE.replace("Drain", "Empty"), "expected_revision_id": begun}
    assert world.web("PATCH", f"{KNOWLEDGE}/items/{item['id']}", sent, token=bob.token).json["code"] == "stale_revision"
    found = world.ok(bob, "POST", f"{KNOWLEDGE}/items/{item['id']}/merge", sent)
    assert found["current"]["id"] == saved["current_revision_id"]
    assert found["current"]["provenance"]["author_name"] == "Ana"
    assert (found["conflicts"], found["content"]) == (0, BASE.replace("Drain", "Empty").replace("Tell", "Ask"))
    changed = [each["text"] for each in found["theirs"]["changes"] if each["kind"] == "inserted"]
    assert changed == ["Ask the team.\n"]
    assert found["mine"]["inserted_lines"] == 1
