"""A turn among the conversation, the cache and the fuse (rules N3, N7, N9)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from chalicelib.answers.cache import cache_key, normalised
from chalicelib.answers.parts import Began, Failed, Section, Sections, Spoken, Stage, Status
from chalicelib.answers.phrases import phrases
from chalicelib.answers.ports import KeptAnswer, KeptSection
from chalicelib.answers.telling import pieces
from chalicelib.domain.errors import DailyLimitReached, DefencesUnavailable, ModelUnavailable
from chalicelib.domain.pages import Page
from tests.fakes.answers import ScriptedModel, Surroundings, component, draft, image, page
from tests.unit.answers.shelf import Shelf
from tests.unit.answers.test_retrieval import MOVES

pytestmark = pytest.mark.promise("N6")

GOOD = draft(
    component("text", paragraphs=["The double room costs 80 €."]),
    component("image", image="img_room"),
    component("contact", links=["link_map"]),
    spoken="A double room is 80 €.",
)
QUESTION = "How much is the double room?"


def answered(desk: Surroundings, question: str = QUESTION, on: Page | None = None, **more: Any) -> list[Any]:
    return [each for each in desk.parts(question, on, **more) if isinstance(each, Section | Spoken | Sections)]


def without_signatures(parts: list[Any]) -> list[Any]:
    """What an answer says, without what differs from turn to turn."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                name: plain(each).partition("?sig")[0] if name == "url" else plain(each) for name, each in value.items()
            }
        return [plain(each) for each in value] if isinstance(value, list) else value

    return [
        (each.component, each.slot, plain(dict(each.props)))
        if isinstance(each, Section)
        else getattr(each, "text", None)
        for each in parts
    ]


@pytest.mark.promise("N9")
def test_the_same_opening_question_is_answered_once_a_day() -> None:
    model = ScriptedModel(GOOD)
    desk = Surroundings(model)
    first = answered(desk)
    second = answered(desk, "  how MUCH is the   double room ")
    assert without_signatures(first) == without_signatures(second)
    assert model.asked.count("build") == 1
    assert desk.fuse.turns == 1, "an answer from the cache costs no turn"
    assert len(desk.fuse.spending) == 1
    assert len(desk.talks.held) == 2, "it is written down all the same"
    desk.clock.pass_(hours=24)
    answered(desk)
    assert model.asked.count("build") == 2


@pytest.mark.promise("N9")
def test_a_replay_signs_addresses_anew_and_tells_its_stages() -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    first, second = desk.parts(QUESTION), desk.parts(QUESTION)
    urls = [
        [each.props["image"]["url"] for each in parts if isinstance(each, Section) and "image" in each.props]
        for parts in (first, second)
    ]
    assert urls == [["https://bucket.example/k/room?signature=1"], ["https://bucket.example/k/room?signature=2"]]
    assert isinstance(second[0], Began)
    assert second[0].turn_id != first[0].turn_id
    assert [each.stage for each in second if isinstance(each, Status)] == [Stage.WRITING]
    ids = [each.id for parts in (first, second) for each in parts if isinstance(each, Section)]
    assert len(set(ids)) == 6


def _edit(desk: Surroundings) -> dict[str, Any]:
    desk.reader.version = "k2"
    return {}


def _page_version(_: Surroundings) -> dict[str, Any]:
    return {"on": page(version=4)}


def _model(desk: Surroundings) -> dict[str, Any]:
    desk.flavour = "another"
    return {}


def _follow_up(desk: Surroundings) -> dict[str, Any]:
    return {"conversation_id": next(iter(desk.talks.held))}


def _regenerate(_: Surroundings) -> dict[str, Any]:
    return {"regenerate": True}


def _language(_: Surroundings) -> dict[str, Any]:
    return {"question": "¿Cuánto cuesta la habitación doble?"}


@pytest.mark.promise("N3", "N9")
@pytest.mark.parametrize("change", [_edit, _page_version, _model, _follow_up, _regenerate, _language])
def test_what_an_answer_depends_on_makes_it_anew(change: Callable[[Surroundings], dict[str, Any]]) -> None:
    model = ScriptedModel(GOOD)
    desk = Surroundings(model)
    answered(desk)
    answered(desk, **{"question": QUESTION, **change(desk)})
    assert model.asked.count("build") == 2


