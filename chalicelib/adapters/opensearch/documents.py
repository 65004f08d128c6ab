"""What the index keeps of a card: one document per passage, its words in terms with blanks between them.

The server has nothing left to decide: no analyser of its own touches the text, so both engines find by the same terms.
The columns that the embedded engine weighs one by one are one field here, `terms`, in which each term comes with how
much it counts; that makes it one BM25 over all of them (S. Robertson, H. Zaragoza: The Probabilistic Relevance
Framework: BM25 and Beyond, 2009, on BM25F), which a server before 3.2 does not do at query time.
"""

import base64
import struct
from collections import Counter
from collections.abc import Iterator, Sequence

from chalicelib.search.ports import Card, Embedding, Passage, Vector
from chalicelib.search.stemming import languages_of
from chalicelib.search.terms import BREAK, LONGEST, WEIGHTS, Terms, joined

UNIT = 4
"""Counts in the index are whole numbers: so many quarters."""
COUNTED = "|"
"""Between a term and its count; no term has it."""


def documents(card: Card, embeddings: Sequence[Embedding | None], field: str) -> Iterator[dict[str, object]]:
    """The documents of a card, one for each passage in order; those that have a vector have it in the field."""
    locator = card.locator[:LONGEST]
    spoken = languages_of([each.content for each in card.passages])
    for number, (passage, language) in enumerate(zip(card.passages, spoken, strict=True)):
        title = Terms.of([card.title[:LONGEST]], language)
        headings = Terms.of([*passage.heading_path, locator], language)
        body = Terms.of([passage.content], language)
        yield {
            **_kept(card, passage),
            "terms": _counted(title, headings, body),
            "sequences": joined([body.parts, body.folded]),
            "about": joined([title.parts, title.folded, headings.parts, headings.folded]),
            **_embedded(embeddings[number] if embeddings else None, field),
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


def _embedded(embedding: Embedding | None, field: str) -> dict[str, object]:
    if embedding is None:
        return {}
    return {field: list(embedding.vector), "digest": embedding.digest, "kept_vector": packed(embedding.vector)}


def packed(vector: Vector) -> str:
    """A vector in short, two bytes a number (IEEE 754 binary16) in Base64: to be used again for the same text."""
    return base64.b64encode(struct.pack(f"<{len(vector)}e", *vector)).decode()


def unpacked(text: str) -> tuple[float, ...]:
    """The vector that was packed."""
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // 2}e", data)


def _counted(title: Terms, headings: Terms, body: Terms) -> str:
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
    del counts[BREAK]
    return " ".join(f"{term}{COUNTED}{count}" for term, count in counts.items())
