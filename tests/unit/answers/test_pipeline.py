"""The pipeline: every turn of the way, and every way it can fail."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from chalicelib.answers.collecting import collect
from chalicelib.answers.parts import (
    Began,
    Failed,
    Finished,
    Progress,
    Section,
    Sections,
    Spoken,
    Stage,
    Status,
)
from chalicelib.answers.prompting import PromptedModel
from chalicelib.answers.steps import Summary, Understood
from chalicelib.answers.turn import KEPT_DEGRADED
from chalicelib.domain.errors import (
    ConcurrentChange,
    DailyLimitReached,
    ModelUnavailable,
    NotFound,
    SearchUnavailable,
    StoreBusy,
)
from chalicelib.domain.pages import Image, Page
from tests.fakes.answers import (
    SHELF,
    MemoryAddresses,
    MemoryReader,
    ScriptedChat,
    ScriptedModel,
    Surroundings,
    component,
    draft,
    page,
)
from tests.fakes.machine import StillClock

pytestmark = pytest.mark.promise("N6")

GOOD = draft(
    component("text", title="Rooms", paragraphs=["The double room costs 80 € a night."]),
    component("image", image="img_room"),
    component("call_to_action", action="link_book"),
    spoken="A double room is 80 € a night.",
)
WRONG = draft(component("text", paragraphs=["The double room costs 90 €."]), spoken="It costs 90 €.")


def kinds(parts: list[Any]) -> list[str]:
    return [type(each).__name__ for each in parts if not isinstance(each, Spoken)]


def sections(parts: list[Any]) -> list[str]:
    return [each.component for each in parts if isinstance(each, Section)]


def spoken(parts: list[Any]) -> str:
    return "".join(each.text for each in parts if isinstance(each, Spoken))


@pytest.mark.promise("N6")
def test_a_turn_comes_in_the_order_that_the_protocol_promises() -> None:
    parts = Surroundings(ScriptedModel(GOOD)).parts("How much is a room?")
    assert kinds(parts) == [
        "Began", "Status", "Progress", "Status", "Status", "Progress", "Status", "Progress",
        "Section", "Section", "Section", "Sections", "Finished",
    ]  # fmt: skip
    stages = [each.stage for each in parts if isinstance(each, Status)]
    assert stages == [Stage.UNDERSTANDING, Stage.SELECTING, Stage.READING, Stage.WRITING]
    assert spoken(parts) == "A double room is 80 € a night."
    last_spoken = max(number for number, each in enumerate(parts) if isinstance(each, Spoken))
    assert last_spoken < min(number for number, each in enumerate(parts) if isinstance(each, Section))
    listed = next(each for each in parts if isinstance(each, Sections))
    assert listed.ids == tuple(each.id for each in parts if isinstance(each, Section))
    assert len(set(listed.ids)) == 3
    assert listed.final
    assert listed.language == "en"


@pytest.mark.promise("N6")
def test_whoever_collects_the_parts_has_the_same_answer() -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    parts = desk.parts("How much is a room?")
    answer = collect(iter(parts))
    assert (answer.spoken, answer.failure, answer.complete) == (spoken(parts), None, True)
    assert list(answer.sections) == [each for each in parts if isinstance(each, Section)]
    desk.fuse.blown = DailyLimitReached(9)
    with pytest.raises(DailyLimitReached):
        collect(desk.take_turn(desk.asked("Another?")))


@pytest.mark.promise("N1")
def test_ids_become_what_the_owner_registered() -> None:
    parts = Surroundings(ScriptedModel(GOOD)).parts("How much is a room?")
    _, shown, call = (each.props for each in parts if isinstance(each, Section))
    assert shown["image"] == {
        "url": "https://bucket.example/k/room?signature=1",
        "alt": "The double room with a view of the sea",
        "width": 1200,
        "height": 800,
    }
    assert call["action"] == {
        "label": "Book a room",
        "url": "https://book.hotel.example/?from=page",
        "kind": "action",
    }


@pytest.mark.promise("N2")
@pytest.mark.parametrize(("shows", "sources"), [(False, ()), (True, ("knowledge:item_1@rev_1",))])
def test_sources_are_carried_and_shown_only_by_pages_that_want_it(*, shows: bool, sources: tuple[str, ...]) -> None:
    given = draft(component("text", ["knowledge:item_1@rev_1"], paragraphs=["A room is 80 €."]))
    parts = Surroundings(ScriptedModel(given)).parts("?", page(shows_sources=shows))
    assert next(each for each in parts if isinstance(each, Section)).sources == sources


@pytest.mark.promise("N7")
def test_the_transcript_is_written_before_the_end_is_said() -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    turn = desk.take_turn(desk.asked("How much is a room?"))
    while not isinstance(next(turn), Sections):
        pass
    (kept,) = desk.talks.held.values()
    (exchange,) = kept.exchanges
    assert exchange.question == "How much is a room?"
    assert exchange.components == ("text", "image", "call_to_action")
    assert exchange.image_ids == ("img_room",)
    assert desk.talks.released == []


@pytest.mark.promise("N7")
def test_pictures_that_were_shown_are_offered_to_no_model_again() -> None:
    model = ScriptedModel(GOOD)
    desk = Surroundings(model)
    began = desk.parts("How much is a room?")[0]
    assert {each.id for each in model.images} == {"img_room", "img_beach"}
    desk.parts("And the beach?", conversation_id=began.conversation_id)
    assert {each.id for each in model.images} == {"img_beach"}
    desk.parts("And?", conversation_id=began.conversation_id, regenerate=True)
    assert {each.id for each in model.images} == {"img_beach"}
    assert len(desk.talks.held[began.conversation_id].exchanges) == 2


@pytest.mark.promise("N7")
def test_a_conversation_of_another_session_is_none() -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    with pytest.raises(NotFound):
        desk.parts("?", conversation_id="conv_other")


def failures(parts: list[Any]) -> tuple[str | None, bool]:
    """The code of the failure, and whether the list says that this is the whole answer."""
    listed = next(each for each in parts if isinstance(each, Sections))
    last = parts[-1]
    assert parts.index(listed) == len(parts) - 2
    return (last.code if isinstance(last, Failed) else None), listed.final


def unavailable() -> Any:
    return {"topic_area": SearchUnavailable()}


@pytest.mark.promise("N6")
def test_off_topic_skips_retrieval_and_leads_back_courteously() -> None:
    off = Understood("es", on_topic=False, knowledge_query="x", image_query="x")
    model = ScriptedModel(GOOD, understand=off)
    desk = Surroundings(model)
    parts = desk.parts("Who won the election?")
    assert model.asked == ["understand"]
    assert desk.reader.asked == []
    assert spoken(parts) == "Lo siento, aquí no puedo ayudarte con eso."
    assert sections(parts) == ["notice", "contact"]
    assert failures(parts) == (None, True)


def test_off_topic_in_a_language_without_phrases_takes_the_models_own_courtesy() -> None:
    off = Understood("ja", on_topic=False, knowledge_query="x", image_query="x", courtesy="申し訳ありません。")
    assert spoken(Surroundings(ScriptedModel(GOOD, understand=off)).parts("?")) == "申し訳ありません。"
    priced = replace(off, courtesy="80 € で泊まれます。")
    assert spoken(Surroundings(ScriptedModel(GOOD, understand=priced)).parts("?")).startswith("I am afraid")


def test_what_fails_is_said_in_the_pages_language_where_there_is_no_other() -> None:
    spanish = page(language="es")
    off = Understood("ja", on_topic=True, knowledge_query="x", image_query="x")
    parts = Surroundings(ScriptedModel(GOOD, understand=off, build=ModelUnavailable())).parts("料金は?", spanish)
    assert parts[-1].sentence == "Ahora mismo no puedo consultarlo. Inténtalo de nuevo en un momento."


@pytest.mark.promise("N2")
@pytest.mark.parametrize("has_links", [True, False])
def test_what_the_knowledge_does_not_say_is_not_said_and_a_next_step_is_offered(*, has_links: bool) -> None:
    nothing = Summary(page().topics[0], "", supported=False, passages=())
    model = ScriptedModel(GOOD, **{"summarise topic_rooms": nothing, "summarise topic_area": nothing})
    on = page() if has_links else page(links=())
    parts = Surroundings(model).parts("Do you sell cars?", on)
    assert "build" not in model.asked
    assert spoken(parts) == "I could not find an answer to that in what I know."
    assert sections(parts) == (["notice", "contact"] if has_links else ["notice"])
    assert failures(parts) == (None, True)


@pytest.mark.promise("N2")
def test_a_page_without_topics_or_passages_says_so() -> None:
    for on, shelf in ((page(topics=()), SHELF), (page(), {})):
        desk = Surroundings(ScriptedModel(GOOD), MemoryReader(shelf))
        assert sections(desk.parts("?", on)) == ["notice", "contact"]


# The table of failures: docs/explanation/answers.md says the same in words.


@pytest.mark.promise("N6")
@pytest.mark.parametrize("fault", [SearchUnavailable(), ModelUnavailable(), RuntimeError("a bug")])
@pytest.mark.parametrize("by", ["reader", "model"])
def test_one_topic_that_fails_never_sinks_the_turn(fault: Exception, by: str) -> None:
    reader = MemoryReader(fails={"topic_area": fault} if by == "reader" else {})
    model = ScriptedModel(GOOD, **({"summarise topic_area": fault} if by == "model" else {}))
    desk = Surroundings(model, reader)
    parts = desk.parts("How much is a room?")
    assert sections(parts) == ["text", "image", "call_to_action"]
    assert failures(parts) == (None, True)
    assert "answers.topic_failed" in [name for name, _, _ in desk.meter.counted]
    assert desk.cache.kept == {}, "an answer out of less than there is would be kept"


@pytest.mark.promise("N6")
@pytest.mark.parametrize(
    ("fault", "code"), [(SearchUnavailable(), "search_unavailable"), (RuntimeError("a bug"), "search_unavailable")]
)
def test_all_topics_that_fail_end_the_turn_in_order(fault: Exception, code: str) -> None:
    reader = MemoryReader(fails={"topic_area": fault, "topic_rooms": fault})
    desk = Surroundings(ScriptedModel(GOOD), reader)
    parts = desk.parts("How much is a room?")
    assert failures(parts) == (code, False)
    assert sections(parts) == []
    assert parts[-1].sentence == "I cannot look that up right now. Please try again in a moment."
    assert len(desk.talks.released) == 1


@pytest.mark.promise("N6")
def test_half_a_search_answers_and_is_kept_for_minutes_only() -> None:
    desk = Surroundings(ScriptedModel(GOOD), MemoryReader(degraded="vectors_unavailable"))
    parts = desk.parts("How much is a room?")
    assert sections(parts) == ["text", "image", "call_to_action"]
    assert ("answers.degraded", 1, {"why": "vectors_unavailable"}) in desk.meter.counted
    ((_, until),) = desk.cache.kept.values()
    assert until == desk.clock.now() + KEPT_DEGRADED


@pytest.mark.promise("N6")
def test_pictures_that_cannot_be_chosen_are_left_out() -> None:
    parts = Surroundings(ScriptedModel(GOOD, select_images=ModelUnavailable())).parts("How much is a room?")
    assert sections(parts) == ["text", "call_to_action"]
    assert failures(parts) == (None, True)


@pytest.mark.promise("N6")
def test_topics_that_cannot_be_chosen_are_chosen_by_their_words() -> None:
    desk = Surroundings(ScriptedModel(GOOD, select_topics=ModelUnavailable()))
    assert sections(desk.parts("How much is a room?")) == ["text", "image", "call_to_action"]
    assert desk.reader.asked[0][0] == "topic_rooms"


@pytest.mark.promise("N1", "N6")
@pytest.mark.parametrize("chosen", [("nothing",), ("topic_rooms", "topic_rooms", 7, None), ()])
def test_a_choice_of_what_there_is_not_is_no_choice(chosen: tuple[Any, ...]) -> None:
    model = ScriptedModel(GOOD, select_topics=lambda: chosen, select_images=lambda: ("img_draft", "https://x", 3))
    desk = Surroundings(model)
    desk.parts("How much is a room?")
    assert [topic for topic, _ in desk.reader.asked] == [each for each in ("topic_rooms",) if each in chosen]
    assert all(brief.images == () for brief in model.briefs)


@pytest.mark.promise("N2")
def test_an_answer_that_is_invalid_once_is_mended_with_what_was_wrong() -> None:
    model = ScriptedModel(WRONG, GOOD)
    desk = Surroundings(model)
    parts = desk.parts("How much is a room?")
    assert model.asked.count("build") == model.asked.count("repair") == 1
    assert any("90 €" in each for each in model.mistakes)
    assert sections(parts) == ["text", "image", "call_to_action"]
    assert failures(parts) == (None, True)


@pytest.mark.promise("N2")
def test_an_answer_that_is_invalid_twice_ends_the_turn() -> None:
    model = ScriptedModel(WRONG, WRONG)
    parts = Surroundings(model).parts("How much is a room?")
    assert model.asked.count("repair") == 1
    assert failures(parts) == ("answer_failed", False)
    assert (sections(parts), spoken(parts)) == ([], "")


def test_one_valid_component_is_answer_enough() -> None:
    model = ScriptedModel(draft(*WRONG["components"], component("notice", text="Breakfast is included.")))
    parts = Surroundings(model).parts("How much is a room?")
    assert sections(parts) == ["notice"]
    assert "repair" not in model.asked


@pytest.mark.promise("N2")
@pytest.mark.parametrize("line", ["It costs 90 €.", "", "x" * 400, 7, None, "<b></b>"])
def test_a_spoken_line_that_cannot_be_said_is_replaced(line: Any) -> None:
    given = {**GOOD, "spoken": line}
    assert spoken(Surroundings(ScriptedModel(given)).parts("?")) == "Here is what I found."


@pytest.mark.parametrize("step", ["understand", "build"])
def test_a_model_that_fails_ends_the_turn_in_order(step: str) -> None:
    desk = Surroundings(ScriptedModel(GOOD, **{step: ModelUnavailable()}))
    parts = desk.parts("?")
    assert failures(parts) == ("model_unavailable", False)
    assert len(desk.talks.released) == 1


def test_a_bug_ends_the_turn_in_order_and_is_told_to_the_journal() -> None:
    bug = RuntimeError("a bug")
    parts = Surroundings(ScriptedModel(GOOD, build=bug)).parts("?")
    assert failures(parts) == ("answer_failed", False)
    assert parts[-1].fault is bug


def test_an_answer_that_cannot_be_written_down_says_that_it_is_not_the_end() -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    desk.talks.fails = ConcurrentChange(expected=1, actual=2)
    parts = desk.parts("?")
    assert failures(parts) == ("concurrent_change", False)
    assert sections(parts) == ["text", "image", "call_to_action"]
    assert desk.cache.kept == {}


@pytest.mark.promise("N5")
@pytest.mark.parametrize("after", [1, 2, 3, 4, 5])
def test_no_model_call_starts_once_the_visitor_has_left(after: int) -> None:
    gone = threading.Event()
    chat = ScriptedChat()

    def answer(value: Any) -> Any:
        def given(_: Any) -> Any:
            if len(chat.prompts) >= after:
                gone.set()
            return value

        return given

    chat.answers = {
        "understand": answer({"language": "en", "on_topic": True, "knowledge_query": "room", "image_query": "room"}),
        "select_topics": answer({"ids": ["topic_rooms"]}),
        "select_images": answer({"ids": []}),
        "summarise": answer({"supported": True, "text": "80 €", "references": ["p1"]}),
        "build": answer(WRONG),
        "repair": answer(GOOD),
    }
    desk = Surroundings()
    desk.model = PromptedModel(chat, desk.meter)
    parts = desk.parts("?", has_left=gone.is_set)
    # The two selections start together: one of them may be under way when the other sees the visitor leave.
    assert len(chat.prompts) <= after + (1 if after == 2 else 0)
    assert not any(isinstance(each, Finished | Failed | Sections) for each in parts)
    assert len(desk.talks.released) == 1
    assert desk.talks.held == {}
    assert len(desk.fuse.spending) == 1


@pytest.mark.promise("N5")
def test_to_close_the_turn_is_to_leave() -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow() -> Any:
        started.set()
        go_on.wait(5)
        return ("topic_rooms",)

    model = ScriptedModel(GOOD, select_topics=slow)
    desk = Surroundings(model)
    turn = desk.take_turn(desk.asked("?"))
    assert isinstance(turn, Iterator)
    while not isinstance(part := next(turn), Status) or part.stage is not Stage.SELECTING:
        pass
    turn.close()  # type: ignore[attr-defined]
    go_on.set()
    time.sleep(0.05)
    assert set(model.asked) <= {"understand", "select_topics", "select_images"}
    assert len(desk.talks.released) == 1


class Running(StillClock):
    """A clock that goes as fast as it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = time.monotonic()

    def now(self) -> Any:
        from datetime import timedelta

        return self.moment + timedelta(seconds=time.monotonic() - self.begun)


