"""What the index keeps of a card: one document per passage, its words in terms with blanks between them.

The server has nothing left to decide: no analyser of its own touches the text, so both engines find by the same terms.
The columns that the embedded engine weighs one by one are one field here, `terms`, in which each term comes with how
much it counts; that makes it one BM25 over all of them (S. Robertson, H. Zaragoza: The Probabilistic Relevance
Framework: BM25 and Beyond, 2009, on BM25F), which a server before 3.2 does not do at query time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from chalicelib.search.analysis import stem, tokens
from chalicelib.search.ports import Card, Passage

type Vector = Sequence[float]

UNIT = 4
"""Counts in the index are whole numbers: so many quarters."""
WEIGHTS = {
    "title": 4.0,
    "headings": 2.0,
    "wholes": 1.0,
    "parts": 1.0,
    "folded": 0.5,
    "title_stems": 3.0,
    "stems": 0.75,
}
"""What one occurrence counts, as in the embedded engine; a test holds the two together."""

COUNTED = "|"
"""Between a term and its count; no term has it."""
_BREAK = "\ue000"
"""A term that nothing else holds, between texts that do not follow each other."""
_LONGEST = 1000
"""Characters of a title, locator or heading path that are searched."""


def documents(card: Card, vectors: Sequence[Vector] | None = None) -> Iterator[dict[str, object]]:
    """The documents of a card, one for each passage in order. `vectors` has one for each passage, or there are none."""
    title = _Terms.of([card.title[:_LONGEST]])
    locator = card.locator[:_LONGEST]
    for number, passage in enumerate(card.passages):
        headings = _Terms.of([*passage.heading_path, locator])
        body = _Terms.of([passage.content])
        yield {
            **_kept(card, passage),
            "terms": _counted(title, headings, body),
            "sequences": _joined([body.parts, body.folded]),
            "about": _joined([title.parts, title.folded, headings.parts, headings.folded]),
            **({} if vectors is None else {"vector": vectors[number]}),
        }


def _kept(card: Card, passage: Passage) -> dict[str, object]:
    return {
        "item_id": card.item_id,
        "base_id": card.base_id,
        "space_id": card.space_id,
        "revision_id": card.revision_id,
        "version": card.version,
        "position": passage.position,
        "heading_path": passage.heading_path,
        "content": passage.content,
    }


@dataclass(frozen=True, slots=True)
class _Terms:
    wholes: str
    parts: str
    folded: str
    """Empty if the same as `parts`."""
    stems: str

    @classmethod
    def of(cls, texts: Iterable[str]) -> "_Terms":
        groups = [list(tokens(text)) for text in texts]
        parts = _joined(" ".join(part for token in group for part in token.parts) for group in groups)
        words = [[word for token in group for word in token.folded] for group in groups]
        folded = _joined(" ".join(group) for group in words)
        return cls(
            wholes=" ".join(whole for group in groups for token in group for whole in token.wholes),
            parts=parts,
            folded="" if folded == parts else folded,
            stems=" ".join(root for word in chain.from_iterable(words) if (root := stem(word)) != word),
        )

    def all(self) -> str:
        return f"{self.wholes} {self.parts} {self.folded}"


def _joined(texts: Iterable[str]) -> str:
    return f" {_BREAK} ".join(text for text in texts if text)


def _counted(title: _Terms, headings: _Terms, body: _Terms) -> str:
    """Every term of a passage with how much it counts."""
    columns = {
        "title": title.all(),
        "headings": headings.all(),
        "wholes": body.wholes,
        "parts": body.parts,
        "folded": body.folded,
        "title_stems": title.stems,
        "stems": f"{headings.stems} {body.stems}",
    }
    counts: Counter[str] = Counter()
    for name, terms in columns.items():
        once = int(WEIGHTS[name] * UNIT)
        for term, times in Counter(terms.split()).items():
            counts[term] += once * times
    del counts[_BREAK]
    return " ".join(f"{term}{COUNTED}{count}" for term, count in counts.items())
