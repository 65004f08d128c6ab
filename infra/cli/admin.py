"""What whoever runs this Acervo does, directly on its tables and with their own AWS credentials."""

import os
from datetime import timedelta
from pathlib import Path

import click

from chalicelib.access.accounts import operator_for
from chalicelib.access.scopes import Scope
from chalicelib.access.tokens import NewToken
from chalicelib.domain.errors import NotFound
from chalicelib.settings import BadSettings
from chalicelib.wiring import services, settings
from infra.cli import session


@click.group()
@click.option(
    "--session",
    "kept_at",
    type=click.Path(path_type=Path),
    default=session.HERE,
    help="What `make up` has kept; this checkout's if left out.",
)
def admin(kept_at: Path) -> None:
    """Make accounts and their first tokens; switch knowledge on and off.

    Works on the tables that ACERVO_RECORDS_TABLE and its like name, with the AWS credentials of the environment; on
    those of the laptop cloud if none are named.
    """
    kept = session.load(kept_at)
    if "ACERVO_RECORDS_TABLE" not in os.environ and kept is not None:
        os.environ.update(kept.environment)
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
