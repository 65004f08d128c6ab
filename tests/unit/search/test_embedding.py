"""Giving passages their vectors."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from chalicelib.domain.lifecycle import Move
from chalicelib.search.embedding import Embedded, Remembering, digest, embedded_texts, unit
from chalicelib.search.indexing import Indexed
from chalicelib.search.ports import (
    Card,
    Embedding,
    EmbeddingMismatch,
    EmbeddingModel,
    EmbeddingsUnavailable,
    Held,
    Passage,
    SearchState,
    Vector,
)
from tests.factories import a_revision, an_item
from tests.fakes.search import MemoryEmbedder, MemoryIndex
from tests.unit.search.desk import Desk

SECTIONS = [f"## Part {number}\n\nword{number} and more\n" for number in range(40)]


@pytest.fixture
def embedder() -> MemoryEmbedder:
    return MemoryEmbedder()


@pytest.fixture
def desk(embedder: MemoryEmbedder) -> Desk:
    return Desk(MemoryIndex(embedder.model), embedder)


@pytest.mark.promise("S11")
def test_words_go_in_first_and_vectors_are_asked_for(desk: Desk, embedder: MemoryEmbedder) -> None:
    item = desk.item(desk.base(), "\n".join(SECTIONS))
    assert desk.shelves.states([item])[item.id] is SearchState.INDEXED
    assert desk.index.held([item.id])[item.id] == Held(item.version, 40, 0)
    assert (desk.later, embedder.embedded) == ([item.id], [])
    assert desk.embed_item(item.id) is Embedded.DONE
    assert desk.index.held([item.id])[item.id] == Held(item.version, 40, 40)
    assert desk.later == [item.id]


@pytest.mark.promise("S11")
def test_only_passages_that_changed_are_embedded_again(desk: Desk, embedder: MemoryEmbedder) -> None:
    item = desk.item(desk.base(), "\n".join(SECTIONS))
    desk.embed_item(item.id)
    embedder.embedded.clear()
    desk.later.clear()
    after = desk.edit(item, "\n".join([*SECTIONS[:20], "## New\n\nsomething else\n", *SECTIONS[20:]]))
    assert desk.index_item(item.id) is Indexed.PUT
    assert desk.index.held([item.id])[item.id] == Held(after.version, 41, 40)
    assert desk.later == [item.id]
    desk.embed_item(item.id)
    assert [text.splitlines()[-1] for text in embedder.embedded] == ["something else"]
    assert desk.index.held([item.id])[item.id] == Held(after.version, 41, 41)
    embedder.embedded.clear()
    desk.later.clear()
    assert desk.index_item(item.id) is Indexed.PUT
    assert desk.embed_item(item.id) is Embedded.DONE
    assert (embedder.embedded, desk.later) == ([], [])


@pytest.mark.promise("S11")
def test_where_time_is_over_what_is_made_is_kept_and_the_rest_asked_for(desk: Desk, embedder: MemoryEmbedder) -> None:
    item = desk.item(desk.base(), "\n".join(SECTIONS))
    desk.later.clear()
    goes = iter([True, False])
    assert desk.embed_item(item.id, lambda: next(goes)) is Embedded.PARTLY
    assert desk.index.held([item.id])[item.id] == Held(item.version, 40, 16)
    assert desk.later == [item.id]
    assert desk.embed_item(item.id) is Embedded.DONE
    assert len(embedder.embedded) == 40


@pytest.mark.promise("S11", "S6")
def test_an_embedder_that_fails_loses_neither_words_nor_what_it_made(desk: Desk, embedder: MemoryEmbedder) -> None:
    item = desk.item(desk.base(), "\n".join(SECTIONS))

    def fail_then() -> bool:
        embedder.failing = bool(embedder.embedded)
        return True

    with pytest.raises(EmbeddingsUnavailable):
        desk.embed_item(item.id, fail_then)
    assert desk.index.held([item.id])[item.id] == Held(item.version, 40, 16)
    assert desk.found("word39") == [item.id]
    embedder.failing = False
    desk.embed_item(item.id)
    assert len(embedder.embedded) == 40


@pytest.mark.promise("S11")
def test_there_is_nothing_to_embed_of_what_is_gone_or_not_published(desk: Desk, embedder: MemoryEmbedder) -> None:
    item = desk.item(desk.base())
    draft = an_item(desk.base())
    desk.shelves.add_item(draft, a_revision(draft, "alpha"), None)
    desk.move(item, Move.WITHDRAW)
    assert [desk.embed_item(each) for each in (item.id, draft.id, "item_none")] == [Embedded.NOTHING] * 3
    assert embedder.embedded == []
    without = Desk()
    published = without.item(without.base())
    assert without.embed_item(published.id) is Embedded.NOTHING
    assert without.later == []


@pytest.mark.promise("K16")
def test_an_item_that_is_deleted_while_it_is_embedded_leaves_nothing(desk: Desk) -> None:
    item = desk.item(desk.base())

    def bury() -> bool:
        desk.bury(item)
        desk.index.erase([item.id])
        return True

    desk.embed_item(item.id, bury)
    assert list(desk.index.known()) == []


@pytest.mark.promise("K16")
def test_an_item_that_is_deleted_as_its_vectors_go_in_leaves_nothing(embedder: MemoryEmbedder) -> None:
    class Late(MemoryIndex):
        """An index that takes the vectors just after the item was purged."""

        def put(self, card: Card, embeddings: Sequence[Embedding | None] = ()) -> bool:
            if any(embeddings):
                desk.bury(item)
                self.erase([item.id])
            return super().put(card, embeddings)

    desk = Desk(Late(embedder.model), embedder)
    item = desk.item(desk.base())
    desk.embed_item(item.id)
    assert list(desk.index.known()) == []


@pytest.mark.promise("S10")
def test_an_item_that_is_edited_while_it_is_embedded_keeps_its_new_words(desk: Desk) -> None:
    item = desk.item(desk.base(), "alpha")

    def edit() -> bool:
        desk.edit(item, "beta")
        desk.index_item(item.id)
        return True

    desk.embed_item(item.id, edit)
    assert (desk.found("beta"), desk.found("alpha")) == ([item.id], [])
    assert desk.later[-1] == item.id


@pytest.mark.promise("S4", "S11")
def test_in_an_index_of_another_model_words_go_in_and_vectors_are_refused(desk: Desk) -> None:
    item = desk.item(desk.base())
    desk.embed_item(item.id)
    assert isinstance(desk.index, MemoryIndex)
    desk.index.model = EmbeddingModel("another", 64)
    desk.edit(item, "beta")
    assert desk.index_item(item.id) is Indexed.PUT
    assert desk.found("beta") == [item.id]
    with pytest.raises(EmbeddingMismatch):
        desk.embed_item(item.id)


@pytest.mark.promise("S4")
def test_the_title_and_the_headings_are_embedded_with_the_text() -> None:
    card = Card("i", "b", "s", "r", 1, "Title", "l", (Passage(0, ("One", "Two"), "Text"),))
    assert embedded_texts(card) == ["Title\nOne\nTwo\nText"]
    other = replace(card, title="Other")
    assert digest(embedded_texts(card)[0]) != digest(embedded_texts(other)[0])


@pytest.mark.promise("S4")
def test_vectors_are_of_length_one_and_of_the_dimension() -> None:
    model = EmbeddingModel("test", 2)
    assert unit([3.0, 4.0], model) == pytest.approx([0.6, 0.8])
    for wrong in ([], [1.0], [1.0, 2.0, 3.0], [0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0]):
        with pytest.raises(EmbeddingsUnavailable, match="test gave"):
            unit(wrong, model)


@pytest.mark.promise("S4")
def test_the_vector_of_a_query_is_made_once_and_a_failure_is_not_remembered() -> None:
    asked: list[str] = []

    class Counting(MemoryEmbedder):
        def query(self, text: str) -> Vector:
            asked.append(text)
            return super().query(text)

    inner = Counting()
    embedder = Remembering(inner)
    assert embedder.query("alpha") == embedder.query("alpha") == inner.query("alpha")
    assert asked == ["alpha", "alpha"]
    inner.failing = True
    for _ in range(2):
        with pytest.raises(EmbeddingsUnavailable):
            embedder.query("beta")
    inner.failing = False
    assert embedder.query("beta")
    assert embedder.model == inner.model
    assert len(embedder.passages(["gamma"])) == 1
