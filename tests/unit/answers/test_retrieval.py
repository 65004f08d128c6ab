"""What a page finds in its knowledge, and that it never finds what is not public (rule N3)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from chalicelib.answers.retrieval import BEST, MAP_UNAVAILABLE
from chalicelib.domain import bases
from chalicelib.domain.errors import SearchUnavailable, StoreBusy
from chalicelib.domain.items import Item, ItemStatus
from chalicelib.search.asking import Degraded
from chalicelib.search.ports import Embedding, EmbeddingModel, Legs, Question, Within
from tests.factories import a_base, a_page, a_purge, a_topic
from tests.fakes.machine import START
from tests.fakes.search import MemoryEmbedder
from tests.unit.answers.shelf import Shelf

pytestmark = pytest.mark.promise("N3")


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def both() -> Shelf:
    return Shelf(MemoryEmbedder())


class Down:
    """Something that does not answer."""

    def __init__(self, fault: Exception) -> None:
        self.fault = fault

    def __getattr__(self, _: str) -> Callable[..., Any]:
        def call(*_args: object) -> Any:
            raise self.fault

        return call


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("¿Cuánto cuesta una habitación?", "Las habitaciones cuestan 90 euros."),
        ("cuanto cuesta una habitacion", "Las habitaciones cuestan 90 euros."),
        ("What about parking?", "Parking is free for guests."),
        ("is the guest's car safe? parked cars", "Parking is free for guests."),
        ("os.path.join", "Use os.path.join to make a path."),
        ("宿泊料金", "宿泊料金は一万円です。"),
        ("ERR-4711", "ERR-4711 means that the key is lost."),
    ],
)
def test_the_map_finds_by_the_rules_of_search(shelf: Shelf, question: str, wanted: str) -> None:
    texts = (
        "Las habitaciones cuestan 90 euros.",
        "Parking is free for guests.",
        "Use os.path.join to make a path.",
        "宿泊料金は一万円です。",
        "ERR-4711 means that the key is lost.",
        "El desayuno se sirve de ocho a diez.",
        "The pool opens in May.",
    )
    for text in texts:
        shelf.item(text)
    assert shelf.found(question)[0].strip() == wanted


def test_titles_and_headings_count(shelf: Shelf) -> None:
    shelf.item("# Pool\n\nFrom May to October.\n", title="Opening hours")
    shelf.item("It opens at nine.\n", title="Bar")
    first = shelf.read(shelf.page, shelf.topic, "opening hours of the pool").passages[0]
    assert (first.title, first.heading_path) == ("Opening hours", ("Pool",))
    assert first.reference.startswith(f"knowledge:{first.item_id}@rev_")
    assert 0 < first.score <= 1


def test_at_most_eight_best_first(both: Shelf) -> None:
    for number in range(20):
        both.item("Breakfast. " * (number + 1) + f"Table {number}.", title=f"T{number}")
    found = both.read(both.page, both.topic, "breakfast")
    assert len(found.passages) == BEST
    assert [each.score for each in found.passages] == sorted((each.score for each in found.passages), reverse=True)
    assert found.degraded is None


def test_nothing_is_found_where_nothing_matches(shelf: Shelf) -> None:
    assert shelf.found("pool") == []
    shelf.item("Parking is free.")
    assert shelf.found("zxqv") == []
    assert shelf.found("?!") == []


MOVES: dict[str, Callable[[Shelf, Item], object]] = {
    "withdrawn": lambda shelf, item: shelf.move(item, ItemStatus.DRAFT),
    "archived": lambda shelf, item: shelf.move(item, ItemStatus.ARCHIVED),
    "edited": lambda shelf, item: shelf.edit(item, "Nothing of it any more."),
    "deleted": lambda shelf, item: shelf.shelves.bury_item(item, a_purge(shelf.base, item), None),
    "its base archived": lambda shelf, _: shelf.shelves.change_base(shelf.base, bases.archive(shelf.base, START), None),
    "its base deleted": lambda shelf, _: shelf.shelves.bury_base(shelf.base, a_purge(shelf.base), None),
}


@pytest.mark.parametrize("stale", ["index", "map", "both"])
@pytest.mark.parametrize("move", MOVES)
def test_what_is_not_public_any_more_is_not_found_whatever_map_and_index_say(move: str, stale: str) -> None:
    shelf = Shelf(MemoryEmbedder())
    item = shelf.item("The secret pool opens in May.")
    shelf.item("The bar opens at nine.")
    version = shelf.read.knowledge_version(shelf.page)
    assert shelf.found("secret pool")
    counted = dict(shelf.shelves.changes)
    MOVES[move](shelf, item)
    assert shelf.read.knowledge_version(shelf.page) != version
    if stale != "index":
        shelf.shelves.changes.update(counted)  # as if the map had not heard of it
    if stale == "map":
        shelf.follow(item.id)
    assert not [each for each in shelf.found("secret pool") if "secret" in each]


def test_what_is_published_is_found_at_once_though_the_index_does_not_know_it(shelf: Shelf) -> None:
    draft = shelf.item("The pool opens in May.", status=ItemStatus.DRAFT)
    assert shelf.found("pool") == []
    shelf.move(draft, ItemStatus.PUBLISHED)
    assert shelf.found("pool") == ["The pool opens in May."]


def test_an_edit_is_found_at_once(shelf: Shelf) -> None:
    item = shelf.item("The pool opens in May.")
    assert shelf.found("pool")
    shelf.edit(item, "The pool opens in June.\n")
    assert shelf.found("pool") == ["The pool opens in June."]


def test_only_what_the_topic_names_is_found(both: Shelf) -> None:
    other = both.shelves.add_base(a_base(both.base.space_id), None)
    foreign = both.shelves.add_base(a_base(), None)
    inside = both.item("The pool opens in May.")
    single = both.item("The pool of the spa is warm.", other)
    both.item("The pool of the staff.", other)
    both.item("The pool of other people.", foreign)
    assert both.found("pool") == ["The pool opens in May."]
    topic = replace(a_topic(items=(single,)), drawn_base_ids=(other.id,))
    assert [each.item_id for each in both.read(both.page, topic, "pool").passages] == [single.id]
    topic = a_topic(both.base, items=(single,))
    assert {each.item_id for each in both.read(both.page, topic, "pool").passages} == {inside.id, single.id}


def test_a_base_of_another_space_is_not_found_though_the_topic_names_it(both: Shelf) -> None:
    foreign = both.shelves.add_base(a_base(), None)
    both.item("The pool of other people.", foreign)
    assert both.read(both.page, a_topic(foreign), "pool").passages == ()
    page = a_page(foreign.space_id)
    assert both.read(page, a_topic(both.base), "pool").passages == ()


def test_without_an_embedder_the_map_carries_the_page(shelf: Shelf) -> None:
    shelf.item("The pool opens in May.")
    found = shelf.read(shelf.page, shelf.topic, "pool")
    assert len(found.passages) == 1
    assert found.degraded == Degraded.EMBEDDINGS_UNAVAILABLE


@pytest.mark.parametrize("fault", [SearchUnavailable()])
def test_with_the_index_down_the_map_carries_the_page(both: Shelf, fault: Exception) -> None:
    both.item("The pool opens in May.")
    both.read = both.reader(index=Down(fault))
    found = both.read(both.page, both.topic, "pool")
    assert len(found.passages) == 1
    assert found.degraded == Degraded.SEMANTIC_UNAVAILABLE


def test_with_vectors_of_another_model_the_map_carries_the_page(both: Shelf) -> None:
    item = both.item("The pool opens in May.")
    both.index.held_model = EmbeddingModel("another", 3)
    assert isinstance(both.index.vectors[item.id][0], Embedding)
    found = both.read(both.page, both.topic, "pool")
    assert len(found.passages) == 1
    assert found.degraded == Degraded.EMBEDDING_MISMATCH


def test_while_vectors_are_still_made_words_count_alone(both: Shelf) -> None:
    item = both.item("The pool opens in May.")
    both.index.vectors.clear()
    (found,) = both.read(both.page, both.topic, "pool").passages
    assert found.item_id == item.id
    assert found.score > 0.5


@pytest.mark.parametrize("embedded", [True, False])
def test_without_a_map_the_index_carries_the_page_and_says_so(embedded: bool) -> None:  # noqa: FBT001
    shelf = Shelf(MemoryEmbedder()) if embedded else Shelf()
    shelf.item("The pool opens in May.")
    shelf.read = shelf.reader(maps=Down(StoreBusy()))
    found = shelf.read(shelf.page, shelf.topic, "pool")
    assert [each.content for each in found.passages] == ["The pool opens in May."]
    assert found.degraded == MAP_UNAVAILABLE


def test_with_neither_map_nor_index_it_says_so(both: Shelf) -> None:
    both.item("The pool opens in May.")
    both.read = both.reader(maps=Down(StoreBusy()), index=Down(SearchUnavailable()))
    with pytest.raises(SearchUnavailable):
        both.read(both.page, both.topic, "pool")


def test_with_the_table_down_nothing_is_known_to_be_public(both: Shelf) -> None:
    both.item("The pool opens in May.")
    assert both.found("pool")
    both.read = replace(both.read, state=Down(StoreBusy()))
    with pytest.raises(StoreBusy):
        both.read(both.page, both.topic, "pool")


def test_a_warm_look_up_asks_the_table_twice_and_the_index_once(both: Shelf) -> None:
    both.item("The pool opens in May.")
    both.found("pool")
    reads, asked = both.state.reads, both.index.asked
    both.found("pool in may")
    assert (both.state.reads - reads, both.index.asked - asked) == (2, 1)


def test_the_index_is_asked_for_the_topic_alone(both: Shelf) -> None:
    seen: list[Within] = []

    class Spy:
        def search(self, question: Question, within: Within, limit: int) -> Legs:
            seen.append(within)
            return both.index.search(question, within, limit)

    both.item("The pool opens in May.")
    both.reader(index=Spy())(both.page, both.topic, "pool")
    assert seen == [Within(frozenset({both.page.space_id}), only=frozenset({both.base.id}))]


def test_the_version_is_that_of_all_bases_of_the_page_and_of_no_other(both: Shelf) -> None:
    other = both.shelves.add_base(a_base(both.base.space_id), None)
    page = replace(both.page, topics=(both.topic, a_topic(other)))
    before = (both.read.knowledge_version(both.page), both.read.knowledge_version(page))
    both.item("New.", other)
    after = (both.read.knowledge_version(both.page), both.read.knowledge_version(page))
    assert before[0] == after[0]
    assert before[1] != after[1]
    assert both.read.knowledge_version(a_page())
