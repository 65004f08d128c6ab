"""Answers without a language model are of use: in the visitor's language, out of real sentences (rule N2)."""

import json
from typing import Any

import pytest

from chalicelib.answers.extractive.blocks import Listing, Prose, Table, blocks, lines, sentences, shortened
from chalicelib.answers.extractive.choosing import best_images, best_topics, fitting_images
from chalicelib.answers.extractive.intents import Intent, intents
from chalicelib.answers.languages import language_of
from chalicelib.answers.parts import Section, Sections, Spoken
from chalicelib.answers.phrases import LANGUAGES, phrases
from chalicelib.answers.ports import Exchange
from chalicelib.domain.pages import Topic
from tests.fakes.answers import MemoryReader, Surroundings, image, page, source
from tests.unit.answers.sample import SampleReader, shelf

pytestmark = pytest.mark.promise("N2")

ACERVO = page(
    name="Acervo",
    about="Knowledge bases that keep every version.",
    topics=(Topic("topic_all", "Acervo", "How to use Acervo."),),
    images=(),
)


def answer(question: str, reader: Any = None, on: Any = None, **more: Any) -> tuple[str, dict[str, Any], str]:
    """Spoken line, props by component, language."""
    given: Any = reader or SampleReader()
    desk = Surroundings(reader=given)
    parts = desk.parts(question, on or ACERVO, **more)
    spoken = "".join(each.text for each in parts if isinstance(each, Spoken))
    shown = {each.component: dict(each.props) for each in parts if isinstance(each, Section)}
    return spoken, shown, next(each.language for each in parts if isinstance(each, Sections))


@pytest.mark.parametrize(
    ("question", "language", "component", "says"),
    [
        ("How do I delete a base for good?", "en", "steps", "a tombstone is written"),
        ("Who may publish an item?", "en", "highlights", "create, edit, publish, withdraw"),
        ("What does 409 stale_revision mean?", "en", "text", "yours is refused with 409 stale_revision"),
        ("How do I start Acervo on a laptop?", "en", "text", "Acervo needs Python 3.12"),
        ("What can a viewer do?", "en", "highlights", "read and search what is published"),
        ("¿Cómo resuelvo un conflicto de edición?", "es", "steps", "Lee la revisión actual."),
        ("¿Qué es un borrador?", "es", "text", "Un documento nace como borrador."),
        ("¿Cómo se borran los datos locales?", "es", "text", "make reset borra los datos locales"),
        ("¿Puedo buscar sin acentos?", "es", "highlights", "Se pueden omitir"),
        ("puedo editar un documento publicado", "es", "text", "Una edición crea una revisión nueva"),
    ],
)
def test_ten_questions_over_the_sample_are_answered_in_their_language(
    question: str, language: str, component: str, says: str
) -> None:
    spoken, shown, answered = answer(question)
    assert answered == language
    assert says in json.dumps(shown[component], ensure_ascii=False)
    assert spoken
    assert "notice" not in shown


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What is the price of a licence?", phrases("en").unsupported),
        ("¿Qué tiempo hace en Madrid?", phrases("es").unsupported),
        ("Quanto custa a licença?", phrases("pt").unsupported),
        ("Combien coûte la licence ?", phrases("fr").unsupported),
        ("Was kostet die Lizenz?", phrases("de").unsupported),
        ("Quanto costa la licenza?", phrases("it").unsupported),
    ],
)
def test_what_is_not_there_is_said_not_to_be_in_the_visitors_language(question: str, says: str) -> None:
    spoken, shown, _ = answer(question)
    assert spoken == says
    assert list(shown) == ["notice", "contact"]


def test_everything_shown_stands_in_the_knowledge() -> None:
    known = " ".join(" ".join(each.content.replace("**", "").replace("`", "").split()) for each in shelf())
    known += " ".join(each.title for each in shelf())
    for question in ("How do I delete a base for good?", "¿Cómo resuelvo un conflicto de edición?"):
        _, shown, _ = answer(question)
        for step in shown["steps"]["steps"]:
            assert step["text"] in known
        for paragraph in shown["text"]["paragraphs"]:
            assert paragraph in known


def test_a_follow_up_that_says_little_goes_on_from_the_question_before() -> None:
    desk = Surroundings()
    began = desk.talks.begin(desk.asked("x"))
    desk.talks.keep(began, Exchange("How much is the double room?", "80 €", ("text",), (), "en"))
    desk.parts("And the single?", conversation_id=began.id)
    assert desk.reader.asked[0][1] == "How much is the double room? And the single?"


def test_what_there_is_in_another_language_only_is_shown_as_such() -> None:
    spanish = source("# Piscina\n\nLa piscina abre de 9:00 a 20:00 todos los días del año.", title="Piscina", score=0.9)
    spoken, shown, language = answer("When does the pool open?", MemoryReader({"topic_rooms": [spanish]}), page())
    assert spoken == phrases("en").only_in
    assert shown["text"]["paragraphs"] == ["La piscina abre de 9:00 a 20:00 todos los días del año."]
    assert language == "en"


