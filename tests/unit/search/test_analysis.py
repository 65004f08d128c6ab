"""How text becomes terms."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.search.analysis import LONGEST, Token, tokens

pytestmark = pytest.mark.promise("S5")

_MIB = 1024 * 1024


def one(text: str) -> Token:
    (token,) = tokens(text)
    return token


def words(text: str) -> list[str]:
    return [word for token in tokens(text) for word in token.folded]


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("ERR_CONN_RESET", "err_conn_reset", "err conn reset"),
        ("os.path.join", "os.path.join", "os path join"),
        ("no-unused-vars", "no-unused-vars", "no unused vars"),
        ("getHTTPResponse", "gethttpresponse", "get http response"),
        ("E0382", "e0382", "e 0382"),
        ("cache.ttl-ms", "cache.ttl-ms", "cache ttl ms"),
        ("C-8", "c-8", "c 8"),
        ("C++", "c++", "c"),
        ("C#", "c#", "c"),
        ("c++17", "c++17", "c 17"),
        ("__init__", "__init__", "init"),
        ("std::vec::Vec", "std::vec::vec", "std vec vec"),
        ("don’t", "don't", "don t"),
        ("l'été", "l'été", "l été"),
        ("joe@example.com", "joe@example.com", "joe example com"),
        ("iPhone15Pro", "iphone15pro", "i phone 15 pro"),
        ("SHA‑256", "sha-256", "sha 256"),
        ("ÑandúRojo", "ñandúrojo", "ñandú rojo"),
    ],
)
def test_a_compound_is_one_term_and_its_parts_in_order(text: str, whole: str, parts: str) -> None:
    token = one(text)
    assert token.wholes == (whole,)
    assert token.parts == tuple(parts.split())


@pytest.mark.parametrize("text", ["word", "Word", "WORD", "ｗｏｒｄ", "wo\u00adrd", "\u200eword\u200f"])
def test_a_plain_word_is_one_part_however_it_is_set(text: str) -> None:
    assert one(text) == Token((), ("word",), ("word",))


@pytest.mark.parametrize(
    ("text", "part", "folded"),
    [
        ("Año", "año", "ano"),
        ("straße", "strasse", "strasse"),
        ("İstanbul", "i̇stanbul", "istanbul"),
        ("smørrebrød", "smørrebrød", "smorrebrod"),
        ("Ærø", "ærø", "aero"),
        ("Москвой", "москвой", "москвои"),
        ("ΟΔΌΣ", "οδόσ", "οδοσ"),
        ("ﬁne", "fine", "fine"),
        ("مَدْرَسَة", "مَدْرَسَة", "مدرسة"),
        ("مـــدرسة", "مدرسة", "مدرسة"),
        ("שָׁלוֹם", "שָׁלוֹם", "שלום"),
        ("हिन्दी", "हिन्दी", "हिन्दी"),
        ("٣٤", "٣٤", "34"),
        ("x²", None, None),
    ],
)
def test_accents_fold_where_they_are_accents(text: str, part: str | None, folded: str | None) -> None:
    token = one(text)
    if part is None:
        assert token == Token(("x2",), ("x", "2"), ("x", "2"))
        return
    assert token.parts == (unicodedata.normalize("NFC", part),)
    assert token.folded == (folded,)


def test_scripts_without_blanks_go_in_as_characters_and_pairs() -> None:
    assert one("東京都") == Token(("東京", "京都"), ("東", "京", "都"), ("東", "京", "都"), paired=True)
    assert one("水") == Token((), ("水",), ("水",))
    assert one("ﾊﾞｽ").wholes == ("バス",)
    assert [token.wholes for token in tokens("Python入門、한국어 문장。ภาษา")] == [
        (),
        ("入門",),
        ("한국", "국어"),
        ("문장",),
        ("ภา", "าษ", "ษา"),
    ]


def test_symbols_and_emoji_are_words_of_their_own_and_punctuation_is_not() -> None:
    assert words("Ship 🚀 for €5, 👩‍💻! — «a» → b") == ["ship", "🚀", "for", "€", "5", "👩", "💻", "a", "→", "b"]
    assert words("│ ─── ┼ *** ;;; ...") == []


def test_sentence_ends_do_not_stick_to_words() -> None:
    assert words('End. "Quoted." (In brackets) - dash -- more... a,b') == [
        *(["end", "quoted", "in", "brackets", "dash", "more", "a", "b"]),
    ]


def test_terms_have_a_longest_length_and_longer_ones_are_still_found_by_it() -> None:
    text = "x" * 500
    assert one(text).parts == one(text + "tail").parts == ("x" * LONGEST,)
    chain = ".".join(["ab"] * 200)
    assert len(one(chain).parts) == 200
    assert one(chain).wholes == (chain[:LONGEST],)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 2 * _MIB,
        "a." * _MIB,
        "aB" * _MIB,
        "a\u0301" * _MIB,
        "\u0301" * _MIB,
        "漢" * _MIB,
        "🚀" * (_MIB // 2),
        "\ufdfa" * (_MIB // 8),
        "a--" * (_MIB // 2),
        "+" * 2 * _MIB,
        "_" * 2 * _MIB,
        "a+#" * (_MIB // 2),
        "\u202e\u200f" * _MIB,
        "".join(map(chr, range(0x80, 0xD800))) * 5,
        "".join(map(chr, range(0x10000, 0x40000))),
    ],
    ids=range(15),
)
def test_hostile_text_takes_bounded_time(text: str) -> None:
    start = time.process_time()
    for token in tokens(text):
        assert token.parts
    assert time.process_time() - start < 10


@given(st.text())
def test_any_text_gives_terms_that_an_engine_can_keep(text: str) -> None:
    for token in tokens(text):
        assert token.parts
        assert len(token.parts) == len(token.folded)
        for term in (*token.wholes, *token.parts, *token.folded):
            assert 0 < len(term) <= LONGEST
            assert not any(character.isspace() or character in '"\0()*^{}' for character in term)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_tokens_do_not_depend_on_normal_form(text: str) -> None:
    assert list(tokens(unicodedata.normalize("NFC", text))) == list(tokens(unicodedata.normalize("NFD", text)))


@given(st.text(alphabet="abcXYZ019_.-áÑ ", max_size=40))
def test_a_text_finds_itself_in_capitals(text: str) -> None:
    assert {whole for token in tokens(text) for whole in token.wholes or token.parts} == {
        whole for token in tokens(text.upper()) for whole in token.wholes or token.parts
    } or any(len(token.parts) > 1 for token in tokens(text))


@given(st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=6))
def test_parts_of_a_compound_are_those_of_its_words_apart(many: list[str]) -> None:
    for connector in "_.-:":
        assert words(connector.join(many)) == words(" ".join(many))
