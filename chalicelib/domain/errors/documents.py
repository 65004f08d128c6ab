"""Errors of files and of reading them."""

from dataclasses import dataclass

from chalicelib.domain.errors.base import KnownError


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
