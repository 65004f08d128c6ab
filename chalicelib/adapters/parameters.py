"""Secrets kept in the parameter store of AWS Systems Manager."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.errors import ModelUnavailable, ProofUnavailable
from chalicelib.search.ports import EmbeddingsUnavailable


class _Parameter(ABC):
    """A secret that is read when it is first needed, and kept."""

    def __init__(self, client: Any, name: str) -> None:  # noqa: ANN401 - boto3's client
        self._client, self._name = client, name

    def __call__(self) -> str:
        """The secret. Raises the fault of what it is for if it cannot be read."""
        try:
            return self._value
        except (BotoCoreError, ClientError) as fault:
            raise self._unavailable() from fault

    @cached_property
    def _value(self) -> str:
        found = self._client.get_parameter(Name=self._name, WithDecryption=True)
        return str(found["Parameter"]["Value"])

    @abstractmethod
    def _unavailable(self) -> Exception:
        """What cannot be done without it."""


class EmbeddingKey(_Parameter):
    """The key of an embedding service. Calling it raises EmbeddingsUnavailable if it cannot be read."""

    def _unavailable(self) -> Exception:
        return EmbeddingsUnavailable(f"The parameter {self._name} cannot be read.")


class TurnstileSecret(_Parameter):
    """The secret key of Turnstile. Calling it raises ProofUnavailable if it cannot be read."""

    def _unavailable(self) -> Exception:
        return ProofUnavailable()


class ModelKey(_Parameter):
    """The key of a language model. Calling it raises ModelUnavailable if it cannot be read."""

    def _unavailable(self) -> Exception:
        return ModelUnavailable()
