"""The one table from what went wrong to what a door answers.

A row per class of known error; `docs/reference/errors.md` has a heading per row. Whatever has no row is 500 with a
request id and no details.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chalicelib.domain import errors
from chalicelib.domain.errors import KnownError


@dataclass(eq=False)
class InvalidRequest(KnownError):
    """The request does not have the shape that the door takes."""

    errors: tuple[Mapping[str, str], ...]
    advice = "The request has mistakes. Each is listed in `errors` with the place it was found."


@dataclass(eq=False)
class InvalidCursor(KnownError):
    """The cursor is not one that this list gave out."""

    advice = "This cursor does not belong to this list. Start again without one."


@dataclass(eq=False)
class PayloadTooLarge(KnownError):
    """The request's body is larger than any that could be taken."""

    size: int
    limit: int
    advice = "The body has {size} bytes; at most {limit} are taken. Split the content into several items."


@dataclass(eq=False)
class ReplyTooLarge(KnownError):
    """The answer is larger than API Gateway is handed at most."""

    size: int
    limit: int
    advice = "The answer would have {size} bytes; at most {limit} are sent. Read it in pages (`offset`, `limit_chars`)."


@dataclass(eq=False)
class UnsupportedMediaType(KnownError):
    """The body is not declared as JSON."""

    content_type: str
    advice = "Send the body as application/json (it came as {content_type})."


@dataclass(eq=False)
class NoSuchRoute(KnownError):
    """Nothing answers at that address."""

    advice = "Nothing answers at this address. `GET /openapi.json` lists all that does."


@dataclass(eq=False)
class MethodNotAllowed(KnownError):
    """The address answers other methods."""

    allowed: tuple[str, ...]
    advice = "This address answers {allowed}."


@dataclass(eq=False)
class InternalError(KnownError):
    """Something that should not happen happened."""

    advice = "Something went wrong on our side. Quote the request id if you tell the operator."


STATUS: Mapping[type[KnownError], int] = {
    InvalidRequest: 400,
    InvalidCursor: 400,
    errors.PinWithoutItem: 400,
    errors.AccessDenied: 400,
    errors.AuthorizationPending: 400,
    errors.ExpiredToken: 400,
    errors.SignInExpired: 400,
    errors.SlowDown: 400,
    errors.Unauthenticated: 401,
    errors.InsufficientScope: 403,
    errors.CsrfFailed: 403,
    errors.ForeignOrigin: 403,
    errors.OriginNotAllowed: 403,
    errors.ProofRejected: 403,
    errors.SessionRequired: 403,
    errors.NotAllowed: 403,
    errors.ScopeTooWide: 403,
    errors.TokenLimited: 403,
    errors.NotFound: 404,
    errors.NoState: 404,
    errors.UnknownCode: 404,
    errors.UnknownLink: 404,
    NoSuchRoute: 404,
    errors.UnknownUser: 404,
    MethodNotAllowed: 405,
    errors.AlreadyMember: 409,
    errors.ConcurrentChange: 409,
    errors.IllegalMove: 409,
    errors.ItemArchived: 409,
    errors.KnowledgeArchived: 409,
    errors.LastOwner: 409,
    errors.LocatorTaken: 409,
    errors.PageFull: 409,
    errors.TurnUnderway: 409,
    errors.MembershipChanged: 409,
    errors.OnlyOwner: 409,
    errors.PersonalSpace: 409,
    errors.Forgotten: 409,
    errors.ProjectTaken: 409,
    errors.StaleRevision: 409,
    errors.Superseded: 409,
    errors.TooMany: 409,
    errors.ListTooLong: 409,
    errors.UploadExpired: 410,
    errors.UploadMissing: 410,
    errors.ContentTooLarge: 413,
    errors.BodyTooLarge: 413,
    errors.QuestionTooLong: 413,
    errors.DocumentTooLarge: 413,
    PayloadTooLarge: 413,
    ReplyTooLarge: 413,
    UnsupportedMediaType: 415,
    errors.ConfirmationMismatch: 422,
    errors.DocumentEmpty: 422,
    errors.DocumentEncrypted: 422,
    errors.DocumentHasNoText: 422,
    errors.DocumentUnreadable: 422,
    errors.ExtractionTimeout: 422,
    errors.ForeignKnowledge: 422,
    errors.ImageRefused: 422,
    errors.QuestionMissing: 422,
    errors.IdempotencyKeyReused: 422,
    errors.UndecodableText: 422,
    errors.UnsupportedFormat: 422,
    errors.ExpectedRevisionRequired: 428,
    errors.RateLimited: 429,
    errors.CoolingDown: 429,
    errors.TooManyQuestions: 429,
    InternalError: 500,
    errors.ContentDamaged: 500,
    errors.IdentityUnavailable: 503,
    errors.ExtractionInterrupted: 503,
    errors.KnowledgeRuntimeDisabled: 503,
    errors.AnswerFailed: 503,
    errors.ModelUnavailable: 503,
    errors.DailyLimitReached: 503,
    errors.DefencesUnavailable: 503,
    errors.ProofUnavailable: 503,
    errors.SearchUnavailable: 503,
    errors.StoreBusy: 503,
    errors.TurnTimedOut: 504,
}

PROBLEM_JSON = "application/problem+json"
"""Source: RFC 9457, Problem Details for HTTP APIs."""

TYPE = "urn:acervo:error:"
"""What the `type` of a problem begins with; the code follows."""

_PASSING = (
    errors.AnswerFailed,
    errors.DefencesUnavailable,
    errors.IdentityUnavailable,
    errors.ModelUnavailable,
    errors.ProofUnavailable,
    errors.SearchUnavailable,
    errors.StoreBusy,
    errors.TurnUnderway,
)

_WAITING = (errors.CoolingDown, errors.DailyLimitReached, errors.RateLimited, errors.TooManyQuestions)

_CHALLENGED = (errors.Unauthenticated, errors.InsufficientScope)


def problem(error: KnownError, request_id: str) -> tuple[int, dict[str, Any], dict[str, str]]:
    """Status, body and headers of the answer to an error."""
    status = STATUS[type(error)]
    body: dict[str, Any] = {
        "type": f"{TYPE}{error.code}",
        "title": error.code.replace("_", " ").capitalize(),
        "status": status,
        "detail": str(error),
        "code": error.code,
        "request_id": request_id,
        **_facts(error),
    }
    headers = {"Content-Type": PROBLEM_JSON}
    if isinstance(error, _CHALLENGED):
        headers["WWW-Authenticate"] = _challenge(error)
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = ", ".join(error.allowed)
    if isinstance(error, _PASSING):
        headers["Retry-After"] = "1"
    if isinstance(error, _WAITING):
        headers["Retry-After"] = str(error.retry_after)
    return status, body, headers


def _facts(error: KnownError) -> dict[str, Any]:
    """The facts of an error as JSON values."""
    facts = error.facts()
    return {name: list(each) if isinstance(each, tuple) else each for name, each in facts.items()}


def _challenge(error: KnownError) -> str:
    """Source: RFC 6750, section 3."""
    if isinstance(error, errors.InsufficientScope):
        return f'Bearer realm="acervo", error="insufficient_scope", scope="{" ".join(error.required)}"'
    return 'Bearer realm="acervo", error="invalid_token"'
