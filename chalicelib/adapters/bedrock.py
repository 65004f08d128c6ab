"""Embeddings from Amazon Bedrock: Titan Text Embeddings V2 and Cohere Embed v3.

Source: Amazon Bedrock User Guide, "Amazon Titan Embeddings" and "Cohere Embed v3" (fields of requests and answers).
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import batched
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.search.embedding import unit
from chalicelib.search.ports import EmbeddingModel, EmbeddingsUnavailable, Vector

_AT_ONCE = 8
"""Requests to Titan on their way together; it takes one text at a time."""
_TITAN_LONGEST = 50_000
_COHERE_LONGEST = 2048
"""Characters of a text that the model takes."""
_COHERE_TOGETHER = 96
"""Texts that Cohere takes at a time."""

type Send = Callable[[dict[str, object]], dict[str, Any]]
"""Sends a request to the model, and returns its answer."""
type Vectors = list[list[float]]


class BedrockEmbedder:
    """The port `Embedder`, for a model whose name begins with `amazon.titan-embed-text-v2` or holds `cohere.embed-`.

    `reading` and `writing` make a client of Bedrock's runtime when it is first used: one that has as much time as a
    search has, for queries, and a patient one, for passages.
    """

    def __init__(self, model: EmbeddingModel, reading: Callable[[], Any], writing: Callable[[], Any]) -> None:
        self.model = model
        self._make_reading, self._make_writing = reading, writing

    def query(self, text: str) -> Vector:
        """The vector of what somebody looks for."""
        (vector,) = self._embedded([text], self._reading, "search_query")
        return vector

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vectors of texts that are to be found."""
        return self._embedded(texts, self._writing, "search_document")

    @cached_property
    def _reading(self) -> Send:
        return self._sender(self._make_reading())

    @cached_property
    def _writing(self) -> Send:
        return self._sender(self._make_writing())

    def _sender(self, client: Any) -> Send:  # noqa: ANN401 - boto3's client
        def send(body: dict[str, object]) -> dict[str, Any]:
            answer = client.invoke_model(
                modelId=self.model.name,
                body=json.dumps(body),
                contentType="application/json",
                accept="application/json",
            )
            return dict(json.loads(answer["body"].read()))

        return send

    def _embedded(self, texts: Sequence[str], send: Send, purpose: str) -> list[Vector]:
        try:
            if "cohere." in self.model.name:
                vectors = _cohere(send, texts, purpose)
            else:
                vectors = _titan(send, texts, self.model.dimension)
        except ClientError as fault:
            raise EmbeddingsUnavailable(f"Bedrock: {fault.response['Error']['Code']}") from None
        except BotoCoreError as fault:
            raise EmbeddingsUnavailable(f"Bedrock: {type(fault).__name__}") from None
        except (ValueError, LookupError, TypeError):
            raise EmbeddingsUnavailable("Bedrock answered with something else than embeddings.") from None
        if len(vectors) != len(texts):
            raise EmbeddingsUnavailable(f"Bedrock answered with {len(vectors)} embeddings for {len(texts)} texts.")
        return [unit(each, self.model) for each in vectors]


def _titan(send: Send, texts: Sequence[str], dimension: int) -> Vectors:
    def one(text: str) -> list[float]:
        body = {"inputText": text[:_TITAN_LONGEST] or " ", "dimensions": dimension, "normalize": True}
        return [float(each) for each in send(body)["embedding"]]

    with ThreadPoolExecutor(min(_AT_ONCE, len(texts))) as pool:
        return list(pool.map(one, texts))


def _cohere(send: Send, texts: Sequence[str], purpose: str) -> Vectors:
    found: Vectors = []
    for some in batched(texts, _COHERE_TOGETHER):
        cut = [text[:_COHERE_LONGEST] or " " for text in some]
        answer = send({"texts": cut, "input_type": purpose, "truncate": "END"})
        found += [[float(number) for number in each] for each in answer["embeddings"]]
    return found
