"""Lists: entries that name records, and the records themselves."""

from collections.abc import Callable, Sequence

from chalicelib.adapters.dynamodb.tables import Key, Row, Tables
from chalicelib.domain.writes import Page

type KeyOf = Callable[[str], Key]
"""Where the record of an id lies."""


def named[R](tables: Tables, entries: Sequence[Row], key: KeyOf, read: Callable[[Row], R]) -> tuple[R, ...]:
    """The records that the entries name, in their order, in one batched read.

    What is named and not there is being deleted for good.
    """
    ids = [str(each["listed"]) for each in entries]
    found = {str(row["pk"]): row for row in tables.batch([key(each) for each in ids])}
    return tuple(read(found[each]) for each in ids if each in found)


def page[R](
    tables: Tables, place: tuple[str, str], stretch: tuple[str | None, int], key: KeyOf, read: Callable[[Row], R]
) -> Page[R]:
    """A stretch (after, limit) of the records that a partition names under a prefix, newest first."""
    pk, prefix = place
    entries, more = tables.page(tables.records, pk, prefix, stretch)
    return Page(named(tables, entries, key, read), str(entries[-1]["listed"]) if more else None)
