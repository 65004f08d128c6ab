"""Whether both engines find alike: `python -m tests.bench.search_engines`.

The judged sets of `search_quality`, lexical, on the embedded engine and on a real OpenSearch, with the difference.
Their figures are to be within .01 of each other (rule S12).
"""

import tempfile
from pathlib import Path

from chalicelib.adapters.opensearch.cluster import Cluster, Patience, connect
from chalicelib.adapters.opensearch.index import OpenSearchIndex
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.search.ports import SearchIndex
from infra.opensearch import running_opensearch
from tests.bench.search_quality import Judged, Quality, eslint, fill, quality, ranking, scifact, without_accents, xquad

ALIKE = 0.01


def measure(judged: Judged, index: SearchIndex) -> Quality:
    """The quality of the engine on the set; it is filled first."""
    fill(index, judged.documents)
    index.count([])  # a cluster makes all of it searchable now
    return quality(judged, lambda query: ranking(index, query))


def main() -> None:
    spanish = xquad("es")
    print(f"{'set':28} {'sqlite nDCG@10':>15} {'MRR':>7} {'opensearch nDCG@10':>20} {'MRR':>7} {'difference':>11}")
    with tempfile.TemporaryDirectory() as folder, running_opensearch() as node:
        for number, judged in enumerate((scifact(), spanish, without_accents(spanish), xquad("en"), eslint())):
            embedded = SqliteIndex(Path(folder) / f"{number}.sqlite")
            cluster = Cluster(connect(node.url), Patience(reading_s=30, writing_s=60))
            served = OpenSearchIndex(cluster, Layout(alias=f"bench-{number}"), refresh="false")
            one, other = measure(judged, embedded), measure(judged, served)
            apart = other.ndcg - one.ndcg
            verdict = "" if abs(apart) <= ALIKE else "  more than .01 apart"
            figures = f"{one.ndcg:15.4f} {one.mrr:7.4f} {other.ndcg:20.4f} {other.mrr:7.4f} {apart:+11.4f}"
            print(f"{judged.name:28} {figures}{verdict}", flush=True)
            embedded.close()
            served.close()


if __name__ == "__main__":
    main()
