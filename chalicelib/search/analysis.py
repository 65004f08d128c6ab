"""How text becomes terms, for the index and for queries alike, whatever the engine.

A token is kept whole (`os.path.join`), in parts (`os path join`) and in parts without accents (`año`, `ano`). Words
are stemmed besides, never instead (`stemming.py`). Scripts that are written without blanks between words go in as
single characters and as pairs.

Case folds and compatibility forms go as in Unicode's toNFKC_Casefold; NFKC comes before tokens are looked for,
since it makes full-width letters, ligatures and half-width kana what people type. Accents fold by dropping the
combining marks of the European, Hebrew and Arabic scripts only: elsewhere (Devanagari, kana) a mark is a letter.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

LONGEST = 128
"""Characters of a term that count. Longer ones are cut, in the index and in queries alike."""

CONNECTORS = ".:'&@+#-"
"""What joins the parts of one token, besides the underscore; one or two of them at a time."""

_CACHED = 1 << 15
_ALIKE = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", "\u200b": " ", "\u2044": " "}
)
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u0640\u180b-\u180e\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]+"
)
"""What is not seen and must not part words: joiners, direction marks, soft hyphens, variation selectors, tatweel."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035"
    "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00016fe0-\U00018dff\U0001b000-\U0001b2ff"
    "\U00020000-\U0003fffd"
)
"""Thai, Lao, Burmese, Khmer, Han, kana and Bopomofo have no blanks between words. Hangul has them, and is served
better by pairs all the same, since particles stick to its nouns."""

_ACCENT = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c7\u064b-\u065f\u0670]+")
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}  # noqa: RUF001
)
"""Letters with an everyday substitute that Unicode does not decompose."""

_JOINT = re.compile(r"[_.:'&@+#-]+")
_CHUNK = re.compile(r"\S+")
"""No token goes over a blank."""
_HUMP = re.compile(r"U+(?!l)|U?l+|0+")


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a text, case-folded throughout."""

    wholes: tuple[str, ...]
    """The token as one term, where it is more than a word; for a run in a script without blanks, its pairs."""
    parts: tuple[str, ...]
    """The words that it is made of, as they were written, in order; at least one."""
    folded: tuple[str, ...]
    """The same words without accents."""
    paired: bool = False
    """Whether pairs stand for its parts, which are single characters and alone mean little."""


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, in order. Takes time linear in the text, whatever is in it."""
    for token, _, _ in _located(text if text.isascii() else _visible(text)):
        yield token


def located(text: str) -> Iterator[tuple[Token, int, int]]:
    """The tokens of a text with where each begins and ends, in characters of the text as it is.

    Where looking for tokens changes how many characters there are (ligatures, soft hyphens), each is said to be what
    stands between blanks.
    """
    for chunk in _CHUNK.finditer(text):
        written, begin = chunk[0], chunk.start()
        plain = written if written.isascii() else _visible(written)
        exact = plain == written or (len(plain) == len(written) and all(len(_visible(each)) == 1 for each in written))
        for token, first, last in _located(plain):
            yield (token, begin + first, begin + last) if exact else (token, begin, chunk.end())


def _located(plain: str) -> Iterator[tuple[Token, int, int]]:
    for match in _pattern(*_specials(plain)).finditer(plain):
        run = match["run"]
        if run is not None:
            token = _run(run)
        elif len(match[0]) > LONGEST:
            token = _token.__wrapped__(match[0])
        else:
            token = _token(match[0])
        yield token, match.start(), match.end()


def _visible(text: str) -> str:
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text).translate(_ALIKE))


def _specials(text: str) -> tuple[str, str]:
    """The combining marks and the symbols that a text holds; Python's expressions call neither a letter."""
    if text.isascii():
        return "", ""
    marks, symbols = [], []
    for character in sorted(set(text)):
        category = unicodedata.category(character)
        if category[0] == "M":
            marks.append(character)
        elif category in {"So", "Sm", "Sc"} and character > "\x7f" and not "\u2400" <= character <= "\u259f":
            symbols.append(character)
    return "".join(marks), "".join(symbols)


@lru_cache(maxsize=64)
def _pattern(marks: str, symbols: str) -> re.Pattern[str]:
    # A lookahead instead of one class: `re` cannot subtract classes.
    letter = rf"(?:[^\W{_UNSPACED}]|(?![{_UNSPACED}])[{marks}])" if marks else rf"[^\W{_UNSPACED}]"
    word = rf"{letter}+(?:[{CONNECTORS}]{{1,2}}{letter}+)*(?:(?:\+{{1,2}}|#)(?!{letter}))?"
    run = rf"(?P<run>(?:(?=[\w{marks}])[{_UNSPACED}])+)"
    symbol = f"|[{symbols}]" if symbols else ""
    return re.compile(f"{run}|{word}{symbol}")


def _run(run: str) -> Token:
    characters = tuple(run)
    pairs = tuple(first + second for first, second in pairwise(characters))
    return Token(pairs, characters, characters, paired=bool(pairs))


@lru_cache(maxsize=_CACHED)
def _token(surface: str) -> Token:
    whole = _casefold(surface)[:LONGEST]
    words = [_casefold(hump)[:LONGEST] for piece in _JOINT.split(surface) for hump in _humps(piece)]
    both = [(word, bare) for word in words if (bare := _folded(word))] or [(whole, whole)]
    parts = tuple(word for word, _ in both)
    return Token(() if parts == (whole,) else (whole,), parts, tuple(bare for _, bare in both))


def _humps(piece: str) -> list[str]:
    """The words of a camel-cased piece; letters and digits part as well."""
    if piece.isalpha() and (piece.islower() or piece.isupper() or piece.istitle()):
        return [piece]
    shape = "".join("U" if each.isupper() else "0" if each.isdigit() else "l" for each in piece)
    return [piece[hump.start() : hump.end()] for hump in _HUMP.finditer(shape)]


def _casefold(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text.casefold())


def _folded(text: str) -> str:
    if text.isascii():
        return text
    bare = _ACCENT.sub("", unicodedata.normalize("NFD", text)).translate(_UNDECOMPOSED)
    bare = "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in bare)
    return unicodedata.normalize("NFC", bare)
