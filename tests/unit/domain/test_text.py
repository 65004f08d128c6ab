"""The canonical form of content, and cutting it."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chalicelib.domain.errors import ContentTooLarge
from chalicelib.domain.text import MAX_BYTES, Canonical, canonical, cut

pytestmark = pytest.mark.promise("K9")

_PIECES = st.sampled_from(
    [
        "a",
        " ",
        "\t",
        "\n",
        "\r",
        "\r\n",
        "```",
        "~~~",
        "> ",
        "- ",
        "1. ",
        "\ufeff",
        "\0",
        "e\u0301",
        "\u1fef",
        "\ud800",
        "\udc00",
        "x  ",
    ]
)
RAW = st.one_of(st.text(st.characters(codec=None)), st.lists(_PIECES).map("".join))


@given(RAW)
@example("\u1fef\u1fef\u1fef\n a  \n")
@example("\ud83d\ude00")
@example("> ```\n> a  \n\nb  \n")
def test_canonicalising_twice_changes_nothing(raw: str) -> None:
    once = canonical(raw)
    assert canonical(once) == once


@given(RAW)
def test_the_form_is_utf_8_nfc_lf_without_mark_nul_or_surrogate_and_ends_in_one_newline(raw: str) -> None:
    text = canonical(raw)
    assert text.encode().decode() == text
    assert unicodedata.is_normalized("NFC", text)
    assert not set("\r\ufeff\0") & set(text)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="`~\r\n"))))
def test_prose_has_no_blanks_at_line_ends(lines: list[str]) -> None:
    assert all(each == each.rstrip(" \t") for each in canonical("\n".join(lines)).split("\n"))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("", "\n"),
        ("\ufeffa\r\nb\rc", "a\nb\nc\n"),
        ("a  \n\n\n", "a\n"),
        ("```py\nx = 1  \n```  \ny  ", "```py\nx = 1  \n```\ny\n"),
        ("~~~\n```  \n~~~\nz ", "~~~\n```  \n~~~\nz\n"),
        ("- a\n  ```\n  b  \n  ```\nc ", "- a\n  ```\n  b  \n  ```\nc\n"),
        ("- ```\n  b  \nc  ", "- ```\n  b  \nc\n"),
        ("> ```\n> a  \nb  ", "> ```\n> a  \nb\n"),
        ("`` ` ``  ", "`` ` ``\n"),
        ("``` a`b  \nc  ", "``` a`b\nc\n"),
        ("````\n```  \n````\na ", "````\n```  \n````\na\n"),
        ("nul\0 lone\ud800 pair\ud83d\ude00", "nul\ufffd lone\ufffd pair\N{GRINNING FACE}\n"),
        ("cafe\u0301", "caf\u00e9\n"),
        ("\n\nleading stays", "\n\nleading stays\n"),
    ],
)
def test_examples(raw: str, expected: str) -> None:
    assert canonical(raw) == expected


@pytest.mark.promise("K8")
def test_content_over_two_mebibytes_is_refused_with_the_limit_and_what_to_do() -> None:
    assert Canonical.of("a" * (MAX_BYTES - 1)).size == MAX_BYTES
    with pytest.raises(ContentTooLarge) as refused:
        Canonical.of("a" * MAX_BYTES)
    assert refused.value.facts() == {"size": MAX_BYTES + 1, "limit": MAX_BYTES}
    assert "Split" in str(refused.value)


@pytest.mark.promise("K14")
@given(st.text(), st.integers(1, 7))
def test_the_pages_of_a_text_put_together_are_the_text(text: str, limit: int) -> None:
    pages, offset = [], 0
    while True:
        page = cut(text, offset, limit)
        assert len(page.text) <= limit
        assert page.total_chars == len(text)
        pages.append(page.text)
        if page.next_offset is None:
            break
        offset = page.next_offset
    assert "".join(pages) == text


@pytest.mark.promise("K14")
def test_reading_beyond_the_end_is_empty_and_ends() -> None:
    assert cut("abc", 10, 5).text == ""
    assert cut("abc", 10, 5).next_offset is None
