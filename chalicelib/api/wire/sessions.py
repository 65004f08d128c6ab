"""Shapes of signing in with a browser."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from chalicelib.access.ports import Account
from chalicelib.access.sessions import SignedIn
from chalicelib.api.wire.access import MeAnswer
from chalicelib.api.wire.words import Answer, Shape

LINK = "sign-in="
"""What stands before the secret in the fragment of a link that signs somebody in."""

type _Secret = Annotated[str, StringConstraints(min_length=1, max_length=2000, strip_whitespace=True)]


class SignInBody(Shape):
    """What shows who somebody is: exactly one of the two."""

    token: Annotated[_Secret | None, Field(description="A personal access token, `acv_…`.")] = None
    link: Annotated[
        _Secret | None, Field(description="What stands after `#sign-in=` in a sign-in link, or the whole link.")
    ] = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.token is None) == (self.link is None):
            message = "give exactly one of token and link"
            raise ValueError(message)
        return self

    @property
    def link_secret(self) -> str:
        """The secret of the link, however much of the link was given."""
        return (self.link or "").rpartition(LINK)[2]


class SessionAnswer(MeAnswer):
    """Who is signed in."""

    csrf_token: Annotated[str, Field(description="Goes into the header X-CSRF-Token of every request but GET.")]
    expires_at: Annotated[datetime, Field(description="When the session ends if it is not used again.")]

    @classmethod
    def signed(cls, signed_in: SignedIn, account: Account) -> Self:
        """The shape of a session."""
        me = MeAnswer.of(account, signed_in.principal.scopes)
        return cls(**dict(me), csrf_token=signed_in.csrf_token, expires_at=signed_in.session.expires_at)


class ConsoleAnswer(Answer):
    """What a page of the console has to know before anybody has signed in."""

    oidc: Annotated[bool, Field(description="Whether one can sign in with an identity provider, at /sign-in/oidc.")]
    answers_url: Annotated[str | None, Field(description="What addresses of answer pages begin with.")]
    base_url: Annotated[str, Field(description="What addresses of this deployment begin with.")]
    mcp_url: str


class SignedOutAnswer(Answer):
    """That the session is over."""

    signed_out: bool
