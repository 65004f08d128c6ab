"""Searching: what is found, and what may be seen of it."""

from dataclasses import replace

import pytest

from chalicelib.adapters.no_search import NoSearch
from chalicelib.domain.bases import BaseStatus
from chalicelib.domain.errors import KnowledgeArchived, KnowledgeRuntimeDisabled, NotFound, SearchUnavailable
from chalicelib.domain.lifecycle import Move
from chalicelib.domain.spaces import Role
from chalicelib.search.ports import Leg, Legs, Outcome, Passage, Question, Within
from chalicelib.search.request import GroupBy, Mode, SearchRequest
from chalicelib.search.retrieve import Hit
from chalicelib.search.visibility import Dropped
from tests.fakes.search import MemoryIndex
from tests.unit.search.desk import READER, SPACE, Desk

PARAGRAPH = "alpha " + "and more " * 190


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.promise("S8")
def test_a_hit_tells_what_the_table_says_and_the_passage_that_matched(desk: Desk) -> None:
    item = desk.item(desk.base(), "# Greek\n\nalpha beta\n", title="Letters")
    (hit,) = desk.search().hits
    assert hit == Hit(
        item_id=item.id,
        base_id=item.base_id,
        space_id=SPACE,
        revision_id=item.current_revision_id,
        title="Letters",
        passage=Passage(0, ("Greek",), "# Greek\n\nalpha beta"),
        score=1.0,
        lexical=1.0,
        semantic=None,
    )
    assert hit.reference == f"knowledge:{item.id}@{item.current_revision_id}"


@pytest.mark.promise("S8")
def test_a_new_title_shows_before_it_is_indexed(desk: Desk) -> None:
    item = desk.item(desk.base(), title="Old")
    desk.shelves.change_item(item, replace(item, title="New", version=2), None)
    assert [hit.title for hit in desk.search().hits] == ["New"]


@pytest.mark.promise("S8")
def test_an_edited_item_is_not_found_by_its_old_text(desk: Desk) -> None:
    item = desk.item(desk.base())
    desk.edit(item, "beta")
    found = desk.search()
    assert (found.hits, found.dropped) == ((), {Dropped.SUPERSEDED: 1})


@pytest.mark.promise("S8", "K5")
@pytest.mark.parametrize("asked", [Move.WITHDRAW, Move.ARCHIVE])
def test_an_item_that_is_not_published_is_not_found(desk: Desk, asked: Move) -> None:
    item = desk.item(desk.base())
    desk.move(item, asked)
    found = desk.search()
    assert (found.hits, found.dropped) == ((), {Dropped.UNPUBLISHED: 1})


@pytest.mark.promise("S8", "K15")
def test_an_archived_base_is_left_out_and_comes_back_as_it_was(desk: Desk) -> None:
    base, other = desk.base(), desk.base()
    item, stays = desk.item(base), desk.item(other)
    desk.put_base(base, status=BaseStatus.ARCHIVED)
    found = desk.search()
    assert [hit.item_id for hit in found.hits] == [stays.id]
    assert found.dropped == {Dropped.BASE_ARCHIVED: 1}
    desk.put_base(base)
    assert set(desk.found()) == {item.id, stays.id}


@pytest.mark.promise("S8", "K16")
def test_what_is_deleted_is_not_found(desk: Desk) -> None:
    base, gone = desk.base(), desk.base()
    item, in_gone = desk.item(base), desk.item(gone)
    desk.bury(item)
    desk.shelves.erase_base(gone.id)
    found = desk.search()
    assert (found.hits, found.dropped) == ((), {Dropped.GONE: 2})
    assert desk.shelves.item(in_gone.id) is not None


@pytest.mark.promise("S8", "S10")
def test_a_role_that_was_lost_after_the_request_began_counts(desk: Desk) -> None:
    desk.item(desk.base())
    before = desk.principal()
    del desk.roles[SPACE, READER]
    found = desk.retrieve(SearchRequest("alpha", Mode.LEXICAL), before)
    assert (found.hits, found.dropped) == ((), {Dropped.UNREADABLE: 1})
    with pytest.raises(NotFound):
        desk.retrieve(SearchRequest("alpha", Mode.LEXICAL, space_id=SPACE), before)


