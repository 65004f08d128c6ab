"""`./acervo`: bases, items, files, search and reading, over the REST API."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from infra.cli import asking, output, session
from infra.cli.admin import admin
from infra.cli.client import Client, Refused, Unreachable
from infra.cli.files import NotTaken, Source, Taken, sources
from infra.cli.putting import Outcome, Put, put

_AT_ONCE = 4
"""Files on their way at the same time."""

_KNOWLEDGE = "/api/v1/knowledge"
_REFERENCE = "knowledge:"


@dataclass(frozen=True, slots=True)
class Context:
    """What every command is given."""

    client: Client
    as_json: bool
    base_id: str | None
    page_url: str | None = None

    def base(self, named: str | None) -> str:
        """The base that is meant."""
        found = named or self.base_id
        if found is None:
            message = "Say which base is meant: --base kb_…"
            raise click.UsageError(message)
        return found


@contextmanager
def _told() -> Iterator[None]:
    """Say what the server said, and end with a status that says it too."""
    try:
        yield
    except Refused as refused:
        output.complain(list(refused.lines()))
        raise SystemExit(4 if refused.status < 500 else 5) from None  # noqa: PLR2004
    except (Unreachable, NotTaken) as fault:
        output.complain([str(fault)])
        raise SystemExit(3) from None


def _as_json(context: click.Context, _: click.Parameter, given: bool) -> None:  # noqa: FBT001 - click's signature
    if given:
        context.obj = replace(context.obj, as_json=True)


class _Command(click.Command):
    """A command that takes --json also after its name."""

    def __init__(self, *args: Any, **settings: Any) -> None:  # noqa: ANN401 - click's own
        super().__init__(*args, **settings)
        after = click.Option(["--json"], is_flag=True, expose_value=False, callback=_as_json, help="Print JSON.")
        self.params.append(after)


class _Group(click.Group):
    command_class = _Command


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--url", envvar="ACERVO_URL", help="Address of the API; the laptop cloud's if left out.")
@click.option("--token", envvar="ACERVO_TOKEN", help="Access token; better given as ACERVO_TOKEN.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def cli(context: click.Context, url: str | None, token: str | None, *, as_json: bool) -> None:
    """Put, publish, search and read knowledge.

    Ends with 0; 2 for a mistake in the command, 3 if nothing answers or a file cannot be taken, 4 if the server
    refuses, 5 if it fails.
    """
    kept = session.load()
    address, bearer = url or (kept.url if kept else None), token or (kept.token if kept else None)
    if context.invoked_subcommand == "admin":
        return
    if not address or not bearer:
        message = "No server known. Run `make up`, or set ACERVO_URL and ACERVO_TOKEN."
        raise click.UsageError(message)
    base_id = kept.base_id if kept and not url else None  # another server has other bases
    page_url = kept.page_url if kept and not url else None
    context.obj = Context(Client(address, bearer), as_json, base_id, page_url)


@cli.command()
@click.pass_obj
def whoami(context: Context) -> None:
    """Show whom the token stands for."""
    with _told():
        me = context.client.call("GET", "/api/v1/me")
    if context.as_json:
        output.show_json(me)
    else:
        output.show_table([me], ["user_id", "name", "personal_space_id"], "")


@cli.command()
@click.pass_obj
def bases(context: Context) -> None:
    """List the bases you can see."""
    with _told():
        found = list(context.client.pages(f"{_KNOWLEDGE}/bases", "bases"))
    if context.as_json:
        output.show_json(found)
    else:
        output.show_table(found, ["id", "name", "status", "space_id"], "No bases yet.")


@cli.command("create-base")
@click.argument("name")
@click.option("--space", help="The space it is made in; your personal one if left out.")
@click.option("--description", default="")
@click.pass_obj
def create_base(context: Context, name: str, space: str | None, description: str) -> None:
    """Make a base."""
    with _told():
        space_id = space or context.client.call("GET", "/api/v1/me")["personal_space_id"]
        body = {"space_id": space_id, "name": name, "description": description}
        made = context.client.call("POST", f"{_KNOWLEDGE}/bases", body)
    if context.as_json:
        output.show_json(made)
    else:
        output.show_table([made], ["id", "name", "status"], "")


@cli.command()
@click.option("--base", help="Which base; the sample base of the laptop cloud if left out.")
@click.option("--status", type=click.Choice(["draft", "published", "archived"]))
@click.pass_obj
def items(context: Context, base: str | None, status: str | None) -> None:
    """List the items of a base."""
    with _told():
        path = f"{_KNOWLEDGE}/bases/{context.base(base)}/items"
        found = list(context.client.pages(path, "items", {"status": status} if status else {}))
    if context.as_json:
        output.show_json(found)
    else:
        output.show_table(found, ["id", "title", "locator", "status", "current_revision_number"], "No items yet.")


@cli.command("put")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--base", help="Which base; the sample base of the laptop cloud if left out.")
@click.option("--publish", is_flag=True, help="Publish what is still a draft.")
@click.pass_obj
def put_files(context: Context, paths: tuple[Path, ...], base: str | None, *, publish: bool) -> None:
    """Put files, or folders of them, into a base; a file put before becomes a new revision of its item.

    Takes text, code, PDF and Office files. Folders are searched for all of these; hidden files are passed over.
    """
    base_id = context.base(base)
    with _told():
        taken = Taken.of(context.client.call("GET", "/api/v1/limits"))
        wanted = list(sources(paths, taken))
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with (
            Progress(*columns, console=output.errors, disable=context.as_json) as progress,
            ThreadPoolExecutor(_AT_ONCE) as pool,
        ):
            bars = Bars(progress)
            running = pool.map(lambda each: bars.putting(context.client, base_id, each, publish=publish), wanted)
            done = list(progress.track(running, total=len(wanted), description="Putting files"))
    if context.as_json:
        output.show_json([each.as_json() for each in done])
    else:
        output.complain([f"{each.source.path}: {each.why}" for each in done if each.outcome is Outcome.FAILED])
        counts = Counter(each.outcome.value for each in done)
        output.console.print(", ".join(f"{counts[each.value]} {each.value}" for each in Outcome))
    if any(each.outcome is Outcome.FAILED for each in done):
        raise SystemExit(4)


@dataclass(slots=True)
class Bars:
    """A bar for each document that is being read, beside the one for all files."""

    progress: Progress

    def putting(self, client: Client, base_id: str, source: Source, *, publish: bool) -> Put:
        """Put a file, and show how far it is if that takes a while."""
        if not source.kind.uploaded:
            return put(client, base_id, source, publish=publish)
        task = self.progress.add_task(escape(source.path.name), total=None)

        def watch(_: Source, done: int, total: int) -> None:
            self.progress.update(task, completed=done, total=total or None)

        try:
            return put(client, base_id, source, publish=publish, watch=watch)
        finally:
            self.progress.remove_task(task)


def _move(name: str, says: str) -> None:
    @cli.command(name, help=says)
    @click.argument("item_ids", nargs=-1, required=True, metavar="ITEM...")
    @click.pass_obj
    def move(context: Context, item_ids: tuple[str, ...]) -> None:
        with _told():
            moved = [context.client.call("POST", f"{_KNOWLEDGE}/items/{each}/{name}") for each in item_ids]
        if context.as_json:
            output.show_json(moved)
        else:
            output.show_table(moved, ["id", "title", "status"], "")


_move("publish", "Make items findable.")
_move("withdraw", "Make published items drafts again.")
_move("archive", "Put items away.")
_move("restore", "Bring archived items back.")


@cli.command()
@click.argument("query")
@click.option("--mode", type=click.Choice(output.MODES), help="hybrid if left out.")
@click.option("--base", help="Search only this base.")
@click.option("--max-results", type=click.IntRange(1, 50), default=5, show_default=True)
@click.pass_obj
def search(context: Context, query: str, mode: str | None, base: str | None, max_results: int) -> None:
    """Search what is published and current."""
    body: dict[str, Any] = {"query": query, "max_results": max_results, **({"mode": mode} if mode else {})}
    with _told():
        found = context.client.call(
            "POST", f"{_KNOWLEDGE}/search", {**body, **({"knowledge_base_id": base} if base else {})}
        )
    if context.as_json:
        output.show_json(found)
    else:
        output.show_hits(found["results"], found["degraded"], found["mode_used"])


@cli.command()
@click.argument("query")
@click.option("--base", help="Search only this base.")
@click.option(
    "--alpha", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="What words count in hybrid."
)
@click.option("--rrf-k", type=click.IntRange(1, 1000), default=60, show_default=True)
@click.option("--max-results", type=click.IntRange(1, 50), default=5, show_default=True)
@click.pass_obj
def playground(context: Context, query: str, base: str | None, alpha: float, rrf_k: int, max_results: int) -> None:
    """Rank the same query in all four modes, side by side, with scores."""
    body: dict[str, Any] = {"query": query, "alpha": alpha, "rrf_k": rrf_k, "max_results": max_results}
    if base:
        body["knowledge_base_id"] = base
    with _told():
        found = {
            mode: context.client.call("POST", f"{_KNOWLEDGE}/search", {**body, "mode": mode}) for mode in output.MODES
        }
    if context.as_json:
        output.show_json(found)
    else:
        output.show_modes(found)


@cli.command()
@click.argument("address", metavar="REFERENCE|ITEM")
@click.option("--offset", type=click.IntRange(0), default=0)
@click.option("--limit-chars", type=click.IntRange(1, 10_000), default=4000, show_default=True)
@click.pass_obj
def read(context: Context, address: str, offset: int, limit_chars: int) -> None:
    """Read a revision by its reference, or an item's current one."""
    item_id, _, revision_id = address.removeprefix(_REFERENCE).partition("@")
    body: dict[str, Any] = {"knowledge_item_id": item_id, "offset": offset, "limit_chars": limit_chars}
    with _told():
        found = context.client.call(
            "POST", f"{_KNOWLEDGE}/search", {**body, **({"knowledge_revision_id": revision_id} if revision_id else {})}
        )
    if context.as_json:
        output.show_json(found)
        return
    click.echo(found["content"], nl=False)
    if found["next_offset"] is not None:
        output.errors.print(f"… {found['total_chars']} characters in all; go on with --offset {found['next_offset']}")


@cli.command()
@click.argument("item_id", metavar="ITEM")
@click.pass_obj
def history(context: Context, item_id: str) -> None:
    """List an item's revisions."""
    with _told():
        found = list(context.client.pages(f"{_KNOWLEDGE}/items/{item_id}/revisions", "revisions"))
    if context.as_json:
        output.show_json(found)
    else:
        output.show_table(found, ["number", "reference", "created_at", "size_bytes"], "")


@cli.command()
@click.argument("questions", nargs=-1, required=True, metavar="QUESTION...")
@click.option("--page", help="Address of the page, which ends in /p/<page id>; the sample page's if left out.")
@click.pass_obj
def ask(context: Context, questions: tuple[str, ...], page: str | None) -> None:
    """Ask a public page as a visitor would; several questions are one conversation."""
    page_url = page or context.page_url
    if page_url is None:
        message = "Say which page is asked: --page https://…/p/page_…"
        raise click.UsageError(message)
    with _told():
        asking.told(page_url, questions, as_json=context.as_json)


cli.add_command(admin)

if __name__ == "__main__":
    cli(prog_name="acervo")
