"""Opaque identifiers: a prefix that names the kind, and a ULID that sorts by time.

Source of the format: the ULID specification (48 bits of milliseconds, 80 random bits, Crockford base 32).
"""

import re
from enum import StrEnum
from typing import Protocol

# ULID is imported where it is used: it asks for its own version, which takes a mail parser and 15 ms of a cold start.
_TIME_BYTES = 6
_SHAPE = re.compile(r"(?P<kind>[a-z]+)_(?P<ulid>[0-9a-hjkmnp-tv-z]{26})")


class Kind(StrEnum):
    """The prefix of an id."""

    USER = "user"
    SPACE = "space"
    BASE = "kb"
    ITEM = "item"
    REVISION = "rev"
    TOKEN = "tok"  # noqa: S105 - a prefix, not a secret
    PURGE = "purge"
    MEMORY = "mem"
    TODO = "todo"
    EVENT = "evt"
    PROJECT = "proj"
    EXPORT = "exp"
    CLOSURE = "closure"
    DOCUMENT = "doc"
    PAGE = "page"
    TOPIC = "topic"
    IMAGE = "img"
    LINK = "link"
    CONVERSATION = "conv"
    TURN = "turn"


class Ids(Protocol):
    """Where new ids come from; handed in, so that tests and retries decide."""

    def new(self, kind: Kind) -> str:
        """A fresh id of that kind."""
        ...


def compose(kind: Kind, milliseconds: int, randomness: bytes) -> str:
    """The id of `kind` for a moment (Unix milliseconds) and ten random bytes."""
    from ulid import ULID

    ulid = ULID.from_bytes(milliseconds.to_bytes(_TIME_BYTES) + randomness)
    return f"{kind}_{str(ulid).lower()}"


def is_id(text: str, kind: Kind) -> bool:
    """Whether the text has the shape of an id of that kind."""
    shape = _SHAPE.fullmatch(text)
    return shape is not None and shape["kind"] == kind


def later(candidate: str, than: str) -> str:
    """The candidate, moved one millisecond past `than` where it would not sort after it.

    Writers' clocks differ. Each revision is made by someone who saw the one before it, so moving the
    time part on keeps the ids of an item in the order of its revision numbers.
    """
    if candidate > than:
        return candidate
    from ulid import ULID

    kind, _, text = candidate.partition("_")
    _, _, seen = than.partition("_")
    time = int.from_bytes(ULID.from_str(seen.upper()).bytes[:_TIME_BYTES]) + 1
    return compose(Kind(kind), time, ULID.from_str(text.upper()).bytes[_TIME_BYTES:])
