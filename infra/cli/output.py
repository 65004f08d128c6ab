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


def show_hits(results: Sequence[Mapping[str, Any]], degraded: Mapping[str, Any] | None) -> None:
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
        console.print(f"[yellow]By words alone: {degraded['reason']}.[/yellow]")


def complain(lines: Sequence[str]) -> None:
    """Say what went wrong, on standard error."""
    for line in lines:
        errors.print(escape(line), style="red", highlight=False, soft_wrap=True)
