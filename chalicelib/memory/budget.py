"""How much of a model's context a text takes, and what says the same as something else. Pure."""

import re
from collections.abc import Iterable

_LETTERS_A_TOKEN = 3.5
"""Characters of one token in alphabetic text and code, on the careful side of the usual four."""

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
"""Characters that are about a token each: Chinese, Japanese, Korean."""

_WORD = re.compile(r"[^\W_]+")

_ALIKE = 0.8
"""Of all words of two texts, the share that both have, from which on they say the same."""

_WITHIN = 0.95
"""Of a text's words, the share that another has, from which on it adds nothing to that."""

_FEW = 5
"""A text of fewer words is the same only if it is the same."""


def tokens_of(text: str) -> int:
    """About how many tokens a model makes of a text."""
    wide = len(_WIDE.findall(text))
    return wide + int((len(text) - wide) / _LETTERS_A_TOKEN + 0.999)


def shortened(text: str, tokens: int) -> str:
    """The beginning of a text, at most so many tokens, cut at a blank where there is one; empty if none fit."""
    if tokens_of(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens_of(f"{text[:middle]}…") <= tokens else (low, middle - 1)
    kept = text[:low]
    blank = max(kept.rfind(" "), kept.rfind("\n"))
    kept = kept[:blank] if blank > low // 2 else kept
    return f"{kept.rstrip()}…" if kept.strip() else ""


def says_nothing_new(text: str, said: Iterable[str]) -> bool:
    """Whether a text is a near-duplicate of one of others, or contained in it."""
    mine = _words(text)
    return any(_same(mine, _words(each)) or text.strip() == each.strip() for each in said)


def _same(mine: frozenset[str], other: frozenset[str]) -> bool:
    if len(mine) < _FEW or not other:
        return False
    both = len(mine & other)
    return both / len(mine | other) >= _ALIKE or both / len(mine) >= _WITHIN


def _words(text: str) -> frozenset[str]:
    """The words of a text; of scripts without blanks, pairs of characters."""
    found: set[str] = set()
    for match in _WORD.finditer(text.casefold()):
        word = match.group()
        if _WIDE.search(word):
            found |= {word[at : at + 2] for at in range(max(1, len(word) - 1))}
        else:
            found.add(word)
    return frozenset(found)
