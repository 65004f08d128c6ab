"""The reading desk's fuse box: what the streaming function needs, and no more."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, assert_never, cast

from chalicelib.answers.checking import Checker
from chalicelib.answers.defences import Admit
from chalicelib.answers.extractive.model import Extractive
from chalicelib.answers.fallback import Fallback
from chalicelib.answers.pipeline import Pipeline
from chalicelib.answers.ports import ChatModel, PageStore
from chalicelib.answers.prompting import Budget, PromptedModel
from chalicelib.answers.replay import Replay
from chalicelib.answers.resolve import Resolver
from chalicelib.answers.sessions import OpenSession
from chalicelib.answers.steps import AnswerModel
from chalicelib.answers.turn import TakeTurn
from chalicelib.domain.ids import Ids
from chalicelib.domain.time import Clock
from chalicelib.domain.watching import Meter
from chalicelib.settings import Settings
from chalicelib.wiring.pipes import Pipes

if TYPE_CHECKING:
    from chalicelib.adapters.dynamodb.tables import Tables
    from chalicelib.adapters.s3 import S3Pictures


@dataclass(frozen=True, slots=True)
class AnswerDesk:
    """The use cases of public pages, wired."""

    pages: PageStore
    admit: Admit
    open_session: OpenSession
    take_turn: TakeTurn
    clock: Clock
    ids: Ids
    meter: Meter
    turn_seconds: float
    """From a question to its deadline."""


@cache
def desk() -> AnswerDesk:
    """The desk of this process, made at the first call. Raises BadSettings."""
    from chalicelib.wiring import settings
    from chalicelib.wiring.laying import lay, tables_of

    given = settings()
    tables = tables_of(given)
    return assembled(given, lay(given, tables), tables)


def assembled(settings: Settings, pipes: Pipes, tables: "Tables") -> AnswerDesk:
    """The desk over whatever pipes there are, and the tables that they lead to: one client for all."""
    from chalicelib.adapters.dynamodb.answers import DynamoAnswers
    from chalicelib.wiring.gate import gate

    before = gate(settings, pipes, tables)
    checker = Checker(Resolver(cast("S3Pictures", pipes.pictures)))
    return AnswerDesk(
        pages=pipes.pages,
        admit=before.admit,
        open_session=before.open_session,
        take_turn=TakeTurn(
            talks=before.conversations,
            fuse=before.spend,
            cache=DynamoAnswers(tables, pipes.clock),
            read=before.read,
            pipeline=Pipeline(model_of(settings, pipes.meter), before.read, checker, pipes.meter),
            replay=Replay(checker),
            clock=pipes.clock,
            ids=pipes.ids,
            meter=pipes.meter,
            flavour=f"{settings.answers_model} {settings.answers_model_name}",
        ),
        clock=pipes.clock,
        ids=pipes.ids,
        meter=pipes.meter,
        turn_seconds=settings.answers_turn_seconds,
    )


def model_of(settings: Settings, meter: Meter) -> AnswerModel:
    """The model that the settings name, with what takes its place if it fails."""
    chat = chat_of(settings)
    if chat is None:
        return Extractive()
    asked = PromptedModel(chat, meter, Budget(settings.answers_call_seconds, settings.answers_call_tokens))
    return Fallback(asked, Extractive(), meter) if settings.answers_fallback == "extractive" else asked


def chat_of(settings: Settings) -> ChatModel | None:
    """The language model that the settings name; None for none."""
    match settings.answers_model:
        case "extractive":
            return None
        case "openai":
            from chalicelib.adapters.openai_chat import OpenAIChat

            key, schema = _Key(settings.answers_key_parameter), settings.answers_schema
            return OpenAIChat(settings.answers_url, settings.answers_model_name, key, schema=schema)
        case "bedrock":
            from chalicelib.adapters.bedrock_chat import BedrockChat

            return BedrockChat(settings.answers_model_name, _bedrock)
        case never:
            assert_never(never)


@dataclass(frozen=True, slots=True)
class _Key:
    """The key of the server, if it has one."""

    parameter: str

    def __call__(self) -> str:
        """The key. Raises ModelUnavailable if it cannot be read."""
        return _key_in(self.parameter)() if self.parameter else ""


@cache
def _key_in(parameter: str) -> Any:  # noqa: ANN401 - a callable without arguments
    import boto3

    from chalicelib.adapters.parameters import ModelKey

    return ModelKey(boto3.client("ssm"), parameter)


def _bedrock(seconds: int) -> Any:  # noqa: ANN401 - boto3's client
    """A client of Bedrock's runtime that waits so many seconds and tries once."""
    import boto3
    from botocore.config import Config

    retries: Any = {"mode": "standard", "total_max_attempts": 1}
    config = Config(connect_timeout=seconds, read_timeout=seconds, retries=retries, max_pool_connections=32)
    return boto3.client("bedrock-runtime", config=config)