@pytest.mark.promise("S8")
def test_a_token_narrowed_to_other_spaces_finds_nothing_here_whatever_the_engine_offers(desk: Desk) -> None:
    desk.roles["space_other", READER] = Role.OWNER
    desk.item(desk.base())
    narrowed = replace(desk.principal(), roles={"space_other": Role.OWNER})
    desk.retrieve = replace(desk.retrieve, index=Careless(desk))
    found = desk.retrieve(SearchRequest("alpha", Mode.LEXICAL), narrowed)
    assert (found.hits, found.dropped) == ((), {Dropped.UNREADABLE: 1})


@pytest.mark.promise("S8", "S9")
def test_an_engine_that_ignores_the_scope_leaks_nothing(desk: Desk) -> None:
    base, other = desk.base(), desk.base()
    desk.roles["space_other", READER] = Role.VIEWER
    item, elsewhere = desk.item(base), desk.item(other)
    desk.item(desk.base("space_other"))
    desk.item(desk.base("space_foreign"))
    desk.retrieve = replace(desk.retrieve, index=Careless(desk))
    assert desk.found(base_id=base.id) == [item.id]
    assert set(desk.found(space_id=SPACE)) == {item.id, elsewhere.id}


@pytest.mark.promise("S8")
@pytest.mark.parametrize("lie", [{"space_id": "space_other"}, {"base_id": "kb_other"}, {"revision_id": "rev_other"}])
def test_what_the_index_says_of_an_item_is_not_believed(desk: Desk, lie: dict[str, str]) -> None:
    desk.roles["space_other", READER] = Role.VIEWER
    base = desk.base()
    desk.shelves.bases_["kb_other"] = replace(base, id="kb_other")
    desk.item(base)
    desk.retrieve = replace(desk.retrieve, index=Careless(desk, lie))
    assert desk.found() == []


@pytest.mark.promise("K11")
def test_a_base_or_space_that_the_caller_may_not_see_does_not_exist(desk: Desk) -> None:
    mine, foreign = desk.base(), desk.base("space_foreign")
    desk.item(mine)
    desk.item(foreign)
    for scope in (
        {"base_id": foreign.id},
        {"base_id": "kb_unknown"},
        {"space_id": "space_foreign"},
        {"space_id": "space_unknown"},
        {"space_id": SPACE, "base_id": foreign.id},
    ):
        with pytest.raises(NotFound):
            desk.search(**scope)
    desk.roles["space_foreign", READER] = Role.VIEWER
    assert len(desk.found(base_id=foreign.id)) == 1
    with pytest.raises(NotFound):
        desk.search(space_id="space_foreign", base_id=mine.id)


@pytest.mark.promise("K11")
def test_a_hidden_base_answers_as_an_unknown_one_also_if_it_is_archived(desk: Desk) -> None:
    foreign = desk.base("space_foreign")
    desk.put_base(foreign, status=BaseStatus.ARCHIVED)
    with pytest.raises(NotFound):
        desk.search(base_id=foreign.id)


@pytest.mark.promise("K15")
def test_an_archived_base_that_is_named_says_so_with_and_without_matches(desk: Desk) -> None:
    base = desk.base()
    desk.item(base)
    desk.put_base(base, status=BaseStatus.ARCHIVED)
    for query in ("alpha", "nothing"):
        with pytest.raises(KnowledgeArchived) as caught:
            desk.search(query, base_id=base.id)
        assert caught.value.knowledge_base_id == base.id


@pytest.mark.promise("S8")
def test_an_empty_base_is_searched_without_a_fault(desk: Desk) -> None:
    assert desk.found(base_id=desk.base().id) == []
    assert desk.found(space_id=SPACE) == []


@pytest.mark.promise("K18")
def test_search_is_off_where_knowledge_is(desk: Desk) -> None:
    with pytest.raises(KnowledgeRuntimeDisabled):
        desk.retrieve(SearchRequest("alpha", Mode.LEXICAL), replace(desk.principal(), knowledge_enabled=False))


@pytest.mark.promise("K18")
def test_an_engine_that_does_not_answer_is_said_to_be_unavailable(desk: Desk) -> None:
    desk.retrieve = replace(desk.retrieve, index=NoSearch())
    with pytest.raises(SearchUnavailable):
        desk.search()


