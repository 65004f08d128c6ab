"""The desk as it is wired, over the tables of the template."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import boto3
import pytest

from chalicelib.adapters.bedrock_chat import BedrockChat
from chalicelib.adapters.dynamodb.defences import DynamoBuckets
from chalicelib.adapters.dynamodb.pages import DynamoPages
from chalicelib.adapters.dynamodb.tables import Tables
from chalicelib.adapters.openai_chat import OpenAIChat
from chalicelib.answers.asking import Asked
from chalicelib.answers.defence_ports import Rate
from chalicelib.answers.defences import Visitor
from chalicelib.answers.extractive.model import Extractive
from chalicelib.answers.fallback import Fallback
from chalicelib.answers.parts import Began, Finished, Section
from chalicelib.answers.prompting import Budget, PromptedModel
from chalicelib.domain.pages import Topic
from chalicelib.settings import BadSettings, Settings
from chalicelib.wiring.desk import _bedrock, _Key, assembled, chat_of, model_of
from chalicelib.wiring.laying import lay
from tests.fakes.answers import MemoryReader, page
from tests.fakes.machine import START, Tally

pytestmark = pytest.mark.promise("N6")

OPENAI = {
    "ACERVO_ANSWERS_MODEL": "openai",
    "ACERVO_ANSWERS_MODEL_NAME": "small",
    "ACERVO_ANSWERS_URL": "http://127.0.0.1:9/v1",
}


def test_the_settings_name_the_model_and_what_takes_its_place() -> None:
    assert isinstance(model_of(Settings.read({}), Tally()), Extractive)
    fallback = model_of(Settings.read({**OPENAI, "ACERVO_ANSWERS_CALL_SECONDS": "3"}), Tally())
    assert isinstance(fallback, Fallback)
    assert isinstance(fallback.first, PromptedModel)
    assert fallback.first.budget == Budget(3.0, 2000)
    alone = model_of(Settings.read({**OPENAI, "ACERVO_ANSWERS_FALLBACK": "none"}), Tally())
    assert isinstance(alone, PromptedModel)
    assert isinstance(alone.chat, OpenAIChat)
    bedrock = Settings.read(
        {"ACERVO_ANSWERS_MODEL": "bedrock", "ACERVO_ANSWERS_MODEL_NAME": "eu.amazon.nova-lite-v1:0"}
    )
    assert isinstance(chat_of(bedrock), BedrockChat)


@pytest.mark.parametrize("missing", ["ACERVO_ANSWERS_MODEL_NAME", "ACERVO_ANSWERS_URL"])
def test_a_model_that_nobody_can_reach_is_refused(missing: str) -> None:
    with pytest.raises(BadSettings, match=missing):
        Settings.read({name: value for name, value in OPENAI.items() if name != missing})


def test_keys_and_clients_are_made_when_they_are_needed(aws: None) -> None:
    assert _Key("")() == ""
    boto3.client("ssm").put_parameter(Name="/acervo/answers", Value="sk-secret", Type="SecureString")
    assert _Key("/acervo/answers")() == "sk-secret"
    assert _bedrock(3).meta.config.read_timeout == 3


@pytest.mark.promise("N7", "N8", "N9")
def test_a_turn_over_the_real_tables_leaves_no_question_in_any_key(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("records", "revisions", "ephemeral"):
        monkeypatch.setenv(f"ACERVO_{name.upper()}_TABLE", name)
    settings = Settings.read()
    pipes = replace(lay(settings, tables), meter=Tally())
    reader = MemoryReader()
    desk = assembled(settings, pipes, tables)
    take_turn = replace(desk.take_turn, read=reader, pipeline=replace(desk.take_turn.pipeline, read=reader))
    question = "How much is the secretquestion double room?"

    def turn(**more: Any) -> list[Any]:
        deadline = desk.clock.now() + timedelta(seconds=desk.turn_seconds)
        facts = {"conversation_id": None, "regenerate": False, **more}
        return list(take_turn(Asked(page(), "session_1", question, deadline=deadline, has_left=lambda: False, **facts)))

    first, again = turn(), turn()
    assert isinstance(first[0], Began)
    assert isinstance(first[-1], Finished)
    assert len(reader.asked) == 2, "the second answer is the one that was kept"
    shown = [[each.component for each in parts if isinstance(each, Section)] for parts in (first, again)]
    assert shown[0] == shown[1] != []
    follow_up = turn(conversation_id=first[0].conversation_id)
    assert isinstance(follow_up[-1], Finished)
    assert follow_up[0].conversation_id == first[0].conversation_id
    rows = tables.client.scan(TableName="ephemeral")["Items"]
    keys = [each["pk"]["S"] for each in rows]
    assert any(each.startswith("answer#") for each in keys)
    assert not any("secret" in each.lower() for each in keys)
    images = [each.props["image"]["url"] for each in first if isinstance(each, Section) and "image" in each.props]
    assert all("X-Amz-Signature" in each for each in images)


@pytest.mark.promise("N9")
def test_before_the_first_event_the_tables_are_asked_as_little_as_the_defences_need(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page, the address, the session, the counters beside the kept answer, and the fuse."""
    for name in ("records", "revisions", "ephemeral"):
        monkeypatch.setenv(f"ACERVO_{name.upper()}_TABLE", name)
    monkeypatch.setenv("ACERVO_PROOF", "none")
    settings = Settings.read()
    desk = assembled(settings, replace(lay(settings, tables), meter=Tally()), tables)
    base = "kb_01k3v9m6b0000000000000000a"
    made = page(topics=(Topic("topic_1", "Rooms", "Rooms.", (base,), (), (base,)),))
    DynamoPages(tables).add_page(made, None)
    asked: list[str] = []
    tables.client.meta.events.register("before-call.dynamodb", lambda model, **_: asked.append(model.name))

    def first_event(number: int) -> list[str]:
        """What is asked between a question and its first event, by a tab whose address has asked nothing lately."""
        visitor = Visitor(origin=None, own="https://answers.example", peer=f"198.51.100.{number}")
        session = desk.open_session(made.id, visitor, "").token
        asked.clear()
        visitor = replace(visitor, peer=f"203.0.113.{number}", session=session)
        admitted = desk.admit(made.id, visitor, "How much is a room?", 100)
        facts: Any = {"conversation_id": None, "regenerate": False, "has_left": lambda: False}
        deadline = desk.clock.now() + timedelta(seconds=desk.turn_seconds)
        turn: Any = desk.take_turn(Asked(admitted.page, admitted.session_id, "How much?", deadline=deadline, **facts))
        assert isinstance(next(turn), Began)
        needed = list(asked)
        turn.close()
        return needed

    first_event(1)  # which makes the keys of the day
    page_, address, session, one, other, fuse = first_event(2)
    assert (page_, address, session, fuse) == ("GetItem", "UpdateItem", "UpdateItem", "UpdateItem")
    assert {one, other} == {"BatchGetItem", "GetItem"}, "these two at once"


@pytest.mark.promise("N9")
def test_a_token_costs_one_write_for_who_did_not_ask_for_a_while_and_for_who_is_refused(tables: Tables) -> None:
    asked: list[str] = []
    tables.client.meta.events.register("before-call.dynamodb", lambda model, **_: asked.append(model.name))
    buckets, rate = DynamoBuckets(tables), Rate(10.0, 2)
    costs = []
    for seconds, wait in ((0, 0.0), (0, 0.0), (0, 10.0), (0, 10.0), (10, 0.0), (31, 0.0)):
        asked.clear()
        assert buckets.take("visitor", rate, START + timedelta(seconds=seconds)) == wait
        costs.append(len(asked))
    assert costs == [1, 2, 1, 1, 2, 1]
