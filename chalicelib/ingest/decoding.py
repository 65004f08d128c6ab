"""Bytes become text: UTF-8 first, then byte-order marks, UTF-16 and UTF-32 without one, then the best guess (rule I1).

Nothing is ever left out of a text to make it decode.
"""

import codecs
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from chalicelib.domain.errors import DocumentEmpty, UndecodableText, UnsupportedFormat
from chalicelib.domain.files import sniffed

_MARKS = (
    # UTF-32's mark begins with UTF-16's, so it is looked for first.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 64 * 1024
"""Bytes that are looked at for a guess."""
_NO_TEXT = frozenset(range(0x20)) - {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1A, 0x1B}
"""Control characters that no text holds, but for tabs, ends of lines and pages, DOS's end of file, and escape."""
_SURE = 0.2
"""Confidence below which only encodings that are still in use come into question: short texts look like anything."""
_ABOUT = 0.6
_WESTERN = "Windows-1252"
_WORDS = 1000
_STRAY = 0.01
"""Share of such characters above which it is no text."""

_CODECS = (
    *(f"cp{each}" for each in (437, 850, 852, 855, 866, 874, 932, 949, *range(1250, 1259))),
    *(f"iso8859_{each}" for each in (*range(1, 12), *range(13, 17))),
    *("utf_8_sig", "utf_16", "utf_16_le", "utf_16_be", "utf_32", "utf_32_le", "utf_32_be", "ascii", "latin_1"),
    *("gb18030", "gbk", "big5", "big5hkscs", "shift_jis", "euc_jp", "iso2022_jp", "euc_kr", "johab"),
    *("koi8_r", "koi8_u", "mac_roman", "mac_cyrillic", "tis_620"),
)


def warm() -> None:
    """Load the tables of encodings, for a process that will not be able to later."""
    import chardet

    for each in _CODECS:
        codecs.lookup(each)
    chardet.detect("ä".encode("cp1252"))


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and how it was read."""

    text: str
    encoding: str
    confidence: float
    """1.0 if it was not guessed."""


def decode(content: bytes) -> Decoded:
    """The text in some bytes.

    Raises:
        DocumentEmpty: there are none.
        UnsupportedFormat: they are those of another kind of file.
        UndecodableText: they are no text in any encoding.
    """
    if not content:
        raise DocumentEmpty
    if found := sniffed(content):
        raise UnsupportedFormat(found=found, instead="a name whose extension fits the content")
    for encoding in _certain(content):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _is_text(text):
            return Decoded(text, encoding.removesuffix("-sig"), 1.0)
    return _guess(content)


def _certain(content: bytes) -> Iterator[str]:
    """Encodings that the bytes themselves speak for."""
    yield from (encoding for mark, encoding in _MARKS if content.startswith(mark))
    if b"\x1b$" in content:
        yield "iso2022_jp"  # which is valid UTF-8, and means something else
    yield "utf-8"
    yield from _wide(content[:_SAMPLE])


def _wide(sample: bytes) -> Iterator[str]:
    """UTF-16 and UTF-32 without a mark show by where their zero bytes stand."""
    quarter = max(1, len(sample) // 4)
    zeros = [sample[place::4].count(0) / quarter for place in range(4)]
    few, many = 0.1, 0.7
    if zeros[0] < few and min(zeros[2:]) > many and zeros[3] > few:
        yield "utf-32-le"
    if zeros[3] < few and min(zeros[:2]) > many:
        yield "utf-32-be"
    # Half of the pairs is enough: text that mixes scripts has fewer zeros.
    if max(zeros[0], zeros[2]) < few < min(zeros[1], zeros[3]):
        yield "utf-16-le"
    if max(zeros[1], zeros[3]) < few < min(zeros[0], zeros[2]):
        yield "utf-16-be"


def _guess(content: bytes) -> Decoded:
    sample = content[:_SAMPLE]
    name, confidence = _likely(sample)
    for encoding in filter(None, (name, _pairs(sample))):
        try:
            text = content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        if _is_text(text):
            return Decoded(text, encoding.lower(), round(confidence if name else 0.5, 2))
    raise UndecodableText


def _likely(sample: bytes) -> tuple[str | None, float]:
    """The likeliest encoding, and how likely it is.

    A short text looks like many: then only those that are still in use come into question, and of two that are about as
    likely the Western one, which most such files are in.
    """
    from chardet import EncodingEra, detect, detect_all

    found = detect(sample)
    if found["encoding"] is None or found["confidence"] >= _SURE:
        return found["encoding"], found["confidence"]
    telling = b" ".join([word for word in sample.split() if not word.isascii()][:_WORDS])
    ranked = detect_all(telling, ignore_threshold=True, encoding_era=EncodingEra.MODERN_WEB)
    likely = {str(each["encoding"]): each["confidence"] for each in ranked if each["encoding"]}
    likely = {name: each for name, each in likely.items() if not _mixes_scripts(telling, name)} or likely
    best = max(likely, key=likely.__getitem__)
    if likely.get(_WESTERN, 0) >= _ABOUT * likely[best]:
        best = _WESTERN
    return best, likely[best]


def _mixes_scripts(telling: bytes, encoding: str) -> bool:
    """Whether some word would be of Latin letters and others, which no language does."""
    try:
        words = telling.decode(encoding).split()
    except (UnicodeDecodeError, LookupError):
        return True
    return any(len({"LATIN" in unicodedata.name(each, "") for each in word if each.isalpha()}) > 1 for word in words)


def _pairs(sample: bytes) -> str | None:
    """UTF-16 of a script without zero bytes, by which order of bytes makes spaces and ideographic full stops of it."""
    if len(sample) % 2:
        return None
    marks = ("\n", " ", "\u3000", "\u3001", "\u3002")
    likely = {each: sum(map(sample.decode(each, "replace").count, marks)) for each in ("utf-16-le", "utf-16-be")}
    best = max(likely, key=likely.__getitem__)
    letters = sum(each.isalpha() for each in sample.decode(best, "replace"))
    return best if likely[best] and letters > len(sample) // 4 else None


def _is_text(text: str) -> bool:
    sample = text[:_SAMPLE]
    stray = sum(ord(each) in _NO_TEXT for each in sample)
    return stray <= _STRAY * len(sample)