@pytest.mark.promise("N5")
@pytest.mark.parametrize("step", ["understand", "select_topics", "summarise topic_rooms", "build"])
def test_a_deadline_ends_the_turn_in_order(step: str) -> None:
    never = threading.Event()
    model = ScriptedModel(GOOD, **{step: lambda: never.wait(5)})
    desk = Surroundings(model, clock=Running())
    begun = time.monotonic()
    parts = desk.parts("?", seconds=0.3)
    assert time.monotonic() - begun < 1.5
    never.set()
    assert failures(parts) == ("turn_timed_out", False)
    assert parts[-1].sentence.startswith("The answer took too long.")
    assert len(desk.talks.released) == 1


@pytest.mark.promise("N5")
def test_no_call_starts_after_the_deadline() -> None:
    clock = StillClock()

    def slow() -> Understood:
        clock.pass_(seconds=60)
        return Understood("en", on_topic=True, knowledge_query="x", image_query="x")

    model = ScriptedModel(GOOD, understand=slow)
    desk = Surroundings(model, clock=clock)
    assert failures(desk.parts("?")) == ("turn_timed_out", False)
    assert model.asked == ["understand"]


def test_progress_is_in_the_visitors_language_and_names_the_topics_safely() -> None:
    on: Page = page(language="es")
    evil = on.topics[0].__class__("topic_rooms", "Rooms <script>x</script> http://evil.com", "rooms")
    parts = Surroundings(ScriptedModel(GOOD)).parts("¿Cuánto cuesta una habitación?", page(topics=(evil,)))
    lines = [each.line for each in parts if isinstance(each, Progress)]
    assert lines == ["Estudiando tu pregunta", "Reading about: Rooms", "Writing the answer"]
    assert isinstance(parts[0], Began)


class Unsigned(MemoryAddresses):
    """Signs nothing: the bucket is out of reach."""

    def url(self, image: Image) -> str:
        raise StoreBusy


@pytest.mark.promise("N6")
def test_a_picture_whose_address_cannot_be_signed_is_left_out_and_the_rest_arrives() -> None:
    desk = Surroundings(ScriptedModel(GOOD))
    desk.addresses = Unsigned()
    parts = desk.parts("How much is a room?")
    assert sections(parts) == ["text", "call_to_action"]
    assert isinstance(parts[-1], Finished)
