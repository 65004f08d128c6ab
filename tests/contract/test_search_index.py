"""What every search engine does, and the fake that stands in for it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.search.passages import passages
from chalicelib.search.ports import Card, Passage, SearchIndex, Within
from tests.fakes.search import MemoryIndex
from tests.halves import by_words

ENGINES: dict[str, Callable[[Path], SearchIndex]] = {
    "sqlite": lambda folder: SqliteIndex(folder / "index.sqlite"),
    "memory": lambda _: MemoryIndex(),
}
HERE = Within(frozenset({"space_here"}))


@pytest.fixture(params=ENGINES)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> SearchIndex:
    return ENGINES[request.param](tmp_path)


def a_card(item_id: str, text: str = "", **changes: object) -> Card:
    values: dict[str, object] = {
        "base_id": "kb_here",
        "space_id": "space_here",
        "revision_id": f"rev_{item_id}",
        "version": 1,
        "title": "Untitled",
        "locator": "somewhere",
        "passages": (Passage(0, (), text),),
    }
    return Card(item_id=item_id, **{**values, **changes})  # type: ignore[arg-type]


def fill(index: SearchIndex, **texts: str) -> None:
    for item_id, text in texts.items():
        index.put(a_card(item_id, text))


def found(index: SearchIndex, query: str, within: Within = HERE) -> list[str]:
    return [each.item_id for each in by_words(index, query, within, 50)]


@pytest.mark.promise("S5")
@pytest.mark.parametrize(
    ("token", "parts"),
    [
        ("ERR_CONN_RESET", "conn reset"),
        ("os.path.join", "path"),
        ("no-unused-vars", "unused vars"),
        ("getHTTPResponse", "http response"),
        ("E0382", "0382"),
        ("cache.ttl-ms", "ttl"),
        ("C-8", "8"),
        ("C++", "c"),
        ("std::vec::Vec", "vec"),
        ("joe@example.com", "example"),
        ("__init__", "init"),
    ],
)
def test_a_symbol_is_found_whole_in_any_case_and_by_its_parts_and_whole_comes_first(
    index: SearchIndex, token: str, parts: str
) -> None:
    scattered = f"The {' and then '.join(reversed(parts.split()))} are elsewhere."
    fill(index, exact=f"It says {token} here.", scattered=scattered, other="Nothing of the kind.")
    for query in (token, token.lower(), token.upper()):
        assert found(index, query)[0] == "exact"
    assert "exact" in found(index, parts)
    assert "other" not in found(index, parts)


@pytest.mark.promise("S5")
@pytest.mark.parametrize(
    "query", ["educacion", "educación", "EDUCACIÓN", "educaci\u0301on".replace("i\u0301o", "io\u0301")]
)
def test_accents_and_case_do_not_matter(index: SearchIndex, query: str) -> None:
    fill(index, spanish="La educación pública.", other="El deporte.")
    assert found(index, query) == ["spanish"]


@pytest.mark.promise("S5")
@pytest.mark.parametrize(("query", "first"), [("año", "year"), ("ano", "anus")])
def test_words_that_fold_together_are_both_found_and_the_exact_form_comes_first(
    index: SearchIndex, query: str, first: str
) -> None:
    fill(index, year="El año entero pasó.", anus="El ano entero, sin más.", other="Otra cosa.")
    assert set(found(index, query)) == {"year", "anus"}
    assert found(index, query)[0] == first


@pytest.mark.promise("S5")
@pytest.mark.parametrize(("query", "first"), [("running", "inflected"), ("run", "plain")])
def test_inflected_words_are_found_and_the_exact_form_comes_first(index: SearchIndex, query: str, first: str) -> None:
    fill(index, inflected="We were running along.", plain="We had a run along.", other="We walked along.")
    assert set(found(index, query)) == {"inflected", "plain"}
    assert found(index, query)[0] == first


@pytest.mark.promise("S5")
def test_stems_are_those_of_spanish_too(index: SearchIndex) -> None:
    fill(index, spanish="Las nacionalidades de los jugadores.", other="Los trenes.")
    assert found(index, "nacionalidad") == ["spanish"]


@pytest.mark.promise("S5")
def test_stop_words_count_where_they_are_all_there_is(index: SearchIndex) -> None:
    fill(index, play="To be or not to be, that is it.", other="Question and answer.", identifier="Set `not-to-be`.")
    assert found(index, "to be or not to be")[0] == "play"
    assert found(index, "not-to-be")[0] == "identifier"


@pytest.mark.promise("S5")
def test_words_in_order_score_higher_than_the_same_words_apart(index: SearchIndex) -> None:
    fill(
        index,
        apart="The reset of every connection went to the peer by the book.",
        order="The book says: connection reset by peer, every time it went.",
    )
    assert found(index, "connection reset by peer") == ["order", "apart"]
    assert found(index, "what is a connection reset") == ["order", "apart"]


@pytest.mark.promise("S5")
def test_a_quoted_phrase_is_required_in_order_and_accents_do_not_matter_in_it(index: SearchIndex) -> None:
    fill(index, order="Una educación pública y gratuita.", apart="La pública educación.", half="La educación.")
    assert found(index, '"educacion publica"') == ["order"]
    assert found(index, '"educación pública" pública') == ["order"]
    assert found(index, '"publica educacion" gratuita') == ["apart"]
    assert found(index, '"no such phrase" educación') == []


@pytest.mark.promise("S5")
def test_a_phrase_does_not_reach_from_one_text_into_the_next(index: SearchIndex) -> None:
    index.put(a_card("item", "delta", title="beta alpha", passages=(Passage(0, ("gamma", "epsilon"), "delta"),)))
    assert found(index, '"beta alpha"') == ["item"]
    for query in ('"alpha beta"', '"alpha gamma"', '"gamma epsilon"', '"epsilon delta"'):
        assert found(index, query) == []


@pytest.mark.promise("S5")
@pytest.mark.parametrize(
    "query",
    [
        '"connection',
        'connection"',
        '""connection""',
        '"" connection',
        'connection "',
        '5" connection',
        '"***" connection',
    ],
)
def test_quotation_marks_that_quote_nothing_do_no_harm(index: SearchIndex, query: str) -> None:
    fill(index, item="The connection of 5 inches.")
    assert found(index, query) == ["item"]


@pytest.mark.promise("S5")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("東京都の天気は晴れです。", "天気"),
        ("東京都の天気は晴れです。", "東京都"),
        ("東京都の天気は晴れです。", "晴"),
        ("データベースのバックアップ", "ﾊﾞｯｸｱｯﾌﾟ"),
        ("大型语言模型的训练方法", "语言模型"),
        ("한국어 형태소를 분석한다", "형태소"),
        ("การประมวลผลภาษาไทย", "ภาษา"),
        ("हिन्दी में खोज करना", "खोज"),
        ("Поиск по документам", "ПОИСК"),
        ("אני אוהב לקרוא ספרים", "לקרוא"),
        ("البحث في المستندات", "المستندات"),
        ("مَدْرَسَة كبيرة", "مدرسة"),
        ("می‌خواهم کتاب بخوانم", "کتاب"),
        ("Αναζήτηση ΕΓΓΡΆΦΩΝ", "εγγράφων"),
        ("Straße und Fuß", "STRASSE"),
        ("Ship it 🚀 today", "🚀"),
        ("ＦＵＬＬ　ＷＩＤＴＨ", "full width"),
        ("smørrebrød og øl", "smorrebrod"),
    ],
)
def test_every_script_is_searched(index: SearchIndex, text: str, query: str) -> None:
    fill(index, item=text, other="Something else altogether.")
    assert found(index, query) == ["item"]


@pytest.mark.promise("S5")
@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "***",
        '"',
        "\0",
        "\ud800",
        "' OR 1=1 --",
        'a" OR scope : "s',
        "NEAR(a b)",
        "NOT a",
        "a AND",
        "{title} : a",
        "a*",
        "^a",
        "-a",
        "(((((",
        "a " * 1000,
        "x" * 2000,
        "e\u0301" * 1000,
        "漢" * 2000,
        " ".join(chr(0x4E00 + number) for number in range(1000)),
        " ".join(f"w{number}" for number in range(400)),
        '"a b" ' * 300,
        ".".join("ab" for _ in range(600)),
    ],
)
def test_no_query_is_too_strange(index: SearchIndex, query: str) -> None:
    fill(index, item="An a is a b of w1 and ab.ab and x.")
    assert set(found(index, query)) <= {"item"}


@pytest.mark.promise("S5")
def test_titles_headings_and_locators_are_searched_and_a_title_counts_most(index: SearchIndex) -> None:
    index.put(a_card("title", "On something.", title="Tungsten"))
    index.put(a_card("text", "There is tungsten in it, and more tungsten."))
    index.put(a_card("heading", passages=(Passage(0, ("Metals", "Tungsten"), "A metal."),)))
    index.put(a_card("locator", "A page.", locator="docs/tungsten.md"))
    assert set(found(index, "tungsten")) == {"title", "text", "heading", "locator"}
    assert found(index, "tungsten")[0] == "title"


@pytest.mark.promise("S5")
def test_rare_words_decide_over_frequent_ones(index: SearchIndex) -> None:
    for number in range(20):
        fill(index, **{f"item_{number}": "The server and the server and the server."})
    fill(index, rare="The zeppelin.")
    assert found(index, "the zeppelin of the server")[0] == "rare"


@pytest.mark.promise("S5")
def test_candidates_tell_what_they_are_and_come_best_first_up_to_the_limit(index: SearchIndex) -> None:
    text = "# Guide\n\nalpha\n\n## Part\n\nalpha alpha alpha\n"
    index.put(a_card("item_1", revision_id="rev_7", base_id="kb_7", passages=passages(text)))
    first, second = by_words(index, "alpha", HERE, 5)
    assert first.score > second.score > 0
    assert first.passage == Passage(1, ("Guide", "Part"), "## Part\n\nalpha alpha alpha")
    assert (first.item_id, first.base_id, first.space_id, first.revision_id) == (
        "item_1",
        "kb_7",
        "space_here",
        "rev_7",
    )
    assert by_words(index, "alpha", HERE, 1) == (first,)


@pytest.mark.promise("S9")
def test_only_the_spaces_and_the_base_that_are_named_are_searched(index: SearchIndex) -> None:
    index.put(a_card("mine", "alpha"))
    index.put(a_card("other_base", "alpha", base_id="kb_other"))
    index.put(a_card("foreign", "alpha", space_id="space_foreign", base_id="kb_foreign"))
    assert set(found(index, "alpha")) == {"mine", "other_base"}
    assert found(index, "alpha", Within(HERE.spaces, "kb_other")) == ["other_base"]
    assert found(index, "alpha", Within(HERE.spaces, "kb_foreign")) == []
    assert set(found(index, "alpha", Within(frozenset({"space_here", "space_foreign"})))) == {
        "mine",
        "other_base",
        "foreign",
    }
    assert found(index, "alpha", Within(frozenset())) == []


@pytest.mark.promise("S9")
@pytest.mark.parametrize(
    "base_id", ["space_foreign", "KB_HERE", 'kb_here"', 'x" OR scope : "s:space_foreign', "", "kb here", "b", "kb_hére"]
)
def test_a_strange_base_id_leads_nowhere(index: SearchIndex, base_id: str) -> None:
    index.put(a_card("mine", "alpha"))
    index.put(a_card("foreign", "alpha", space_id="space_foreign"))
    assert found(index, "alpha", Within(HERE.spaces, base_id)) == []


@pytest.mark.promise("S9")
def test_words_that_name_a_scope_do_not_widen_it(index: SearchIndex) -> None:
    index.put(a_card("foreign", "alpha", space_id="space_foreign", base_id="kb_foreign"))
    for query in ("s:space_foreign", "b:kb_foreign", "space_foreign alpha"):
        assert found(index, query) == []


@pytest.mark.promise("S11")
def test_a_card_replaces_what_was_there_of_its_item(index: SearchIndex) -> None:
    assert index.put(a_card("item", "alpha"))
    assert index.put(a_card("item", "beta", version=2))
    assert (found(index, "alpha"), found(index, "beta")) == ([], ["item"])
    assert index.put(a_card("item", "gamma", version=2))
    assert (found(index, "beta"), found(index, "gamma")) == ([], ["item"])
    assert index.count(["item"]) == 1


@pytest.mark.promise("S10")
def test_an_older_version_never_replaces_a_newer_one(index: SearchIndex) -> None:
    assert index.put(a_card("item", "beta", version=2))
    assert not index.put(a_card("item", "alpha", version=1))
    assert not index.withdraw("item", 1)
    assert (found(index, "alpha"), found(index, "beta")) == ([], ["item"])


@pytest.mark.promise("S10")
def test_a_withdrawn_item_is_not_found_and_its_version_is_remembered(index: SearchIndex) -> None:
    index.put(a_card("item", "alpha", version=2))
    assert index.withdraw("item", 3)
    assert index.withdraw("item", 3)
    assert (found(index, "alpha"), index.count(["item"])) == ([], 0)
    assert not index.put(a_card("item", "alpha", version=2))
    assert found(index, "alpha") == []
    assert index.put(a_card("item", "alpha", version=4))
    assert found(index, "alpha") == ["item"]


@pytest.mark.promise("S10")
def test_an_item_that_was_never_there_can_be_withdrawn_before_an_older_version_comes(index: SearchIndex) -> None:
    assert index.withdraw("item", 2)
    assert not index.put(a_card("item", "alpha", version=1))
    assert found(index, "alpha") == []


@pytest.mark.promise("K16")
def test_erased_items_are_forgotten_with_their_versions_and_counted(index: SearchIndex) -> None:
    two = (Passage(0, (), "alpha"), Passage(1, (), "alpha"))
    index.put(a_card("item_1", version=5, passages=two))
    index.put(a_card("item_2", "alpha"))
    index.put(a_card("item_3", "alpha"))
    assert index.count(["item_1", "item_2", "item_9"]) == 3
    assert index.erase(["item_1", "item_2", "item_9"]) == 3
    assert found(index, "alpha") == ["item_3"]
    assert index.erase(["item_1", "item_2"]) == 0
    assert index.erase([]) == 0
    assert index.put(a_card("item_1", "alpha", version=1))


@pytest.mark.promise("S8")
def test_bases_and_items_are_left_out_as_asked_however_many(index: SearchIndex) -> None:
    fill(index, **{f"item_{number}": "alpha" for number in range(300)})
    assert found(index, "alpha", replace(HERE, without=frozenset({"item_0", "item_7"}))).count("item_7") == 0
    most = frozenset(f"item_{number}" for number in range(299))
    assert found(index, "alpha", replace(HERE, without=most)) == ["item_299"]
    assert found(index, "alpha", replace(HERE, without=frozenset({a_card("x", "y").base_id}))) == []


@pytest.mark.promise("S9", "N3")
def test_only_what_is_named_is_offered_items_and_bases_alike(index: SearchIndex) -> None:
    for name in ("one", "two", "three"):
        index.put(a_card(name, "Alpha beta."))
    index.put(replace(a_card("far", "Alpha beta."), base_id="kb_far"))
    assert found(index, "alpha", replace(HERE, only=frozenset({"two"}))) == ["two"]
    assert sorted(found(index, "alpha", replace(HERE, only=frozenset({"two", "kb_far"})))) == ["far", "two"]
    here = frozenset({a_card("x", "y").base_id})
    assert sorted(found(index, "alpha", replace(HERE, only=here))) == ["one", "three", "two"]
    assert found(index, "alpha", replace(HERE, only=here, without=here)) == []
    assert found(index, "alpha", replace(HERE, only=frozenset({"item_none"}))) == []
