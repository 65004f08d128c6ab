"""Exports and closures of accounts in DynamoDB."""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, fields

from chalicelib.access.ports import Account
from chalicelib.adapters.dynamodb import lists, memory_rows
from chalicelib.adapters.dynamodb.knowledge import UNCHANGED, changed, clash, gone
from chalicelib.adapters.dynamodb.rows import maybe, moment, stamp
from chalicelib.adapters.dynamodb.tables import Key, Row, Tables, delete, new, put
from chalicelib.domain.accounts import Closure, ClosureStatus, Export, ExportStatus, Gone, Leftover

_OWN = frozenset({"page", "memory", "todo", "project", "token", "taken", "subject"})
"""Entries whose records go with them. What somebody remembered in a team is the team's."""


@dataclass(frozen=True, slots=True)
class DynamoExports:
    """The port `ExportStore` over the table `records`."""

    tables: Tables

    def add_export(self, export: Export) -> None:
        """Write a new export."""
        entry = {"pk": export.user_id, "sk": f"taken#{export.id}", "listed": export.id}
        self.tables.transact([new(self.tables.records, each, clash) for each in (_export_row(export), entry)])

    def export(self, export_id: str) -> Export | None:
        """The export, or None."""
        row = self.tables.get(self.tables.records, _export_key(export_id))
        return _export(row) if row else None

    def exports(self, user_id: str) -> tuple[Export, ...]:
        """The exports of an account, newest first."""
        entries = list(self.tables.query(self.tables.records, user_id, "taken#", ScanIndexForward=False))
        return lists.named(self.tables, entries, _export_key, _export)

    def finish_export(self, export: Export) -> None:
        """Replace an export that is there."""
        self.tables.transact([put(self.tables.records, _export_row(export), "attribute_exists(pk)", {}, gone)])


@dataclass(frozen=True, slots=True)
class DynamoClosures:
    """The port `ClosureStore` over the table `records`."""

    tables: Tables

    def bury_account(self, account: Account, closure: Closure) -> Closure:
        """Remove the account's record and write the closure, in one transaction."""
        records, key = self.tables.records, {"pk": account.user_id, "sk": "account"}
        entry = {**_entry(closure.id), "listed": closure.id}
        self.tables.transact(
            [
                delete(records, key, "attribute_exists(pk)", {}, gone),
                new(records, _closure_row(closure), clash),
                new(records, entry, clash),
            ]
        )
        return closure

    def closure(self, closure_id: str) -> Closure | None:
        """The closure, or None."""
        row = self.tables.get(self.tables.records, _closure_key(closure_id))
        return _closure(row) if row else None

    def open_closures(self) -> tuple[Closure, ...]:
        """The closures that are not settled."""
        entries = self.tables.query(self.tables.records, "closures")
        return tuple(map(_closure, self.tables.batch([_closure_key(str(each["listed"])) for each in entries])))

    def advance_closure(self, before: Closure, after: Closure) -> Closure:
        """Replace a closure that still is at `before`'s version."""
        records, seen = self.tables.records, {":version": before.version}
        writes = [put(records, _closure_row(after), UNCHANGED, seen, changed(before.version))]
        if after.status is ClosureStatus.SETTLED:
            writes.append(delete(records, _entry(after.id), "attribute_exists(pk)", {}, gone))
        self.tables.transact(writes)
        return after

    def leftovers(self, owner: str, kinds: Collection[str], limit: int) -> tuple[Leftover, ...]:
        """Some entries of those kinds that a space or person has left."""
        found: list[Leftover] = []
        for kind in kinds:
            rows, _ = self.tables.page(
                self.tables.records, owner, f"{kind}#", (None, limit - len(found)), ("pk", "sk", "listed")
            )
            found += [Leftover(row["pk"], row["sk"], row.get("listed")) for row in rows]
            if len(found) == limit:
                break
        return tuple(found)

    def erase_listed(self, leftovers: Iterable[Leftover]) -> None:
        """Remove the records that the entries list, and other entries of these records elsewhere."""
        for each in leftovers:
            if each.listed is None or each.kind not in _OWN:
                continue
            if each.kind == "memory":
                self._unlist_at_author(each.listed)
            self.erase_owner(each.listed)

    def _unlist_at_author(self, memory_id: str) -> None:
        row = self.tables.get(self.tables.records, memory_rows.memory_key(memory_id))
        if row is not None:
            author = str(row["source"]["user_id"])
            self.tables.delete(self.tables.records, memory_rows.author_entry(author, memory_id))

    def unlist(self, leftovers: Iterable[Leftover]) -> None:
        """Remove the entries themselves."""
        for each in leftovers:
            self.tables.delete(self.tables.records, {"pk": each.pk, "sk": each.sk})

    def erase_owner(self, owner: str) -> None:
        """Remove whatever is left under an id."""
        for row in self.tables.query(self.tables.records, owner, ProjectionExpression="pk, sk"):
            self.tables.delete(self.tables.records, {"pk": row["pk"], "sk": row["sk"]})


def _export_key(export_id: str) -> Key:
    return {"pk": export_id, "sk": "export"}


def _export_row(export: Export) -> Row:
    return {
        **_export_key(export.id),
        "user_id": export.user_id,
        "status": export.status,
        "requested_at": stamp(export.requested_at),
        "size": export.size,
        "finished_at": stamp(export.finished_at) if export.finished_at else None,
    }


def _export(row: Row) -> Export:
    return Export(
        row["pk"],
        row["user_id"],
        ExportStatus(row["status"]),
        moment(row["requested_at"]),
        row["size"],
        maybe(row.get("finished_at")),
    )


def _closure_key(closure_id: str) -> Key:
    return {"pk": closure_id, "sk": "closure"}


def _entry(closure_id: str) -> Key:
    return {"pk": "closures", "sk": closure_id}


def _closure_row(closure: Closure) -> Row:
    return {
        **_closure_key(closure.id),
        "user_id": closure.user_id,
        "spaces": list(closure.spaces),
        "status": closure.status,
        "version": closure.version,
        "requested_at": stamp(closure.requested_at),
        "progressed_at": stamp(closure.progressed_at),
        "removed": asdict(closure.removed),
        "counting": [[each.pk, each.sk, each.listed or ""] for each in closure.counting],
        "purges": list(closure.purges),
        "finished_at": stamp(closure.finished_at) if closure.finished_at else None,
    }


def _closure(row: Row) -> Closure:
    removed = row["removed"]
    return Closure(
        id=row["pk"],
        user_id=row["user_id"],
        spaces=tuple(row["spaces"]),
        status=ClosureStatus(row["status"]),
        version=row["version"],
        requested_at=moment(row["requested_at"]),
        progressed_at=moment(row["progressed_at"]),
        removed=Gone(**{each.name: removed[each.name] for each in fields(Gone)}),
        counting=tuple(Leftover(pk, sk, listed or None) for pk, sk, listed in row["counting"]),
        purges=tuple(row["purges"]),
        finished_at=maybe(row.get("finished_at")),
    )
