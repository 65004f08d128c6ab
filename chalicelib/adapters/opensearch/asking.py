"""What is asked of the server for a search, and what its answer says."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from itertools import batched
from typing import Any

from chalicelib.adapters.opensearch.cluster import BUSY, ClusterFault, kind_of
from chalicelib.adapters.opensearch.documents import UNIT
from chalicelib.adapters.opensearch.layout import K1
from chalicelib.search.ports import Candidate, Passage, Vector, Within
from chalicelib.search.query import Query

type Body = dict[str, Any]

SHOWN = ["item_id", "base_id", "space_id", "revision_id", "position", "heading_path", "content", "digest"]
"""What comes back of a passage."""
BREADTH = 500
"""Passages that the search for neighbours looks at, at least: Lucene looks no further than it is asked for. Of the
nearest thirty of 10,000 it finds 92 % with a hundred, 99.5 % with so many (decision record 0016). Where a search may
see no more passages than this, Lucene compares all of them."""
_SCALE = (1 + K1) / (1 + K1 * UNIT)
"""Scores are then on the scale of the embedded engine. The server multiplies them by k1 + 1, where k1 is the field's,
in the units of its counts (OpenSearch: `LegacyBM25Similarity`)."""
_SEQUENCE = 0.5
"""What a sequence counts: Lucene takes one for as rare as its words together, which are rarer than it is."""
_WINDOW = 60
"""Passages that are judged by sequences, at least. Those are slow to look for, and are worth little by themselves."""
_DEEPEST = 10_000
"""The server gives no more."""
_TERMS = 65_536
"""The server takes no more of them at a time."""
_WORDS = 256
_SEQUENCES = 32
_PAIRS = 8
_LONG = 8
"""Of a long query that are looked for: the longest words, which are the rarer ones, and the first sequences, none of
more than so many words: that occurs nowhere, and takes the longest to look for."""


def lexical(query: Query, within: Within, limit: int, budget_s: float) -> Body:
    """The best passages for the words; those that are best by single words are then judged by sequences too."""
    words = longest((*query.terms, *query.stems))
    asked = {
        "filter": _scope(within),
        "must": [{"match": {"terms": {"query": " ".join(words)}}}, *map(_required, query.required[:_SEQUENCES])],
        "boost": _SCALE,
    }
    body = _body({"bool": asked}, limit, budget_s)
    chains = [each for each in query.chains if len(each) <= _LONG]
    sequences = [*chains[:_SEQUENCES], *query.pairs[:_PAIRS]]
    if sequences:
        ordered = {"bool": {"should": [_sequence("sequences", each, _SEQUENCE * _SCALE) for each in sequences]}}
        body["rescore"] = {
            "window_size": min(max(_WINDOW, limit), _DEEPEST),
            "query": {"rescore_query": ordered, "score_mode": "total"},
        }
    return body


def semantic(field: str, vector: Vector, within: Within, limit: int, budget_s: float) -> Body:
    """The passages whose vectors are nearest by cosine."""
    wide = max(BREADTH, limit)
    asked = {"vector": list(vector), "k": min(wide, _DEEPEST), "filter": {"bool": {"filter": _scope(within)}}}
    return _body({"knn": {field: asked}}, limit, budget_s)


def _body(query: Body, limit: int, budget_s: float) -> Body:
    return {
        "query": query,
        "size": min(limit, _DEEPEST),
        "_source": SHOWN,
        "track_total_hits": False,
        "timeout": timeout(budget_s),
    }


def timeout(budget_s: float) -> str:
    """After which the server gives up, as it writes it."""
    return f"{max(1, int(budget_s * 1000))}ms"


def longest(words: tuple[str, ...]) -> tuple[str, ...]:
    """Those words that are looked for."""
    return words if len(words) <= _WORDS else tuple(sorted(words, key=len, reverse=True)[:_WORDS])


def _scope(within: Within) -> list[Body]:
    scope: list[Body] = [{"terms": {"space_id": sorted(within.spaces)}}]
    if within.base_id is not None:
        scope.append({"term": {"base_id": within.base_id}})
    if within.only:
        named = sorted(within.only)
        scope.append({"bool": {"should": [{"terms": {"item_id": named}}, {"terms": {"base_id": named}}]}})
    if within.without:
        hidden = [list(some) for some in batched(sorted(within.without), _TERMS)]
        fields = ("item_id", "base_id")
        scope.append({"bool": {"must_not": [{"terms": {field: some}} for field in fields for some in hidden]}})
    return scope


def _required(phrase: Iterable[str]) -> Body:
    parts = tuple(phrase)
    return {"bool": {"should": [_sequence(field, parts, 1.0) for field in ("sequences", "about")]}}


def _sequence(field: str, parts: Iterable[str], boost: float) -> Body:
    return {"match_phrase": {field: {"query": " ".join(parts), "boost": boost}}}


def candidates(answer: Mapping[str, Any], *, cosine: bool) -> tuple[Candidate, ...]:
    """The passages of one answer, best first; none where there is no index yet. Raises ClusterFault.

    With `cosine`, scores are what the server made of cosines, and are made cosines again.

    An empty answer without an index is the truth: nothing has been indexed. Losing an index is noticed by what
    compares it with the table, not by searches.
    """
    kind = kind_of(answer)
    if kind == "index_not_found_exception":
        return ()
    status = int(answer.get("status", 200))
    if kind or "hits" not in answer:
        raise ClusterFault(f"{status} {kind}", passing=status in BUSY, refused=status == HTTPStatus.BAD_REQUEST)
    if answer.get("timed_out") or answer.get("_shards", {}).get("failed"):
        raise ClusterFault("Some shards did not answer in time", passing=True)
    hits = answer["hits"]["hits"]
    return tuple(_candidate(hit["_source"], 2 * hit["_score"] - 1 if cosine else hit["_score"]) for hit in hits)


def _candidate(source: Mapping[str, Any], score: float) -> Candidate:
    passage = Passage(source["position"], tuple(source.get("heading_path", ())), source["content"])
    return Candidate(
        source["item_id"],
        source["base_id"],
        source["space_id"],
        source["revision_id"],
        passage,
        float(score),
        embedded="digest" in source,
    )
