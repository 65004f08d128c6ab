"""Errors of keys, spaces and people."""

from dataclasses import dataclass

from chalicelib.domain.errors.base import KnownError


@dataclass(eq=False)
class LastOwner(KnownError):
    """A space cannot lose its only owner (rule K10)."""

    advice = "A space keeps at least one owner. Make someone else an owner first."


@dataclass(eq=False)
class OnlyOwner(KnownError):
    """An account was to be deleted that is the only owner of teams with other members."""

    teams: tuple[str, ...]
    advice = "You are the only owner of teams with other members: {teams}. Make someone else an owner, or empty them."


@dataclass(eq=False)
class PersonalSpace(KnownError):
    """Members were to be changed in a space that has none."""

    advice = "A personal space has one owner and no members. Make a team to share knowledge."


@dataclass(eq=False)
class AlreadyMember(KnownError):
    """The person is in the space already, with another role."""

    role: str
    advice = "This person is {role} already. Change the role instead."


@dataclass(eq=False)
class MembershipChanged(KnownError):
    """The membership changed between reading and writing."""

    user_id: str
    advice = "Someone changed the role of {user_id} at the same moment. Read the members again and retry."


@dataclass(eq=False)
class UnknownUser(KnownError):
    """No account has that id."""

    user_id: str
    advice = "There is no account {user_id}. Ask the person for the id that `GET /api/v1/me` shows them."


@dataclass(eq=False)
class Unauthenticated(KnownError):
    """No token, or one that is unknown, revoked or expired. Which of these is not said."""

    advice = "Send a valid token: `Authorization: Bearer acv_…`."


@dataclass(eq=False)
class InsufficientScope(KnownError):
    """The token lacks scopes that the request needs (rule A2)."""

    required: tuple[str, ...]
    advice = "This token lacks a scope: {required}. Make one that has it."


@dataclass(eq=False)
class ForeignOrigin(KnownError):
    """A browser sent the request for a page of another site."""

    origin: str
    advice = "Pages of {origin} may not call this. Call it from a program, or ask the operator to allow the origin."


@dataclass(eq=False)
class CsrfFailed(KnownError):
    """A request that changes something was signed in by a cookie, and nothing shows that our own page sent it."""

    advice = "Reload the page and try again: this was not sent with the token (X-CSRF-Token) of the session it is of."


@dataclass(eq=False)
class SignInExpired(KnownError):
    """Somebody came back from the identity provider whom nobody sent there, or not from this browser, or too late."""

    advice = "Signing in took too long, or went on in another browser. Begin again."


@dataclass(eq=False)
class UnknownLink(KnownError):
    """No sign-in link has that secret: it is mistyped, used or too old."""

    advice = "This sign-in link was used already or is too old. Ask for another one (`acervo admin link`)."


@dataclass(eq=False)
class ScopeTooWide(KnownError):
    """A token was to be made that could do more than the one that makes it (rule A2)."""

    scopes: tuple[str, ...]
    advice = "A token cannot give what its maker does not have: {scopes}."


@dataclass(eq=False)
class RateLimited(KnownError):
    """It happened too often in a short time."""

    retry_after: int
    advice = "Too many tries. Wait {retry_after} seconds and try again."


@dataclass(eq=False)
class UnknownCode(KnownError):
    """No device waits with that code: it is mistyped, used or expired."""

    advice = "No device waits with this code. Check it against your terminal, or start the login again there."


@dataclass(eq=False)
class AuthorizationPending(KnownError):
    """Nobody has decided about the device yet."""

    advice = "The login is not approved yet. Ask again after the interval."


@dataclass(eq=False)
class SlowDown(KnownError):
    """The device asked again too soon."""

    interval: int
    advice = "Asked too soon. From now on wait {interval} seconds between two questions."


@dataclass(eq=False)
class AccessDenied(KnownError):
    """Somebody decided not to let the device in."""

    advice = "The login was denied."


@dataclass(eq=False)
class ExpiredToken(KnownError):
    """The device code is unknown, used or too old."""

    advice = "The device code is not valid any more. Start the login again."


@dataclass(eq=False)
class TokenLimited(KnownError):
    """The token is limited to some spaces, and what was tried reaches beyond them (rule A2)."""

    advice = "This token is limited to some of your spaces. Use one that is not."


@dataclass(eq=False)
class IdentityUnavailable(KnownError):
    """The identity provider's keys could not be fetched, so its tokens cannot be checked."""

    advice = "The identity provider does not answer right now. Try again in a moment, or use a personal access token."
