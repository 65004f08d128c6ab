"""The steps of a turn over a language model, and what takes its place (rule N5)."""

import json
from typing import Any

import pytest

from chalicelib.answers.extractive.model import Extractive
from chalicelib.answers.fallback import Fallback
from chalicelib.answers.parts import Failed, Section, Spoken
from chalicelib.answers.ports import Exchange
from chalicelib.answers.prompting import Budget, PromptedModel
from chalicelib.answers.steps import Brief, Inquiry, Understood
from chalicelib.answers.watch import VisitorLeft, Watch
from chalicelib.domain.errors import ModelUnavailable, TurnTimedOut
from tests.fakes.answers import SHELF, ScriptedChat, ScriptedModel, Surroundings, page
from tests.fakes.machine import START, StillClock, Tally

pytestmark = pytest.mark.promise("N5")

ANSWERS: dict[str, Any] = {
    "understand": {
        "language": "es",
        "on_topic": True,
        "knowledge_query": "double room price",
        "image_query": "room",
        "courtesy": "",
    },
    "select_topics": {"ids": ["topic_rooms"]},
    "select_images": {"ids": ["img_room"]},
    "summarise": {"supported": True, "text": "La doble cuesta 80 €.", "references": ["p1", "p9"]},
    "build": {
        "spoken": "La habitación doble cuesta 80 €.",
        "components": [
            {"component": "text", "props": {"paragraphs": ["La doble cuesta 80 € por noche."]}, "sources": ["s1"]},
            {"component": "image", "props": {"image": "img_room"}, "sources": []},
        ],
    },
}


def watch(seconds: float = 45, *, gone: bool = False) -> Watch:
    clock = StillClock()
    from datetime import timedelta

    return Watch(clock, START + timedelta(seconds=seconds), lambda: gone)


def desk(chat: ScriptedChat, **more: Any) -> Surroundings:
    made = Surroundings()
    made.model = PromptedModel(chat, made.meter, **more)
    return made


@pytest.mark.promise("N6")
def test_a_whole_turn_over_a_language_model() -> None:
    chat = ScriptedChat(**ANSWERS)
    made = desk(chat)
    parts = made.parts("¿Cuánto cuesta la doble?", page(shows_sources=True))
    shown = [each for each in parts if isinstance(each, Section)]
    assert "".join(each.text for each in parts if isinstance(each, Spoken)) == "La habitación doble cuesta 80 €."
    assert [each.component for each in shown] == ["text", "image"]
    assert [each.sources for each in shown] == [("knowledge:item_1@rev_1",), ("knowledge:item_1@rev_1",)]
    names = [each.name for each in chat.prompts]
    assert names[0] == "understand"
    assert set(names[1:3]) == {"select_topics", "select_images"}
    assert names[3:] == ["summarise", "build"]
    assert made.reader.asked == [("topic_rooms", "double room price")]
    (spent,) = made.fuse.spending
    assert (spent.input_tokens, spent.output_tokens) == (50, 25)
    counted = {(name, more.get("step")) for name, _, more in made.meter.counted}
    assert {("answers.model_call", each) for each in names} <= counted
    assert {("answers.tokens_in", each) for each in names} <= counted


def test_calls_have_budgets_and_no_more_time_than_the_turn() -> None:
    chat = ScriptedChat(**ANSWERS)
    desk(chat, budget=Budget(seconds=10, tokens=900)).parts("¿Cuánto?", seconds=15)
    budgets = {each.name: (each.max_tokens, each.seconds) for each in chat.prompts}
    assert budgets["understand"] == (300, 10)
    assert budgets["build"] == (900, 15)
    assert all(each.going() is False for each in chat.prompts), "the turn has ended"


def test_prompts_say_in_which_languages_to_answer_and_to_look() -> None:
    chat = ScriptedChat(**ANSWERS)
    desk(chat).parts("¿Cuánto?", page(language="en"))
    prompts = {each.name: each for each in chat.prompts}
    assert "the language of the knowledge (en)" in prompts["understand"].system
    assert ", in es, in at most" in prompts["summarise"].system
    assert "Compose the answer in es" in prompts["build"].system
    assert "80 € a night" not in prompts["build"].user, "the last step sees summaries, and looks up nothing"
    assert all("Hotel Sol" in each.system for each in chat.prompts)
    json.dumps([each.schema for each in chat.prompts])


