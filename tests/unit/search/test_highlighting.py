"""Where words of a query stand in a text."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.search.analysis import located, tokens
from chalicelib.search.highlighting import Highlighter

pytestmark = pytest.mark.promise("S5")


def _marked(query: str, text: str) -> list[str]:
    return [text[begin:end] for begin, end in Highlighter.of(query).spans(text)]


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("fox", "The Fox, the foxes and the firefox.", ["Fox", "foxes"]),
        ("instalación", "Instalacion o instalaciones", ["Instalacion", "instalaciones"]),
        ("guia", "La Guía está aquí", ["Guía"]),
        ("os.path.join", "call os.path.join(a) or path", ["os.path.join", "path"]),
        ("path", "call os.path.join", ["os.path.join"]),
        ("ERR_CONN", "see err_conn_reset", ["err_conn_reset"]),
        ("東京", "私は東京都に住む", ["東京"]),
        ("ｗｏｒｄ", "a word", ["word"]),
        ("word", "ａ ｗｏｒｄ！", ["ｗｏｒｄ"]),
        ("office", "an oﬃce here", ["oﬃce"]),
        ("word", "a wo\u00adrd here", ["wo\u00adrd"]),
        ("nothing", "a word here", []),
        ("", "a word here", []),
        ("!!", "a word !!", []),
        ("😀", "so 😀 it is", ["😀"]),
        ("two words", "words, two", ["words", "two"]),
    ],
)
def test_words_are_marked_as_they_are_written(query: str, text: str, marked: list[str]) -> None:
    assert _marked(query, text) == marked


@given(st.text(alphabet=st.sampled_from("aé e\u0301ﬃ東京日ﾊﾟ_.:'-Xx9\u00ad\u200b\n\u00a0ｗ😀!ก"), max_size=60))
def test_tokens_are_the_same_with_their_places(text: str) -> None:
    found = list(located(text))
    assert [token for token, _, _ in found] == list(tokens(text))
    assert all(0 <= begin < end <= len(text) for _, begin, end in found)
    spans = Highlighter.of(text).spans(text)
    assert all(first[1] < second[0] for first, second in pairwise(spans))
    assert bool(spans) == bool(found)


def test_ten_results_are_marked_in_milliseconds() -> None:
    highlighter = Highlighter.of("how do I delete a base for good?")
    texts = [
        f"Deleting a base number {n} removes its items, revisions and documents for good. " * 17 for n in range(10)
    ]
    highlighter.spans(texts[0])
    begun = time.perf_counter()
    for each in texts:
        assert highlighter.spans(each)
    spent = time.perf_counter() - begun
    assert spent < 0.5
