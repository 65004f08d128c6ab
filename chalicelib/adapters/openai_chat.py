"""A language model behind any server that answers `POST …/chat/completions` as OpenAI's does, constrained to a schema.

Source: OpenAI API reference, "Chat completions", `response_format` of type `json_schema`; Ollama, vLLM and llama.cpp's
server take the same.
"""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

import urllib3
from urllib3.exceptions import HTTPError

from chalicelib.answers.ports import Prompt, Reply, Spending
from chalicelib.domain.errors import ModelUnavailable

_THROTTLED = frozenset({429, 503, 529})
_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 3.0
_LARGEST = 1 << 20
"""Bytes of an answer that are read."""


class OpenAIChat:
    """The port `ChatModel`.

    `schema` says how the server takes one: `json_schema` as OpenAI does, `json_object` as llama-cpp-python does.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: Callable[[], str] = lambda: "",
        pause: Callable[[float], None] = time.sleep,
        schema: Literal["json_schema", "json_object"] = "json_schema",
    ) -> None:
        self._schema = schema
        self._address = f"{url.rstrip('/')}/chat/completions"
        self._model, self._key, self._pause = model, key, pause
        self._pool = urllib3.PoolManager(maxsize=32)

    def ask(self, prompt: Prompt) -> Reply:
        """The answer; one retry on throttling, if there is time and somebody still waits."""
        until = time.monotonic() + prompt.seconds
        status, headers, data = self._sent(prompt, until)
        if status in _THROTTLED:
            pause = _pause(headers)
            if time.monotonic() + pause < until:
                self._pause(pause)
                if prompt.going():
                    status, _, data = self._sent(prompt, until)
        if status != 200:  # noqa: PLR2004
            raise ModelUnavailable
        return _reply(data)

    def _sent(self, prompt: Prompt, until: float) -> tuple[int, Mapping[str, str], bytes]:
        left = until - time.monotonic()
        if left <= 0:
            raise ModelUnavailable
        key = self._key()
        try:
            answer = self._pool.request(
                "POST",
                self._address,
                body=json.dumps(self._body(prompt)).encode(),
                headers={"content-type": "application/json", **({"authorization": f"Bearer {key}"} if key else {})},
                timeout=urllib3.Timeout(total=left),
                retries=urllib3.Retry(0, redirect=False),
                redirect=False,
                preload_content=False,
            )
            try:
                return answer.status, answer.headers, _read(answer, until)
            finally:
                answer.release_conn()
        except HTTPError:
            raise ModelUnavailable from None

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        return {
            "model": self._model,
            "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
            "max_tokens": prompt.max_tokens,
            "temperature": 0,
            "response_format": self._format(prompt),
        }

    def _format(self, prompt: Prompt) -> dict[str, Any]:
        if self._schema == "json_object":
            return {"type": "json_object", "schema": prompt.schema}
        return {"type": "json_schema", "json_schema": {"name": prompt.name, "schema": prompt.schema}}


def _read(answer: urllib3.BaseHTTPResponse, until: float) -> bytes:
    """The body, if it comes in time: a server that drips would keep a plain read waiting for ever."""
    data = bytearray()
    for piece in answer.stream(1 << 14):
        data += piece
        if len(data) > _LARGEST or time.monotonic() > until:
            answer.close()
            raise ModelUnavailable
    return bytes(data)


def _pause(headers: Mapping[str, str]) -> float:
    """How long the server asks to wait; a little, if it does not say."""
    try:
        return min(_LONGEST_PAUSE_S, max(0.0, float(headers.get("retry-after", _PAUSE_S))))
    except ValueError:
        return _PAUSE_S


def _reply(data: bytes) -> Reply:
    try:
        answer = json.loads(data)
        content = answer["choices"][0]["message"]["content"]
        value = json.loads(_unfenced(content), parse_constant=_refuse)
        usage = answer.get("usage") or {}
        spending = Spending(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ModelUnavailable from None
    if not isinstance(value, dict):
        raise ModelUnavailable
    return Reply(value, spending)


def _unfenced(content: str) -> str:
    """JSON that a model put between fences, as small ones do even if told not to."""
    text = content.strip()
    return text.removeprefix("```json").removeprefix("```").removesuffix("```") if text.startswith("```") else text


def _refuse(constant: str) -> float:
    """JSON has neither NaN nor Infinity."""
    raise ValueError(constant)


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
