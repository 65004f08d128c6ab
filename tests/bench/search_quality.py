"""How well and how fast the engines find: `python -m tests.bench.search_quality [--speed]`.

nDCG@10 with gains as judged and a logarithmic discount (K. Järvelin, J. Kekäläinen, 2002), MRR over ten results.
Documents go the way of every item: cut into passages, put into the engine; the best passage counts for the item.
"""

import csv
import json
import math
import random
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.domain.text import canonical
from chalicelib.search.passages import passages
from chalicelib.search.ports import Card, Passage, SearchIndex, Within
from tests.halves import by_words

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "ir"
_SPACE = "space_bench"
_WITHIN = Within(frozenset({_SPACE}))
_DEPTH = 10
_OVERFETCH = 60


@dataclass(frozen=True, slots=True)
class Judged:
    """Documents (id, title, text) and queries with what is relevant to them."""

    name: str
    documents: Sequence[tuple[str, str, str]]
    queries: Sequence[tuple[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class Quality:
    ndcg: float
    mrr: float


def scifact() -> Judged:
    folder = DATA / "scifact"
    with (folder / "corpus.jsonl").open(encoding="utf-8") as lines:
        documents = [(each["_id"], each["title"], each["text"]) for each in map(json.loads, lines)]
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        texts = {each["_id"]: each["text"] for each in map(json.loads, lines)}
    relevant: dict[str, dict[str, int]] = {}
    with (folder / "qrels" / "test.tsv").open(encoding="utf-8") as lines:
        for query, document, grade in list(csv.reader(lines, delimiter="\t"))[1:]:
            relevant.setdefault(query, {})[document] = int(grade)
    return Judged("SciFact", documents, [(texts[query], found) for query, found in relevant.items()])


def xquad(language: str) -> Judged:
    articles = json.loads((DATA / "xquad" / f"xquad.{language}.json").read_text(encoding="utf-8"))["data"]
    paragraphs = [each for article in articles for each in article["paragraphs"]]
    return Judged(
        f"XQuAD {language}",
        [(str(number), "", each["context"]) for number, each in enumerate(paragraphs)],
        [(asked["question"], {str(number): 1}) for number, each in enumerate(paragraphs) for asked in each["qas"]],
    )


def without_accents(judged: Judged) -> Judged:
    """The same with queries as they are typed on a keyboard without accents."""

    def plain(text: str) -> str:
        return "".join(each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))

    queries = [(plain(text), relevant) for text, relevant in judged.queries]
    return Judged(f"{judged.name} without accents", judged.documents, queries)


def eslint() -> Judged:
    pages = sorted((DATA / "known_item_eslint").glob("*.md"))
    documents = [(page.stem, _title(page), page.read_text(encoding="utf-8")) for page in pages]
    return Judged("ESLint known item", documents, [(page.stem, {page.stem: 1}) for page in pages])


def _title(page: Path) -> str:
    """What the page itself says that it is called."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return next((line.removeprefix("title: ") for line in lines if line.startswith("title: ")), "")


def fill(index: SearchIndex, documents: Iterable[tuple[str, str, str]]) -> int:
    """Index the documents. Returns how many passages they made."""
    count = 0
    for name, title, text in documents:
        found = passages(canonical(text))
        count += len(found)
        index.put(Card(name, "kb_bench", _SPACE, "rev_1", 1, title, "page", found))
    return count


def ranking(index: SearchIndex, query: str) -> list[str]:
    found = by_words(index, query, _WITHIN, _OVERFETCH)
    return list(dict.fromkeys(each.item_id for each in found))[:_DEPTH]


def quality(judged: Judged, search: Callable[[str], list[str]]) -> Quality:
    """Mean nDCG@10 and MRR@10 of a search over the queries."""
    gains, ranks = [], []
    for query, relevant in judged.queries:
        found = search(query)
        best = sorted(relevant.values(), reverse=True)[:_DEPTH]
        gains.append(_dcg(relevant.get(each, 0) for each in found) / _dcg(best))
        ranks.append(next((1 / rank for rank, each in enumerate(found, 1) if relevant.get(each)), 0.0))
    return Quality(sum(gains) / len(gains), sum(ranks) / len(ranks))


def _dcg(grades: Iterable[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def speed(index: SqliteIndex, passage_count: int, queries: Sequence[str]) -> tuple[float, float]:
    """Median and 95th percentile, in milliseconds, of a search among so many passages.

    The passages are halves of SciFact's abstracts put together anew, so that words are as frequent as in prose.
    """
    draw = random.Random(7)
    halves = [text.split() for _, _, text in scifact().documents]
    titles = [title for _, title, _ in scifact().documents]
    done = 0
    while done < passage_count:
        cut = []
        for position in range(min(50, passage_count - done)):
            one, other = draw.choice(halves), draw.choice(halves)
            words = one[: len(one) // 2] + other[len(other) // 2 :]
            cut.append(Passage(position, (draw.choice(titles),), " ".join(words)))
        index.put(Card(f"item_{done}", "kb_bench", _SPACE, "rev_1", 1, draw.choice(titles), str(done), tuple(cut)))
        done += len(cut)
    taken = []
    for query in queries:
        start = time.perf_counter()
        by_words(index, query, _WITHIN, 40)
        taken.append((time.perf_counter() - start) * 1000)
    taken.sort()
    return taken[len(taken) // 2], taken[len(taken) * 95 // 100]


def main(arguments: Sequence[str]) -> None:
    spanish = xquad("es")
    sets = [scifact(), spanish, without_accents(spanish), xquad("en"), eslint()]
    print(f"{'set':28} {'items':>6} {'passages':>8} {'queries':>7}  nDCG@10   MRR")
    with tempfile.TemporaryDirectory() as folder:
        for judged in sets:
            index = SqliteIndex(Path(folder) / f"{judged.name}.sqlite")
            count = fill(index, judged.documents)
            found = quality(judged, lambda query, index=index: ranking(index, query))  # type: ignore[misc]
            sizes = f"{len(judged.documents):6} {count:8} {len(judged.queries):7}"
            print(f"{judged.name:28} {sizes}   {found.ndcg:.4f}  {found.mrr:.4f}")
            index.close()
        if "--speed" in arguments:
            queries = [query for query, _ in scifact().queries]
            for size in (10_000, 100_000):
                index = SqliteIndex(Path(folder) / f"{size}.sqlite")
                median, late = speed(index, size, queries)
                print(f"{size:7} passages: p50 {median:.1f} ms, p95 {late:.1f} ms")
                index.close()


if __name__ == "__main__":
    main(sys.argv[1:])
