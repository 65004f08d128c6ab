"""Embeddings from any server that answers `POST …/embeddings` as OpenAI's does."""

import json
from collections.abc import Callable, Sequence
from itertools import batched
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError

from chalicelib.search.embedding import unit
from chalicelib.search.ports import EmbeddingModel, EmbeddingsUnavailable, Vector

_TOGETHER = 64
"""Texts in one request."""
_PATIENT = urllib3.Retry(
    total=4, backoff_factor=0.25, backoff_jitter=0.25, status_forcelist=(429, 500, 502, 503, 504), allowed_methods=None,
    raise_on_status=False,
)  # fmt: skip


class OpenAIEmbedder:
    """The port `Embedder`.

    A query has `reading_s` seconds and one try, since somebody waits for it; passages are tried again after pauses.
    """

    def __init__(
        self, url: str, model: EmbeddingModel, key: Callable[[], str] = lambda: "", reading_s: float = 1.5
    ) -> None:
        self.model = model
        self._address = f"{url.rstrip('/')}/embeddings"
        self._key = key
        self._reading = urllib3.Timeout(total=reading_s)
        self._writing = urllib3.Timeout(connect=5.0, read=60.0)
        self._pool = urllib3.PoolManager(maxsize=10)

    def query(self, text: str) -> Vector:
        """The vector of what somebody looks for."""
        (vector,) = self._embedded([self.model.query_prefix + text], self._reading, urllib3.Retry(0))
        return vector

    def passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """The vectors of texts that are to be found."""
        given = [self.model.passage_prefix + text for text in texts]
        return [each for some in batched(given, _TOGETHER) for each in self._embedded(some, self._writing, _PATIENT)]

    def _embedded(self, texts: Sequence[str], within: urllib3.Timeout, retries: urllib3.Retry) -> list[Vector]:
        body = {"model": self.model.name, "input": list(texts), "encoding_format": "float"}
        key = self._key()
        headers = {"content-type": "application/json", **({"authorization": f"Bearer {key}"} if key else {})}
        try:
            answer = self._pool.request(
                "POST", self._address, body=json.dumps(body), headers=headers, timeout=within, retries=retries
            )
        except HTTPError as fault:
            raise EmbeddingsUnavailable(type(fault).__name__) from None
        if answer.status != 200:  # noqa: PLR2004
            raise EmbeddingsUnavailable(f"The embedding server answers {answer.status}.")
        return [unit(each, self.model) for each in _vectors(answer.data, len(texts))]


def _vectors(data: bytes, expected: int) -> list[list[float]]:
    """The vectors of an answer, in the order of what was asked."""
    try:
        found: list[dict[str, Any]] = json.loads(data)["data"]
        inorder = {int(each["index"]): [float(number) for number in each["embedding"]] for each in found}
        return [inorder[number] for number in range(expected)]
    except (ValueError, LookupError, TypeError):
        raise EmbeddingsUnavailable(f"The embedding server did not answer with {expected} embeddings.") from None
