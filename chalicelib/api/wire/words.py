"""The words that shapes are made of: lines of text, ids, limits."""

import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

# All shapes defer their building: a validator is built by the first request that needs it, not by every cold start.


class Shape(BaseModel):
    """A JSON object; unknown fields and values of another type are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True)


class Parameters(BaseModel):
    """Query parameters: text that is read as what it stands for."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Answer(BaseModel):
    """A JSON object that we send."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _line(text: str) -> str:
    """One line in NFC without blanks at its ends.

    Control characters and bidirectional overrides are refused: a name is to look like what it is.
    """
    line = unicodedata.normalize("NFC", text).strip()
    if not any(unicodedata.category(each)[0] not in "CZ" for each in line):
        message = "must not be blank"
        raise ValueError(message)
    if any(unicodedata.category(each) in {"Cc", "Cs", "Zl", "Zp"} or each in _BIDI for each in line):
        message = "must be one line without control characters"
        raise ValueError(message)
    return line


def _prose(text: str) -> str:
    if "\0" in text:
        message = "must not hold NUL"
        raise ValueError(message)
    return unicodedata.normalize("NFC", text)


type Name = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_line)]
type Title = Annotated[str, StringConstraints(min_length=1, max_length=300), AfterValidator(_line)]
type Locator = Annotated[str, StringConstraints(min_length=1, max_length=512), AfterValidator(_line)]
type Filename = Annotated[
    str,
    StringConstraints(min_length=1, max_length=512),
    AfterValidator(_line),
    Field(description="With its extension; folders may stand before it."),
]
type Description = Annotated[str, StringConstraints(max_length=2000), AfterValidator(_prose)]
type Content = Annotated[str, Field(description="Markdown; at most 2 MiB in canonical form.")]
type Id = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[a-z0-9_]+$")]
type Cursor = Annotated[
    str,
    StringConstraints(min_length=1, max_length=500),
    Field(description="`next_cursor` of the page before; opaque."),
]
type Limit = Annotated[int, Field(ge=1, le=100, description="Entries of one page, at most.")]
type Offset = Annotated[int, Field(ge=0, le=10**9, description="Characters to skip.")]
type LimitChars = Annotated[int, Field(ge=1, le=10_000, description="Characters to return, at most.")]

NAME: Any = Field(description="Of somebody who is in the space; null for whoever is not, or is gone.")
"""What the name of a person is."""

DEFAULT_LIMIT = 50
DEFAULT_CHARS = 4000


class Listing(Parameters):
    """How to page through a list."""

    limit: Limit = DEFAULT_LIMIT
    cursor: Cursor | None = None
