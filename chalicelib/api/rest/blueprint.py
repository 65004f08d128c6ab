"""The REST door as Chalice takes it: a view per route, and a front that answers in one shape."""

from collections.abc import Callable
from typing import Any

from chalice.app import Blueprint, Chalice, Response

from chalicelib.api.errors import InternalError, MethodNotAllowed, NoSuchRoute
from chalicelib.api.raw import RawRoute
from chalicelib.api.rest.door import answer, asked, failed, is_fault, refused, visited, written
from chalicelib.api.rest.routes import OpenRoute, Reply, Route, VisitRoute
from chalicelib.api.rest.table import OPEN_ROUTES, RAW_ROUTES, ROUTES, VISIT_ROUTES
from chalicelib.domain.errors import KnownError
from chalicelib.domain.watching import Journal
from chalicelib.wiring import Services


def blueprint(services: Callable[[], Services], journal: Callable[[], Journal]) -> Blueprint:
    """All routes of the REST door.

    Args:
        services: makes the use cases at the first request, not at import.
        journal: makes the journal, likewise.
    """
    made = Blueprint(__name__)
    for route in ROUTES:
        _register(made, route, services, journal)
    for visit in VISIT_ROUTES:
        _register_visit(made, visit, services, journal)
    for each in OPEN_ROUTES:
        _register_open(made, each, journal)
    for raw in RAW_ROUTES:
        _register_raw(made, raw, services, journal)
    return made


def _register(made: Blueprint, route: Route, services: Callable[[], Services], journal: Callable[[], Journal]) -> None:
    def view(**_: str) -> Response:
        request = made.current_request
        return _guarded(request.context, route, lambda: answer(route, request, services), journal)

    view.__name__ = route.name
    made.route(route.path, methods=[route.method], content_types=[], name=route.name)(view)


def _register_visit(
    made: Blueprint, route: VisitRoute, services: Callable[[], Services], journal: Callable[[], Journal]
) -> None:
    def view() -> Response:
        request = made.current_request
        return _guarded(request.context, route, lambda: visited(route, request, services), journal)

    view.__name__ = route.name
    made.route(route.path, methods=[route.method], content_types=[], name=route.name)(view)


def _register_open(made: Blueprint, route: OpenRoute, journal: Callable[[], Journal]) -> None:
    def view() -> Response:
        return _guarded(made.current_request.context, route, route.handler, journal)

    view.__name__ = route.name
    made.route(route.path, methods=["GET"], content_types=[], name=route.name)(view)


def _register_raw(
    made: Blueprint, route: RawRoute, services: Callable[[], Services], journal: Callable[[], Journal]
) -> None:
    def view(**_: str) -> Response:
        request = made.current_request

        def run() -> Reply:
            raw = route.handler(asked(request, services))
            return Reply(raw.body, raw.status, raw.headers, raw.media_type, raw.fault)

        return _guarded(request.context, route, run, journal)

    view.__name__ = route.name
    made.route(route.path, methods=list(route.methods), content_types=[], name=route.name)(view)


def _guarded(
    context: dict[str, Any],
    route: Route | VisitRoute | OpenRoute | RawRoute,
    run: Callable[[], Reply],
    journal: Callable[[], Journal],
) -> Response:
    """Run a route, and answer whatever happens: an exception in a view would be Chalice's own 500."""
    request_id = str(context.get("requestId", ""))
    with journal().entry(route.name, request_id) as outcome:
        try:
            reply = run()
            response = written(reply, request_id)
            if reply.fault is not None:
                outcome.failed(InternalError.code, reply.fault)
        except KnownError as error:
            outcome.failed(error.code, error if is_fault(error) else None)
            response = refused(error, request_id)
        except Exception as error:  # noqa: BLE001 - the last line of defence; logged, and nothing of it told
            outcome.failed(InternalError.code, error)
            response = failed(request_id)
        outcome.status = response.status_code
    return response


class Front(Chalice):
    """The app, whose own refusals come in the one shape that all errors have."""

    def __call__(self, event: Any, context: Any) -> Any:  # noqa: ANN401 - what Lambda hands over
        """Answer a request."""
        where = event.get("requestContext", {})
        methods = self.routes.get(where.get("resourcePath"))
        error: KnownError | None = None
        if methods is None:
            error = NoSuchRoute()
        elif where.get("httpMethod") not in methods:
            error = MethodNotAllowed(allowed=tuple(methods))
        if error is None:
            return super().__call__(event, context)
        return refused(error, str(where.get("requestId", ""))).to_dict()
