"""Text and code files become Markdown that says what they say (rule I1)."""

import csv
import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from chalicelib.domain.errors import DocumentEmpty, UndecodableText, UnsupportedFormat
from chalicelib.domain.files import DOCUMENTS, FORMATS, format_of
from chalicelib.domain.text import canonical
from chalicelib.ingest.decoding import decode
from chalicelib.ingest.extraction import bounded
from chalicelib.ingest.extractors import extractor_for
from chalicelib.ingest.inert import inert
from chalicelib.ingest.limits import Limits
from chalicelib.ingest.textfiles import MAX_COLUMNS, MAX_ROWS, read_text
from tests.shared import expected, shared

pytestmark = pytest.mark.promise("I1")

WESTERN = "héllo wörld, ça va? naïve façade – “quoted” text. " * 4
RUSSIAN = "Привет, мир! Это проверка кодировки текста на русском языке. " * 2
JAPANESE = "日本語のテキストファイルです。文字コードの判定を試します。" * 2
CHINESE = "这是一个中文文本文件，用来测试编码检测。" * 2

ENCODINGS = [
    *((WESTERN, each) for each in ("utf-8", "utf-8-sig", "cp1252")),
    *((text, each) for text in (WESTERN, RUSSIAN) for each in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")),
    *((text, each) for text in (WESTERN, JAPANESE) for each in ("utf-16", "utf-32")),
    *((RUSSIAN, each) for each in ("cp1251", "koi8_r", "cp866")),
    *((text, "cp1252") for text in ("café crème", "El niño comió piñas", "Größe 5 cm, Maß: 7 µm", "l'été à Noël, où?")),
    *((text, "cp1250") for text in ("Zażółć gęślą jaźń", "Příliš žluťoučký kůň", "árvíztűrő tükörfúrógép")),
    *((JAPANESE, each) for each in ("shift_jis", "euc_jp", "iso2022_jp", "utf-16-le", "utf-16-be")),
    *((CHINESE, each) for each in ("gb18030", "utf-16-le")),
]


def _read(name: str, content: bytes | str) -> str:
    raw = content.encode() if isinstance(content, str) else content
    return canonical(read_text(format_of(name), raw).text)


def _shown(markdown: str) -> str:
    shown: str = MarkdownIt("commonmark").enable("table").render(markdown)
    return shown


@pytest.mark.parametrize("name", expected("text_files") or ["un_utf-32.txt"])
def test_the_given_files_say_what_they_must(name: str) -> None:
    content = shared("text", name).read_bytes()
    found = " ".join(_read(name, content).split())
    assert not [each for each in expected("text_files")[name]["contains"] if each not in found]


@pytest.mark.parametrize(("text", "encoding"), ENCODINGS, ids=[f"{each}-{text[:5]}" for text, each in ENCODINGS])
def test_every_usual_encoding_is_read(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"]), min_size=1))
def test_utf_8_is_never_guessed(text: str) -> None:
    found = decode(text.encode())
    assert found.confidence == 1.0
    assert found.text in {text, text.removeprefix("\ufeff")} or text.encode()[:8].startswith((b"%PDF", b"PK"))


@given(st.binary(min_size=1, max_size=300))
def test_any_bytes_become_text_or_a_clear_refusal(content: bytes) -> None:
    try:
        found = decode(content)
    except (UndecodableText, UnsupportedFormat):
        return
    assert found.text or content
    assert found.text.encode("utf-8", "surrogatepass")


def test_a_guess_says_so() -> None:
    assert read_text(format_of("a.txt"), WESTERN.encode("cp1252")).metadata["encoding"] == "windows-1252"
    assert 0 < float(read_text(format_of("a.txt"), WESTERN.encode("cp1252")).metadata["encoding_confidence"]) < 1
    assert "encoding_confidence" not in read_text(format_of("a.txt"), WESTERN.encode()).metadata


@pytest.mark.parametrize(
    "magic", [b"%PDF-1.7\n", b"PK\x03\x04rest", b"\x89PNG\r\n\x1a\n", b"\x7fELF\x02", b"GIF89a", b"\x1f\x8b\x08\x00"]
)
def test_a_binary_with_a_texts_name_is_refused_by_its_content(magic: bytes) -> None:
    for name in ("notes.txt", "README.md", "data.csv"):
        with pytest.raises(UnsupportedFormat):
            _read(name, magic + bytes(100))


def test_noise_is_no_text() -> None:
    for size in (200, 5000, 500_000):
        with pytest.raises(UndecodableText):
            decode(os.urandom(size))


@pytest.mark.promise("I5")
def test_a_kind_that_is_not_taken_says_what_to_use() -> None:
    for name, instead in (
        ("a.doc", "docx"),
        ("a.xls", "xlsx"),
        ("a.odt", "docx"),
        ("a.ods", "xlsx"),
        ("A.PPT", "pptx"),
    ):
        with pytest.raises(UnsupportedFormat, match=instead):
            format_of(name)
    for name in ("noextension", "a.", "a.exe", "a.<script>", ".pdf"):
        with pytest.raises(UnsupportedFormat) as refused:
            format_of(name)
        assert "<" not in str(refused.value)


@pytest.mark.parametrize("name", [f"a.{each}" for each in FORMATS if each not in {*DOCUMENTS, "html"}])
def test_nothing_but_blanks_is_empty(name: str) -> None:
    for content in (b"", b"  \n\t\n", b"\xef\xbb\xbf"):
        with pytest.raises(DocumentEmpty):
            _read(name, content)


CODE = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\ufeff\x1a\x1b", exclude_categories=["Cs", "Cc"]))


@given(st.lists(st.sampled_from(["```", "~~~", "`````", "x = 1  ", "\tif x:", "", "<b>", "# no heading"]), min_size=1))
def test_code_is_byte_exact_in_a_fence_that_nothing_in_it_closes(lines: list[str]) -> None:
    code = "\n".join(lines) + "\n"
    if not code.strip():
        return
    for name, language in (("a.py", "python"), ("b.tsx", "tsx"), ("c.yml", "yaml"), ("d.json", "json")):
        (token,) = MarkdownIt("commonmark").parse(_read(name, code))
        assert (token.type, token.info, token.content) == ("fence", language, code)


@given(
    st.lists(
        st.lists(
            st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1), min_size=2, max_size=5
        ),
        min_size=1,
        max_size=9,
    )
)
def test_every_cell_of_a_table_is_shown(rows: list[list[str]]) -> None:
    rows = [[each.replace("\\", "/") for each in row[:2]] for row in rows]
    sheet = io.StringIO()
    csv.writer(sheet).writerows(rows)
    found = read_text(format_of("a.csv"), sheet.getvalue().encode())
    if found.metadata["delimiter"] != ",":
        return  # the cells look more like another delimiter's
    tokens = (
        MarkdownIt("commonmark")
        .enable("table")
        .disable(["emphasis", "link", "backticks", "entity", "autolink", "image"])
        .parse(canonical(found.text))
    )
    cells = ["".join(child.content for child in token.children or ()) for token in tokens if token.type == "inline"]
    assert cells == [canonical(each).rstrip("\n") for row in rows for each in row]


@pytest.mark.parametrize(
    ("content", "delimiter"),
    [
        ("a;b;c\n1,5;2,5;3\n", ";"),
        ("a\tb\n1,0\t2\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("a,b\n1;2;3,x\n", ","),
        ("one\ntwo\n", ","),
    ],
)
def test_the_delimiter_is_found(content: str, delimiter: str) -> None:
    assert read_text(format_of("a.csv"), content.encode()).metadata["delimiter"] == delimiter


def test_a_formula_in_a_cell_is_text_and_bars_are_escaped() -> None:
    found = _read("a.csv", '=SUM(A1:A2),"a|b"\n@cmd,"<script>x</script>"\n"two\nlines",\n')
    assert "| =SUM(A1:A2) | a\\|b |" in found
    assert "<script>" not in _shown(found)
    assert "| two lines |  |" in found


def test_a_large_table_stays_csv() -> None:
    long = "a,b\n" * (MAX_ROWS + 1)
    wide = ",".join("x" * 1 for _ in range(MAX_COLUMNS + 1)) + "\n"
    for content in (long, wide):
        (token,) = MarkdownIt("commonmark").parse(_read("a.csv", content))
        assert (token.info, token.content) == ("csv", content)
    assert _read("a.csv", "a,b\n" * MAX_ROWS).count("\n") == MAX_ROWS + 1


def test_front_matter_becomes_metadata_and_names_the_item() -> None:
    text = "---\ntitle: 'Runbook: db'\ntags: [a, b]\nn: 3\nnested: {x: 1}\n---\n\n# Other\n\nText.\n"
    found = read_text(format_of("a.md"), text.encode())
    assert (found.title, found.text) == ("Runbook: db", "# Other\n\nText.\n")
    front = {name: each for name, each in found.metadata.items() if name.startswith("front_matter")}
    assert front == {
        "front_matter.title": "Runbook: db",
        "front_matter.tags": "a, b",
        "front_matter.n": "3",
        "front_matter.nested": '{"x": 1}',
    }
    toml = read_text(format_of("a.md"), b'+++\ntitle = "T"\ndate = 2026-01-02\n+++\nText\n')
    assert (toml.title, toml.metadata["front_matter.date"]) == ("T", "2026-01-02")


def test_metadata_are_bounded() -> None:
    matter = (
        "\n".join(f"key{number}: v" for number in range(80)) + "\nlong: " + "x" * 5000 + "\nnone:\ndate: 2026-01-02"
    )
    found = read_text(format_of("a.md"), f"---\n{matter}\n---\nText.\n".encode())
    assert found.metadata["front_matter_left_out"] == "35"
    kept = bounded({**found.metadata, **{f"more{number}": "x" * 2000 for number in range(40)}})
    assert len(kept) == 65
    assert max(map(len, kept.values())) == 1000
    assert int(kept["metadata_left_out"]) > 0


def test_html_says_its_own_encoding_where_it_has_one() -> None:
    page = "<meta charset='iso-8859-2'><p>Zażółć gęślą jaźń</p><!-- note -->"
    found = extractor_for("html")(page.encode("iso-8859-2"), Limits(), lambda _done, _total: None)
    assert found.text == "Zażółć gęślą jaźń\n"
    wrong = b"<meta charset='no-such'><p>caf\xe9 cr\xe8me br\xfbl\xe9e</p>"
    assert "crème" in extractor_for("html")(wrong, Limits(), lambda _done, _total: None).text


@pytest.mark.promise("I6")
@pytest.mark.parametrize(
    "matter",
    ["a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]", "a: [", "!!python/object:os.system x", "- list\n- only", "x" * 20_000],
)
def test_front_matter_that_is_none_stays_text(matter: str) -> None:
    text = f"---\n{matter}\n---\nText.\n"
    assert "Text." in read_text(format_of("a.md"), text.encode()).text
    assert matter[:5] in read_text(format_of("a.md"), text.encode()).text


def test_plain_text_is_escaped_only_where_it_would_mean_something_else() -> None:
    plain = "# not a heading\n> not a quotation\n- an item\n1. a number\n\nA line\n---\nB\n===\n"
    plain += "```\ncode\n[x]: y\n snake_case *a*\n"
    found = _read("a.txt", plain)
    assert "<h1>" not in _shown(found)
    assert "<h2>" not in _shown(found)
    assert "<pre>" not in _shown(found)
    assert "- an item\n1. a number\n" in found
    assert "snake_case *a*" in found
    for words in ("# not a heading", "&gt; not a quotation", "[x]: y", "```"):
        assert words in _shown(found)
    assert _read("b.txt", "Just words.\nAnd more.\n") == "Just words.\nAnd more.\n"


HTML = st.sampled_from(
    [
        *(
            "<b>",
            "</b>",
            "<div>\n",
            "<!--",
            "-->",
            "<http://x.y>",
            "<a@b.c>",
            "](<",
            "](",
            "[a",
            "[x]: <",
            "<?",
            "<![CDATA[",
        ),
        *(
            "\n\n",
            "`",
            "``",
            "```",
            "\n",
            "    ",
            "- ",
            "> ",
            "\\",
            ">",
            "a b",
            "~~~",
            "]]>",
            "1. ",
            "\t",
            "#",
            '"',
            "=",
        ),
        *("<script>", '<img src="`">', "&lt;", "<x\n y>", "<M:a b>", "|", "\n|-|-|\n"),
    ]
)


@pytest.mark.promise("I6")
@given(st.lists(HTML, min_size=1, max_size=16).map("".join))
def test_no_html_in_markdown_is_live(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(canonical(inert(canonical(text))))
    found = [each.type for token in tokens for each in (token, *(token.children or ()))]
    assert not {"html_block", "html_inline"} & set(found)


def test_markdown_without_html_stays_as_it_is_and_code_keeps_its_tags() -> None:
    text = "# T\n\nSee <https://a.b/c> and `<div>` and a < b.\n\n```html\n<p>x</p>\n```\n\n"
    text += "    <p>indented</p>\n\n[l](<a b.md>)\n"
    assert _read("a.md", text) == text.replace("(<a b.md>)", "(a%20b.md)")
    assert _read("a.md", "Hi <b>bold</b>\n") == "Hi \\<b>bold\\</b>\n"


@pytest.mark.promise("I6")
def test_hostile_markdown_takes_time_in_proportion_to_its_size() -> None:
    for text in ("`<" * 400_000, "<a" * 500_000, "> " * 500_000 + "<b>", "- <b>\n" * 60_000, "](<" * 300_000):
        assert inert(text)
