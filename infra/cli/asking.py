"""`./acervo ask`: a public page's answer, as it comes."""

import time
from collections.abc import Iterator
from typing import Any

import click

from infra.cli import output
from infra.cli.client import Refused
from infra.cli.visitor import Visitor


def told(page_url: str, questions: tuple[str, ...], *, as_json: bool) -> None:
    """Ask the questions, one after the other in one conversation, and print what comes."""
    with Visitor(page_url) as visitor:
        for question in questions:
            if len(questions) > 1 and not as_json:
                click.secho(f"\n{question}", bold=True)
            for chunk in _patiently(visitor, question):
                if as_json:
                    output.show_json(chunk)
                else:
                    _show(chunk)


def _patiently(visitor: Visitor, question: str) -> Iterator[dict[str, Any]]:
    """The answer; asked once more if the question before was a moment ago."""
    try:
        yield from visitor.ask(question)
    except Refused as refused:
        if refused.code != "cooling_down":
            raise
        time.sleep(float(refused.problem["retry_after"]))
        yield from visitor.ask(question)


def _show(chunk: dict[str, Any]) -> None:
    match chunk["type"]:
        case "data-progress":
            output.errors.print(f"… {chunk['data']['line']}", highlight=False, markup=False)
        case "text-delta":
            click.echo(chunk["delta"], nl=False)
        case "text-end":
            click.echo()
        case "data-section":
            _section(chunk["data"])
        case "error":
            output.complain([chunk["errorText"]])


def _section(section: dict[str, Any]) -> None:
    click.secho(f"\n[{section['component']}]", dim=True)
    for depth, line in _lines(section["props"], 0):
        click.echo("  " * depth + line)
    for source in section.get("sources", ()):
        click.secho(f"  {source}", dim=True)


def _lines(props: Any, depth: int) -> Iterator[tuple[int, str]]:  # noqa: ANN401 - JSON
    """Whatever a component holds, as lines of text."""
    if isinstance(props, dict):
        for each in props.values():
            yield from _lines(each, depth)
    elif isinstance(props, list):
        for each in props:
            yield from _lines(each, depth + 1)
    elif props is not None:
        yield depth, str(props)
