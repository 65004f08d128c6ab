"""What can go wrong and is known to: each error carries a stable code and its facts.

A code is the class name in snake case. Which status a code has at which door is `api/errors.py`'s business.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

_WORD = re.compile(r"(?<!^)(?=[A-Z])")


class KnownError(Exception):
    """An error with a code, a sentence that says what to do, and facts as fields."""

    code: ClassVar[str] = "known_error"
    advice: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.code = _WORD.sub("_", cls.__name__).lower()

    def facts(self) -> Mapping[str, object]:
        """The fields of the error, for the answer's body."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    def __str__(self) -> str:
        facts = self.facts().items()
        return self.advice.format(**{name: _words(each) for name, each in facts})


def _words(fact: object) -> object:
    """A fact as a sentence says it."""
    return ", ".join(str(each) for each in fact) if isinstance(fact, tuple) else fact


@dataclass(eq=False)
class NotFound(KnownError):
    """There is no such thing, or none that the caller may see (rule K11)."""

    advice = "There is no such thing here. Check the id."


@dataclass(eq=False)
class NotAllowed(KnownError):
    """The caller sees the thing, and their role is too small for what they tried."""

    action: str
    role: str
    advice = "Your role in this space ({role}) does not include {action}. Ask an owner or admin."


@dataclass(eq=False)
class StaleRevision(KnownError):
    """Someone else's edit came first (rule K2)."""

    expected: str
    actual: str
    number: int
    advice = (
        "The item is at revision {number} ({actual}) by now; you edited {expected}. "
        "Read the current one, merge, and send it as expected_revision_id."
    )


@dataclass(eq=False)
class ConcurrentChange(KnownError):
    """The record changed between reading and writing, in a way that is not an edit of its content."""

    expected: int
    actual: int
    advice = "Someone changed this at the same moment (version {actual}, you saw {expected}). Read it again and retry."


@dataclass(eq=False)
class ExpectedRevisionRequired(KnownError):
    """An edit did not say which revision it was made on."""

    advice = "Say which revision you edited: expected_revision_id in the body, or an If-Match header."


@dataclass(eq=False)
class IllegalMove(KnownError):
    """The life cycle has no such move."""

    source: str
    target: str
    advice = "Nothing that is {source} can become {target}."

    def facts(self) -> Mapping[str, object]:
        """The two statuses, by the names the wire uses."""
        return {"from": self.source, "to": self.target}

    def __str__(self) -> str:
        return self.advice.format(source=self.source, target=self.target)


@dataclass(eq=False)
class ItemArchived(KnownError):
    """An archived item was to be edited."""

    advice = "This item is archived. Restore it before you change it."


@dataclass(eq=False)
class KnowledgeArchived(KnownError):
    """The base is archived: nothing of it can be retrieved or changed (rule K15)."""

    knowledge_base_id: str
    advice = "The knowledge base {knowledge_base_id} is archived. An owner or admin can restore it."


@dataclass(eq=False)
class KnowledgeRuntimeDisabled(KnownError):
    """Knowledge is off for the account, or its backend is not configured (rule K18)."""

    advice = "Knowledge is not available for this account. Ask whoever runs this Acervo to switch it on."


@dataclass(eq=False)
class ContentTooLarge(KnownError):
    """More text than one revision may hold (rule K8)."""

    size: int
    limit: int
    advice = "The content has {size} bytes in canonical form; one revision holds {limit}. Split it into several items."


@dataclass(eq=False)
class ContentDamaged(KnownError):
    """What was stored does not have the hash it was stored under."""

    revision_id: str
    advice = "The stored content of {revision_id} does not match its hash. It was not returned; tell the operator."


@dataclass(eq=False)
class LocatorTaken(KnownError):
    """Another item of the base has that locator."""

    locator: str
    knowledge_item_id: str
    advice = "The locator {locator!r} belongs to another item ({knowledge_item_id}) of this base. Choose another one."


@dataclass(eq=False)
class ConfirmationMismatch(KnownError):
    """A deletion for good was not confirmed with the name of what goes (rule K16)."""

    field: str
    advice = "Deleting for good cannot be undone. Send the exact {field} as `confirm`."


@dataclass(eq=False)
class IdempotencyKeyReused(KnownError):
    """The same retry key came with another request (rule K7)."""

    advice = "This Idempotency-Key was used with another request in the last 24 hours. Use a new key."


