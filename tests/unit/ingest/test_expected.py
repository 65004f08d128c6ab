"""Every given document comes out as it must, in the real sandbox (rules I4, I5)."""

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from chalicelib.adapters.sandbox import ChildSandbox
from chalicelib.domain.errors import KnownError
from chalicelib.ingest.extraction import Extraction
from chalicelib.ingest.extractors.number_formats import shown
from chalicelib.ingest.limits import Limits
from tests.fakes.machine import Tally
from tests.shared import expected, shared

pytestmark = pytest.mark.promise("I4")

FILES = expected("files") or {"pandoc_notes.docx": {}}


def _read(name: str) -> Extraction:
    path = shared("docs", name)
    return ChildSandbox(Limits(), Tally()).extract(path.suffix[1:], path.read_bytes(), lambda _done, _total: None)


def _flat(found: Extraction) -> str:
    return " ".join(found.text.split())


@pytest.mark.parametrize("name", [name for name, each in FILES.items() if "error" not in each])
def test_what_a_document_says_comes_out(name: str) -> None:
    found = _read(name)
    text = _flat(found)
    assert found.text.encode("utf-8")
    assert not [each for each in FILES[name].get("contains", []) if each not in text]
    assert not [each for each in FILES[name].get("absent", []) if each in text]


@pytest.mark.promise("I5", "I6")
@pytest.mark.parametrize("name", [name for name, each in FILES.items() if "error" in each])
def test_what_cannot_be_read_says_so(name: str) -> None:
    with pytest.raises(KnownError) as refused:
        _read(name)
    also = {"document_unreadable"} if "bomb" in name else set()
    assert refused.value.code in {FILES[name]["error"], *also}


def test_a_cell_that_spans_others_is_told_once() -> None:
    rows = [line for line in _read("pandoc_table_header_rowspan.docx").text.split("\n") if line.startswith("|")]
    cells = [cell.strip() for row in rows for cell in row.strip("|").split("|")]
    assert [cells.count(each) for each in "ABCDEF"] == [1] * 6
    assert len({row.count("|") for row in rows}) == 1


def test_list_items_are_list_items_and_numbers_go_on() -> None:
    text = _read("pandoc_lists_continuing.docx").text
    assert re.findall(r"^(\d+)\. (\w+)$", text, re.MULTILINE) == [
        ("1", "Foo"),
        ("2", "Bar"),
        ("3", "Baz"),
        ("4", "Bop"),
    ]


def test_a_comment_stands_after_its_paragraph() -> None:
    text = _read("pandoc_comments.docx").text
    assert "I want some text to have a comment on it.\n\n> Comment (Jesse Rosenthal): I left a comment." in text


def test_the_left_column_is_read_before_the_right_one() -> None:
    text = _flat(_read("pypdf_multicolumn.pdf"))
    assert "consectetuer adipiscing elit. Ut purus elit, vestibulum ut, placerat ac, adipiscing vitae" in text
    places = [
        text.index(each) for each in ("Lorem ipsum dolor sit amet", "Nulla malesuada porttitor", "pellentesque ante.")
    ]
    assert places == sorted(places)


def test_pages_and_slides_are_sections_with_their_numbers() -> None:
    assert re.findall(r"^## (.*)$", _read("pypdf_multicolumn.pdf").text, re.MULTILINE) == ["Page 1", "Page 2", "Page 3"]
    assert "## Slide 1: A Slide with a Table\n" in _read("un_table.pptx").text


def test_notes_stand_under_their_own_slide() -> None:
    slides = re.split(r"^## ", _read("pandoc_speaker-notes.pptx").text, flags=re.MULTILINE)[1:]
    assert "### Notes\n\nHere is a note." in slides[0]
    assert "### Notes" not in slides[1]
    assert "### Notes\n\nThe first note div\n\nThe second note div" in slides[2]


def test_a_slides_table_is_a_table() -> None:
    assert "| Column 1 | Column 2 | Column 3 |\n| --- | --- | --- |\n| Red |" in _read("un_table.pptx").text


@pytest.mark.promise("I7")
def test_what_a_rule_leaves_out_is_named() -> None:
    assert _read("poi_TwoSheetsOneHidden.xlsx").metadata["left_out.hidden_sheets"] == "1"
    assert _read("pandoc_track_changes_deletion.docx").metadata["left_out.deleted_text"] == "22"
    assert _read("poi_HeaderFooterUnicode.docx").metadata["left_out.headers_and_footers"] == "2"


def test_dates_are_shown_as_their_formats_say() -> None:
    path = shared("docs", "poi_DateFormatTests.xlsx")
    cases = list(_self_checking(path))
    assert len(cases) > 40
    for says, code, stored in cases:
        assert shown(stored, code, since_1904=True) == says.strip()


def _self_checking(path: Path) -> Any:
    """What a cell shows, its format and its value, by rows of the second sheet."""
    space = {"s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    with zipfile.ZipFile(path) as book:
        texts = ["".join(each.itertext()) for each in etree.fromstring(book.read("xl/sharedStrings.xml"))]
        sheet = etree.fromstring(book.read("xl/worksheets/sheet2.xml"))
    for row in sheet.iterfind(".//s:row", space):
        cells = {each.get("r")[0]: each for each in row}
        found: list[Any] = []
        for column in "ABC":
            stored = cells[column].findtext("s:v", namespaces=space) if column in cells else None
            is_text = stored is not None and cells[column].get("t") == "s"
            found.append(texts[int(stored or 0)] if is_text else stored)
        if None not in found and not found[0].startswith("Result"):
            yield found


def test_korean_and_merged_cells_survive() -> None:
    text = _read("poi_1_NoIden.xlsx").text
    assert "가나다" in text
    assert "하천관리과" in text
