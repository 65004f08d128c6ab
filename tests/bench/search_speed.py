"""How fast search is: the engines alone, the whole use case over them, and OpenSearch's own hybrid query beside it.

Passages are halves of SciFact's abstracts put together anew, with the mean of both vectors and some noise, so that
words are as frequent and vectors as near each other as in prose. The freshness read of the table is left aside.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chalicelib.adapters.opensearch import asking
from chalicelib.adapters.opensearch.cluster import Cluster, Patience, connect, demand
from chalicelib.adapters.opensearch.index import OpenSearchIndex
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.domain.spaces import Role
from chalicelib.search.ports import Card, Embedding, Passage, Question, SearchIndex, Within
from chalicelib.search.query import parse
from chalicelib.search.request import Mode
from chalicelib.search.retrieve import Retrieve
from infra.opensearch import Node
from tests.bench.judged import Judged, scifact
from tests.bench.ours import MODEL, SPACE, Everything, Given, Ours
from tests.bench.peers import pipelines
from tests.factories import a_principal

SIZES = (10_000, 100_000)
_A_CARD = 50
_QUERIES = 150
_WARM = 20
_WITHIN = Within(frozenset({SPACE}))
_PEERS_K = 100
_LIMIT = 30
"""Passages of each leg that a search for ten results asks for."""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of one thing, over the queries."""

    taken: Sequence[float]

    @property
    def p50(self) -> float:
        return sorted(self.taken)[len(self.taken) // 2]

    @property
    def p95(self) -> float:
        return sorted(self.taken)[len(self.taken) * 95 // 100]


@dataclass(frozen=True, slots=True)
class Speed:
    """One engine at one size. All of a row were measured in turn, query by query."""

    engine: str
    passages: int
    raw: Times
    whole: Times
    own: Times | None
    """OpenSearch's own hybrid query with min-max."""

    @property
    def overhead(self) -> float:
        """What the use case adds, as a share of the engine's time; the median over the queries."""
        shares = [(whole - raw) / raw for whole, raw in zip(self.whole.taken, self.raw.taken, strict=True)]
        return sorted(shares)[len(shares) // 2]


def fill(index: SearchIndex, base_id: str, passages: int) -> None:
    """Put so many passages into the engine."""
    judged, draw, noise = scifact(), random.Random(7), np.random.default_rng(7)
    words = [each.text.split() for each in judged.documents]
    for begin in range(0, passages, _A_CARD):
        chosen = [(draw.randrange(len(words)), draw.randrange(len(words))) for _ in range(_A_CARD)]
        texts = (words[one][: len(words[one]) // 2] + words[other][len(words[other]) // 2 :] for one, other in chosen)
        made = tuple(
            Passage(position, (judged.documents[one].title,), " ".join(text))
            for position, ((one, _), text) in enumerate(zip(chosen, texts, strict=True))
        )
        vectors = judged.document_vectors[[one for one, _ in chosen]] + judged.document_vectors[[o for _, o in chosen]]
        vectors += noise.normal(0, 0.02, vectors.shape).astype("f4")
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        title = judged.documents[chosen[0][0]].title
        card = Card(f"item_{begin}", base_id, SPACE, "rev_1", 1, title, str(begin), made)
        index.put(card, [Embedding(str(number), vector.tolist()) for number, vector in enumerate(vectors)])


def embedded(folder: Path, passages: int) -> Speed:
    """The embedded engine."""
    judged, shelf = scifact(), Everything()
    index = SqliteIndex(folder / f"{passages}.sqlite", model=MODEL)
    fill(index, shelf.base_.id, passages)
    speed = _measured("sqlite", passages, _searching(index, shelf, judged, passages), judged)
    index.close()
    return speed


def clustered(node: Node, passages: int) -> Speed:
    """OpenSearch, and its own hybrid query over the same index and with the same filter and number of hits."""
    judged, shelf = scifact(), Everything()
    cluster = Cluster(connect(node.url), Patience(reading_s=30, writing_s=300))
    index = OpenSearchIndex(cluster, Layout(alias=f"speed-{passages}", model=MODEL), refresh="false")
    fill(index, shelf.base_.id, passages)
    index.count([])
    # Else the server would answer from memory what the way before asked, and never what its own query asks.
    settings = {"index.requests.cache.enable": False}
    demand(cluster.call("PUT", f"/{index.layout.alias}/_settings", settings))
    searches = _searching(index, shelf, judged, passages)

    def own(number: int) -> object:
        text, vector = judged.queries[number][0], judged.query_vectors[number].tolist()
        words = asking.lexical(parse(text), _WITHIN, _LIMIT, 30)
        meaning = asking.semantic(index.layout.vector_field, vector, _WITHIN, _LIMIT, 30)
        meaning["query"]["knn"][index.layout.vector_field]["k"] = _PEERS_K  # ours looks further, and pays for it
        body = {**words, "query": {"hybrid": {"queries": [words["query"], meaning["query"]]}}}
        del body["rescore"]  # which a hybrid query cannot have
        return demand(cluster.call("POST", f"/{index.layout.alias}/_search", body, search_pipeline="minmax"))

    with pipelines(cluster):
        speed = _measured("opensearch", passages, searches, judged, own)
    cluster.call("DELETE", f"/{index.layout.first_index}")
    cluster.close()
    return speed


def _searching(index: SearchIndex, shelf: Everything, judged: Judged, passages: int) -> Ours:
    retrieve = Retrieve(index, Given.of(judged), shelf, shelf)
    return Ours(index, retrieve, a_principal({SPACE: Role.VIEWER}), passages)


def _measured(
    engine: str, passages: int, searches: Ours, judged: Judged, own: Callable[[int], object] | None = None
) -> Speed:
    def raw(number: int) -> object:
        question = Question(judged.queries[number][0], judged.query_vectors[number].tolist())
        return searches.index.search(question, _WITHIN, _LIMIT)

    def whole(number: int) -> object:
        return searches.found(judged.queries[number][0], Mode.HYBRID)

    ways = [raw, whole, *([own] if own else [])]
    taken: list[list[float]] = [[] for _ in ways]
    for number in range(-_WARM, _QUERIES):
        # In turns, and the first one another each time: what is cached by one must not always serve the same other.
        turn = number % len(ways)
        for place in [*range(turn, len(ways)), *range(turn)]:
            begin = time.perf_counter()
            ways[place](number % len(judged.queries))
            if number >= 0:
                taken[place].append((time.perf_counter() - begin) * 1000)
    times = [Times(each) for each in taken]
    return Speed(engine, passages, times[0], times[1], times[2] if own else None)
