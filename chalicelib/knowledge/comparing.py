"""What changed between two texts, line by line."""

from dataclasses import dataclass, replace
from enum import StrEnum

from chalicelib.domain.revisions import Revision
from chalicelib.knowledge import marking
from chalicelib.knowledge.marking import Pieces, mark

CONTEXT = 3
"""Equal lines shown on either side of a change."""

MAX_CHARS = 400_000
"""Characters of lines in one answer; what is over is cut off, and the answer says so."""

_SECONDS = 1.0
"""Time after which the comparison settles for a coarser one. It stays right, only less small."""


class ChangeKind(StrEnum):
    """What a run of lines is."""

    EQUAL = "equal"
    DELETED = "deleted"
    INSERTED = "inserted"
    SKIPPED = "skipped"
    """Equal lines that are not shown."""


_KINDS = {0: ChangeKind.EQUAL, -1: ChangeKind.DELETED, 1: ChangeKind.INSERTED}


@dataclass(frozen=True, slots=True)
class Change:
    """A run of lines of one kind."""

    kind: ChangeKind
    lines: int
    text: str
    pieces: Pieces | None = None
    """Its words, where it replaces other lines or was replaced, and words were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """How to get from one text to another."""

    inserted: int
    """Lines that only the second has."""
    deleted: int
    """Lines that only the first has."""
    changes: tuple[Change, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """How to get from one revision to another."""

    old: Revision
    new: Revision
    by: Changes


def compare(old: Revision, before: str, new: Revision, after: str, *, words: bool = False) -> Difference:
    """The difference of two revisions with their texts, as `between` finds it."""
    return Difference(old, new, between(before, after, words=words))


def between(before: str, after: str, *, words: bool = False) -> Changes:
    """The difference of two texts by lines; with `words`, also by words where lines were replaced by others.

    Source: Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), as diff-match-patch implements it,
    with a limit on time, so that no pair of texts can hold up a request.
    """
    changes = [Change(_KINDS[sign], _lines(text), text) for sign, text in runs(before, after)]
    shown, truncated = _bounded(_with_context(changes))
    return Changes(
        inserted=sum(each.lines for each in changes if each.kind is ChangeKind.INSERTED),
        deleted=sum(each.lines for each in changes if each.kind is ChangeKind.DELETED),
        changes=_marked(shown) if words else shown,
        truncated=truncated,
    )


def runs(before: str, after: str) -> list[tuple[int, str]]:
    """Runs of whole lines that both texts have (0), or only the first (-1) or the second (1)."""
    from diff_match_patch import diff_match_patch

    differ = diff_match_patch()
    differ.Diff_Timeout = _SECONDS
    first, second, lines = differ.diff_linesToChars(before, after)
    found: list[tuple[int, str]] = differ.diff_main(first, second, checklines=False)
    differ.diff_charsToLines(found, lines)
    return found


def _lines(text: str) -> int:
    return text.count("\n")


def _with_context(changes: list[Change]) -> list[Change]:
    """Long equal runs shortened to the lines next to a change."""
    shown: list[Change] = []
    for index, change in enumerate(changes):
        if change.kind is not ChangeKind.EQUAL:
            shown.append(change)
            continue
        # Not splitlines(): only LF ends a line here.
        lines = [f"{line}\n" for line in change.text.split("\n")[:-1]]
        head = CONTEXT if index > 0 else 0
        tail = CONTEXT if index < len(changes) - 1 else 0
        if len(lines) <= head + tail:
            shown.append(change)
            continue
        skipped = len(lines) - head - tail
        parts = [
            Change(ChangeKind.EQUAL, head, "".join(lines[:head])),
            Change(ChangeKind.SKIPPED, skipped, ""),
            Change(ChangeKind.EQUAL, tail, "".join(lines[len(lines) - tail :])),
        ]
        shown += [each for each in parts if each.lines]
    return shown


def _marked(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The changes with the words of replaced lines, for as many as there is time for."""
    done = list(changes)
    left = marking.MAX_CHARS
    for at in range(len(done) - 1):
        first, second = done[at : at + 2]
        if (first.kind, second.kind) != (ChangeKind.DELETED, ChangeKind.INSERTED):
            continue
        left -= len(first.text) + len(second.text)
        if left < 0:
            break
        deleted, inserted = mark(first.text, second.text)
        done[at : at + 2] = replace(first, pieces=deleted), replace(second, pieces=inserted)
    return tuple(done)


def _bounded(changes: list[Change]) -> tuple[tuple[Change, ...], bool]:
    left = MAX_CHARS
    kept = []
    for change in changes:
        if len(change.text) > left:
            text = change.text[:left]
            if text:
                kept.append(Change(change.kind, _lines(text), text))
            return tuple(kept), True
        left -= len(change.text)
        kept.append(change)
    return tuple(kept), False