@dataclass(eq=False)
class PinWithoutItem(KnownError):
    """A revision was asked for without its item (rule K12)."""

    advice = "knowledge_revision_id needs the knowledge_item_id that it belongs to."


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
class TooMany(KnownError):
    """A count is at its limit."""

    what: str
    limit: int
    advice = "There are at most {limit} {what}. Remove one first."


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
class Forgotten(KnownError):
    """The memory record was forgotten, so it cannot be changed any more."""

    memory_id: str
    advice = "{memory_id} is forgotten. Remember what you want kept as a new record."


@dataclass(eq=False)
class NoState(KnownError):
    """No state was saved under that key."""

    state_key: str
    advice = "Nothing is saved under {state_key!r}. Save a state first, or ask for another key."


@dataclass(eq=False)
class ProjectTaken(KnownError):
    """Another project of the space has that path."""

    path: str
    project_id: str
    advice = "The path {path!r} belongs to another project ({project_id}) of this space. Choose another one."


@dataclass(eq=False)
class SearchUnavailable(KnownError):
    """No leg of the search answered."""

    advice = "Search does not answer right now. Reading by reference still works; try again in a moment."


@dataclass(eq=False)
class IdentityUnavailable(KnownError):
    """The identity provider's keys could not be fetched, so its tokens cannot be checked."""

    advice = "The identity provider does not answer right now. Try again in a moment, or use a personal access token."


@dataclass(eq=False)
class StoreBusy(KnownError):
    """The store turned the request away for load, and nothing was written."""

    advice = "The store is busy. Nothing was written; send the request again."


@dataclass(eq=False)
class UnsupportedFormat(KnownError):
    """The file is of a kind that is not taken, by its name or by its content (rule I5)."""

    found: str
    instead: str
    advice = "Files of this kind ({found}) are not taken here. Use {instead} instead."


@dataclass(eq=False)
class UndecodableText(KnownError):
    """The file has a text's name, and no encoding makes text of its bytes (rule I1)."""

    advice = "This is not text in any encoding we know. Save it as UTF-8 and try again."


@dataclass(eq=False)
class DocumentEncrypted(KnownError):
    """The document needs a password to be read (rule I5)."""

    advice = "The document is protected by a password. Save a copy without one and upload that."


@dataclass(eq=False)
class DocumentHasNoText(KnownError):
    """The document shows something, and none of it is text: a scan, most often (rule I5)."""

    advice = (
        "The document holds no text that a reader sees, only pictures. Run it through text recognition (OCR), and save "
        "what that finds as visible text: an invisible layer under the pictures is not read."
    )


@dataclass(eq=False)
class DocumentEmpty(KnownError):
    """There is nothing in the file (rule I5)."""

    advice = "The file is empty. Check that you chose the right one."


@dataclass(eq=False)
class DocumentUnreadable(KnownError):
    """The file is damaged, or not what its name says (rule I5)."""

    advice = "The file is damaged or is not what its name says. Open it in the program that made it and save it again."


@dataclass(eq=False)
class DocumentTooLarge(KnownError):
    """The file has more of something than is taken (rules I5, I6)."""

    what: str
    limit: int
    advice = "The file is too large: at most {limit} {what} are taken. Split it into several files."


@dataclass(eq=False)
class ExtractionTimeout(KnownError):
    """Reading the document took longer than it may (rules I5, I6)."""

    seconds: int
    advice = "Reading the document took more than {seconds} seconds. Split it into several files, or save it anew."


@dataclass(eq=False)
class UploadExpired(KnownError):
    """No file came before the form for it ended."""

    advice = "The file was not uploaded in time. Ask for a new upload."


@dataclass(eq=False)
class UploadMissing(KnownError):
    """The uploaded or dropped file is gone."""

    advice = "The file is not there any more. Upload it again."


@dataclass(eq=False)
class Superseded(KnownError):
    """A later version of the same dropped file came in between (rule I2)."""

    advice = "A newer version of this file was dropped before this one was read. The newer one is taken instead."


@dataclass(eq=False)
class ExtractionInterrupted(KnownError):
    """The worker was stopped while it read the document, several times."""

    attempts: int
    advice = "Reading the document was interrupted {attempts} times. Retry it; if that does not help, split the file."
