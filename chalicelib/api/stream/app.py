"""The ASGI app: addresses, statuses, headers."""

import json
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from chalicelib.answers.asking import Asked
from chalicelib.answers.collecting import collect
from chalicelib.answers.defences import MAX_BODY, Visitor
from chalicelib.answers.parts import Part
from chalicelib.api.errors import InternalError, MethodNotAllowed, NoSuchRoute, problem
from chalicelib.api.stream import chunks, document, visits, web
from chalicelib.api.stream.pump import Bell, Pump
from chalicelib.api.stream.turns import ProofBody, TurnBody
from chalicelib.domain.errors import KnownError, NotFound
from chalicelib.wiring.front import Front

if TYPE_CHECKING:
    from chalicelib.wiring.desk import AnswerDesk

STREAMS = 256
"""Turns that run at once in one process; more wait for their turn."""
WIND_DOWN = timedelta(seconds=2)
"""Time that a turn leaves for ending in order before Lambda ends the function."""

ALWAYS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


@dataclass(frozen=True, slots=True)
class _Visit:
    """One request, with what was told of it."""

    request: Request
    visitor: Visitor
    page_id: str
    request_id: str


type _Handler = Callable[[_Visit], Awaitable[Response]]


def app(desk: "AnswerDesk", front: Front) -> Starlette:
    """The app over a desk."""
    return _Door(desk, front, ThreadPoolExecutor(STREAMS, thread_name_prefix="turn")).app()


@dataclass(frozen=True, slots=True)
class _Door:
    desk: "AnswerDesk"
    front: Front
    executor: ThreadPoolExecutor
    bell: Bell = field(default_factory=Bell)

    def app(self) -> Starlette:
        """All addresses."""
        page = "/pages/{page_id}"
        routes = [
            Route("/healthz", _health, methods=["GET"]),
            Route("/assets/{version}/{name}", web.asset, methods=["GET"]),
            Route("/p/{page_id}", self._visited("page", self._html), methods=["GET"]),
            Route(page, self._visited("about", self._about), methods=["GET", "OPTIONS"]),
            Route(f"{page}/challenge", self._visited("challenge", self._challenge), methods=["GET", "OPTIONS"]),
            Route(f"{page}/sessions", self._visited("session", self._session), methods=["POST", "OPTIONS"]),
            Route(f"{page}/turns", self._visited("turn", self._turn), methods=["POST", "OPTIONS"]),
        ]
        return Starlette(routes=routes, exception_handlers={404: _nowhere, 405: _otherwise})

    def _visited(self, operation: str, handler: _Handler) -> Callable[[Request], Awaitable[Response]]:
        """A handler with its errors answered, its headers set and its line in the journal."""

        async def answer(request: Request) -> Response:
            visit = self._visit(request)
            with self.front.journal.entry(f"stream.{operation}", visit.request_id) as outcome:
                try:
                    response = await (self._preflight if request.method == "OPTIONS" else handler)(visit)
                except KnownError as error:
                    outcome.failed(error.code, None)
                    response = await self._refused(error, visit)
                except ClientDisconnect:
                    response = Response(status_code=499)
                except Exception as fault:  # noqa: BLE001 - nobody above would answer it
                    outcome.failed(InternalError.code, fault)
                    response = await self._refused(InternalError(), visit)
                outcome.status = response.status_code
            return response

        return answer

    def _visit(self, request: Request) -> _Visit:
        adapted = self.front.adapted
        return _Visit(
            request,
            visits.visitor(request, adapted=adapted, public_url=self.front.public_url),
            request.path_params["page_id"],
            visits.request_id(request, self.front.secrets.new()[:16], adapted=adapted),
        )

    async def _html(self, visit: _Visit) -> Response:
        try:
            page = await run_in_threadpool(self.desk.admit.origins, visit.page_id, visit.visitor)
        except NotFound:
            return web.page(visit.request, None, self.front)  # which says so, in the visitor's language
        return web.page(visit.request, page, self.front)

    async def _about(self, visit: _Visit) -> Response:
        page = await run_in_threadpool(self.desk.admit.origins, visit.page_id, visit.visitor)
        return _json(document.about(page), _headers(visit))

    async def _challenge(self, visit: _Visit) -> Response:
        made = await run_in_threadpool(self.desk.open_session.challenge, visit.page_id, visit.visitor)
        return _json({"kind": made.kind, **made.facts}, _headers(visit))

    async def _session(self, visit: _Visit) -> Response:
        raw = await _body(visit.request)
        proof = ProofBody.read(raw).proof
        session = await run_in_threadpool(self.desk.open_session, visit.page_id, visit.visitor, proof)
        opened = {"session": session.token, "expiresAt": session.expires_at.isoformat()}
        return _json(opened, _headers(visit), 201)

    async def _turn(self, visit: _Visit) -> Response:
        raw = await _body(visit.request)
        pump = Pump(self.executor, self.bell)
        parts = partial(self._parts, visit, raw, pump.has_left)
        if _wants_json(visit.request):
            answer = await pump.whole(lambda: collect(parts()), visit.request.is_disconnected)
            status, told = document.document(answer)
            return _json(told, _headers(visit), status)
        await pump.start(lambda: chunks.events(parts()))
        return _Streamed(pump, {**ALWAYS, **chunks.HEADERS, **_headers(visit)})

    def _parts(self, visit: _Visit, raw: bytes, has_left: Callable[[], bool]) -> Iterator[Part]:
        """Past the defences, then the answer. In a thread: all of it waits for tables, engines and models."""
        turn = TurnBody() if len(raw) > MAX_BODY else TurnBody.read(raw)
        admitted = self.desk.admit(visit.page_id, visit.visitor, turn.question, len(raw))
        asked = Asked(
            page=admitted.page,
            session_id=admitted.session_id,
            question=turn.question,
            conversation_id=turn.conversation_id,
            regenerate=turn.regenerate,
            deadline=self._deadline(visit.request),
            has_left=has_left,
        )
        with self.front.journal.entry("stream.answer", visit.request_id) as outcome:
            yield from document.closing(self.desk.take_turn(asked), admitted.page.language, outcome)

    def _deadline(self, request: Request) -> datetime:
        latest = self.desk.clock.now() + timedelta(seconds=self.desk.turn_seconds)
        ends = visits.last_moment(request, adapted=self.front.adapted)
        return latest if ends is None else min(latest, ends - WIND_DOWN)

    async def _preflight(self, visit: _Visit) -> Response:
        await run_in_threadpool(self.desk.admit.origins, visit.page_id, visit.visitor)
        allowed = {
            "Access-Control-Allow-Methods": "GET, POST",
            "Access-Control-Allow-Headers": f"content-type, {visits.SESSION}",
            "Access-Control-Max-Age": "600",
        }
        # Not 204: an empty body never ends behind a function URL that streams.
        return _json({"allowed": True}, {**_headers(visit), **allowed})

    async def _refused(self, error: KnownError, visit: _Visit) -> Response:
        """An error as a problem; other sites may read it if they may ask the page."""
        headers = _headers(visit)
        try:
            await run_in_threadpool(self.desk.admit.origins, visit.page_id, visit.visitor)
        except KnownError:
            headers = {}
        status, body, told = problem(error, visit.request_id)
        return _json(body, {**headers, **told}, status)


