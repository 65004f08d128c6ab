"""Opaque cursors: where a list goes on, bound to the list that gave them out."""

import base64
import binascii
import hashlib
import json
import re

from chalicelib.api.errors import InvalidCursor

_SHAPE = re.compile(r"[a-z0-9_/~]{1,200}")


def give(listed: str, after: str | None) -> str | None:
    """The cursor for the rest of a list; None at its end. `listed` names the list and what it was asked."""
    if after is None:
        return None
    packed = json.dumps([_mark(listed), after], separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def take(listed: str, cursor: str | None) -> str | None:
    """Where the list goes on.

    Raises:
        InvalidCursor: this list did not give it out.
    """
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        mark, after = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, TypeError, RecursionError):
        raise InvalidCursor from None
    if mark != _mark(listed) or not isinstance(after, str) or not _SHAPE.fullmatch(after):
        raise InvalidCursor
    return after


def _mark(listed: str) -> str:
    return hashlib.sha256(listed.encode()).hexdigest()[:12]
