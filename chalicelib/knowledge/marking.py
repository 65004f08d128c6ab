"""Which words of a line changed, within a stretch of lines that was replaced by another."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

MAX_CHARS = 100_000
"""Characters of replaced lines in which words are marked; what comes after them is shown unmarked."""

_SECONDS = 1.0
"""Time for all of them; past its share, a stretch is marked more coarsely. It stays right, only less small."""
_LEAST = 0.02

_CJK = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_MARKS = r"!-/:-@\[-`{-~\u2010-\u2027\u2030-\u205e\u3000-\u303f\uff00-\uff0f"
_WORD = re.compile(rf"\n|[^\S\n]+|[{_CJK}]|[^\s{_CJK}{_MARKS}]+|.")
"""A run of blanks, a word, or one mark; scripts that write no blanks are compared character by character."""

_SURROGATES = range(0xD800, 0xE000)


class PieceKind(StrEnum):
    """What a piece of a line is."""

    EQUAL = "equal"
    DELETE = "delete"
    INSERT = "insert"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of whole words of one kind."""

    kind: PieceKind
    text: str


type Pieces = tuple[Piece, ...]


def mark(before: str, after: str) -> tuple[Pieces, Pieces]:
    """Two texts in pieces: the first in equal and deleted ones, the second in equal and inserted ones.

    The pieces of each, put together, are the text. The equal pieces of both are the same.
    """
    from diff_match_patch import diff_match_patch

    codes: dict[str, str] = {}
    differ = diff_match_patch()
    differ.Diff_Timeout = max(_LEAST, _SECONDS * (len(before) + len(after)) / MAX_CHARS)
    runs = differ.diff_main(_encoded(before, codes), _encoded(after, codes), checklines=False)
    differ.diff_cleanupSemantic(runs)
    words = {code: word for word, code in codes.items()}
    read = [(sign, "".join(words[each] for each in run)) for sign, run in runs]
    return _side(read, -1, PieceKind.DELETE), _side(read, 1, PieceKind.INSERT)


def _encoded(text: str, codes: dict[str, str]) -> str:
    """The text with a character for each of its words, so that no word can be cut."""
    return "".join(codes.setdefault(word, _character(len(codes))) for word in _WORD.findall(text))


def _character(number: int) -> str:
    number += 1
    return chr(number if number < _SURROGATES.start else number + len(_SURROGATES))


def _side(runs: Iterable[tuple[int, str]], mine: int, kind: PieceKind) -> Pieces:
    return tuple(Piece(kind if sign else PieceKind.EQUAL, text) for sign, text in runs if sign in {0, mine})
