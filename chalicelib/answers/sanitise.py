"""Text that can be put before a visitor: no address, no HTML, nothing that cannot be seen (rule N1).

Whatever a model, a document, a description of a picture or a visitor wrote comes through here before it is shown.
Pages put it into the document as text, so none of this could run; it is made inert all the same, for pages that others
write. Sanitising twice changes nothing.
"""

import html
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from chalicelib.answers.hosts import without_addresses

_ROUNDS = 24
"""What is taken out may leave something behind that was in two parts; a text that needs more rounds is an attack."""

_LONGEST = 4000
"""Characters that are looked at; no field is as long."""

_ALWAYS = r"j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t|v\s*b\s*s\s*c\s*r\s*i\s*p\s*t|d\s*a\s*t\s*a|h\s*t\s*t\s*p(?:\s*s)?"
"""Schemes that do not survive even at the end of another word."""
_ELSE = (
    "livescript|ftps?|sftp|file|blob|filesystem|wss?|ssh|git|chrome|resource|about|view-source|intent|jar|mhtml|mocha"
    "|magnet|ipfs|gopher|ldap|smb"
)
_ADDRESS = re.compile(rf"(?i)(?:{_ALWAYS}|(?<![^\W_])(?:{_ELSE})(?=\s?:\S))\s*:(?:[/\\\w%&#+,;.@=?!~*'$`(\[-]\S*)?")
_ANY_SCHEME = re.compile(r"(?i)[a-z][a-z0-9+.-]{1,30}:(?:/|\\\\)\S*")
_MAIL = re.compile(r"(?i)\b(?:mailto|tel|sms|skype|whatsapp|tg|callto|facetime|facetime-audio|maps|geo):\S+")
_RELATIVE = re.compile(r"[/\\]{2,}(?:[\w\[%-][^\s]*[.:/\\%][^\s]*|localhost\S*|\d{6,}\S*)?", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
_SCRIPT = re.compile(r"(?is)<\s*(script|style|iframe|object|embed|template|noscript|svg|math)\b.*?<\s*/\s*\1\s*>")
_TAG = re.compile(r"<(?=[a-zA-Z/!?%&\\\x80-\U0010ffff])[^<>]*>?")
_IMAGE = re.compile(r"!\[([^\[\]]{0,300})\]\s?(?:\([^()]*(?:\([^()]*\)[^()]*)*\)?|\[[^\[\]]*\])")
_LINK = re.compile(r"\[([^\[\]]{0,300})\]\s?(?:\([^()]*(?:\([^()]*\)[^()]*)*\)?|\[[^\[\]]*\])")
_DEFINITION = re.compile(r"\[([^\[\]]{1,300})\]:\s*\S*")
_BLANKS = re.compile(r"\s+")
_BEFORE = re.compile(r" (?=[,.;!?](?:\s|$))")
_EMPTY = re.compile(r"\(\s*\)|\[\s*\]")
_PILED = re.compile(
    r"(\w[\u0300-\u036f\u0483-\u0489\u0e31-\u0e4e\u20d0-\u20ff]{4})[\u0300-\u036f\u0483-\u0489\u0e31-\u0e4e\u20d0-\u20ff]+"
)

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_FILLERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u2800\u3164\ufe00-\ufe0f\uffa0\ufff9-\ufffd"
    "\U000e0100-\U000e01ef]"
)
"""Drawn as nothing, though no control characters: fillers, joiners, variation selectors."""


def sanitised(text: str, known: frozenset[str] = frozenset()) -> str:
    """The text as a visitor may see it, on one line; empty if nothing of it may be.

    Args:
        text: of any origin.
        known: hosts and mailboxes that the owner of the page registered, in lower case.
    """
    text = text[:_LONGEST]
    for _ in range(_ROUNDS):
        cleaner = _cleaned(text, known)
        if cleaner == text:
            return text
        text = cleaner
    return ""


def _cleaned(text: str, known: frozenset[str]) -> str:
    text = html.unescape(_visible(text))
    for pattern in (_COMMENT, _SCRIPT, _TAG):
        text = pattern.sub(" ", text)
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _DEFINITION.sub(r"\1", text)
    text = text.replace("](", "] (").replace("][", "] [").replace("![", "[").replace("]:", "] ")
    text = _ADDRESS.sub(_inert, text)
    for pattern in (_ANY_SCHEME, _MAIL, _RELATIVE):
        text = pattern.sub(" ", text)
    text = without_addresses(text, known)
    text = _EMPTY.sub(" ", text)
    return _BEFORE.sub("", _BLANKS.sub(" ", text)).strip()


def _inert(match: re.Match[str]) -> str:
    """A word that begins an address becomes a word if it ends one: `data: three files` is prose."""
    word, _, rest = match[0].partition(":")
    return f"{word} –" if not rest else " "  # noqa: RUF001


def _visible(text: str) -> str:
    """The text without what cannot be seen; letters that only look unlike ASCII are ASCII."""
    if text.isascii() and text.isprintable():
        return text
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    text = "".join(map(_plain, text))
    text = _FILLERS.sub("", unicodedata.normalize("NFC", text))
    return _PILED.sub(r"\1", text)


def _plain(character: str) -> str:
    if character.isspace():
        return " "
    if unicodedata.category(character) in _UNSEEN:
        return ""
    code = ord(character)
    styled = 0xFE50 <= code <= 0xFF5E or 0x1D400 <= code <= 0x1D7FF or 0x2460 <= code <= 0x24FF  # noqa: PLR2004
    if styled or character in "\u2024\u2236\u2215\u29f8\u2044\ua789\u02d0":
        return _LOOKALIKES.get(character) or unicodedata.normalize("NFKC", character)
    return character


_LOOKALIKES = {"\u2236": ":", "\ua789": ":", "\u02d0": ":", "\u2215": "/", "\u29f8": "/", "\u2044": "/"}
"""Colons and slashes that are drawn like ASCII's and normalise to themselves."""


def props_sanitised(props: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """The props with every text sanitised; ids and enumerations are untouched, empty texts become None."""
    return {name: _walked(each, known) for name, each in props.items()}


def _walked(value: Any, known: frozenset[str]) -> Any:  # noqa: ANN401 - props are JSON
    if isinstance(value, Mapping):
        return props_sanitised(value, known)
    if isinstance(value, list):
        return [_walked(each, known) for each in value]
    if type(value) is str:
        return sanitised(value, known) or None
    return value
