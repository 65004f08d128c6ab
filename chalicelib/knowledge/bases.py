"""Use cases on bases: create, read, list, change, archive and restore."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from chalicelib.domain import bases
from chalicelib.domain.bases import Base, BaseStatus
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.spaces import Action, Principal, demand, may
from chalicelib.domain.time import Clock
from chalicelib.domain.writes import Once, Page
from chalicelib.knowledge.ports import KnowledgeStore
from chalicelib.knowledge.visibility import base_for


@dataclass(frozen=True, slots=True)
class CreateBase:
    """Make a base in a space."""

    store: KnowledgeStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, space_id: str, name: str, description: str, once: Once | None) -> Base:
        """The new base. Raises NotFound, NotAllowed, IdempotencyKeyReused."""
        demand(principal, Action.ADMIN_BASES, space_id)
        if once and (seen := self.store.replayed_base(once)):
            return seen
        now = self.clock.now()
        base = Base(
            id=self.ids.new(Kind.BASE),
            space_id=space_id,
            name=name,
            description=description,
            status=BaseStatus.ACTIVE,
            version=1,
            created_by=principal.user_id,
            created_at=now,
            updated_at=now,
        )
        return self.store.add_base(base, once)


@dataclass(frozen=True, slots=True)
class ReadBase:
    """Read one base."""

    store: KnowledgeStore

    def __call__(self, principal: Principal, base_id: str) -> Base:
        """The base. Raises NotFound."""
        return base_for(self.store, principal, base_id)


@dataclass(frozen=True, slots=True)
class ListBases:
    """List the bases of one space, or of every space the principal is in, space by space."""

    store: KnowledgeStore

    def __call__(self, principal: Principal, space_id: str | None, after: str | None, limit: int) -> Page[Base]:
        """A page of bases, newest first within a space. Raises NotFound."""
        if space_id is not None:
            demand(principal, Action.READ, space_id)
        spaces = [space_id] if space_id else sorted(principal.roles)
        begin, _, key = (after or "").partition("/")
        found: list[Base] = []
        for space in (each for each in spaces if each >= begin and may(principal, Action.READ, each)):
            page = self.store.bases(space, key or None if space == begin else None, limit - len(found))
            found.extend(page.entries)
            if page.after is not None:
                return Page(tuple(found), f"{space}/{page.after}")
            if len(found) == limit:
                # The next page begins with whatever space comes after this one.
                return Page(tuple(found), f"{space}~/" if space != spaces[-1] else None)
        return Page(tuple(found), None)


@dataclass(frozen=True, slots=True)
class ChangeBase:
    """Give a base another name or description."""

    store: KnowledgeStore
    clock: Clock

    def __call__(
        self, principal: Principal, base_id: str, name: str | None, description: str | None, once: Once | None
    ) -> Base:
        """The base after the change. Raises NotFound, NotAllowed, ConcurrentChange, IdempotencyKeyReused."""
        base = base_for(self.store, principal, base_id, Action.ADMIN_BASES)
        if once and (seen := self.store.replayed_base(once)):
            return seen
        after = replace(
            base,
            name=base.name if name is None else name,
            description=base.description if description is None else description,
        )
        if after == base:
            return self.store.settle(base, once)
        after = replace(after, version=base.version + 1, updated_at=self.clock.now())
        return self.store.change_base(base, after, once)


@dataclass(frozen=True, slots=True)
class MoveBase:
    """Archive a base, which suspends all retrieval of its items, or restore it (rule K15)."""

    store: KnowledgeStore
    clock: Clock
    move: Callable[[Base, datetime], Base]

    def __call__(self, principal: Principal, base_id: str, once: Once | None) -> Base:
        """The base after the move. Raises NotFound, NotAllowed, IllegalMove, ConcurrentChange."""
        base = base_for(self.store, principal, base_id, Action.ADMIN_BASES)
        if once and (seen := self.store.replayed_base(once)):
            return seen
        return self.store.change_base(base, self.move(base, self.clock.now()), once)


@dataclass(frozen=True, slots=True)
class Bases:
    """The use cases on bases, wired."""

    create: CreateBase
    read: ReadBase
    list: ListBases
    change: ChangeBase
    archive: MoveBase
    restore: MoveBase

    @classmethod
    def over(cls, store: KnowledgeStore, ids: Ids, clock: Clock) -> "Bases":
        """All of them on the same store."""
        return cls(
            create=CreateBase(store, ids, clock),
            read=ReadBase(store),
            list=ListBases(store),
            change=ChangeBase(store, clock),
            archive=MoveBase(store, clock, bases.archive),
            restore=MoveBase(store, clock, bases.restore),
        )
