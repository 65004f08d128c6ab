"""What a person reads, or with --json a program."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

_WIDEST = 1000
"""Columns that a table may need."""

MODES = ("hybrid", "rrf", "semantic", "lexical")

console = Console()
errors = Console(stderr=True)


def show_json(value: object) -> None:
    """JSON on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def show_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], empty: str) -> None:
    """Some columns of some rows."""
    if not rows:
        console.print(empty)
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for each in columns:
        table.add_column(each.replace("_", " "), no_wrap=True)
    for row in rows:
        table.add_row(*(escape(str(row.get(each, ""))) for each in columns))
    # Wider than the window rather than folded: an id has to be copied in one piece.
    needed = Measurement.get(console, console.options.update(width=_WIDEST), table).maximum
    Console(width=max(console.width, needed)).print(table, soft_wrap=True)


def show_hits(results: Sequence[Mapping[str, Any]], degraded: Mapping[str, Any] | None, used: str) -> None:
    """What a search found."""
    if not results:
        console.print("Nothing found.")
    for number, hit in enumerate(results, start=1):
        path = " > ".join(hit["heading_path"])
        console.print(f"[bold]{number}. {escape(hit['title'])}[/bold]  [dim]{hit['score']:.3f}[/dim]", highlight=False)
        if path:
            console.print(f"   [dim]{escape(path)}[/dim]", highlight=False)
        text = " ".join(hit["content"].split())
        console.print(f"   {escape(text[:300])}{'…' if len(text) > 300 else ''}", highlight=False)  # noqa: PLR2004
        console.print(f"   [cyan]{hit['reference']}[/cyan]", highlight=False)
    if degraded:
        errors.print(f"[yellow]Ranked as {used}: {degraded['reason']}.[/yellow]", highlight=False)


def show_modes(found: Mapping[str, Mapping[str, Any]]) -> None:
    """The results of several modes side by side: score, what words and meaning gave it, title."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    for mode, answer in found.items():
        used = "" if answer["mode_used"] == mode else f" ({answer['mode_used']})"
        table.add_column(mode + used, overflow="fold", ratio=1)
    for place in range(max(len(answer["results"]) for answer in found.values())):
        cells = (_cell(answer["results"], place) for answer in found.values())
        table.add_row(str(place + 1), *cells)
    console.print(table)
    reasons = sorted({answer["degraded"]["reason"] for answer in found.values() if answer["degraded"]})
    if reasons:
        errors.print(f"[yellow]Less than asked for: {', '.join(reasons)}.[/yellow]", highlight=False)
    console.print(
        "[dim]Score, then what words and meaning gave it; scores of different modes cannot be compared.[/dim]"
    )


def _cell(results: Sequence[Mapping[str, Any]], place: int) -> str:
    if place >= len(results):
        return ""
    hit = results[place]
    explained = " ".join(f"{each:.2f}" if each is not None else "–" for each in hit["explain"].values())  # noqa: RUF001
    return f"[bold]{hit['score']:.3f}[/bold] [dim]{explained}[/dim]\n{escape(hit['title'])}"


def complain(lines: Sequence[str]) -> None:
    """Say what went wrong, on standard error."""
    for line in lines:
        errors.print(escape(line), style="red", highlight=False, soft_wrap=True)