@pytest.mark.promise("N9")
def test_the_key_tells_apart_what_has_to_be_and_holds_no_question() -> None:
    key = cache_key(page(), QUESTION, "m")
    others = [
        cache_key(page(id="page_2"), QUESTION, "m"),
        cache_key(page(version=4), QUESTION, "m"),
        cache_key(page(), "How much is the single room?", "m"),
        cache_key(page(), QUESTION, "n"),
        cache_key(page(language="es"), "80", "m"),
        cache_key(page(language="en"), "80", "m"),
        cache_key(page(), QUESTION, "m", catalogue="999"),
    ]
    assert len({key, *others}) == len(others) + 1
    assert all(len(each) == 64 and set(each) <= set("0123456789abcdef") for each in (key, *others))
    assert normalised(" ¿Cuánto   CUESTA? ") == "cuánto cuesta"


@pytest.mark.promise("N3", "N9")
def test_what_may_not_be_shown_any_more_is_left_out_of_a_replay() -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    answered(desk)
    (key,) = desk.cache.kept
    kept, until = desk.cache.kept[key]
    evil = KeptSection("text", {"paragraphs": ["x"], "url": "https://evil.example"}, ())
    gone = KeptSection("image", {"image": "img_gone"}, ())
    desk.cache.kept[key] = (replace(kept, sections=(*kept.sections, evil, gone)), until)
    shown = [each.component for each in answered(desk) if isinstance(each, Section)]
    assert shown == ["text", "image", "contact"]
    hidden = page(images=(image("room", "x", approved=False),))
    desk.cache.kept[key] = (kept, until)
    shown = [each.component for each in answered(desk, on=hidden) if isinstance(each, Section)]
    assert shown == ["text", "contact"]


@pytest.mark.promise("N3")
@pytest.mark.parametrize("move", MOVES)
def test_nothing_that_is_not_public_any_more_is_answered_from_the_cache_or_otherwise(move: str) -> None:
    shelf = Shelf()
    item = shelf.item("The secret pool opens in May for all guests.")
    shelf.item("The bar opens at nine.")
    desk = Surroundings()
    desk.reader = shelf.read  # type: ignore[assignment]
    question = "When does the secret pool open?"
    assert "The secret pool opens in May" in str(answered(desk, question, shelf.page))
    assert "The secret pool opens in May" in str(answered(desk, question, shelf.page))
    assert desk.fuse.turns == 1
    MOVES[move](shelf, item)
    parts = answered(desk, question, shelf.page)
    assert "opens in May" not in str(parts)
    assert "".join(each.text for each in parts if isinstance(each, Spoken)) == phrases("en").unsupported
    assert desk.fuse.turns == 2


@pytest.mark.promise("N9")
@pytest.mark.parametrize("refusal", [DailyLimitReached(60), DefencesUnavailable()])
def test_a_blown_fuse_refuses_before_the_first_part_and_lets_the_conversation_go(refusal: Any) -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    desk.fuse.blown = refusal
    with pytest.raises(type(refusal)):
        desk.parts(QUESTION)
    assert len(desk.talks.released) == 1
    assert desk.fuse.spending == []


@pytest.mark.promise("N9")
def test_answers_that_are_none_are_not_kept() -> None:
    for model in (ScriptedModel({}), ScriptedModel(GOOD, build=ModelUnavailable())):
        desk = Surroundings(model)
        assert isinstance(desk.parts(QUESTION)[-1], Failed)
        assert desk.cache.kept == {}


def test_nothing_happens_before_the_first_part_is_asked_for() -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    turn = desk.take_turn(desk.asked(QUESTION))
    assert (desk.fuse.turns, desk.reader.asked) == (0, [])
    assert isinstance(next(turn), Began)
    assert desk.fuse.turns == 1


def test_pieces_are_the_text() -> None:
    for text in ("", "a", "a " * 40, "x" * 90, "One two three four five six seven eight nine ten eleven."):
        made = list(pieces(text))
        assert "".join(made) == text
        assert all(made)


def test_a_kept_answer_expires_by_the_clock() -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    desk.cache.put("k", KeptAnswer("en", "x", (), "k1"), desk.clock.now() + timedelta(hours=1))
    assert desk.cache.get("k") is not None
    desk.clock.pass_(hours=1)
    assert desk.cache.get("k") is None