class _Streamed(StreamingResponse):
    """A stream whose end, whatever ends it, is told to what fills it."""

    def __init__(self, pump: Pump, headers: dict[str, str]) -> None:
        super().__init__(pump.stream(), headers=headers)
        self._pump = pump

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._pump.leave()


def _headers(visit: _Visit) -> dict[str, str]:
    """Of an answer to a site that may read it."""
    shared = {"Vary": "Origin", "X-Request-Id": visit.request_id}
    origin = visit.visitor.origin
    if origin is None or origin == visit.visitor.own:
        return shared
    exposed = {"Access-Control-Expose-Headers": "Retry-After, X-Request-Id"}
    return {**shared, **exposed, "Access-Control-Allow-Origin": origin}


def _json(content: Any, headers: dict[str, str], status: int = 200) -> Response:  # noqa: ANN401 - any JSON
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    return Response(text, status, {**ALWAYS, "Content-Type": "application/json", **headers})


async def _body(request: Request) -> bytes:
    """The body, or so much of it that one sees it is too large."""
    taken = bytearray()
    async for piece in request.stream():
        taken += piece
        if len(taken) > MAX_BODY:
            break
    return bytes(taken)


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/event-stream" not in accepted


async def _health(_: Request) -> Response:
    return _json({"status": "ok"}, {})


async def _nowhere(_: Request, __: Exception) -> Response:
    status, body, headers = problem(NoSuchRoute(), "")
    return _json(body, headers, status)


async def _otherwise(_: Request, fault: Exception) -> Response:
    allowed = getattr(fault, "headers", None) or {}
    error = MethodNotAllowed(allowed=tuple(sorted(str(allowed.get("Allow", "")).split(", "))))
    status, body, headers = problem(error, "")
    return _json(body, headers, status)
