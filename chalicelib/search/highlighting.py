"""Which words of a text a query asks for, by the analysis that the index is made with."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from chalicelib.search.analysis import Token, located
from chalicelib.search.query import parse
from chalicelib.search.stemming import DEFAULT, languages_of, stems

type Span = tuple[int, int]
"""Where some characters begin and end."""


@dataclass(frozen=True, slots=True)
class Highlighter:
    """The words of one query."""

    asked: frozenset[str]

    @classmethod
    def of(cls, query: str) -> Self:
        """What a query asks of the words, in whatever mode: engines find nothing else by words."""
        parsed = parse(query)
        return cls(frozenset((*parsed.terms, *parsed.stems)))

    def spans(self, text: str) -> tuple[Span, ...]:
        """Where words of the query stand in the text, in code points; ascending, none touching another.

        A token that is asked for in parts, or by its stem, is there as a whole, as it is written.
        """
        if not self.asked:
            return ()
        language = languages_of([text])[0]
        return _merged(span for token, begin, end in located(text) for span in self._of(token, begin, end, language))

    def _of(self, token: Token, begin: int, end: int, language: str) -> Iterator[Span]:
        if token.paired and end - begin == len(token.parts):
            for place, (one, other) in enumerate(pairwise(token.parts)):
                if one + other in self.asked:
                    yield begin + place, begin + place + 2
        elif self._holds(token, language):
            yield begin, end

    def _holds(self, token: Token, language: str) -> bool:
        if not self.asked.isdisjoint((*token.wholes, *token.parts, *token.folded)):
            return True
        languages = dict.fromkeys((DEFAULT, language))
        return any(not self.asked.isdisjoint(stems(word, *languages)) for word in token.folded)


def _merged(spans: Iterator[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for begin, end in spans:
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((begin, end))
    return tuple(merged)
