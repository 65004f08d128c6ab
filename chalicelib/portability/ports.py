"""What leaving needs from outside."""

from collections.abc import Collection, Iterable
from typing import IO, Protocol

from chalicelib.access.ports import Account
from chalicelib.domain.accounts import Closure, Export, Leftover


class ExportStore(Protocol):
    """Where exports are noted. All reads are strongly consistent."""

    def add_export(self, export: Export) -> None:
        """Write a new export; whoever runs exports is told."""
        ...

    def export(self, export_id: str) -> Export | None:
        """The export, or None."""
        ...

    def exports(self, user_id: str) -> tuple[Export, ...]:
        """The exports of an account, newest first."""
        ...

    def finish_export(self, export: Export) -> None:
        """Replace an export that is there. Raises NotFound."""
        ...


class Parcels(Protocol):
    """Where archives lie."""

    def store(self, key: str, archive: IO[bytes]) -> None:
        """Store an archive under its key, from its present position on."""
        ...

    def link(self, key: str, filename: str) -> str:
        """An address that anybody can read the archive at, for ten minutes."""
        ...


class ClosureStore(Protocol):
    """The tables of truth, as the deletion of an account sees them."""

    def bury_account(self, account: Account, closure: Closure) -> Closure:
        """Remove the account's record and write the closure, in one transaction. Raises NotFound."""
        ...

    def closure(self, closure_id: str) -> Closure | None:
        """The closure, or None."""
        ...

    def open_closures(self) -> tuple[Closure, ...]:
        """The closures that are not settled."""
        ...

    def advance_closure(self, before: Closure, after: Closure) -> Closure:
        """Replace a closure that still is at `before`'s version. Raises ConcurrentChange."""
        ...

    def leftovers(self, owner: str, kinds: Collection[str], limit: int) -> tuple[Leftover, ...]:
        """Some entries of those kinds that a space or person has left, at most `limit`; of each kind in turn."""
        ...

    def erase_listed(self, leftovers: Iterable[Leftover]) -> None:
        """Remove the records that the entries list, and other entries of these records elsewhere."""
        ...

    def unlist(self, leftovers: Iterable[Leftover]) -> None:
        """Remove the entries themselves."""
        ...

    def erase_owner(self, owner: str) -> None:
        """Remove whatever is left under the id of a space or person."""
        ...


class Shelves(Protocol):
    """Where archives of exports are removed; every store of blobs is one."""

    def count(self, prefix: str) -> int:
        """How many objects lie under the prefix, every version counted."""
        ...

    def erase(self, prefix: str) -> None:
        """Remove all versions of all objects under the prefix."""
        ...


class MemoryTraces(Protocol):
    """The index of memory, as deletion sees it."""

    def erase(self, memory_ids: Iterable[str]) -> int:
        """Forget the records entirely."""
        ...
