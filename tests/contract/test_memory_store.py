"""What every store of memory does."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from chalicelib.domain.errors import ConcurrentChange, IdempotencyKeyReused, NotFound, ProjectTaken
from chalicelib.domain.ids import Kind
from chalicelib.domain.memory import (
    Event,
    Memory,
    MemoryStatus,
    MemoryType,
    Project,
    Source,
    State,
    Todo,
    TodoStatus,
)
from tests.factories import new_id, once
from tests.fakes.machine import START
from tests.stores import Stores

pytestmark = pytest.mark.promise("A6")

SPACE, OTHER, ANA = "space_1", "space_2", "user_ana"
SOURCE = Source(ANA, "mcp", "ordinary-full", "laptop", "agent", None)


def a_memory(**changes: Any) -> Memory:
    memory = Memory(
        id=new_id(Kind.MEMORY),
        space_id=SPACE,
        content="We deploy on Tuesdays. ñ 中 😀",
        type=MemoryType.SEMANTIC,
        path="projects/x",
        bucket="work",
        status=MemoryStatus.ACTIVE,
        source=SOURCE,
        version=1,
        created_at=START,
        updated_at=START,
    )
    return replace(memory, **changes)


def a_todo(**changes: Any) -> Todo:
    return replace(Todo(new_id(Kind.TODO), SPACE, "Write it down", "", TodoStatus.OPEN, SOURCE, START), **changes)


def an_event(when: datetime, **changes: Any) -> Event:
    return replace(Event(new_id(Kind.EVENT), SPACE, "Released", "", when, SOURCE, START), **changes)


def a_project(**changes: Any) -> Project:
    project = Project(new_id(Kind.PROJECT), SPACE, "X", "", "projects/x", 1, SOURCE, START, START)
    return replace(project, **changes)


def test_a_record_comes_back_as_it_was(stores: Stores) -> None:
    memory = a_memory(expires_at=START + timedelta(days=14), updated_by=SOURCE)
    assert stores.memories.add_memory(memory, None) == memory
    assert stores.memories.memory(memory.id) == memory
    assert stores.memories.memory(new_id(Kind.MEMORY)) is None
    assert stores.memories.memories([memory.id, new_id(Kind.MEMORY)]) == {memory.id: memory}
    assert stores.memories.memories([]) == {}


def test_records_are_listed_by_space_newest_first_in_pages(stores: Stores) -> None:
    mine = [stores.memories.add_memory(a_memory(), None) for _ in range(5)]
    stores.memories.add_memory(a_memory(space_id=OTHER), None)
    first = stores.memories.listed(SPACE, None, 3)
    rest = stores.memories.listed(SPACE, first.after, 3)
    assert [*first.entries, *rest.entries] == mine[::-1]
    assert rest.after is None


def test_the_newest_of_somebody_come_from_every_space(stores: Stores) -> None:
    bob = replace(SOURCE, user_id="user_bob")
    mine = [stores.memories.add_memory(a_memory(space_id=each), None) for each in (SPACE, OTHER, SPACE)]
    stores.memories.add_memory(a_memory(source=bob), None)
    assert stores.memories.newest_of(ANA, 2) == (mine[2], mine[1])


def test_a_repeat_answers_the_first_record(stores: Stores) -> None:
    key = once("a")
    first = stores.memories.add_memory(a_memory(), key)
    assert stores.memories.add_memory(a_memory(), key) == first
    assert len(stores.memories.listed(SPACE, None, 10).entries) == 1
    with pytest.raises(IdempotencyKeyReused):
        stores.memories.add_memory(a_memory(), replace(key, fingerprint="other"))


def test_of_two_changes_of_one_version_one_wins(stores: Stores) -> None:
    memory = stores.memories.add_memory(a_memory(), None)
    after = stores.memories.change_memory(memory, memory.changed(SOURCE, START, content="On Wednesdays."))
    assert stores.memories.memory(memory.id) == after
    with pytest.raises(ConcurrentChange):
        stores.memories.change_memory(memory, memory.forgotten(SOURCE, START))
    with pytest.raises(NotFound):
        stores.memories.change_memory(a_memory(), a_memory())


def test_a_forgotten_record_is_still_listed(stores: Stores) -> None:
    memory = stores.memories.add_memory(a_memory(), None)
    gone = stores.memories.change_memory(memory, memory.forgotten(SOURCE, START))
    assert stores.memories.listed(SPACE, None, 10).entries == (gone,)
    assert stores.memories.newest_of(ANA, 10) == (gone,)


def test_a_life_is_prolonged_only_of_what_is_as_seen(stores: Stores) -> None:
    later = START + timedelta(days=20)
    memory = stores.memories.add_memory(a_memory(expires_at=START), None)
    stores.memories.keep_until(memory, later)
    assert stores.memories.memory(memory.id) == replace(memory, expires_at=later)
    changed = stores.memories.change_memory(memory, memory.forgotten(SOURCE, START))
    stores.memories.keep_until(memory, START)
    assert stores.memories.memory(memory.id) == changed
    stores.memories.keep_until(a_memory(), later)


def test_a_todo_is_done_once(stores: Stores) -> None:
    todo = stores.notes.add_todo(a_todo(due_at=START), None)
    assert stores.notes.todo(todo.id) == todo
    done = replace(todo, status=TodoStatus.DONE, done_at=START, done_by=SOURCE)
    assert stores.notes.finish_todo(done) == done
    again = replace(done, done_at=START + timedelta(days=1))
    assert stores.notes.finish_todo(again) == done
    with pytest.raises(NotFound):
        stores.notes.finish_todo(a_todo())


def test_todos_are_listed_newest_first_and_repeats_answer_the_first(stores: Stores) -> None:
    key = once("t")
    first = stores.notes.add_todo(a_todo(), key)
    assert stores.notes.add_todo(a_todo(), key) == first
    second = stores.notes.add_todo(a_todo(), None)
    page = stores.notes.todos(SPACE, None, 1)
    assert (page.entries, stores.notes.todos(SPACE, page.after, 1).entries) == ((second,), (first,))


def test_events_are_read_by_when_they_happened(stores: Stores) -> None:
    days = [START + timedelta(days=each) for each in range(4)]
    events = [stores.notes.add_event(an_event(day), None) for day in (days[2], days[0], days[3], days[1])]
    ordered = sorted(events, key=lambda each: each.occurred_at, reverse=True)
    assert list(stores.notes.events(SPACE, (None, None), 10)) == ordered
    assert list(stores.notes.events(SPACE, (days[1], days[3]), 10)) == ordered[1:3]
    assert list(stores.notes.events(SPACE, (None, None), 2)) == ordered[:2]
    assert stores.notes.events(OTHER, (None, None), 10) == ()
    ancient = stores.notes.add_event(an_event(datetime(1970, 1, 1, tzinfo=UTC)), None)
    assert stores.notes.events(SPACE, (None, None), 10)[-1] == ancient


def test_an_event_that_is_sent_twice_is_there_once(stores: Stores) -> None:
    key = once("e")
    first = stores.notes.add_event(an_event(START), key)
    assert stores.notes.add_event(an_event(START + timedelta(days=1)), key) == first
    assert stores.notes.events(SPACE, (None, None), 10) == (first,)


def test_the_last_state_counts(stores: Stores) -> None:
    assert stores.notes.state(SPACE, "current") is None
    for content in ("one", "two"):
        state = State(SPACE, "current", content, SOURCE, START)
        stores.notes.save_state(state)
        assert stores.notes.state(SPACE, "current") == state
    assert stores.notes.state(OTHER, "current") is None


def test_a_project_keeps_its_path_to_itself(stores: Stores) -> None:
    project = stores.notes.add_project(a_project(), None)
    with pytest.raises(ProjectTaken) as taken:
        stores.notes.add_project(a_project(), None)
    assert taken.value.project_id == project.id
    other = stores.notes.add_project(a_project(path="projects/y"), None)
    assert stores.notes.projects(SPACE, None, 10).entries == (other, project)
    stores.notes.remove_project(project)
    assert stores.notes.project(project.id) is None
    assert stores.notes.projects(SPACE, None, 10).entries == (other,)
    stores.notes.add_project(a_project(), None)


def test_a_project_is_changed_by_one_at_a_time(stores: Stores) -> None:
    project = stores.notes.add_project(a_project(), None)
    after = replace(project, items=frozenset({"item_1"}), documents=frozenset({"doc_1"}), version=2)
    assert stores.notes.change_project(project, after) == after
    assert stores.notes.project(project.id) == after
    with pytest.raises(ConcurrentChange):
        stores.notes.change_project(project, after)
    with pytest.raises(ConcurrentChange):
        stores.notes.remove_project(project)
    with pytest.raises(NotFound):
        stores.notes.remove_project(a_project())


def test_everything_is_every_record_of_every_space(stores: Stores) -> None:
    first, other = a_memory(), a_memory(space_id=OTHER, status=MemoryStatus.DELETED)
    for each in (first, other):
        stores.memories.add_memory(each, None)
    stores.notes.add_todo(a_todo(), None)
    assert sorted(stores.memories.everything(), key=lambda each: each.id) == sorted([first, other], key=lambda e: e.id)