@pytest.mark.promise("S8")
def test_each_item_is_one_result_by_its_best_passage_unless_passages_are_asked_for(desk: Desk) -> None:
    base = desk.base()
    two = desk.item(base, f"{PARAGRAPH}\n\nalpha alpha alpha {PARAGRAPH}\n")
    one = desk.item(base, "alpha and a few words more\n")
    hits = desk.search().hits
    assert {hit.item_id for hit in hits} == {one.id, two.id}
    assert next(hit for hit in hits if hit.item_id == two.id).passage.position == 1
    assert len(desk.search(group_by=GroupBy.PASSAGE).hits) == 3
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0


@pytest.mark.promise("S8")
def test_a_search_is_one_question_to_the_engine_and_one_read_of_the_table(desk: Desk) -> None:
    base = desk.base()
    for _ in range(60):
        desk.item(base)
    for scope in ({}, {"base_id": base.id}, {"space_id": SPACE}):
        counting = Careless(desk)
        desk.retrieve = replace(desk.retrieve, index=counting)
        desk.shelves.reads = 0
        assert len(desk.found(**scope)) == 10
        assert (counting.asked, desk.shelves.reads) == (1, 1)


@pytest.mark.promise("S8")
def test_hidden_hits_do_not_starve_the_visible_ones(desk: Desk) -> None:
    base, archived = desk.base(), desk.base()
    for _ in range(100):
        desk.item(archived, "alpha alpha alpha")
    visible = {desk.item(base, "alpha among many other words of no interest").id for _ in range(10)}
    desk.put_base(archived, status=BaseStatus.ARCHIVED)
    found = desk.search()
    assert {hit.item_id for hit in found.hits} == visible
    assert found.rounds == 2
    assert found.dropped[Dropped.BASE_ARCHIVED] == 30


@pytest.mark.promise("S8")
def test_an_item_of_many_passages_does_not_starve_the_others(desk: Desk) -> None:
    base = desk.base()
    long = desk.item(base, "\n\n".join([f"alpha alpha {PARAGRAPH}"] * 80))
    others = {desk.item(base, "alpha among many other words of no interest").id for _ in range(9)}
    assert set(desk.found()) == {long.id, *others}


@pytest.mark.promise("S8")
@pytest.mark.parametrize("wanted", [1, 3, 10])
def test_an_archived_base_of_any_size_does_not_starve_the_one_visible_hit(desk: Desk, wanted: int) -> None:
    base, archived = desk.base(), desk.base()
    for _ in range(700):
        desk.item(archived, "alpha alpha alpha")
    visible = desk.item(base, "alpha among many other words of no interest")
    desk.put_base(archived, status=BaseStatus.ARCHIVED)
    found = desk.search(max_results=wanted)
    assert [hit.item_id for hit in found.hits] == [visible.id]
    assert found.rounds <= 3


@pytest.mark.promise("S8")
def test_an_item_of_any_number_of_passages_does_not_starve_the_others(desk: Desk) -> None:
    base = desk.base()
    long = desk.item(base, "\n\n".join([f"alpha alpha {PARAGRAPH}"] * 700))
    others = {desk.item(base, "alpha among many other words of no interest").id for _ in range(5)}
    assert set(desk.found(max_results=6)) == {long.id, *others}


@pytest.mark.promise("S8")
def test_rounds_are_bounded_however_much_is_hidden(desk: Desk) -> None:
    base = desk.base()
    for _ in range(60):
        desk.bury(desk.item(base))
    counting = Careless(desk)
    desk.retrieve = replace(desk.retrieve, index=counting)
    assert desk.found(max_results=1) == []
    assert counting.asked == 4


class Careless(MemoryIndex):
    """An engine that takes no heed of the scope, and can be told to lie."""

    def __init__(self, desk: Desk, lie: dict[str, str] | None = None) -> None:
        super().__init__()
        self.desk, self.lie = desk, lie or {}

    def search(self, question: Question, within: Within, limit: int) -> Legs:
        self.asked += 1
        everywhere = Within(within.spaces | {SPACE, "space_other", "space_foreign"})
        legs = self.desk.index.search(question, everywhere, limit)
        return Legs(self._lied(legs.lexical), self._lied(legs.semantic))

    def _lied(self, outcome: Outcome) -> Leg:
        assert isinstance(outcome, Leg)
        lies = tuple(replace(each, **self.lie) for each in outcome.candidates)  # type: ignore[arg-type]
        return Leg(lies, outcome.expected)
