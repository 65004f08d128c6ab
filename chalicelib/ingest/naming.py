"""What an item made of a file is called: titles and locators that anybody could have typed."""

import unicodedata

from chalicelib.domain.files import Family, Format, stem_of

_TITLE = 300
_LOCATOR = 512
_UNSEEN = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def title_from(said: str | None, kind: Format, filename: str) -> str:
    """What the file calls itself, or else its name: that of a document or text without its extension."""
    whole = filename.replace("\\", "/").rpartition("/")[2]
    named = whole if kind.family in {Family.CODE, Family.TABLE} else stem_of(filename)
    return line(said or "", _TITLE) or line(named, _TITLE) or "file"


def locator_from(filename: str) -> str:
    """The file's name with its folders, as a locator."""
    return line(filename.replace("\\", "/").strip("/"), _LOCATOR) or "file"


def line(text: str, longest: int) -> str:
    """One line in NFC of at most so many characters, without control characters and overrides of direction."""
    flat = " ".join(unicodedata.normalize("NFC", text).split())
    kept = "".join(each for each in flat if unicodedata.category(each) not in {"Cc", "Cs", "Zl", "Zp"})
    kept = "".join(each for each in kept if each not in _UNSEEN)[:longest].strip()
    return kept if any(unicodedata.category(each)[0] not in "CZ" for each in kept) else ""
