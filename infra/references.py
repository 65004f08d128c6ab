"""Writes the pages of `docs/reference/` that are made from the code: `make docs`. A test holds them current."""

import dataclasses
import inspect
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from chalicelib.api.errors import STATUS
from chalicelib.api.rest.openapi import document
from chalicelib.api.rest.table import OPEN_ROUTES, ROUTES
from chalicelib.domain.errors import IllegalMove, KnownError
from chalicelib.settings import PREFIX, Settings

FOLDER = Path(__file__).parents[1] / "docs" / "reference"

_ERRORS = """# Errors
Every error is an RFC 9457 problem (`application/problem+json`) with `type`, `title`, `status`, `detail`, `code`,
`request_id`, and the facts listed below. The `code` is stable; the sentence in `detail` may change. What is not listed
is `internal_error` with a request id and no details. 503s come with `Retry-After` and can be sent again; with an
`Idempotency-Key` that is always safe.
"""

_SETTINGS = f"""# Settings
Read once, when a process begins, from the environment; every value that cannot be used is reported together. An empty
value counts as not set. A name that begins with `{PREFIX}` and is not listed here is refused, so that a slip of the pen
does not go unnoticed; `ACERVO_URL` and `ACERVO_TOKEN` (the command line's) and `ACERVO_PORT` (the laptop's) may be
there and mean nothing to it. AWS's own variables (`AWS_REGION`, `AWS_ENDPOINT_URL`, …) are read by boto3.

| variable | default | meaning |
|---|---|---|
"""


def errors() -> str:
    """A heading for each error, with its status, what happened, what to do, and its facts."""
    sections = [
        _section(error, status) for error, status in sorted(STATUS.items(), key=lambda row: (row[1], row[0].code))
    ]
    return _ERRORS + "\n" + "\n".join(sections)


def _section(error: type[KnownError], status: int) -> str:
    names = ("from", "to") if error is IllegalMove else [each.name for each in dataclasses.fields(error)]  # type: ignore[arg-type]
    facts = "\nFacts: " + ", ".join(f"`{name}`" for name in names) + ".\n" if names else ""
    return f"## {error.code}\n**{status}.** {inspect.getdoc(error)}\n\n> {error.advice}\n{facts}"


def settings() -> str:
    """A row for each setting."""
    rows = [
        f"| `{PREFIX}{name.upper()}` | `{field.default}` | {field.description} |\n"
        for name, field in Settings.model_fields.items()
    ]
    return _SETTINGS + "".join(rows)


def openapi() -> str:
    """The document that every deployment serves at `/openapi.json`."""
    return json.dumps(json.loads(document(ROUTES, OPEN_ROUTES)), indent=1, ensure_ascii=False) + "\n"


PAGES: Mapping[str, Callable[[], str]] = {"errors.md": errors, "openapi.json": openapi, "settings.md": settings}

if __name__ == "__main__":
    for name, write in PAGES.items():
        (FOLDER / name).write_text(write())
