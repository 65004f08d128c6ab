"""Languages, and stems by language."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.search.stemming import DEFAULT, languages_for, languages_of, stems

pytestmark = pytest.mark.promise("S5")

GERMAN = "Die Katze sitzt auf dem Tisch und schläft den ganzen Tag, während der Hund im Garten spielt."
SPANISH = "El coche frena porque la fricción calienta los discos, y después vuelve a arrancar."
ENGLISH = "The brake of a car works by friction, which heats the discs until they glow."


@pytest.mark.parametrize(
    ("one_word", "other", "language"),
    [
        ("running", "run", DEFAULT),
        ("connections", "connected", DEFAULT),
        ("nacionalidades", "nacionalidad", DEFAULT),
        ("canciones", "cancion", DEFAULT),
        ("hausern", "hausers", "deu"),
        ("москвы", "москве", "rus"),
    ],
)
def test_forms_of_a_word_share_a_stem(one_word: str, other: str, language: str) -> None:
    assert (stems(one_word, language) or (one_word,)) == (stems(other, language) or (other,))


@pytest.mark.parametrize("word", ["e0382", "42", "", "x", "本"])
def test_what_is_no_word_with_an_ending_has_no_stem(word: str) -> None:
    assert stems(word, DEFAULT, "deu") == ()


def test_each_passage_is_of_its_own_language_and_what_does_not_tell_of_that_of_the_others() -> None:
    assert languages_of([GERMAN, SPANISH, ENGLISH]) == ["deu", DEFAULT, DEFAULT]
    assert languages_of([GERMAN, "foo = bar(baz)", "1 2 3", ""]) == ["deu"] * 4
    assert languages_of(["foo", "x = 1"]) == [DEFAULT] * 2
    assert languages_of([]) == []


def test_a_query_is_stemmed_as_in_english_and_spanish_and_what_it_is_most_like() -> None:
    assert languages_for(GERMAN) == languages_for("Häuser in Berlin") == (DEFAULT, "deu")
    assert languages_for(ENGLISH) == languages_for(SPANISH) == languages_for("42") == languages_for("") == (DEFAULT,)


@given(st.text(st.characters(codec=None), max_size=50))
def test_any_text_has_languages(text: str) -> None:
    assert languages_for(text)
    assert len(languages_of([text, text])) == 2


def test_stemming_is_safe_in_threads() -> None:
    many = [f"{first}{second}nesses" for first in "bcdfghjklm" for second in "aeiou"] * 20
    results: list[list[tuple[str, ...]]] = []
    threads = [
        threading.Thread(target=lambda: results.append([stems(word, DEFAULT) for word in many])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result == results[0] for result in results)
