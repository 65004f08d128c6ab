"""What every language model does, on the wire: a server with OpenAI's API, and Bedrock's Converse."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import boto3
import pytest
from botocore.config import Config

from chalicelib.adapters.bedrock_chat import BedrockChat
from chalicelib.adapters.openai_chat import OpenAIChat
from chalicelib.adapters.parameters import ModelKey
from chalicelib.answers.ports import ChatModel, Prompt, Spending
from chalicelib.domain.errors import ModelUnavailable
from infra.local.places import free_port

pytestmark = pytest.mark.promise("N5")

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
SESSION = boto3.Session("testing", "testing", region_name="eu-west-1")
type Answer = tuple[int, Any]
type Script = Callable[[int], Answer]


def prompt(seconds: float = 5, going: Callable[[], bool] = lambda: True) -> Prompt:
    return Prompt("build", "You are careful.", "What is said?", SCHEMA, 300, seconds, going)


@contextmanager
def scripted(script: Script, drip_s: float = 0.0) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that answers what a test tells it to, and what it was asked."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append({"path": self.path, "headers": dict(self.headers.items()), "body": body})
            status, said = script(len(asked) - 1)
            data = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            if status == 302:
                self.send_header("location", "/elsewhere")
            self.end_headers()
            try:
                for at in range(0, len(data), 16 if drip_s else len(data) or 1):
                    self.wfile.write(data[at : at + (16 if drip_s else len(data))])
                    time.sleep(drip_s)
            except ConnectionError:
                self.close_connection = True

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def openai_says(content: str) -> Any:
    """As OpenAI's API reference has it."""
    message = {"role": "assistant", "content": content}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return {
        "id": "x",
        "object": "chat.completion",
        "choices": choices,
        "usage": {"prompt_tokens": 11, "completion_tokens": 3},
    }


def bedrock_says(content: str) -> Any:
    """As the API reference of Converse has it."""
    tool = {"toolUse": {"toolUseId": "t", "name": "build", "input": json.loads(content)}}
    message = {"role": "assistant", "content": [{"text": "I will answer."}, tool]}
    usage = {"inputTokens": 11, "outputTokens": 3, "totalTokens": 14}
    return {"output": {"message": message}, "stopReason": "tool_use", "usage": usage, "metrics": {"latencyMs": 9}}


def openai(url: str) -> ChatModel:
    return OpenAIChat(f"{url}/v1/", "small", lambda: "sk-secret", pause=lambda _: None)


def bedrock(url: str) -> ChatModel:
    def client(seconds: int) -> Any:
        once = Config(retries={"total_max_attempts": 1}, read_timeout=seconds, connect_timeout=seconds)
        return SESSION.client("bedrock-runtime", endpoint_url=url, config=once)

    return BedrockChat("eu.amazon.nova-lite-v1:0", client, pause=lambda _: None)


@pytest.fixture(params=[(openai, openai_says), (bedrock, bedrock_says)], ids=["openai", "bedrock"])
def kind(request: pytest.FixtureRequest) -> tuple[Callable[[str], ChatModel], Callable[[str], Any]]:
    made: tuple[Callable[[str], ChatModel], Callable[[str], Any]] = request.param
    return made


type Model = tuple[Callable[[str], ChatModel], Callable[[str], Any]]


def test_the_answer_is_what_the_schema_asks_for_and_what_it_took_is_counted(kind: Model) -> None:
    make, says = kind
    with scripted(lambda _: (200, says('{"word": "hello"}'))) as (url, asked):
        reply = make(url).ask(prompt())
    assert reply.value == {"word": "hello"}
    assert reply.spending == Spending(11, 3)
    assert len(asked) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_model_is_asked_once_more(kind: Model, status: int) -> None:
    make, says = kind

    def busy(number: int) -> Answer:
        return (status, {"message": "slow down"}) if number == 0 else (200, says('{"word": "hello"}'))

    with scripted(busy) as (url, asked):
        assert make(url).ask(prompt()).value == {"word": "hello"}
    assert len(asked) == 2
    with scripted(lambda _: (status, {"message": "slow down"})) as (url, asked):
        with pytest.raises(ModelUnavailable):
            make(url).ask(prompt())
        assert len(asked) == 2


def test_nothing_is_asked_again_for_whoever_has_left_or_when_time_is_over(kind: Model) -> None:
    make, _ = kind
    for given in (prompt(going=lambda: False), prompt(seconds=0.4)):
        with scripted(lambda _: (429, {"message": "slow down"})) as (url, asked):
            with pytest.raises(ModelUnavailable):
                make(url).ask(given)
            assert len(asked) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 302])
def test_what_is_no_answer_is_said_to_be_none_without_a_second_attempt(kind: Model, status: int) -> None:
    make, _ = kind
    with scripted(lambda _: (status, {"message": "What is said?"})) as (url, asked):
        with pytest.raises(ModelUnavailable) as caught:
            make(url).ask(prompt())
        assert "What is said" not in str(caught.value)
        assert len(asked) == 1


@pytest.mark.parametrize(
    "said", [b"<html>", b"", b"[]", {}, {"choices": []}, {"output": {}}, {"output": {"message": {"content": []}}}]
)
def test_an_answer_of_another_shape_is_none(kind: Model, said: Any) -> None:
    make, _ = kind
    with scripted(lambda _: (200, said)) as (url, _), pytest.raises(ModelUnavailable):
        make(url).ask(prompt())


