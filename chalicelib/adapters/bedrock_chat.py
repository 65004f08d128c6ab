"""A language model of Amazon Bedrock, which answers by using the one tool that it is given.

Source: Amazon Bedrock API reference, "Converse", and User Guide, "Use a tool to complete a model response".
"""

import time
from collections.abc import Callable, Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

from chalicelib.answers.ports import Prompt, Reply, Spending
from chalicelib.domain.errors import ModelUnavailable

_THROTTLED = frozenset({"ThrottlingException", "TooManyRequestsException", "ServiceUnavailableException"})
_BUSY = frozenset({429, 503})
_PAUSE_S = 0.5
_LIMITS = (1, 2, 5, 10, 20, 40)
"""Seconds that clients wait; the time limit of a client cannot be changed, so there is one of each that is used."""


class _Throttled(Exception):
    """The model is busy."""


class BedrockChat:
    """The port `ChatModel`, for any model of Converse that uses tools.

    `client` makes a client of Bedrock's runtime that waits so many seconds and tries once.
    """

    def __init__(self, model: str, client: Callable[[int], Any], pause: Callable[[float], None] = time.sleep) -> None:
        self._model, self._make, self._pause = model, client, pause
        self._clients: dict[int, Any] = {}

    def ask(self, prompt: Prompt) -> Reply:
        """The answer; one retry on throttling, if there is time and somebody still waits."""
        until = time.monotonic() + prompt.seconds
        try:
            return self._asked(prompt, prompt.seconds)
        except _Throttled:
            if time.monotonic() + _PAUSE_S >= until:
                raise ModelUnavailable from None
        self._pause(_PAUSE_S)
        if not prompt.going():
            raise ModelUnavailable
        try:
            return self._asked(prompt, until - time.monotonic())
        except _Throttled:
            raise ModelUnavailable from None

    def _asked(self, prompt: Prompt, seconds: float) -> Reply:
        try:
            return _reply(self._sent(prompt, seconds), prompt.name)
        except ClientError as fault:
            status = fault.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
            if status in _BUSY or fault.response["Error"]["Code"] in _THROTTLED:
                raise _Throttled from None
            raise ModelUnavailable from None
        except (BotoCoreError, ResponseParserError, AttributeError, TypeError, ValueError):
            raise ModelUnavailable from None

    def _sent(self, prompt: Prompt, seconds: float) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = self._client(seconds).converse(
            modelId=self._model,
            system=[{"text": prompt.system}],
            messages=[{"role": "user", "content": [{"text": prompt.user}]}],
            inferenceConfig={"maxTokens": prompt.max_tokens, "temperature": 0.0},
            toolConfig={
                "tools": [
                    {
                        "toolSpec": {
                            "name": prompt.name,
                            "description": "Gives the answer.",
                            "inputSchema": {"json": prompt.schema},
                        }
                    }
                ],
                "toolChoice": {"tool": {"name": prompt.name}},
            },
        )
        return answer

    def _client(self, seconds: float) -> Any:  # noqa: ANN401 - boto3's client
        limit = max((each for each in _LIMITS if each <= seconds), default=_LIMITS[0])
        if limit not in self._clients:
            self._clients[limit] = self._make(limit)
        return self._clients[limit]


def _reply(answer: Mapping[str, Any], name: str) -> Reply:
    try:
        blocks = answer["output"]["message"]["content"]
        value = next(each["toolUse"]["input"] for each in blocks if each.get("toolUse", {}).get("name") == name)
        usage = answer.get("usage", {})
        spending = Spending(int(usage.get("inputTokens", 0)), int(usage.get("outputTokens", 0)))
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration):
        raise ModelUnavailable from None
    if not isinstance(value, dict):
        raise ModelUnavailable
    return Reply(value, spending)
