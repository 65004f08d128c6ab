"""What a query string asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.search.query import parse

pytestmark = pytest.mark.promise("S5")


def test_words_are_asked_for_once_with_their_stems_and_neighbours() -> None:
    asked = parse("Running tests, running fast")
    assert asked.terms == ("running", "tests", "fast")
    assert asked.stems == ("run", "test")
    assert asked.pairs == (("running", "tests"), ("tests", "running"), ("running", "fast"))
    assert asked.chains == (("running", "tests", "running", "fast"),)
    assert asked.required == ()


def test_a_symbol_is_asked_for_whole_in_parts_and_in_order() -> None:
    asked = parse("os.path.join")
    assert asked.terms == ("os.path.join", "os", "path", "join")
    assert asked.chains == (("os", "path", "join"),)
    assert asked.pairs == ()


def test_accented_words_are_asked_for_both_ways_and_sequences_without() -> None:
    asked = parse("educación pública")
    assert asked.terms == ("educación", "educacion", "pública", "publica")
    assert asked.pairs == (("educacion", "publica"),)


def test_a_run_of_characters_is_asked_for_in_pairs_and_a_single_one_by_itself() -> None:
    assert parse("東京都").terms == ("東京", "京都")
    assert parse("東京").terms == ("東京",)
    assert parse("東").terms == ("東",)


@pytest.mark.parametrize(
    ("text", "required"),
    [
        ('say "connection reset" now', [("connection", "reset")]),
        ("say “connection reset” now", [("connection", "reset")]),
        ('"one", "Two words".', [("one",), ("two", "words")]),
        ('"os.path.join"', [("os", "path", "join")]),
        ('"one" "one"', [("one",)]),
        ('"open', []),
        ('open"', []),
        ('""', []),
        ('"***"', []),
        ('5" and 6" disks', []),
        ('print("hello world")', []),
        ('a"b c"d', []),
        ("“open only", []),
    ],
)
def test_what_stands_in_free_quotation_marks_is_required(text: str, required: list[tuple[str, ...]]) -> None:
    assert list(parse(text).required) == required


def test_a_pasted_paragraph_is_no_phrase() -> None:
    assert parse("word and so on " * 20).chains == ()


@given(st.text(max_size=2000))
def test_any_text_is_a_query(text: str) -> None:
    asked = parse(text)
    assert len(set(asked.terms)) == len(asked.terms)
    assert set(asked.stems).isdisjoint(asked.terms)
    assert bool(asked.terms) or not (asked.stems or asked.chains or asked.pairs or asked.required)
    assert all(phrase for phrase in asked.required)
