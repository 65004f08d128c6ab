"""What a query string asks of the words: terms, stems, what stands in order, and what is required.

An engine scores a passage by the sum over `terms`, `stems`, `chains` and `pairs` of what it holds of them, and
offers none that lacks one of `required`. Stop words are terms like others: engines let them weigh what their
frequency says, which is nothing in prose, and something where nothing rarer is asked for.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from chalicelib.search.analysis import Token, tokens
from chalicelib.search.stemming import languages_for, stems

_QUOTED = re.compile(r'(?:(?<=\s)|^)(?:"(?P<straight>[^"]+)"|\u201c(?P<curly>[^\u201d]+)\u201d)(?=[\s.,;:!?)\]}]|$)')
"""A quotation stands free, so that `5"` and the quotes of pasted code, `f("x")`, require nothing."""

_LONGEST_CHAIN = 24
"""Parts that are looked for as one sequence; a pasted paragraph is no phrase."""


@dataclass(frozen=True, slots=True)
class Query:
    """The words of a query, each once, in the order in which they came. Sequences are without accents."""

    terms: tuple[str, ...]
    """Tokens whole, and their parts with and without accents."""
    stems: tuple[str, ...]
    """Stems that are no terms already."""
    chains: tuple[tuple[str, ...], ...]
    """Parts of one token, and of the whole query: in order they are worth more than apart."""
    pairs: tuple[tuple[str, str], ...]
    """Neighbouring parts of different tokens."""
    required: tuple[tuple[str, ...], ...]
    """Parts of each quoted phrase, in order; none of it may be missing."""


def parse(text: str) -> Query:
    """The query that a text of any kind makes; with no terms if there is nothing to look for in it."""
    found = tuple(tokens(text))
    words = [word for token in found for word in token.folded]
    chains = [token.folded for token in found if len(token.folded) > 1]
    if len(found) > 1:
        chains.append(tuple(words))
    languages = languages_for(text)
    terms = _once(term for token in found for term in _terms(token))
    quoted = (_words(match["straight"] or match["curly"]) for match in _QUOTED.finditer(text))
    return Query(
        terms=terms,
        stems=_once(root for word in words for root in stems(word, *languages) if root not in terms),
        chains=_once(chain for chain in chains if len(chain) <= _LONGEST_CHAIN),
        pairs=_once((one.folded[-1], other.folded[0]) for one, other in pairwise(found)),
        required=_once(phrase for phrase in quoted if phrase),
    )


def _terms(token: Token) -> tuple[str, ...]:
    return token.wholes if token.paired else (*token.wholes, *token.parts, *token.folded)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for token in tokens(text) for word in token.folded)


def _once[T](many: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(many))
