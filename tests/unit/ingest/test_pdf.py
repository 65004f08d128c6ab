"""PDFs made for the purpose: order of reading, pages, and what nobody could see (rules I4, I7)."""

import pytest

from chalicelib.domain.errors import (
    DocumentEmpty,
    DocumentEncrypted,
    DocumentHasNoText,
    DocumentTooLarge,
    DocumentUnreadable,
    UnsupportedFormat,
)
from chalicelib.domain.text import canonical
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.extractors import extractor_for
from chalicelib.ingest.extractors.pdf_glyphs import logical
from chalicelib.ingest.limits import Limits
from tests.shared import shared
from tests.unit.ingest.files import line, pdf

pytestmark = pytest.mark.promise("I4")


def _extract(content: bytes, limits: Limits | None = None) -> Extraction:
    return extractor_for("pdf")(content, limits or Limits(), lambda _done, _total: None)


def _text(*pages: str, **more: object) -> str:
    return canonical(_extract(pdf(*pages, **more)).text)  # type: ignore[arg-type]


def test_each_page_is_a_section_with_its_number() -> None:
    assert _text(line("One."), "", line("Three.")) == "## Page 1\n\nOne.\n\n## Page 3\n\nThree.\n"
    assert _extract(pdf(line("One."), line("Two."))).metadata == {"pages": "2"}


def test_columns_are_read_one_after_the_other_whatever_the_file_writes_first() -> None:
    rows = "".join(
        line(f"left column line {number} goes on", 50, 700 - 14 * number)
        + line(f"right column line {number} goes on", 320, 700 - 14 * number)
        for number in range(6)
    )
    text = _text(line("A heading over both columns of it", 50, 740) + rows)
    places = [text.index(f"left column line {number}") for number in range(6)]
    places += [text.index(f"right column line {number}") for number in range(6)]
    assert places == sorted(places)
    assert text.index("A heading") < places[0]


def test_rows_that_stand_under_each_other_are_a_table() -> None:
    cells = [("Name", "Qty", "Price"), ("Apple", "3", "1.50"), ("Pear | green", "12", "0.75")]
    content = "".join(
        line(cell, 50 + 150 * column, 700 - 16 * row)
        for row, each in enumerate(cells)
        for column, cell in enumerate(each)
    )
    assert "| Name | Qty | Price |\n| --- | --- | --- |\n| Apple | 3 | 1.50 |\n| Pear \\| green | 12 | 0.75 |" in _text(
        content
    )


def test_larger_short_lines_are_headings_and_bullets_are_items() -> None:
    body = "".join(
        line(f"This is line {number} of the body of this text.", 50, 650 - 14 * number, 10) for number in range(8)
    )
    text = _text(line("The title", 50, 720, 24) + line("A part", 50, 690, 14) + body + line("1. First", 50, 500, 10))
    assert "### The title\n\n#### A part\n" in text
    assert "\n1. First\n" in text
    assert _extract(pdf(line("The title", 50, 720, 24) + body)).title == "The title"


def test_words_broken_at_the_end_of_a_line_are_put_together() -> None:
    content = line("a docu-", 50, 700) + line("ment of two lines", 50, 686)
    assert "a document of two lines" in _text(content) or "a docu- ment of two lines" in _text(content)


@pytest.mark.promise("I7")
@pytest.mark.parametrize(
    ("hidden", "seen"),
    [
        (line("secret", 50, 600, before="3 Tr"), False),
        (line("secret", 50, 600, before="1 1 1 rg"), False),
        (line("secret", 50, 600, before="0.99 0.99 0.99 rg"), False),
        (line("secret", 50, 600, before="0.5 0.5 0.5 rg"), True),
        ("0 0 0 rg 40 590 200 40 re f " + line("secret", 50, 600, before="1 1 1 rg"), True),
        (line("secret", 50, 600, 0.5), False),
        (line("secret", -400, 600), False),
        (line("secret", 50, 900), False),
        (line("secret", 50, 600), True),
    ],
)
def test_what_nobody_could_see_is_left_out_and_counted(hidden: str, seen: bool) -> None:  # noqa: FBT001
    found = _extract(pdf(line("seen") + hidden))
    assert ("secret" in found.text) is seen
    assert found.metadata.get("left_out.invisible_text") == (None if seen else "6")


@pytest.mark.promise("I7")
def test_what_lies_outside_the_visible_part_of_the_page_is_not_seen() -> None:
    found = _extract(pdf(line("seen", 150, 700) + line("secret", 20, 700), extra="/CropBox [100 0 600 800]"))
    assert "secret" not in found.text
    assert "seen" in found.text


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_turned_page_is_read_as_it_is_shown(turned: int) -> None:
    matrix = {0: "", 90: "0 1 -1 0 600 0 cm", 180: "-1 0 0 -1 600 800 cm", 270: "0 -1 1 0 0 800 cm"}[turned]
    content = f"q {matrix} {line('first', 50, 500)}{line('second', 50, 480)} Q"
    assert _text(content, extra=f"/Rotate {turned}").replace("\n", " ").split("Page 1 ")[1].split() == [
        "first",
        "second",
    ]


def test_text_along_another_direction_comes_after_the_page() -> None:
    aslant = "BT /F1 12 Tf 0 1 -1 0 20 200 Tm (along the margin) Tj ET\n"
    assert _text(aslant + line("the text")) == "## Page 1\n\nthe text\n\nalong the margin\n"


