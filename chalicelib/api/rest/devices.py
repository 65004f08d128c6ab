"""Routes of deciding about a device that waits to be let in."""

from chalicelib.access.scopes import Scope
from chalicelib.api.rest.routes import Call, Reply, Route
from chalicelib.api.wire.devices import DecideBody, DecidedAnswer, ReviewAnswer, ReviewBody
from chalicelib.domain.errors import ConcurrentChange, NotFound, RateLimited, UnknownCode

_ADMIN = (Scope.TOKENS_ADMIN,)


def _review(call: Call) -> Reply:
    return Reply(ReviewAnswer.of(call.services.review_device_login(call.principal, call.body.user_code)))


def _decide(call: Call) -> Reply:
    body, decide = call.body, call.services.decide_device_login
    return Reply(
        DecidedAnswer.of(decide(call.principal, body.user_code, body.secret, approve=body.decision == "approve"))
    )


ROUTES = (
    Route(
        "POST",
        "/api/v1/device-logins/review",
        "reviewDeviceLogin",
        "Look at what a device asks for, before deciding",
        _review,
        ReviewAnswer,
        _ADMIN,
        body=ReviewBody,
        errors=(UnknownCode, RateLimited, ConcurrentChange, NotFound),
    ),
    Route(
        "POST",
        "/api/v1/device-logins/decide",
        "decideDeviceLogin",
        "Let a device in, or do not",
        _decide,
        DecidedAnswer,
        _ADMIN,
        body=DecideBody,
        errors=(UnknownCode, ConcurrentChange, NotFound),
    ),
)
