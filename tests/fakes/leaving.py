"""Exports and closures, in memory, over the other fakes."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO

from chalicelib.access.ports import Account
from chalicelib.domain.accounts import Closure, ClosureStatus, Export, Leftover
from chalicelib.domain.errors import ConcurrentChange, NotFound
from tests.fakes.keys import MemoryKeys
from tests.fakes.memory import MemoryNotes, MemoryRecords
from tests.fakes.shelves import MemoryBlobs, MemoryShelves


@dataclass
class MemoryLeaving:
    """The ports `ExportStore`, `Parcels` and `ClosureStore`."""

    keys: MemoryKeys
    shelves: MemoryShelves
    memories: MemoryRecords
    notes: MemoryNotes
    blobs: MemoryBlobs
    exports_: dict[str, Export] = field(default_factory=dict)
    closures_: dict[str, Closure] = field(default_factory=dict)
    gone: set[tuple[str, str]] = field(default_factory=set)
    """Entries that are unlisted."""
    authored: set[tuple[str, str]] = field(default_factory=set)

    def add_export(self, export: Export) -> None:
        self.exports_[export.id] = export

    def export(self, export_id: str) -> Export | None:
        return self.exports_.get(export_id)

    def exports(self, user_id: str) -> tuple[Export, ...]:
        found = [each for each in self.exports_.values() if each.user_id == user_id]
        return tuple(sorted(found, key=lambda each: each.id, reverse=True))

    def finish_export(self, export: Export) -> None:
        if export.id not in self.exports_:
            raise NotFound
        self.exports_[export.id] = export

    def store(self, key: str, archive: IO[bytes]) -> None:
        self.blobs.put(key, archive.read())

    def link(self, key: str, filename: str) -> str:
        return f"https://bucket.example/{key}?as={filename}"

    def bury_account(self, account: Account, closure: Closure) -> Closure:
        if account.user_id not in self.keys.accounts:
            raise NotFound
        del self.keys.accounts[account.user_id]
        self.closures_[closure.id] = closure
        return closure

    def closure(self, closure_id: str) -> Closure | None:
        return self.closures_.get(closure_id)

    def open_closures(self) -> tuple[Closure, ...]:
        return tuple(each for each in self.closures_.values() if each.status is not ClosureStatus.SETTLED)

    def advance_closure(self, before: Closure, after: Closure) -> Closure:
        actual = self.closures_[before.id]
        if actual.version != before.version:
            raise ConcurrentChange(expected=before.version, actual=actual.version)
        self.closures_[after.id] = after
        return after

    def leftovers(self, owner: str, kinds: Collection[str], limit: int) -> tuple[Leftover, ...]:
        found = [each for kind in kinds for each in self._entries(owner) if each.kind == kind]
        return tuple([each for each in found if (each.pk, each.sk) not in self.gone][:limit])

    def _entries(self, owner: str) -> Iterator[Leftover]:
        records = [
            *(("base", each.space_id, each.id) for each in self.shelves.bases_.values()),
            *(("memory", each.space_id, each.id) for each in self.memories.records.values()),
            *(("todo", each.space_id, each.id) for each in self.notes.todos_.values()),
            *(("project", each.space_id, each.id) for each in self.notes.projects_.values()),
            *(("projectpath", each.space_id, each.path) for each in self.notes.projects_.values()),
            *(("token", each.user_id, each.id) for each in self.keys.tokens_.values()),
            *(("taken", each.user_id, each.id) for each in self.exports_.values()),
            *(("remembered", each.source.user_id, each.id) for each in self.memories.records.values()),
        ]
        for kind, of, key in records:
            if of == owner:
                yield Leftover(owner, f"{kind}#{key}", key)
        keyless = [
            *(("event", each.space_id, each.id) for each in self.notes.events_.values()),
            *(("state", space, key) for space, key in self.notes.states_),
            *(("member", user, space) for space, user in self.keys.members_),
        ]
        yield from (Leftover(owner, f"{kind}#{key}") for kind, of, key in keyless if of == owner)

    def erase_listed(self, leftovers: Iterable[Leftover]) -> None:
        stores = {
            "memory": self.memories.records,
            "todo": self.notes.todos_,
            "project": self.notes.projects_,
            "token": self.keys.tokens_,
            "taken": self.exports_,
        }
        for each in leftovers:
            if each.kind in stores:
                stores[each.kind].pop(each.listed, None)  # type: ignore[attr-defined]

    def unlist(self, leftovers: Iterable[Leftover]) -> None:
        for each in leftovers:
            key = each.sk.partition("#")[2]
            if each.kind == "event":
                self.notes.events_.pop(key, None)
            elif each.kind == "state":
                self.notes.states_.pop((each.pk, key), None)
            else:
                self.gone.add((each.pk, each.sk))

    def erase_owner(self, owner: str) -> None:
        self.keys.spaces_.pop(owner, None)
        for space, user in [each for each in self.keys.members_ if owner in each]:
            del self.keys.members_[space, user]