def test_remarks_stand_after_their_page_and_fields_say_what_is_filled_in() -> None:
    remark = "<< /Type /Annot /Subtype /Text /Rect [10 10 20 20] /Contents (check this) >>"
    empty = "<< /Type /Annot /Subtype /Highlight /Rect [10 10 20 20] >>"
    box = "<< /Type /Annot /Subtype /FreeText /Rect [50 600 250 620] /Contents (in a box) /F 4 /AP << /N 6 0 R >> >>"
    look = "BT /F1 12 Tf 2 5 Td (in a box) Tj ET"
    appearance = (
        "<< /Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 3 0 R >> >> "
        f"/Length {len(look)} >>\nstream\n{look}\nendstream"
    )
    text = _text(line("the text"), extra=f"/Annots [{remark} {empty} {box}]", more=(appearance,))
    assert text == "## Page 1\n\nthe text\n\nin a box\n\n> Comment: check this\n"


def test_a_page_that_cannot_be_read_is_counted_and_the_others_are_read() -> None:
    broken = pdf(line("One."), line("Two.")).replace(b"6 0 obj\n<< /Type /Page", b"6 0 obj\n<< /Type /Nope")
    found = _extract(broken)
    assert "One." in found.text
    torn = broken.replace(b"6 0 obj\n<<", b"6 0 obj\n(<")
    assert _extract(torn).metadata.get("left_out.unreadable_pages", "1") == "1"


def test_a_title_in_the_properties_counts_if_it_is_one() -> None:
    whole = pdf(line("text"), more=("<< /Title (The annual report) >>",))
    assert _extract(whole.replace(b"/Root 1 0 R", b"/Root 1 0 R /Info 6 0 R")).title == "The annual report"
    whole = pdf(line("text"), more=("<< /Title (Microsoft Word - x.doc) >>",))
    assert _extract(whole.replace(b"/Root 1 0 R", b"/Root 1 0 R /Info 6 0 R")).title is None


def test_bullets_are_items_and_paragraphs_are_parted() -> None:
    bullet = "\x95"  # of WinAnsiEncoding
    content = (
        line(f"{bullet} First item", 50, 700)
        + line(f"{bullet} Second item", 50, 686)
        + line("that goes on", 60, 672)
        + line("A paragraph of its own, far below the list, which", 50, 600)
        + line("has a second line here and a few more words in it", 50, 586)
        + line("and ends.", 50, 572)
        + line("Another one begins after a short line that ends a sentence.", 50, 558)
    )
    assert _text(content) == (
        "## Page 1\n\n- First item\n- Second item that goes on\n\n"
        "A paragraph of its own, far below the list, which has a second line here "
        "and a few more words in it and ends.\n\n"
        "Another one begins after a short line that ends a sentence.\n"
    )


def test_a_raised_figure_belongs_to_its_word() -> None:
    assert "word2 goes on" in _text(line("word", 50, 700) + line("2", 77, 705, 7) + line("goes on", 86, 700))


@pytest.mark.promise("I7")
def test_text_that_is_a_hole_shows_what_is_painted_through_it() -> None:
    hole = line("secret", 50, 600, before="7 Tr")
    assert "secret" not in _extract(pdf(line("seen") + f"q {hole} Q")).text
    assert "secret" in _extract(pdf(line("seen") + f"q {hole} 0 0 1 rg 0 550 600 100 re f Q")).text


@pytest.mark.promise("I5")
def test_failures_are_told_apart() -> None:
    with pytest.raises(DocumentEmpty):
        _extract(pdf(""))
    with pytest.raises(DocumentEmpty):
        _extract(b"  ")
    with pytest.raises(DocumentHasNoText):
        _extract(pdf("0 0 100 100 re f"))
    with pytest.raises(DocumentHasNoText):
        _extract(pdf(line("recognised", before="3 Tr")))
    with pytest.raises(DocumentUnreadable):
        _extract(b"%PDF-1.7 and nothing else")
    with pytest.raises(DocumentUnreadable):
        _extract(b"no pdf")
    with pytest.raises(UnsupportedFormat, match="png"):
        _extract(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(DocumentTooLarge, match="2 pages"):
        _extract(pdf("", "", ""), Limits(pages=2))
    with pytest.raises(DocumentTooLarge, match="100 bytes of text"):
        _extract(pdf(line("x" * 101)), Limits(output_bytes=100))
    with pytest.raises(DocumentEncrypted):
        _extract(shared("docs", "pypdf_lo-password.pdf").read_bytes())


@pytest.mark.parametrize(
    ("characters", "visual", "says"),
    [
        ("\u05dd\u05d5\u05dc\u05e9", True, "\u05e9\u05dc\u05d5\u05dd"),
        ("\u05e9\u05dc\u05d5\u05dd", False, "\u05e9\u05dc\u05d5\u05dd"),
        ("2026 \u05dd\u05d5\u05dc\u05e9", True, "\u05e9\u05dc\u05d5\u05dd 2026"),
        ("\ufb01ne", False, "fine"),
        ("\ufea3\ufe92\ufef4\ufe92\ufef2", False, "\u062d\u0628\u064a\u0628\u064a"),
        ("plain", True, "plain"),
    ],
)
def test_letters_come_in_the_order_of_reading(characters: str, visual: bool, says: str) -> None:  # noqa: FBT001
    assert logical(list(characters), visual=visual) == says
