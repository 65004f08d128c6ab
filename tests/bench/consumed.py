"""What each thing that people, agents and visitors do consumes: `python -m tests.bench.consumed`, in half a minute.

With `--write` the figures go into `docs/explanation/scale.md`; a test holds them current.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.bench.consuming import Consumption, Measured, measured

PAGE = Path(__file__).parents[2] / "docs/explanation/scale.md"
BEGIN, END = "<!-- consumed -->", "<!-- /consumed -->"


def table(rows: Sequence[Measured]) -> str:
    """The bills as Markdown."""
    lines = [
        "| what | calls of DynamoDB | read units | write units | S3 | engine | embedder | queue |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in rows:
        bill = each.bill
        others = [
            sum(many for name, many in bill.calls.items() if name.startswith(whom))
            for whom in ("engine.", "embedder.", "queue.")
        ]
        cells = [bill.round_trips, bill.reads, bill.writes, bill.objects, *others]
        lines.append(f"| {each.what} | {' | '.join(str(cell or '') for cell in cells)} |")
    return "\n".join(lines)


def told(characters: Sequence[tuple[str, int]]) -> str:
    """What a model is asked, as Markdown."""
    steps = ", ".join(f"`{name}` {many:,}" for name, many in characters)
    return f"A model is asked, in characters of prompt and schema: {steps}."


def page_with(done: Consumption, page: str) -> str:
    """The page with these figures in it."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{table(done.measured)}\n\n{told(done.chat.characters)}\n{END}{after}"


def main() -> None:
    """Print the figures, and how they come about; with `--write`, put them into the page."""
    done = measured()
    print(table(done.measured))
    for each in done.measured:
        print(f"\n{each.what}: {dict(each.bill.calls)}; written {dict(each.bill.keys)}")
    print(told(done.chat.characters))
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page_with(done, PAGE.read_text()))


if __name__ == "__main__":
    main()
