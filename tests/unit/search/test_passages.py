"""Cutting Markdown into passages."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.domain.text import canonical
from chalicelib.search.passages import TOKENS, passages

pytestmark = pytest.mark.promise("S5")

_MIB = 1024 * 1024
_MOST = TOKENS * 4


def contents(text: str) -> list[str]:
    return [each.content for each in passages(text)]


def test_a_passage_begins_at_each_heading_and_knows_the_headings_above_it() -> None:
    text = "Before.\n\n# One\n\nFirst.\n\n## Two ##\n\nSecond.\n\nThree\n-----\n\nThird.\n\n# Four\n\nFourth.\n"
    found = passages(text)
    assert [(each.position, each.heading_path) for each in found] == [
        (0, ()),
        (1, ("One",)),
        (2, ("One", "Two")),
        (3, ("One", "Three")),
        (4, ("Four",)),
    ]
    assert found[2].content == "## Two ##\n\nSecond."


def test_headings_without_text_go_with_what_follows() -> None:
    (found,) = passages("# One\n## Two\n### Three\n\nText.\n")
    assert found.heading_path == ("One", "Two", "Three")
    assert found.content == "# One\n## Two\n### Three\n\nText."


def test_a_heading_in_a_list_or_quotation_begins_nothing() -> None:
    (found,) = passages("- # Item\n\n  Text.\n\n> # Quoted\n")
    assert found.heading_path == ()


def test_a_hash_in_code_is_no_heading() -> None:
    (found,) = passages("# One\n\n```sh\n# comment\nls\n```\n")
    assert found.heading_path == ("One",)


def test_metadata_before_the_text_is_no_heading() -> None:
    first, second = passages("---\ntitle: Page\nlist:\n- a\n---\n\nText.\n\n# One\n\nMore.\n")
    assert (first.heading_path, second.heading_path) == ((), ("One",))
    assert "title: Page" in first.content
    assert passages("---\nno end\n")[0].content == "---\nno end"


def test_short_paragraphs_share_a_passage_and_blank_lines_stay_between_them() -> None:
    assert contents("One.\n\nTwo.\n\n\n\nThree.\n") == ["One.\n\nTwo.\n\nThree."]


def test_long_texts_are_cut_between_paragraphs() -> None:
    paragraph = "word " * 100 + "end."
    found = contents("\n\n".join([paragraph] * 10))
    assert len(found) == 5
    assert all(each == f"{paragraph}\n\n{paragraph}" for each in found)


def test_a_long_paragraph_is_cut_after_a_sentence() -> None:
    sentence = "This is a sentence of eight words. "
    found = contents(canonical(sentence * 200))
    assert all(each.endswith("words.") for each in found)
    assert " ".join(found).split() == (sentence * 200).split()
    assert all(len(each) <= _MOST * 3 // 2 for each in found)


def test_a_paragraph_without_blanks_is_cut_anywhere_and_no_character_is_lost() -> None:
    for text in ("x" * 10_000, "漢字" * 5000, "é" * 9000, "🚀" * 5000, "ab" + "漢" * 5000):
        found = contents(text)
        assert "".join(found) == text
        assert all(len(each.encode()) <= _MOST * 3 // 2 for each in found)


def test_a_fence_is_cut_at_lines_and_later_parts_are_fenced_again() -> None:
    code = [f"line_{number} = {number}" for number in range(500)]
    found = contents("\n".join(["Before.", "", "~~~~python title", *code, "~~~~", "", "After."]))
    assert len(found) > 3
    inside = []
    for each in found[1:]:
        fences = re.findall(r"^~~~~.*$", each, re.MULTILINE)
        assert fences == ["~~~~python title", "~~~~"]
        inside += re.findall(r"^line_.*$", each, re.MULTILINE)
    assert inside == code
    assert found[0] == "Before."
    assert found[-1].endswith("\n~~~~\n\nAfter.")


def test_a_fence_in_a_quotation_keeps_its_marks() -> None:
    lines = ["> ```", *[f"> line {number} of the quoted code" for number in range(200)], "> ```"]
    for each in contents("\n".join(lines)):
        assert each.startswith("> ```\n> line")
        assert each.endswith("\n> ```")


def test_a_fence_that_nobody_closed_is_closed_in_every_part() -> None:
    found = contents("```\n" + "code = 1\n" * 400)
    assert all(each.startswith("```\n") and each.endswith("\n```") for each in found)


def test_a_table_is_cut_at_rows_and_later_parts_repeat_its_head() -> None:
    rows = [f"| {number} | the value of row {number} |" for number in range(300)]
    found = contents("\n".join(["# T", "", "| key | value |", "|-----|-------|", *rows, "", "After."]))
    assert len(found) > 3
    for each in found:
        assert each.count("| key | value |\n|-----|-------|\n") == 1
    assert [row for each in found for row in re.findall(r"^\| \d+ .*$", each, re.MULTILINE)] == rows


def test_a_table_that_follows_a_paragraph_without_a_blank_line_is_a_table() -> None:
    rows = [f"| {number} | the value of row {number} |" for number in range(100)]
    found = contents("\n".join(["These are the values:", "| key | value |", "|-----|-------|", *rows]))
    assert all("| key | value |\n|-----|-------|" in each for each in found[1:])


def test_a_head_as_long_as_a_passage_is_not_repeated() -> None:
    head = "|" + "column |" * 200
    rule = "|" + "-|" * 200
    found = contents("\n".join([head, rule, *["|" + "x|" * 200] * 20]))
    assert sum(head in each for each in found) == 1


@pytest.mark.parametrize("word", ["a", "b|", "\\|"])
def test_a_row_or_line_of_code_is_not_cut_unless_it_is_huge(word: str) -> None:
    row = "| " + word * 3000 + " |"
    assert any(row in each for each in contents(f"| a |\n|---|\n{row}\n{row}\n"))
    line = word * 3000
    assert any(line in each for each in contents(f"```\n{line}\n{line}\n```\n"))
    huge = word * 50_000
    for text in (f"| a |\n|---|\n| {huge} |\n", f"```\n{huge}\n```\n", f"|{huge}|\n|---|\n| x |\n"):
        assert max(map(len, contents(text))) < 20_000


def test_a_strange_fence_does_not_multiply() -> None:
    for opening in ("`" * 5000, "``` " + "info" * 5000):
        text = f"{opening}\n" + "code = 1\n" * 2000
        assert sum(map(len, contents(text))) < 2 * len(text)


def test_a_blank_text_has_no_passage() -> None:
    assert passages("\n") == ()
    assert passages("") == ()
    assert passages("   \n\t\n") == ()


def test_deep_nesting_is_kept_as_it_is() -> None:
    text = "\n".join("  " * depth + f"- level {depth}" for depth in range(200))
    assert "level 199" in contents(text)[-1]
    assert "".join(contents(">" * 5000 + " a")) == ">" * 5000 + " a"


def test_a_list_longer_than_the_parser_reads_at_once_is_cut_between_items() -> None:
    items = [f"- item {number}\n\n  more of it\n" for number in range(3000)]
    found = contents("\n".join(items))
    assert sum(each.count("- item") for each in found) == 3000
    assert all(each.startswith(("- item", "  more")) for each in found)


def test_a_quotation_and_code_longer_than_the_parser_reads_at_once_are_read_to_their_end() -> None:
    quoted = "\n".join(f"> line {number}" for number in range(5000))
    assert sum(each.count("> line") for each in contents(quoted)) == 5000
    fenced = "> ~~~\n" + "\n".join(f"> # {number}" for number in range(5000)) + "\n> ~~~\n\n# Real\n\ntext\n"
    assert passages(fenced)[-1].heading_path == ("Real",)
    assert {each.heading_path for each in passages(fenced)[:-1]} == {()}
    nested = "- outer\n  - inner\n" + "\n".join(f"  - {number}\n\n    text" for number in range(1500))
    assert sum(each.count("text") for each in contents(nested)) == 1500


def test_a_text_of_very_many_sections_makes_a_bounded_number_of_passages() -> None:
    found = passages("# a heading\n\ntext\n\n" * 6000)
    assert 500 < len(found) < 6000
    assert len(passages("# only headings\n" * 30_000)) < 6000


def test_a_huge_heading_is_cut_and_does_not_multiply() -> None:
    text = f"# {'long ' * 20_000}\n\n" + "word\n\n" * 5000
    found = passages(text)
    assert sum(len(each.content) for each in found) < 2 * len(text)
    assert all(len(each.heading_path[0]) <= 200 for each in found if each.heading_path)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 2 * _MIB,
        "# a\n" * (_MIB // 2),
        "# abc def\n" * 100_000,
        ">" * 2 * _MIB,
        (">" * 20 + " a\n") * 5000,
        "".join("  " * depth + "- a\n" for depth in range(1400)),
        "- a\n" * (_MIB // 4),
        "- item of a list\n" * 20_000,
        "[a]: b 'c\n" * 20_000,
        "[" * 2 * _MIB,
        "|a" * _MIB,
        "|a|b|\n|-|-|\n" + "|a|b|\n" * 20_000,
        "<div>\n" * 20_000,
        "a\n" * 20_000 + "===",
        "* " * _MIB,
        "> a\n" + "b\n" * 20_000,
        "> - " * (_MIB // 2),
        "\n" * 2 * _MIB,
        "\t" * 2 * _MIB,
        "`" * 2 * _MIB,
        "a ```\n" * 20_000,
    ],
    ids=range(21),
)
def test_hostile_markdown_takes_bounded_time_and_space(text: str) -> None:
    start = time.process_time()
    found = passages(text)
    assert time.process_time() - start < 20
    assert len(found) < 6000
    assert sum(len(each.content) for each in found) < 2 * len(text) + 10_000


_LINES = st.one_of(
    st.sampled_from(
        [
            "",
            "# One",
            "## Two",
            "###### Six",
            "===",
            "---",
            "```",
            "```py",
            "~~~",
            "| a | b |",
            "|---|---|",
            "| 1 | 2 |",
            "- item",
            "  - inner",
            "1. one",
            "> quote",
            "> > deeper",
            "> ```",
            "  ```",
            "    code",
            "\tcode",
            "<div>",
            "</div>",
            "[ref]: http://example.org",
            "* * *",
            "...",
        ]
    ),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30),
    st.integers(1, 60).map(lambda count: "long words in a line " * count),
)


@given(st.lists(_LINES, max_size=60), st.booleans())
def test_every_line_is_in_some_passage_and_the_order_is_kept(lines: list[str], tiny: bool) -> None:  # noqa: FBT001
    text = canonical("\n".join(lines * (1 if tiny else 3)))
    found = passages(text)
    assert [each.position for each in found] == list(range(len(found)))
    position = 0
    for line in filter(str.strip, text.split("\n")):
        while position < len(found) and not _holds(found[position].content, line):
            position += 1
        assert position < len(found), line
    assert passages(text) == found


def _holds(content: str, line: str) -> bool:
    """Whether the line, or the beginning of one too long for a passage, is in the content."""
    lines = content.split("\n")
    return line in lines or any(line.startswith(each) for each in lines if len(each) > _MOST // 3)
