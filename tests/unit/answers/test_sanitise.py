"""Nothing that could act reaches a visitor (rule N1)."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.answers.hosts import known_to
from chalicelib.answers.sanitise import sanitised
from tests.fakes.answers import page
from tests.unit.answers.attacks import OWN, leaks, payloads

pytestmark = pytest.mark.promise("N1")

PIECES = [
    "http", "https", ":", "//", "/", "\\", "javascript", "java", "script", "data", "<", ">", "a", "&", "lt", "gt", ";",
    "#", "x3c", "amp", "[", "]", "(", ")", "!", "evil-site", ".", "com", "www", "@", "\u200b", "\u202e", "\0", "\n", " ",
    "colon", "&#58", "<!--", "-->", "script>", "％", "ｈ", "：", "／", "\ud800", "\u0301", "xn--a", "svg", "b",
]  # fmt: skip


@pytest.mark.parametrize("payload", OWN)
def test_a_payload_does_not_survive(payload: str) -> None:
    for text in (
        payload,
        f"Rooms. {payload} Breakfast.",
        f"{payload} {payload}",
        f"{payload[:3]}{payload}{payload[3:]}",
    ):
        clean = sanitised(text)
        assert not leaks(clean), clean
        assert sanitised(clean) == clean


def test_no_line_of_the_shared_payloads_survives() -> None:
    leaked = [(each, leaks(sanitised(each))) for each in payloads()]
    assert [each for each in leaked if each[1]] == []


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_pieces_put_together_anyhow_do_not_survive(text: str) -> None:
    clean = sanitised(text)
    assert not leaks(clean), clean
    assert sanitised(clean) == clean


@given(st.text(max_size=200))
def test_any_text_becomes_one_visible_line_and_stays_as_it_is(text: str) -> None:
    clean = sanitised(text)
    assert sanitised(clean) == clean
    assert clean == clean.strip()
    assert not leaks(clean)
    assert all(unicodedata.category(each) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for each in clean)


@pytest.mark.parametrize(
    "prose",
    [
        "The double room costs 80 € a night, breakfast included (5 % off in winter).",
        "Node.js 3.5, ASP.NET and Socket.io; see README.md, settings.py and app.rs.",
        "Open 9:00–17:30, Mon–Fri; 3 < 5 and 7 > 6; a/b, TCP/IP, 24/7.",
        "¿Cuánto cuesta? ¡Gratis! Sr. Pérez, p. ej. EE. UU., a.m. y p.m.",
        "Note: this is important. Ratio 3:2. About: us.",
        "L’hôtel « Soleil » – 12,50 €.",
        "Größe: 25 m² (z. B. für Gäste).",
        "GET /api/v1/me answers 404 not_found; knowledge:item_1@rev_2.",
        "日本語のテキスト。次の文。",
        "C:\\Users\\me and ~/docs/reference.",
        "@handle, #tag, 5@10, a&b, R&D",
        "It works.It is so. No.1 choice",
        "Tel: +34 912 345 678",
    ],
)
def test_ordinary_prose_stays_as_it_is(prose: str) -> None:
    assert sanitised(prose) == prose


def test_what_the_owner_registered_may_be_named() -> None:
    known = known_to(page())
    text = "See book.hotel.example or hola@hotel.example, hotel.example and evil-site.com."
    assert known >= {"book.hotel.example", "hola@hotel.example", "hotel.example", "maps.hotel.example"}
    assert sanitised("www.book.hotel.example/?from=me!", known | {"www.book.hotel.example"}) == "www.book.hotel.example"
    assert "evil-site" not in sanitised(text, known)
    assert "hola@hotel.example" in sanitised(text, known)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("data: three files", "data – three files"),
        ("Visit www.evil.com/x now", "Visit now"),
        ("mail me@evil-site.com.", "mail."),
        ("[the docs](https://x.example/y) say", "the docs say"),
        ("![a chart](//x/y.png) shows", "a chart shows"),
        ("GET /items/<id>/diff", "GET /items/ /diff"),
        ("<b>bold</b> &amp; safe", "bold & safe"),
        ("a\n\n  b\tc", "a b c"),
    ],
)
def test_what_is_taken_out_leaves_the_sentence(text: str, clean: str) -> None:
    assert sanitised(text) == clean


@pytest.mark.parametrize(
    "text",
    ["<" * 9000, "[" * 9000, "a." * 9000, "&amp;" * 9000, "&" + "amp;" * 3000 + "lt;", "<script" * 3000, "a@" * 9000,
     "javascript" * 900 + ":", "j " * 9000, "[(" * 9000, "x" * 9000 + ".com", "[a](" + "(" * 9000, "%" * 9000 + "@"],
)  # fmt: skip
def test_no_text_keeps_a_turn_waiting(text: str) -> None:
    begun = time.perf_counter()
    assert not leaks(sanitised(text))
    assert time.perf_counter() - begun < 1.0
