"""Stems, by the language of a text.

Passages are long enough to tell their language. A query that is too short is stemmed as in English, in Spanish and in
the language that it is most like: a wrong stem does little harm, since hardly anything is found by it.
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
    "eng": "english",
    "fin": "finnish",
    "fra": "french",
    "hun": "hungarian",
    "ita": "italian",
    "nld": "dutch",
    "nob": "norwegian",
    "por": "portuguese",
    "ron": "romanian",
    "rus": "russian",
    "spa": "spanish",
    "swe": "swedish",
    "tur": "turkish",
}
"""Languages (ISO 639-3) and their stemmers."""
DEFAULT = ("eng", "spa")
"""Languages of a text that does not tell."""
_ENOUGH = 2000
"""Characters that tell the language."""
_CACHED = 1 << 15


def languages_of(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """In which language each passage of an item is to be stemmed.

    That is its own if it tells, else (a list of numbers, code, two words) that of all of them, else the default ones.
    """
    of_all = _sure(" ".join(texts)) or DEFAULT
    return [_sure(text) or of_all for text in texts]


def _sure(text: str) -> tuple[str, ...]:
    found = _detected(text)
    return (found[0],) if found is not None and found[1] and found[0] in _SNOWBALL else ()


def languages_for(query: str) -> tuple[str, ...]:
    """The languages in which a query is to be stemmed: its own, or any of some, if it is too short to tell."""
    found = _detected(query)
    if found is None or found[0] not in _SNOWBALL:
        return DEFAULT
    language, sure = found
    return (language,) if sure else tuple(dict.fromkeys((*DEFAULT, language)))


def stems(part: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The stems of a folded part, each once; none that is the part itself."""
    if not part.isalpha():
        return ()
    return tuple(dict.fromkeys(root for each in languages if (root := _stem(part, each)) != part))


def _detected(text: str) -> tuple[str, bool] | None:
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
def _stemmer(language: str) -> _Stemmer:
    import snowballstemmer

    made: _Stemmer = snowballstemmer.stemmer(_SNOWBALL[language])
    return made


@lru_cache(maxsize=_CACHED)
def _stem(word: str, language: str) -> str:
    with _STEMMING:
        return _stemmer(language).stemWord(word)
