"""What whoever runs this Acervo does, directly on its tables and with their own AWS credentials."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import click

from chalicelib.access.accounts import operator_for
from chalicelib.access.scopes import Scope
from chalicelib.access.tokens import NewToken
from chalicelib.domain.errors import KnownError, NotFound, SearchUnavailable
from chalicelib.search.ports import EmbeddingsUnavailable
from chalicelib.search.rebuilding import Progress
from chalicelib.settings import BadSettings
from chalicelib.wiring import services, settings
from infra.cli import session
from infra.cli.signing_in import link_to


@click.group()
@click.option(
    "--session",
    "kept_at",
    type=click.Path(path_type=Path),
    default=session.HERE,
    help="What `make up` has kept; this checkout's if left out.",
)
@click.pass_context
def admin(context: click.Context, kept_at: Path) -> None:
    """Make accounts, first tokens, links to sign in with; switch knowledge on and off; mend the index, or make it anew.

    Works on the tables that ACERVO_RECORDS_TABLE and its like name, with the AWS credentials of the environment; on
    those of the laptop cloud if none are named.
    """
    kept = session.load(kept_at)
    if "ACERVO_RECORDS_TABLE" not in os.environ and kept is not None:
        os.environ.update(kept.environment)
        context.obj = kept.url
    try:
        settings()
    except BadSettings as bad:
        raise click.ClickException(str(bad)) from None


@admin.command("create-account")
@click.argument("name")
@click.option("--expires-in-days", type=click.IntRange(1), help="When the first token ends; never if left out.")
def create_account(name: str, expires_in_days: int | None) -> None:
    """Make an account with a token of every scope, printed this once."""
    wired = services()
    account = wired.create_account(name)
    expires_in = timedelta(days=expires_in_days) if expires_in_days else None
    issued = wired.issue_token(operator_for(account), NewToken("first", frozenset(Scope), expires_in=expires_in))
    click.echo(f"user   {account.user_id}\nspace  {account.personal_space_id}\ntoken  {issued.bearer}")


@admin.command("link")
@click.option("--user", "user_id", required=True, help="Who is to be signed in.")
@click.option("--url", envvar="ACERVO_URL", help="Address of the deployment; the laptop cloud's if left out.")
@click.pass_obj
def link(laptop: str | None, user_id: str, url: str | None) -> None:
    """Make a link that signs somebody in with a browser, once, within ten minutes; printed this once.

    Whoever has it is that person, with every scope: send it where only they read it.
    """
    where = url or laptop
    if where is None:
        message = "Say where the deployment is: --url https://…"
        raise click.ClickException(message)
    try:
        click.echo(link_to(where, services().entrance.make_link(user_id)))
    except KnownError as fault:
        raise click.ClickException(str(fault)) from None


@admin.command("knowledge")
@click.argument("switch", type=click.Choice(["on", "off"]))
@click.argument("user_id")
def knowledge(switch: str, user_id: str) -> None:
    """Switch knowledge on or off for an account."""
    try:
        services().keys.set_knowledge(user_id, enabled=switch == "on")
    except NotFound:
        message = f"There is no account {user_id}."
        raise click.ClickException(message) from None


@admin.command("reconcile")
@click.option("--look-only", is_flag=True, help="Mend nothing.")
def reconcile(*, look_only: bool) -> None:
    """Compare the search index with the table, print what differs, and mend the index.

    The deployed stack does it every night.
    """
    with _search():
        if reason := services().reindex.reason():
            message = f"{reason} Make it anew: `acervo admin reindex`."
            raise click.ClickException(message)
        drift = services().reconcile(repair=not look_only)
    found = {
        "missing": drift.missing,
        "outdated": drift.outdated,
        "shown though not published": drift.shown,
        "left over": drift.leftover,
        "without all vectors": drift.unembedded,
    }
    for kind, items in found.items():
        for item_id in items:
            click.echo(f"{item_id}  {kind}")
    click.echo(
        f"{drift.compared} items compared; " + ", ".join(f"{len(items)} {kind}" for kind, items in found.items())
    )


@admin.command("reindex")
def reindex() -> None:
    """Make a new search index from the table; the old one answers until the new one is whole.

    For an index of another version, and after another embedding model was chosen. Nobody else may do it at the same
    time.
    """
    with _search(), click.progressbar(length=0, label="Indexing", file=sys.stderr) as bar:

        def tell(progress: Progress) -> None:
            bar.label = f"{progress.items} items, {progress.passages} passages, {progress.embedded} embedded"
            bar.update(0)

        done = services().reindex(tell)
        records = services().notebook.reindex()
    click.echo(f"{done.items} items in {done.passages} passages; {done.embedded} embedded anew")
    click.echo(f"{records} records of memory")


@admin.command("fuse")
@click.argument("what", type=click.Choice(["show", "blow", "mend"]), default="show")
def fuse(what: str) -> None:
    """Show the daily fuse of public pages, blow it (no question is answered until it is mended), or mend it.

    Mended, it has a whole day's allowance again.
    """
    operate, allowance = services().operate_fuse, services().allowance
    standing = {"show": operate.show, "blow": operate.blow, "mend": operate.mend}[what]()
    used, counted = standing.used, standing.counted
    state = "blown by an operator" if standing.blown else "holds"
    if not standing.blown and (counted.turns >= allowance.turns or counted.tokens >= allowance.tokens):
        state = "blown: the day's allowance is used up"
    click.echo(f"{standing.day} (UTC): {state}")
    click.echo(f"turns   {counted.turns} of {allowance.turns} ({used.turns} all day)")
    click.echo(f"tokens  {counted.tokens} of {allowance.tokens} ({used.tokens} all day)")


@contextmanager
def _search() -> Iterator[None]:
    """What keeps the engine or the embedder from answering, in a sentence."""
    try:
        yield
    except SearchUnavailable as fault:
        message = f"The search engine does not answer: {fault.__cause__ or 'ACERVO_SEARCH names none.'}"
        raise click.ClickException(message) from None
    except (KnownError, EmbeddingsUnavailable) as fault:
        raise click.ClickException(str(fault)) from None
