"""Judged sets: documents, queries, which documents answer them, and the vectors of both.

Vectors of SciFact and XQuAD lie beside their sets; the others are made once and kept in the user's cache.
"""

import csv
import json
import math
import os
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from chalicelib.adapters.e5 import E5Embedder

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "ir"
DEPTH = 10
"""Results that are looked at."""
_CUT = 2000
"""Characters of a document that are embedded."""

type Matrix = "np.ndarray[tuple[int, int], np.dtype[np.float32]]"


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A set; vectors are of unit length, in the order of documents and queries."""

    name: str
    documents: Sequence[Document]
    queries: Sequence[tuple[str, Mapping[str, int]]]
    document_vectors: Matrix
    query_vectors: Matrix


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over the queries of a set."""

    ndcg: float
    """nDCG@10, gains as judged and a logarithmic discount (K. Järvelin, J. Kekäläinen, 2002)."""
    mrr: float
    """Reciprocal rank of the first right one of ten."""


def quality(judged: Judged, search: Callable[[int], Sequence[str]]) -> Quality:
    """How well a search finds, which is told the number of the query and gives ids of documents, best first."""
    gains, ranks = [], []
    for number, (_, relevant) in enumerate(judged.queries):
        found = search(number)[:DEPTH]
        best = sorted(relevant.values(), reverse=True)[:DEPTH]
        gains.append(_dcg(relevant.get(each, 0) for each in found) / _dcg(best))
        ranks.append(next((1 / rank for rank, each in enumerate(found, 1) if relevant.get(each)), 0.0))
    return Quality(sum(gains) / len(gains), sum(ranks) / len(ranks))


def _dcg(grades: Iterable[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


@cache
def scifact() -> Judged:
    folder = DATA / "scifact"
    with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
        documents = [Document(each["_id"], each["title"], each["text"]) for each in map(json.loads, lines)]
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        texts = {each["_id"]: each["text"] for each in map(json.loads, lines)}
    relevant: dict[str, dict[str, int]] = {}
    with (folder / "qrels" / "test.tsv").open(encoding="utf-8") as lines:
        for query, document, grade in list(csv.reader(lines, delimiter="\t"))[1:]:
            relevant.setdefault(query, {})[document] = int(grade)
    held = np.load(folder / "e5.npz")
    places = {str(each): number for number, each in enumerate(held["doc_ids"])}
    asked = {str(each): number for number, each in enumerate(held["query_ids"])}
    return Judged(
        "SciFact",
        documents,
        [(texts[query], found) for query, found in relevant.items()],
        _unit(held["doc_vectors"][[places[each.id] for each in documents]]),
        _unit(held["query_vectors"][[asked[query] for query in relevant]]),
    )


@cache
def xquad(asked: str, answered: str) -> Judged:
    """Questions in one language, paragraphs in the other (`en`, `es`)."""
    held = np.load(DATA / "xquad" / "e5.npz")
    questions = [(each["question"], {str(n): 1}) for n, one in enumerate(_paragraphs(asked)) for each in one["qas"]]
    return Judged(
        f"XQuAD {asked}→{answered}",
        [Document(str(number), "", each["context"]) for number, each in enumerate(_paragraphs(answered))],
        questions,
        _unit(held[f"{answered}_passages"]),
        _unit(held[f"{asked}_queries"]),
    )


def _paragraphs(language: str) -> list[dict[str, Any]]:
    articles = json.loads((DATA / "xquad" / f"xquad.{language}.json").read_text(encoding="utf-8"))["data"]
    return [each for article in articles for each in article["paragraphs"]]


def without_accents(judged: Judged) -> Judged:
    """The same with queries as they are typed on a keyboard without accents; the vectors stay those of the accented."""

    def plain(text: str) -> str:
        return "".join(each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))

    queries = [(plain(text), relevant) for text, relevant in judged.queries]
    return replace(judged, name=f"{judged.name}, no accents", queries=queries)


@cache
def eslint() -> Judged:
    """The pages of a linter's rules; who looks for the name of a rule wants its page."""
    pages = sorted((DATA / "known_item_eslint").glob("*.md"))
    documents = [Document(page.stem, _title(page), page.read_text(encoding="utf-8")) for page in pages]
    documents_, queries = _kept("eslint", documents, [page.stem for page in pages])
    return Judged("ESLint rules", documents, [(page.stem, {page.stem: 1}) for page in pages], documents_, queries)


def _title(page: Path) -> str:
    """What the page itself says that it is called."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return next((line.removeprefix("title: ") for line in lines if line.startswith("title: ")), "")


def _kept(name: str, documents: Sequence[Document], queries: Sequence[str]) -> tuple[Matrix, Matrix]:
    """Vectors, made the first time, which takes a minute."""
    place = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "acervo" / f"vectors-{name}.npz"
    if not place.exists():
        embedder = E5Embedder()
        texts = [f"{each.title}\n{each.text}"[:_CUT] for each in documents]
        place.parent.mkdir(parents=True, exist_ok=True)
        asked = [embedder.query(each) for each in queries]
        np.savez(place, documents=np.asarray(embedder.passages(texts)), queries=np.asarray(asked))
    held = np.load(place)
    return _unit(held["documents"]), _unit(held["queries"])


def _unit(vectors: "np.ndarray[tuple[int, int], np.dtype[np.float16]]") -> Matrix:
    wide = vectors.astype(np.float32)
    return wide / np.linalg.norm(wide, axis=1, keepdims=True)


SETS: Sequence[Callable[[], Judged]] = (
    scifact,
    lambda: xquad("es", "es"),
    lambda: without_accents(xquad("es", "es")),
    lambda: xquad("en", "es"),
    lambda: xquad("es", "en"),
    lambda: xquad("en", "en"),
    eslint,
)