HOTEL = """# Hotel

Welcome to the hotel.

## Prices

| room | price | beds |
|---|---|---|
| single | 60 € | 1 |
| double | 80 € | 2 |

## Extras

- Breakfast: 12 € a person
- Parking (15 € a day)
- 5 € for late check-out

## Calendar

- 2026-03-12: The season begins
- 2026-10-31: The season ends

## Can I bring my dog?

Yes, dogs are welcome in the garden rooms.

## Rooms compared

| room | view | balcony |
|---|---|---|
| single | garden | no |
| double | sea | yes |

## A long table

| what | how |
|---|---|
| check-in | Ring the bell at the green door and then show the booking to whoever opens the door for you there. |
| check-out | Leave the key. |
"""


def hotel(question: str, **more: Any) -> tuple[str, dict[str, Any], str]:
    return answer(question, MemoryReader({"topic_rooms": _cut(HOTEL)}), page(**more))


def _cut(text: str) -> list[Any]:
    from chalicelib.search.passages import passages

    return [source(each.content, number, "Hotel", 0.5) for number, each in enumerate(passages(text))]


def test_prices_come_as_a_list_of_prices() -> None:
    _, shown, _ = hotel("How much is the price of a double room?")
    assert shown["price_list"]["items"] == [
        {"name": "single", "price": "60 €", "detail": "1"},
        {"name": "double", "price": "80 €", "detail": "2"},
    ]
    _, shown, _ = hotel("How much does breakfast cost?")
    assert shown["price_list"]["items"] == [
        {"name": "Breakfast", "price": "12 €", "detail": "a person"},
        {"name": "Parking", "price": "15 €", "detail": "a day"},
        {"name": "for late check-out", "price": "5 €"},
    ]


@pytest.mark.parametrize(
    ("table", "items"),
    [
        (
            "| Room | Price (€) | Beds |\n|---|---|---|\n| Single | 50 | 1 |",
            [{"name": "Single", "price": "50 €", "detail": "1"}],
        ),
        ("| Room | Price |\n|---|---|\n| Single | on request |", [{"name": "Single", "price": "on request"}]),
        ("| Room | Beds |\n|---|---|\n| Single | 1 |", None),
        ("| Room | Price |\n|---|---|\n| | 50 € |", None),
    ],
)
def test_only_what_says_that_it_is_a_price_is_one(table: str, items: Any) -> None:
    reader = MemoryReader(
        {"topic_rooms": [source(f"# Single room\n\nAbout the single room and its price.\n\n{table}\n")]}
    )
    _, shown, _ = answer("What is the price of a single room?", reader, page())
    assert shown.get("price_list", {}).get("items") == items


def test_words_that_the_page_is_about_anyway_do_not_stand_in_the_way() -> None:
    _, shown, _ = answer("How do I check in at the Hotel Sol?", MemoryReader(), page())
    assert shown["steps"]["title"] == "How to check in"


def test_what_the_page_is_not_about_is_off_topic_unless_it_is_what_it_is_about() -> None:
    spoken, shown, _ = answer("What do you think of politics?", on=page())
    assert spoken == phrases("en").off_topic
    assert list(shown) == ["notice", "contact"]
    spoken, _, _ = answer("Is there politics at the hotel?", on=page())
    assert spoken != phrases("en").off_topic


def test_dates_questions_and_tables_come_in_their_own_components() -> None:
    _, shown, _ = hotel("When does the season begin?")
    assert shown["timeline"]["events"][0] == {"when": "2026-03-12", "text": "The season begins"}
    _, shown, _ = hotel("May I bring my dog?")
    assert shown["faq"]["questions"] == [
        {"question": "Can I bring my dog?", "answer": "Yes, dogs are welcome in the garden rooms."}
    ]
    _, shown, _ = hotel("Which room has a balcony and a sea view?")
    assert shown["comparison"]["columns"] == ["view", "balcony"]
    assert {"label": "double", "values": ["sea", "yes"]} in shown["comparison"]["rows"]
    _, shown, _ = hotel("What about check-in: ring the bell?")
    assert shown["highlights"]["points"][0]["title"] == "check-in"


def test_pictures_and_ways_to_get_in_touch_are_added_where_they_fit() -> None:
    _, shown, _ = hotel(
        "Which room has a balcony and a sea view?", images=(image("room", "Room with a balcony and sea view"),)
    )
    assert shown["image"]["image"]["alt"] == "Room with a balcony and sea view"
    two = (image("a", "Balcony, sea view, room"), image("b", "Room with sea view and balcony"))
    assert len(hotel("Which room has a balcony and a sea view?", images=two)[1]["gallery"]["images"]) == 2
    _, shown, _ = hotel("Can I book a room with a balcony and a sea view?")
    assert [each["label"] for each in shown["contact"]["links"]] == ["Map", "Book a room", "Write to us"]