def test_earlier_turns_are_shown_as_data() -> None:
    chat = ScriptedChat(**ANSWERS)
    made = desk(chat)
    began = made.talks.begin(made.asked("x"))
    said = tuple(Exchange(f"question {number}", f"answer {number}", ("text",), (), "en") for number in range(6))
    for each in said:
        began = made.talks.keep(began, each)
    made.parts("And?", conversation_id=began.id)
    for prompt in chat.prompts[:2]:
        assert "visitor: question 5\npage: answer 5" in prompt.user
        assert "question 1" not in prompt.user


@pytest.mark.parametrize(
    "said",
    [
        {},
        {
            "language": 7,
            "on_topic": "no",
            "knowledge_query": None,
            "image_query": ["x"],
            "ids": "all",
            "supported": "yes",
        },
        {"language": "klingon", "ids": [1, None, {}], "text": 7, "references": [7], "components": [7, {"sources": 3}]},
    ],
)
def test_nonsense_of_a_model_breaks_nothing(said: dict[str, Any]) -> None:
    names = ("understand", "select_topics", "select_images", "summarise", "build", "repair")
    parts = desk(ScriptedChat(**dict.fromkeys(names, said))).parts("How much?")
    assert [each.component for each in parts if isinstance(each, Section)] == ["notice", "contact"]
    parts = desk(ScriptedChat(**{**ANSWERS, "build": said, "repair": said})).parts("How much?")
    assert isinstance(parts[-1], Failed)
    assert parts[-1].code == "answer_failed"


def test_a_model_is_told_what_was_wrong_and_mends_it() -> None:
    wrong = {"spoken": "x", "components": [{"component": "text", "props": {"paragraphs": ["90 €"]}, "sources": []}]}
    chat = ScriptedChat(**{**ANSWERS, "build": wrong, "repair": ANSWERS["build"]})
    parts = desk(chat).parts("¿Cuánto?")
    assert [each.component for each in parts if isinstance(each, Section)] == ["text", "image"]
    mended = chat.prompts[-1]
    assert mended.name == "repair"
    assert "text: these stand in none of the sources: 90 €" in mended.user


@pytest.mark.parametrize("step", ["understand", "select_topics", "select_images", "summarise", "build"])
def test_what_takes_the_place_of_a_model_answers_all_the_same(step: str) -> None:
    chat = ScriptedChat(**{**ANSWERS, step: ModelUnavailable()})
    made = Surroundings()
    made.model = Fallback(PromptedModel(chat, made.meter), Extractive(), made.meter)
    parts = made.parts("How much is the double room?")
    assert not isinstance(parts[-1], Failed)
    assert "text" in [each.component for each in parts if isinstance(each, Section)]
    assert ("answers.fallback", 1, {"step": step}) in made.meter.counted


def test_a_model_whose_answer_cannot_be_shown_is_mended_by_what_takes_its_place() -> None:
    wrong = {"spoken": "x", "components": []}
    made = Surroundings()
    made.model = Fallback(
        PromptedModel(ScriptedChat(**{**ANSWERS, "build": wrong}), made.meter), Extractive(), made.meter
    )
    parts = made.parts("How much is the double room?")
    assert [each.component for each in parts if isinstance(each, Section)] == ["text"]


def test_nothing_takes_over_once_the_turn_has_to_end() -> None:
    second = ScriptedModel()
    fallback = Fallback(ScriptedModel(understand=ModelUnavailable()), second, Tally())
    clock = watch()
    inquiry = Inquiry(page(), "x")

    class Leaving(ScriptedModel):
        def understand(self, inquiry: Inquiry, watch: Watch) -> Understood:
            watch.stop()
            raise ModelUnavailable

    with pytest.raises(VisitorLeft):
        Fallback(Leaving(), second, Tally()).understand(inquiry, clock)
    assert second.asked == []
    assert fallback.understand(inquiry, watch()).language == "en"


def test_a_watch_says_why_it_stops() -> None:
    with pytest.raises(VisitorLeft):
        watch(gone=True).check()
    with pytest.raises(TurnTimedOut):
        watch(0).check()
    ended = watch()
    assert ended.going()
    ended.stop()
    assert not ended.going()
    assert not watch(gone=True).going()


def test_the_last_resort_has_something_to_say_or_nothing() -> None:
    model = Extractive()
    inquiry = Inquiry(page(), "x")
    empty = Brief(inquiry, Understood("en", on_topic=True, knowledge_query="x", image_query="x"), (), ())
    with pytest.raises(ModelUnavailable):
        model.build(empty, watch())
    assert model.repair(empty, {}, (), watch())["components"][0]["props"] == {"paragraphs": [""]}
    assert SHELF
