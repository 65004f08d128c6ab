"""Stems, by the language of a text.

Passages are long enough to tell their language. English and Spanish, which queries mix with each other and with
everything else, share one rule: both stemmers try, and the one that takes more off is believed; so a query need not
tell which of them it is in. Other languages have their own stemmer, and queries are stemmed as in the one that they are
most like besides. A wrong stem does little harm: hardly anything is found by it.
Sources: M. F. Porter, Snowball (https://snowballstem.org); whatlang (https://github.com/greyblake/whatlang-rs), which
compares trigrams (W. Cavnar, J. Trenkle: N-Gram-Based Text Categorization, 1994).
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from threading import Lock
from typing import Any, Protocol

_SNOWBALL = {
    "cat": "catalan",
    "dan": "danish",
    "deu": "german",
    "fin": "finnish",
    "fra": "french",
    "hun": "hungarian",
    "ita": "italian",
    "nld": "dutch",
    "nob": "norwegian",
    "por": "portuguese",
    "ron": "romanian",
    "rus": "russian",
    "swe": "swedish",
    "tur": "turkish",
}
"""Languages (ISO 639-3) and their stemmers."""
_SHARED = ("english", "spanish")
DEFAULT = "eng/spa"
"""The language of a text in English, in Spanish, or that does not tell."""
_ENOUGH = 2000
"""Characters that tell the language."""
_CACHED = 1 << 15


def languages_of(texts: Sequence[str]) -> list[str]:
    """In which language each passage of an item is to be stemmed.

    That is its own if it tells, else (a list of numbers, code, two words) that of all of them, else the default one.
    """
    of_all = _sure(" ".join(texts)) or DEFAULT
    return [_sure(text) or of_all for text in texts]


def _sure(text: str) -> str:
    """The language of a text that tells it; empty for one that does not."""
    found = detected(text)
    if found is None or not found[1]:
        return ""
    return found[0] if found[0] in _SNOWBALL else DEFAULT


def languages_for(query: str) -> tuple[str, ...]:
    """The languages in which a query is to be stemmed: it may be too short to tell."""
    found = detected(query)
    return (DEFAULT,) if found is None or found[0] not in _SNOWBALL else (DEFAULT, found[0])


def stems(part: str, *languages: str) -> tuple[str, ...]:
    """The stems of a folded part, each once; none that is the part itself."""
    if not part.isalpha():
        return ()
    return tuple(dict.fromkeys(root for each in languages if (root := _stem(part, each)) != part))


def detected(text: str) -> tuple[str, bool] | None:
    """The language that a text is most like, and whether that is sure; None if there are no letters in it."""
    import whatlang

    # What is no Unicode (half of a surrogate pair) cannot go into the library.
    plain = text[:_ENOUGH].encode(errors="ignore").decode()
    try:
        found: Any = whatlang.detect(plain)
    except ValueError:
        return None
    return found.lang, found.is_reliable


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - Snowball's name


_STEMMING = Lock()
"""Snowball's stemmers keep the word that they work on in themselves."""


@cache
def _stemmer(name: str) -> _Stemmer:
    import snowballstemmer

    made: _Stemmer = snowballstemmer.stemmer(name)
    return made


@lru_cache(maxsize=_CACHED)
def _stem(word: str, language: str) -> str:
    names = _SHARED if language == DEFAULT else (_SNOWBALL[language],)
    with _STEMMING:
        return min((_stemmer(each).stemWord(word) for each in names), key=len)
