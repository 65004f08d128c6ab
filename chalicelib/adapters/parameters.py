"""Secrets kept in the parameter store of AWS Systems Manager."""

from functools import cached_property
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.errors import ModelUnavailable, ProofUnavailable
from chalicelib.search.ports import EmbeddingsUnavailable


class EmbeddingKey:
    """The key of an embedding service, read when it is first needed."""

    def __init__(self, client: Any, name: str) -> None:  # noqa: ANN401 - boto3's client
        self._client, self._name = client, name

    def __call__(self) -> str:
        """The key. Raises EmbeddingsUnavailable if it cannot be read."""
        try:
            return self._value
        except (BotoCoreError, ClientError) as fault:
            raise EmbeddingsUnavailable(f"The parameter {self._name} cannot be read.") from fault

    @cached_property
    def _value(self) -> str:
        return _read(self._client, self._name)


class TurnstileSecret:
    """The secret key of Turnstile, read when it is first needed."""

    def __init__(self, client: Any, name: str) -> None:  # noqa: ANN401 - boto3's client
        self._client, self._name = client, name

    def __call__(self) -> str:
        """The key. Raises ProofUnavailable if it cannot be read."""
        try:
            return self._value
        except (BotoCoreError, ClientError) as fault:
            raise ProofUnavailable from fault

    @cached_property
    def _value(self) -> str:
        return _read(self._client, self._name)


class ModelKey:
    """The key of a language model, read when it is first needed."""

    def __init__(self, client: Any, name: str) -> None:  # noqa: ANN401 - boto3's client
        self._client, self._name = client, name

    def __call__(self) -> str:
        """The key. Raises ModelUnavailable if it cannot be read."""
        try:
            return self._value
        except (BotoCoreError, ClientError) as fault:
            raise ModelUnavailable from fault

    @cached_property
    def _value(self) -> str:
        return _read(self._client, self._name)


def _read(client: Any, name: str) -> str:  # noqa: ANN401 - boto3's client
    return str(client.get_parameter(Name=name, WithDecryption=True)["Parameter"]["Value"])