@pytest.mark.parametrize(
    "content", ["", "hello", "[1]", "7", "null", '{"a": NaN}', '{"word": "hel', "[" * 5000, None, 7]
)
def test_text_that_is_no_json_object_is_no_answer(content: Any) -> None:
    with scripted(lambda _: (200, openai_says(content))) as (url, _), pytest.raises(ModelUnavailable):
        openai(url).ask(prompt())


def test_json_between_fences_is_taken() -> None:
    with scripted(lambda _: (200, openai_says('```json\n{"word": "hello"}\n```'))) as (url, _):
        assert openai(url).ask(prompt()).value == {"word": "hello"}


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None, "completion_tokens": -3}, {"prompt_tokens": "x"}])
def test_a_server_that_does_not_count_costs_nothing(usage: Any) -> None:
    with scripted(lambda _: (200, {**openai_says("{}"), "usage": usage})) as (url, _):
        assert openai(url).ask(prompt()).spending == Spending(0, 0)


def test_an_answer_without_the_tool_is_none() -> None:
    other = {"output": {"message": {"role": "assistant", "content": [{"text": '{"word": "hello"}'}]}}}
    for said in (other, bedrock_says("[1]"), bedrock_says('"x"')):
        with scripted(lambda _, said=said: (200, said)) as (url, _), pytest.raises(ModelUnavailable):  # type: ignore[misc]
            bedrock(url).ask(prompt())


def test_openai_is_asked_for_json_of_the_schema_with_the_key() -> None:
    with scripted(lambda _: (200, openai_says("{}"))) as (url, asked):
        openai(url).ask(prompt())
        OpenAIChat(url, "small").ask(prompt())
    assert asked[0]["path"] == "/v1/chat/completions"
    assert asked[0]["headers"]["authorization"] == "Bearer sk-secret"
    assert "authorization" not in asked[1]["headers"]
    assert asked[0]["body"] == {
        "model": "small",
        "messages": [
            {"role": "system", "content": "You are careful."},
            {"role": "user", "content": "What is said?"},
        ],
        "max_tokens": 300,
        "temperature": 0,
        "response_format": {"type": "json_schema", "json_schema": {"name": "build", "schema": SCHEMA}},
    }


def test_a_server_that_takes_a_schema_otherwise_is_given_it_so() -> None:
    with scripted(lambda _: (200, openai_says("{}"))) as (url, asked):
        OpenAIChat(url, "small", schema="json_object").ask(prompt())
    assert asked[0]["body"]["response_format"] == {"type": "json_object", "schema": SCHEMA}


def test_bedrock_is_given_one_tool_that_it_has_to_use() -> None:
    with scripted(lambda _: (200, bedrock_says("{}"))) as (url, asked):
        bedrock(url).ask(prompt())
    body = asked[0]["body"]
    assert asked[0]["path"] == "/model/eu.amazon.nova-lite-v1%3A0/converse"
    assert "/eu-west-1/bedrock/aws4_request" in asked[0]["headers"]["Authorization"]
    assert body["system"] == [{"text": "You are careful."}]
    assert body["messages"] == [{"role": "user", "content": [{"text": "What is said?"}]}]
    assert body["inferenceConfig"] == {"maxTokens": 300, "temperature": 0.0}
    assert body["toolConfig"]["toolChoice"] == {"tool": {"name": "build"}}
    assert body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"] == {"json": SCHEMA}


def test_nobody_waits_longer_than_the_call_may_take(kind: Model) -> None:
    make, says = kind

    def slow(_: int) -> Answer:
        time.sleep(1.6)
        return 200, says("{}")

    with scripted(slow) as (url, _):
        begun = time.monotonic()
        with pytest.raises(ModelUnavailable):
            make(url).ask(prompt(seconds=0.3))
        assert time.monotonic() - begun < 1.5
    with pytest.raises(ModelUnavailable):
        make(f"http://127.0.0.1:{free_port()}").ask(prompt())


def test_a_server_that_drips_or_floods_is_left() -> None:
    with scripted(lambda _: (200, openai_says('{"word": "hello"}')), drip_s=0.1) as (url, _):
        begun = time.monotonic()
        with pytest.raises(ModelUnavailable):
            openai(url).ask(prompt(seconds=0.4))
        assert time.monotonic() - begun < 1.5
    with scripted(lambda _: (200, b" " * (1 << 21))) as (url, _), pytest.raises(ModelUnavailable):
        openai(url).ask(prompt())


@pytest.mark.parametrize("after", ["0", "2", "soon", "99", ""])
def test_what_a_server_says_of_waiting_is_heeded_within_limits(after: str) -> None:
    from chalicelib.adapters.openai_chat import _pause

    assert 0 <= _pause({"retry-after": after}) <= 3


def test_clients_of_bedrock_are_made_once_for_each_limit() -> None:
    made: list[int] = []

    class Client:
        def converse(self, **_: Any) -> Any:
            return bedrock_says("{}")

    def client(seconds: int) -> Any:
        made.append(seconds)
        return Client()

    chat = BedrockChat("m", client)
    for seconds in (15, 12, 0.3, 30, 90):
        chat.ask(prompt(seconds=seconds))
    assert made == [10, 1, 20, 40]


def test_a_key_is_read_once_when_it_is_needed_and_its_absence_is_no_crash(s3: object) -> None:
    client = boto3.client("ssm", region_name="eu-west-1")
    client.put_parameter(Name="/acervo/model", Value="sk-secret", Type="SecureString")
    key = ModelKey(client, "/acervo/model")
    assert key() == "sk-secret"
    client.delete_parameter(Name="/acervo/model")
    assert key() == "sk-secret"
    with pytest.raises(ModelUnavailable):
        ModelKey(client, "/acervo/other")()
