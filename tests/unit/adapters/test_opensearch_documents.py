"""What the cluster is given of a card, held against what the embedded engine is given."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.adapters.opensearch import documents as opensearch
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.adapters.sqlite_search import columns as sqlite
from chalicelib.search.ports import Card, EmbeddingModel, Passage
from chalicelib.search.terms import WEIGHTS

TEXTS = st.text(max_size=60) | st.sampled_from(
    ["Año 2024: getHTTPResponse, no-unused-vars", "東京都の天気", "a|b|3 x|2", ""]
)


def a_card(title: str, heading: str, content: str) -> Card:
    passages = (Passage(0, (heading, "Part"), content), Passage(1, (), "more"))
    return Card("item", "kb", "space", "rev", 1, title, "docs/página.md", passages)


@pytest.mark.promise("S5")
def test_every_weight_is_a_whole_number_of_units() -> None:
    assert all(weight * opensearch.UNIT == int(weight * opensearch.UNIT) for weight in WEIGHTS.values())


@pytest.mark.promise("S5")
@given(TEXTS, TEXTS, TEXTS)
def test_every_term_counts_in_one_field_what_it_counts_in_all_columns(title: str, heading: str, content: str) -> None:
    card = a_card(title, heading, content)
    for document, row in zip(opensearch.documents(card, (), "vector"), sqlite.rows(card), strict=True):
        expected: Counter[str] = Counter()
        for (name, weight), terms in zip(sqlite.WEIGHTS.items(), row, strict=True):
            for term in terms.split() if name != "scope" else ():
                expected[term] += int(weight * opensearch.UNIT)
        del expected["\ue000"]
        pairs = (each.rsplit(opensearch.COUNTED, 1) for each in str(document["terms"]).split(" ") if each)
        assert {term: int(count) for term, count in pairs} == expected


@pytest.mark.promise("S5")
@given(TEXTS, TEXTS, TEXTS)
def test_sequences_are_looked_for_where_the_embedded_engine_looks(title: str, heading: str, content: str) -> None:
    card = a_card(title, heading, content)
    for document, row in zip(opensearch.documents(card, (), "vector"), sqlite.rows(card), strict=True):
        column = dict(zip(sqlite.WEIGHTS, row, strict=True))
        assert (
            str(document["sequences"]).split()
            == " \ue000 ".join(column[name] for name in ("parts", "folded") if column[name]).split()
        )


@pytest.mark.promise("S4")
@given(st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=400))
def test_a_vector_that_was_kept_in_short_is_the_same_in_half_precision(vector: list[float]) -> None:
    assert list(opensearch.unpacked(opensearch.packed(vector))) == vector


@pytest.mark.promise("S4")
def test_what_keeps_the_graph_is_a_setting_and_the_field_is_named_after_the_model() -> None:
    model = EmbeddingModel("test", 4, "query: ")
    layout = Layout(model=model, neighbours="faiss")
    field = layout.body()["mappings"]["properties"][layout.vector_field]
    assert (field["dimension"], field["method"]["engine"]) == (4, "faiss")
    others = (
        None,
        EmbeddingModel("test", 5, "query: "),
        EmbeddingModel("test", 4),
        EmbeddingModel("other", 4, "query: "),
    )
    assert len({layout.vector_field, *(Layout(model=each).vector_field for each in others)}) == 5
