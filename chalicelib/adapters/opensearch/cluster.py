"""Talking to the cluster: one pool of connections, time-outs, patience with a busy server, and one kind of fault.

opensearch-py repeats a failed request at once, and so would every caller at the same moment. Here it repeats nothing;
`Cluster` does, after a random pause that grows (M. Brooker: Exponential Backoff and Jitter, 2015, "full jitter"),
and never past the time that a call has.
"""

import json
import logging
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from botocore.exceptions import BotoCoreError
from opensearchpy import OpenSearch, OpenSearchException, Urllib3AWSV4SignerAuth, Urllib3HttpConnection
from opensearchpy.exceptions import ConnectionError as NoConnection
from opensearchpy.exceptions import SerializationError, SSLError, TransportError
from urllib3 import Timeout

from chalicelib.domain.errors import SearchUnavailable

BUSY = frozenset(
    {
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)
"""What a server answers that may answer better in a moment."""
_MISSING = "index_not_found_exception"
_TELLTALES = ("opensearch", "opensearchpy.trace")
"""Loggers of opensearch-py that write down what is asked and answered (rule H4)."""


class ClusterFault(Exception):
    """Why the cluster did not do it; its message holds nothing of what was asked or stored (rule H4)."""

    def __init__(self, what: str, *, passing: bool = False, refused: bool = False) -> None:
        super().__init__(what)
        self.passing = passing
        self.refused = refused
        """Whether the server understood and will not do it, however often it is asked."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said, where that is not a fault."""

    status: int
    body: Any

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return self.status < HTTPStatus.MULTIPLE_CHOICES

    @property
    def lacks_index(self) -> bool:
        """Whether it was not done because there is no index yet."""
        return self.status == HTTPStatus.NOT_FOUND and kind_of(self.body) == _MISSING


@dataclass(frozen=True, slots=True)
class Signing:
    """Requests are signed with the credentials of the process (AWS Signature Version 4)."""

    region: str
    service: str = "es"
    """`es` for a domain, `aoss` for a serverless collection."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call may take, all in all, and how often it is tried."""

    reading_s: float = 1.4
    writing_s: float = 20.0
    attempts: int = 5
    first_s: float = 0.05
    most_s: float = 2.0
    pause: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic

    def before(self, attempt: int) -> float:
        """Seconds to wait before the attempt of this number, which is at least 1."""
        return self.draw() * min(self.most_s, self.first_s * 2.0**attempt)


def connect(url: str, signing: Signing | None = None, connections: int = 10) -> OpenSearch:
    """A client for the cluster at the address, which may hold a user and a password. Nothing is sent yet."""
    for name in _TELLTALES:
        logging.getLogger(name).setLevel(logging.ERROR)
    auth: Any = {}
    if signing is not None:
        import boto3

        credentials = boto3.Session().get_credentials()
        auth = {"http_auth": Urllib3AWSV4SignerAuth(credentials, signing.region, signing.service)}
    return OpenSearch(
        hosts=[url.rstrip("/")],
        connection_class=Urllib3HttpConnection,
        pool_maxsize=connections,
        max_retries=0,
        retry_on_timeout=False,
        **auth,
    )


class Cluster:
    """Sends requests and gives answers. Raises SearchUnavailable for whatever else happens."""

    def __init__(self, client: OpenSearch, patience: Patience) -> None:
        self._client = client
        self.patience = patience

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()

    def call(self, method: str, path: str, body: object = None, **parameters: object) -> Answer:
        """Have something done that does no harm when it is done twice."""
        return self.repeated(lambda left: self._sent(method, path, body, parameters, left), self.patience.writing_s)

    def bulk(self, many: Sequence[Sequence[object]], left: float, **parameters: object) -> list[Any]:
        """One attempt at many writes, each in its lines. Returns one result for each, in order. Raises ClusterFault."""
        return _list(self._sent("POST", "/_bulk", _lines(many), parameters, left), "items", len(many))

    def searches(self, many: Sequence[Sequence[object]], left: float) -> list[Any]:
        """One attempt at many searches in one round trip; as `bulk`."""
        return _list(self._sent("POST", "/_msearch", _lines(many), {}, left), "responses", len(many))

    def repeated[T](self, attempt: Callable[[float], T], within_s: float) -> T:
        """What the attempt gives, which is told how many seconds are left; again after a pause if a fault passes."""
        patience = self.patience
        end = patience.clock() + within_s
        number = 0
        while True:
            number += 1
            try:
                return attempt(max(0.001, end - patience.clock()))
            except ClusterFault as fault:
                wait = patience.before(number)
                if not fault.passing or number >= patience.attempts or patience.clock() + wait >= end:
                    raise SearchUnavailable from fault
                patience.pause(wait)

    def _sent(self, method: str, path: str, body: object, parameters: Mapping[str, object], left: float) -> Answer:
        """One request. A status that the caller must judge is an answer; other trouble is a ClusterFault."""
        headers = {"content-type": "application/x-ndjson" if isinstance(body, str) else "application/json"}
        given = {name: _spelt(value) for name, value in parameters.items()}
        within: Any = Timeout(total=left)
        try:
            said = self._client.transport.perform_request(
                method, path, params=given, body=body, timeout=within, headers=headers
            )
        except (OpenSearchException, BotoCoreError) as fault:
            return _judged(fault)
        return Answer(HTTPStatus.OK, said)


def _judged(fault: Exception) -> Answer:
    if isinstance(fault, NoConnection):
        raise ClusterFault(type(fault).__name__, passing=not isinstance(fault, SSLError)) from None
    if isinstance(fault, SerializationError):  # half an answer, or that of something in between
        raise ClusterFault("The answer is no JSON", passing=True) from None
    if not isinstance(fault, TransportError):
        raise ClusterFault(type(fault).__name__) from None
    status = int(fault.status_code)
    if status in {HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT}:
        return Answer(status, fault.info)
    raise ClusterFault(f"{status} {kind_of(fault.info)}", passing=status in BUSY) from None


def demand(answer: Answer) -> Any:  # noqa: ANN401 - JSON of the server
    """The body of what was done. Raises SearchUnavailable if it was not."""
    if not answer.ok:
        raise SearchUnavailable from ClusterFault(f"{answer.status} {kind_of(answer.body)}")
    return answer.body


def kind_of(body: object) -> str:
    """What kind of error the server reports; not its reason, which may quote what was sent."""
    error = body.get("error") if isinstance(body, Mapping) else None
    kind = error.get("type") if isinstance(error, Mapping) else None
    return str(kind or "")


def _list(answer: Answer, name: str, expected: int) -> list[Any]:
    found = answer.body.get(name) if answer.ok and isinstance(answer.body, Mapping) else None
    if not isinstance(found, list) or len(found) != expected:
        raise ClusterFault(f"{answer.status} {kind_of(answer.body)}: not {expected} {name}")
    return found


def _lines(many: Iterable[Iterable[object]]) -> str:
    return "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for each in many for line in each)


def _spelt(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
