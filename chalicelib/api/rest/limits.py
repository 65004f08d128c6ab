"""The route of the limits that every client holds itself to."""

from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.limits import LimitsAnswer


def _limits(call: Call) -> Reply:
    return Reply(LimitsAnswer.of(call.services.limits, call.services.upload_origin()))


ROUTES = (
    Route(
        "GET", "/api/v1/limits", "readLimits", "Learn which files are taken, and of what size", _limits, LimitsAnswer
    ),
)
