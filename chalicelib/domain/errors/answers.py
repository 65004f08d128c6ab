"""Errors of public pages and their answers."""

from dataclasses import dataclass

from chalicelib.domain.errors.base import KnownError


@dataclass(eq=False)
class ModelUnavailable(KnownError):
    """The language model does not answer, not in time, or not in the shape asked for."""

    advice = "The language model does not answer now. Try again in a minute."


@dataclass(eq=False)
class OriginNotAllowed(KnownError):
    """A browser shows another site than the page allows (rule N9)."""

    advice = "This site may not ask this page. Its owner can add the site's origin to the page."


@dataclass(eq=False)
class BodyTooLarge(KnownError):
    """A visitor sent more than a question takes (rule N9)."""

    size: int
    limit: int
    advice = "The body has {size} bytes; a question takes at most {limit}. Send the question alone, without history."


@dataclass(eq=False)
class QuestionTooLong(KnownError):
    """The question is longer than it may be (rule N9)."""

    length: int
    limit: int
    advice = "The question has {length} characters; at most {limit} are taken. Shorten it."


@dataclass(eq=False)
class QuestionMissing(KnownError):
    """Nothing was asked."""

    advice = "Send a question that says something."


@dataclass(eq=False)
class TooManyQuestions(KnownError):
    """Too many questions came from one address in a short time (rule N9)."""

    retry_after: int
    advice = "Too many questions in a short time. Wait {retry_after} seconds and ask again."


@dataclass(eq=False)
class SessionRequired(KnownError):
    """The session's token is missing, forged, expired or of another page. Which of these is not said."""

    advice = "Open a session of this page first, and send its token. Reload the page to get a new one."


@dataclass(eq=False)
class ProofRejected(KnownError):
    """The proof that a browser was at work is missing, wrong, expired or used (rule N9)."""

    advice = "The check against robots was not passed. Ask for a new challenge and try again."


@dataclass(eq=False)
class ProofUnavailable(KnownError):
    """Who checks the proof does not answer."""

    advice = "The check against robots cannot be made right now. Try again in a moment."


@dataclass(eq=False)
class CoolingDown(KnownError):
    """The session asked a moment ago (rule N9)."""

    retry_after: int
    advice = "That was quick. Wait {retry_after} seconds between two questions."


@dataclass(eq=False)
class DailyLimitReached(KnownError):
    """The fuse has blown: the turns or model tokens of the day are used up, or an operator blew it (rule N9)."""

    retry_after: int
    advice = "No more questions are answered today. Come back in {retry_after} seconds."


@dataclass(eq=False)
class DefencesUnavailable(KnownError):
    """What has to be counted before an answer cannot be, so there is none (rule N9)."""

    advice = "Questions cannot be taken right now. Try again in a moment."


@dataclass(eq=False)
class TurnUnderway(KnownError):
    """Another question of the conversation is being answered (rule N7)."""

    advice = "The question before this one is still being answered. Wait for it, or open another conversation."


@dataclass(eq=False)
class ForeignKnowledge(KnownError):
    """A topic names bases or items that are not in the page's space."""

    ids: tuple[str, ...]
    advice = "A topic draws on bases and items of the page's own space. These are not there: {ids}."


@dataclass(eq=False)
class PageFull(KnownError):
    """The page with its topics, images and links is larger than one record may be."""

    size: int
    limit: int
    advice = "The page would have {size} bytes; at most {limit} are kept. Shorten texts, or make a second page."


@dataclass(eq=False)
class ImageRefused(KnownError):
    """The file is no picture of a kind that is taken."""

    reason: str
    advice = "The picture is not taken: {reason}. Save it anew as PNG, JPEG or WebP and upload that."


@dataclass(eq=False)
class TurnTimedOut(KnownError):
    """The answer was not ready when the turn's time was over (rule N5)."""

    advice = "The answer took too long. Ask again, perhaps with a simpler question."


@dataclass(eq=False)
class AnswerFailed(KnownError):
    """No answer came about that could be shown, not at the second attempt either."""

    advice = "There is no answer now. Ask again, or in other words."
