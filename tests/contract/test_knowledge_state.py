"""What every state of knowledge tells pages: a counter that misses no change of what is public (rule N3)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from chalicelib.adapters.dynamodb.knowledge import DynamoKnowledge
from chalicelib.adapters.dynamodb.standing import DynamoKnowledgeState
from chalicelib.answers.ports import KnowledgeState
from chalicelib.domain import bases
from chalicelib.domain.bases import Base
from chalicelib.domain.ids import Kind
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.search.ports import Candidate, Passage
from tests.factories import a_base, a_purge, a_revision, an_item, new_id
from tests.fakes.machine import START
from tests.fakes.shelves import MemoryKnowledgeState
from tests.stores import Stores

pytestmark = pytest.mark.promise("N3")

LATER = START + timedelta(seconds=1)


@pytest.fixture
def state(stores: Stores) -> KnowledgeState:
    knowledge: Any = stores.knowledge
    if isinstance(knowledge, DynamoKnowledge):
        return DynamoKnowledgeState(knowledge.tables)
    return MemoryKnowledgeState(knowledge)


@pytest.fixture
def base(stores: Stores) -> Base:
    return stores.knowledge.add_base(a_base(), None)


def published(stores: Stores, base: Base) -> Item:
    item = an_item(base, status=ItemStatus.PUBLISHED)
    return stores.knowledge.add_item(item, a_revision(item), None)


def edited(stores: Stores, item: Item, **changes: Any) -> Item:
    revised = replace(item, version=item.version + 1, updated_at=LATER, **changes)
    if "current_revision_id" in changes:
        return stores.knowledge.add_revision(item, revised, a_revision(revised, "Other.\n"), None)
    return stores.knowledge.change_item(item, revised, None)


CHANGES: dict[str, Callable[[Stores, Base, Item], object]] = {
    "an edit": lambda stores, _, item: edited(
        stores,
        item,
        current_revision_id=new_id(Kind.REVISION),
        current_number=2,
    ),
    "another title": lambda stores, _, item: edited(stores, item, title="Other"),
    "a withdrawal": lambda stores, _, item: edited(stores, item, status=ItemStatus.DRAFT),
    "archiving": lambda stores, _, item: edited(
        stores, item, status=ItemStatus.ARCHIVED, archived_from=ItemStatus.PUBLISHED
    ),
    "a deletion": lambda stores, base, item: stores.graves.bury_item(item, a_purge(base, item), None),
    "another item": lambda stores, base, _: published(stores, base),
    "the base archived": lambda stores, base, _: stores.knowledge.change_base(base, bases.archive(base, LATER), None),
    "the base deleted": lambda stores, base, _: stores.graves.bury_base(base, a_purge(base), None),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_of_what_is_public_is_counted(
    stores: Stores, state: KnowledgeState, base: Base, change: str
) -> None:
    item = published(stores, base)
    before = state.changes([base.id])[base.id]
    CHANGES[change](stores, base, item)
    assert state.changes([base.id])[base.id] == before + 1


def test_what_comes_back_is_counted_too(stores: Stores, state: KnowledgeState, base: Base) -> None:
    withdrawn = edited(stores, published(stores, base), status=ItemStatus.DRAFT)
    archived = stores.knowledge.change_base(base, bases.archive(base, LATER), None)
    before = state.changes([base.id])[base.id]
    restored = stores.knowledge.change_base(archived, bases.restore(archived, LATER), None)
    assert restored.status is bases.BaseStatus.ACTIVE
    edited(stores, withdrawn, status=ItemStatus.PUBLISHED)
    assert state.changes([base.id])[base.id] == before + 2


def test_drafts_and_names_of_bases_change_nothing_that_is_public(
    stores: Stores, state: KnowledgeState, base: Base
) -> None:
    draft = an_item(base)
    stores.knowledge.add_item(draft, a_revision(draft), None)
    draft = edited(stores, draft, current_revision_id=new_id(Kind.REVISION), current_number=2)
    stores.knowledge.change_base(base, replace(base, name="Other", version=2), None)
    stores.graves.bury_item(draft, a_purge(base, draft), None)
    assert state.changes([base.id, "kb_none"]).get(base.id, 0) == 0


def test_a_change_that_fails_is_not_counted(stores: Stores, state: KnowledgeState, base: Base) -> None:
    item = published(stores, base)
    edited(stores, item, title="Other")
    before = state.changes([base.id])[base.id]
    with pytest.raises(Exception, match="moment"):
        edited(stores, item, title="Third")
    assert state.changes([base.id])[base.id] == before


def test_the_standing_of_candidates_is_that_of_the_table(stores: Stores, state: KnowledgeState, base: Base) -> None:
    item = published(stores, base)
    passage = Passage(0, (), "x")
    seen = Candidate(item.id, base.id, base.space_id, item.current_revision_id, passage, 1.0)
    gone = Candidate("item_none", "kb_none", base.space_id, "rev_none", passage, 1.0)
    standing = state.standing([seen, seen, gone])
    assert (standing.items, standing.bases, standing.roles) == ({item.id: item}, {base.id: base}, {})
