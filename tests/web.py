"""The REST door as a client sees it, in process: API Gateway's event in, its answer out."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from chalice.local import LambdaEventConverter, RouteMatcher

from chalicelib.api.rest.blueprint import Front, blueprint
from chalicelib.domain.watching import Journal, Outcome
from chalicelib.wiring import Services


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Pages:
    """The port `Journal`, remembering."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, str, Outcome]] = []

    @contextmanager
    def entry(self, operation: str, request_id: str) -> Iterator[Outcome]:
        outcome = Outcome()
        yield outcome
        self.entries.append((operation, request_id, outcome))


class Web:
    """A server in process."""

    def __init__(self, services: Services, journal: Journal | None = None) -> None:
        self.services = services
        self.journal = journal or Pages()
        self.app = Front(app_name="acervo", configure_logs=False)
        self.app.register_blueprint(blueprint(lambda: self.services, lambda: self.journal))
        self._events = LambdaEventConverter(RouteMatcher(list(self.app.routes)), self.app.api.binary_types)
        self._context = SimpleNamespace(aws_request_id="lambda", get_remaining_time_in_millis=lambda: 30_000)

    def __call__(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        raw: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answered:
        sent = {"content-type": "application/json", **(headers or {})}
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        content = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        return self.raw(method, path, sent, content)

    def raw(self, method: str, path: str, headers: Mapping[str, str], content: bytes) -> Answered:
        """A request as it is, also to where nothing answers."""
        try:
            event = self._events.create_lambda_event(method, path, dict(headers), content)
        except ValueError:
            event = {"requestContext": {"httpMethod": method, "resourcePath": None}}
        event["requestContext"]["requestId"] = "request"
        answer = self.app(event, self._context)
        return Answered(answer["statusCode"], answer["headers"], answer["body"])
