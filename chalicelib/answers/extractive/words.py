"""The words of a text that mean something, in forms that meet across inflection and accents."""

from collections.abc import Iterable
from functools import lru_cache

from chalicelib.answers.languages import small_words
from chalicelib.search.analysis import tokens
from chalicelib.search.stemming import languages_for, stems

type Word = frozenset[str]
"""A word with its stems: two words meet if they have one of these in common."""

_CACHED = 4096
_SHORTEST = 2


@lru_cache(_CACHED)
def content_words(text: str) -> tuple[Word, ...]:
    """The words that a question is about, each once, in order; without small ones, unless it has no others."""
    every = tuple(dict.fromkeys(word for token in tokens(text) for word in (*token.wholes, *token.folded)))
    small = small_words()
    telling = tuple(each for each in every if each not in small and len(each) >= _SHORTEST)
    languages = languages_for(text)
    return tuple(dict.fromkeys(frozenset({word, *stems(word, *languages)}) for word in telling or every))


@lru_cache(_CACHED)
def forms(text: str) -> frozenset[str]:
    """Everything that the words of a text can be met by."""
    languages = languages_for(text)
    found: set[str] = set()
    for token in tokens(text):
        found.update(token.wholes, token.folded)
        for word in token.folded:
            found.update(stems(word, *languages))
    return frozenset(found)


def met(words: Iterable[Word], by: frozenset[str]) -> frozenset[Word]:
    """Those of the words that a text with these forms holds."""
    return frozenset(word for word in words if not word.isdisjoint(by))
