"""Two people edited the same revision: both edits in one text, as far as they do not touch the same lines."""

from collections.abc import Mapping
from dataclasses import dataclass

from chalicelib.domain.items import Item
from chalicelib.domain.revisions import Revision
from chalicelib.domain.spaces import Action, Principal
from chalicelib.domain.text import Canonical
from chalicelib.knowledge.comparing import Changes, between, runs
from chalicelib.knowledge.history import ReadRevision
from chalicelib.knowledge.visibility import item_for


@dataclass(frozen=True, slots=True)
class Merged:
    """Both edits in one text."""

    text: str
    conflicts: int
    """Places that both changed, each in another way; the text has them as the second to come has them."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What somebody who came second needs to go on."""

    current: Revision
    merged: Merged
    theirs: Changes
    """What was saved meanwhile, against what both began with."""
    mine: Changes
    """What is to be saved, likewise."""


def merge(base: str, mine: str, theirs: str) -> Merged:
    """Both edits of a base in one text; canonical texts, by whole lines.

    Source: Khanna, Kunal and Pierce, "A Formal Investigation of Diff3" (2007): lines that all three have in common
    separate the stretches; a stretch that one side left alone is the other side's.
    """
    stretches = [text.split("\n") for text in (base, mine, theirs)]
    in_mine, in_theirs = _matches(base, mine), _matches(base, theirs)
    common = [(at, in_mine[at], in_theirs[at]) for at in sorted(in_mine.keys() & in_theirs.keys())]
    taken: list[str] = []
    conflicts, begin = 0, (0, 0, 0)
    for end in (*common, tuple(len(each) for each in stretches)):
        old, ours, other = (lines[a:b] for lines, a, b in zip(stretches, begin, end, strict=True))
        conflicts += old not in (ours, other) and ours != other
        taken += other if ours == old else ours
        taken += stretches[0][end[0] : end[0] + 1]
        begin = (end[0] + 1, end[1] + 1, end[2] + 1)
    return Merged("\n".join(taken), conflicts)


def _matches(base: str, other: str) -> Mapping[int, int]:
    """Which line of the other text a line of the base is, for those that both have."""
    found: dict[int, int] = {}
    at = there = 0
    for sign, text in runs(base, other):
        lines = text.count("\n")
        if sign == 0:
            found |= zip(range(at, at + lines), range(there, there + lines), strict=True)
        at += lines if sign <= 0 else 0
        there += lines if sign >= 0 else 0
    return found


@dataclass(frozen=True, slots=True)
class MergeEdit:
    """Put an edit together with what was saved since it was begun. Nothing is written."""

    read: ReadRevision

    def __call__(
        self, principal: Principal, item_id: str, expected_revision_id: str, content: str
    ) -> tuple[Item, Merge]:
        """The item, both edits and their merge. Raises NotFound, NotAllowed, KnowledgeArchived, ContentTooLarge."""
        item, _ = item_for(self.read.store, principal, item_id, Action.WRITE_ITEMS)
        _, _, base = self.read(principal, item.id, expected_revision_id)
        _, current, theirs = self.read(principal, item.id, item.current_revision_id)
        mine = Canonical.of(content).text
        return item, Merge(
            current=current,
            merged=merge(base, mine, theirs),
            theirs=between(base, theirs, words=True),
            mine=between(base, mine, words=True),
        )
