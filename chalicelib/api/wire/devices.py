"""Shapes of deciding about a device."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints

from chalicelib.access.device import TOKEN_LIFE, Review, shown
from chalicelib.access.ports import DeviceLogin, DeviceStatus
from chalicelib.api.wire.words import Answer, Shape

type _Code = Annotated[
    str,
    StringConstraints(min_length=1, max_length=40),
    Field(description="As the device shows it, in any case, with or without the hyphen."),
]


class ReviewBody(Shape):
    """Which device is meant."""

    user_code: _Code


class ReviewAnswer(Answer):
    """What a device asks for. Nobody has checked its name."""

    user_code: str
    client_id: str
    scopes: Annotated[list[str], Field(description="What it would get: what it asked for and the caller has.")]
    requested_at: datetime
    expires_at: Annotated[datetime, Field(description="Until when it can be decided.")]
    name: Annotated[str, Field(description="Of the account that it would get into.")]
    token_days: Annotated[int, Field(description="Days that its token would live.")]
    secret: Annotated[str, Field(description="Goes along with the decision; an earlier review's is void.")]

    @classmethod
    def of(cls, review: Review) -> Self:
        """The shape of a review."""
        login = review.login
        return cls(
            user_code=shown(login.user_code),
            client_id=login.client_id,
            scopes=sorted(login.scopes),
            requested_at=login.requested_at,
            expires_at=login.expires_at,
            name=review.name,
            token_days=TOKEN_LIFE.days,
            secret=review.page_secret,
        )


class DecideBody(Shape):
    """What is decided about a device that was reviewed."""

    user_code: _Code
    secret: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    decision: Literal["approve", "deny"]


class DecidedAnswer(Answer):
    """What was decided; a device that would get nothing is denied."""

    status: DeviceStatus

    @classmethod
    def of(cls, login: DeviceLogin) -> Self:
        """The shape of a decision."""
        return cls(status=login.status)