def test_topics_and_pictures_are_chosen_by_their_words() -> None:
    on = page()
    assert best_topics("walks to restaurants", on.topics, 1)[0].id == "topic_area"
    assert [each.id for each in best_images("the beach", on.images, 1)] == ["img_beach"]
    assert [each.id for each in fitting_images("beach", on.images, 3)] == ["img_beach"]
    assert fitting_images("castle", on.images, 3) == ()
    assert fitting_images("", on.images, 3) == ()


def test_of_many_pictures_a_model_sees_those_that_fit_best() -> None:
    from tests.fakes.answers import ScriptedModel

    many = tuple(image(f"n{number}", f"Picture {number} of a hall") for number in range(60))
    model = ScriptedModel({})
    Surroundings(model).parts("x", page(images=(*many, image("room", "A room"))))
    assert len(model.images) == 40
    assert model.images[0].id == "img_room"


def test_blocks_are_read_by_their_form() -> None:
    read = blocks(
        "Intro:\n\n1. One\n2. Two\n   - inner\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted", "H"
    )
    assert read == (
        Prose("Intro:", "H"),
        Listing(("One", "Two inner"), ordered=True, heading="H", intro="Intro:"),
        Table(("a", "b"), (("1", "2"),), "H"),
        Prose("quoted", "H"),
    )
    assert [each.text for each in read] == ["Intro:", "Intro: One Two inner", "a b 1 2", "quoted"]
    assert lines(read[2]) == ["1 – 2"]
    assert blocks("See [the *docs*](https://x.example) `<id>` ![a chart](y.png)<b>!</b>\nnow", "")[0].text == (
        "See the docs ‹id› a chart! now"
    )
    assert blocks("| a |\n|---|\n", "") == ()
    assert blocks("- \n", "") == ()


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See p. ej. Sr. Pérez. Luego otra.", ["See p. ej. Sr. Pérez.", "Luego otra."]),
        ("¿Qué? ¡Sí! No.", ["¿Qué?", "¡Sí!", "No."]),
        ("It costs 3.50 € a day.", ["It costs 3.50 € a day."]),
        ("一つ。二つ。", ["一つ。", "二つ。"]),
        ("", []),
    ],
)
def test_sentences_end_where_people_end_them(text: str, split: list[str]) -> None:
    assert sentences(text) == split


def test_what_is_too_long_ends_after_a_sentence_or_a_word() -> None:
    assert shortened("One. Two. Three.", 10) == "One. Two."
    assert shortened("One two three four", 10) == "One two…"
    assert shortened("x" * 20, 10) == "x" * 9 + "…"
    assert shortened("short", 10) == "short"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How much is it?", {Intent.PRICE}),
        ("¿Cuánto cuesta?", {Intent.PRICE}),
        ("How do I book?", {Intent.STEPS, Intent.CONTACT}),
        ("Wann öffnet es?", {Intent.DATES}),
        ("Tell me more", set()),
    ],
)
def test_questions_ask_for_a_kind_of_answer(question: str, found: set[Intent]) -> None:
    assert intents(question) == found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How much is it?", "en"), ("¿Cuánto cuesta?", "es"), ("cuanto cuesta la habitacion", "es"), ("Quanto custa?", "pt"),
        ("Combien ça coûte ?", "fr"), ("Was kostet das Zimmer?", "de"), ("Quanto costa la camera?", "it"), ("roles", "xx"),
        ("Как удалить?", "ru"), ("部屋の料金は?", "ja"), ("", "xx"), ("\ud800", "xx"),
        ("De kamer kost tachtig euro per nacht en het ontbijt is inbegrepen, maar de parkeerplaats is dat helaas niet, zeggen zij.", "nl"),
    ],
)  # fmt: skip
def test_short_questions_tell_their_language(text: str, language: str) -> None:
    assert language_of(text, "xx") == language


def test_the_desks_own_sentences_say_no_figure_and_are_there_in_six_languages() -> None:
    from dataclasses import astuple

    assert {"en", "es", "pt", "fr", "de", "it"} == LANGUAGES
    for language in LANGUAGES:
        for text in astuple(phrases(language)):
            assert text
            assert not any(each.isdigit() for each in text)
    assert phrases("ja", "es") is phrases("es")
    assert phrases("ja", "xx") is phrases("en")


@pytest.mark.promise("N6")
def test_the_marks_of_footnotes_are_not_shown() -> None:
    """As they come out of a Word file."""
    found = blocks("Test footnote.[^1] Test endnote.[^e1]\n\n[^1]: A note. Its end.", "A")
    assert [each.text for each in found] == ["Test footnote. Test endnote.", "A note. Its end."]
