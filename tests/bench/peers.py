"""Others that search, on the same sets with the same vectors: bm25s, LanceDB, and OpenSearch's own hybrid query."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import batched
from pathlib import Path
from typing import Any

from chalicelib.adapters.opensearch.cluster import Cluster, Patience, connect, demand
from infra.opensearch import Node
from tests.bench.judged import DEPTH, Judged

type Search = Callable[[int], Sequence[str]]
"""Is told the number of a query, and gives ids of documents, best first."""

_WIDE = 60
"""Candidates of each leg."""
_LANGUAGES = {"es": "spanish", "en": "english"}


def language(judged: Judged) -> str:
    """The language of a set's documents, in which the peers are set up."""
    return _LANGUAGES["es" if "→es" in judged.name else "en"]


def bm25s(judged: Judged) -> Mapping[str, Search]:
    """X. Lù: BM25S, 2024: with the stemmer and the stop words of the language."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer(language(judged))
    settings = {"stopwords": language(judged)[:2].replace("sp", "es"), "stemmer": stemmer, "show_progress": False}
    texts = [f"{each.title}\n{each.text}" for each in judged.documents]
    retriever = bm25s.BM25()
    retriever.index(bm25s.tokenize(texts, **settings), show_progress=False)

    def search(number: int) -> Sequence[str]:
        asked = bm25s.tokenize([judged.queries[number][0]], **settings)
        found, _ = retriever.retrieve(asked, k=min(DEPTH, len(texts)), show_progress=False, n_threads=1)
        return [judged.documents[place].id for place in found[0]]

    return {"bm25s": search}


def lancedb(judged: Judged, folder: Path) -> Mapping[str, Search]:
    """LanceDB with its own full-text index in the language, and the two rerankers that need no model."""
    import lancedb
    from lancedb.rerankers import LinearCombinationReranker, RRFReranker

    rows = [
        {"id": each.id, "text": f"{each.title}\n{each.text}", "vector": vector.tolist()}
        for each, vector in zip(judged.documents, judged.document_vectors, strict=True)
    ]
    table = lancedb.connect(str(folder)).create_table("documents", rows)
    table.create_fts_index("text", language=language(judged).capitalize(), stem=True, remove_stop_words=True)

    def hybrid(reranker: Any) -> Search:
        def search(number: int) -> Sequence[str]:
            text = "".join(each if each.isalnum() else " " for each in judged.queries[number][0])
            query = table.search(query_type="hybrid").vector(judged.query_vectors[number]).text(text)
            found = query.distance_type("cosine").rerank(reranker).limit(_WIDE).to_list()
            return [each["id"] for each in found]

        return search

    return {
        "LanceDB hybrid, RRF": hybrid(RRFReranker()),
        "LanceDB hybrid, linear": hybrid(LinearCombinationReranker(weight=0.5)),
    }


_PIPELINES: Mapping[str, dict[str, Any]] = {
    "minmax": {
        "phase_results_processors": [
            {
                "normalization-processor": {
                    "normalization": {"technique": "min_max"},
                    "combination": {"technique": "arithmetic_mean", "parameters": {"weights": [0.5, 0.5]}},
                }
            }
        ]
    },
    "rrf": {"phase_results_processors": [{"score-ranker-processor": {"combination": {"technique": "rrf"}}}]},
}


@contextmanager
def pipelines(cluster: Cluster) -> Iterator[None]:
    """OpenSearch's own ways to make one ranking of two, as search pipelines `minmax` and `rrf`."""
    for name, body in _PIPELINES.items():
        demand(cluster.call("PUT", f"/_search/pipeline/{name}", body))
    yield


@contextmanager
def own_hybrid(judged: Judged, node: Node) -> Iterator[Mapping[str, Search]]:
    """OpenSearch by its own means: an analyser of the language, HNSW, and its `hybrid` query."""
    cluster = Cluster(connect(node.url), Patience(reading_s=60, writing_s=120))
    name = "peer"
    text = {"type": "text", "analyzer": language(judged)}
    method = {"name": "hnsw", "space_type": "cosinesimil", "engine": "lucene"}
    vector = {"type": "knn_vector", "dimension": judged.document_vectors.shape[1], "method": method}
    fields = {"title": text, "text": text, "vector": vector}
    body = {"settings": {"index": {"knn": True, "number_of_replicas": 0}}, "mappings": {"properties": fields}}
    demand(cluster.call("PUT", f"/{name}", body))
    try:
        for some in batched(_rows(judged), 500):
            cluster.bulk([({"index": {"_id": number}}, row) for number, row in some], 120, index=name)
        demand(cluster.call("POST", f"/{name}/_refresh"))
        with pipelines(cluster):
            yield {
                f"OpenSearch hybrid, {pipeline}": _asking(cluster, name, judged, pipeline) for pipeline in _PIPELINES
            }
    finally:
        cluster.call("DELETE", f"/{name}")
        cluster.close()


def _rows(judged: Judged) -> Iterable[tuple[int, dict[str, object]]]:
    for number, (document, vector) in enumerate(zip(judged.documents, judged.document_vectors, strict=True)):
        yield number, {"title": document.title, "text": document.text, "vector": vector.tolist()}


def _asking(cluster: Cluster, name: str, judged: Judged, pipeline: str) -> Search:
    def search(number: int) -> Sequence[str]:
        words = {"multi_match": {"query": judged.queries[number][0], "fields": ["title", "text"]}}
        vector = judged.query_vectors[number].tolist()
        queries = [words, {"knn": {"vector": {"vector": vector, "k": 100}}}]
        body = {"query": {"hybrid": {"queries": queries}}, "size": _WIDE, "_source": False}
        answer = demand(cluster.call("POST", f"/{name}/_search", body, search_pipeline=pipeline))
        return [judged.documents[int(hit["_id"])].id for hit in answer["hits"]["hits"]]

    return search
