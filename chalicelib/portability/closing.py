"""Deleting an account for good: asking for it, and the worker that does it (rule A8, in the way of K16)."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from chalicelib.access.ports import KeyStore, TeamStore
from chalicelib.domain.accounts import Closure, ClosureStatus, Gone, Leftover
from chalicelib.domain.errors import (
    ConcurrentChange,
    ConfirmationMismatch,
    LastOwner,
    MembershipChanged,
    NotFound,
    OnlyOwner,
    TokenLimited,
)
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.purges import Purge, PurgeStatus
from chalicelib.domain.spaces import Membership, Principal, Role
from chalicelib.domain.time import Clock
from chalicelib.knowledge.ports import KnowledgeStore, PurgeStore
from chalicelib.portability.ports import ClosureStore, MemoryTraces, Shelves

STUCK = timedelta(minutes=2)
"""A running closure without progress for this long has lost its worker, or waits for its purges."""

SETTLING = timedelta(minutes=15)
"""No writer lives longer than a Lambda may, so after this long a second pass finds whatever one left."""

TOGETHER = 25
"""Entries that are counted, and then removed, in one step."""

_OF_SPACE = ("page", "memory", "todo", "project", "event", "state", "projectpath")
_OF_PERSON = ("token", "taken", "remembered", "subject")


@dataclass(frozen=True, slots=True)
class CloseAccount:
    """Delete one's account with everything in it, for good."""

    keys: KeyStore
    teams: TeamStore
    closures: ClosureStore
    ids: Ids
    clock: Clock

    def __call__(self, principal: Principal, confirm: str) -> Closure:
        """The closure under way; from now on the account does not exist, and none of its tokens is valid.

        Raises TokenLimited, NotFound, ConfirmationMismatch, OnlyOwner.
        """
        if principal.limited:
            raise TokenLimited
        found = self.keys.account(principal.user_id)
        if found is None:
            raise NotFound
        account, memberships = found
        if confirm != account.name:
            raise ConfirmationMismatch(field="name")
        now = self.clock.now()
        closure = Closure(
            id=self.ids.new(Kind.CLOSURE),
            user_id=account.user_id,
            spaces=self._spaces(memberships),
            status=ClosureStatus.RUNNING,
            version=1,
            requested_at=now,
            progressed_at=now,
        )
        return self.closures.bury_account(account, closure)

    def _spaces(self, memberships: tuple[Membership, ...]) -> tuple[str, ...]:
        """The spaces that nobody else is in. Raises OnlyOwner."""
        alone, only = [], []
        for each in (each for each in memberships if each.role is Role.OWNER):
            others = [one for one in self.teams.members(each.space_id) if one.user_id != each.user_id]
            if not others:
                alone.append(each.space_id)
            elif not any(one.role is Role.OWNER for one in others):
                only.append(each.space_id)
        if only:
            raise OnlyOwner(teams=tuple(only))
        return tuple(alone)


@dataclass(frozen=True, slots=True)
class RunClosure:
    """The worker: removes what a closure names, some entries at a time, and can be killed anywhere.

    As in `knowledge/purging`: entries are counted, the counts are written down, and only then are they removed, the
    records first, the index after them, their places in lists last, since those are what a worker that takes over
    goes by. Bases are handed to purges of their own; the closure is done when all of them are.
    """

    closures: ClosureStore
    store: KnowledgeStore
    graves: PurgeStore
    teams: TeamStore
    shelves: Shelves
    traces: MemoryTraces
    ids: Ids
    clock: Clock

    def __call__(self, closure_id: str, has_time: Callable[[], bool]) -> Closure:
        """The closure as far as it came before `has_time` said no, which is one step at least.

        Raises NotFound, ConcurrentChange (another worker is on it).
        """
        closure = self.closures.closure(closure_id)
        if closure is None:
            raise NotFound
        if closure.status is not ClosureStatus.RUNNING:
            return self._settle(closure)
        self._remove(closure.counting)
        while closure.status is ClosureStatus.RUNNING:
            after = self._step(closure)
            if after is None:
                return closure  # its purges are still at work; the sweep looks again
            closure = after
            if not has_time():
                break
        return closure

    def _step(self, closure: Closure) -> Closure | None:
        bases = self._base_ids(closure)
        if bases:
            return self._bury(closure, bases)
        leftovers = self._next(closure)
        if leftovers:
            closure = self.closures.advance_closure(
                closure, closure.checkpoint(leftovers, _counted(leftovers), self.clock.now())
            )
            self._remove(leftovers)
            return closure
        self._remove_rest(closure)
        if any(not self._purged(each) for each in closure.purges):
            return None
        return self.closures.advance_closure(closure, closure.moved(ClosureStatus.DONE, self.clock.now()))

    def _base_ids(self, closure: Closure) -> tuple[str, ...]:
        return tuple(
            each.listed
            for space in closure.spaces
            for each in self.closures.leftovers(space, ("base",), TOGETHER)
            if each.listed
        )

    def _bury(self, closure: Closure, base_ids: tuple[str, ...]) -> Closure:
        """Hand a base over to a purge of its own. The purge's id is written down first, so that it is waited for."""
        base = self.store.base(base_ids[0])
        if base is None:
            self.closures.unlist([Leftover(space, f"base#{base_ids[0]}") for space in closure.spaces])
            return closure
        now = self.clock.now()
        purge = Purge(
            id=self.ids.new(Kind.PURGE),
            space_id=base.space_id,
            base_id=base.id,
            item_id=None,
            status=PurgeStatus.RUNNING,
            version=1,
            requested_by=closure.user_id,
            requested_at=now,
            progressed_at=now,
        )
        # A purge that is written down and never came to be counts as done: nothing of it is there.
        listed = replace(closure.touched(now), purges=(*closure.purges, purge.id))
        closure = self.closures.advance_closure(closure, listed)
        self.graves.bury_base(base, purge, None)
        return closure

    def _purged(self, purge_id: str) -> bool:
        purge = self.graves.purge(purge_id)
        return purge is None or purge.status is not PurgeStatus.RUNNING

    def _next(self, closure: Closure) -> tuple[Leftover, ...]:
        for owner, kinds in [*((space, _OF_SPACE) for space in closure.spaces), (closure.user_id, _OF_PERSON)]:
            found = self.closures.leftovers(owner, kinds, TOGETHER)
            if found:
                return found
        return ()

    def _remove(self, leftovers: tuple[Leftover, ...]) -> None:
        self.closures.erase_listed(leftovers)
        memories = [each.listed for each in leftovers if each.kind == "memory" and each.listed]
        if memories:
            self.traces.erase(memories)
        for page_id in [each.listed for each in leftovers if each.kind == "page" and each.listed]:
            for folder in (f"pages/{page_id}/", f"incoming/{page_id}/"):
                self.shelves.erase(folder)
        self.closures.unlist(leftovers)

    def _remove_rest(self, closure: Closure) -> None:
        self.shelves.erase(f"exports/{closure.user_id}/")
        for membership in self._elsewhere(closure):
            # Another owner may have left or changed meanwhile: the membership goes all the same with the next pass.
            with suppress(LastOwner, MembershipChanged):
                self.teams.remove_member(membership)
        for space in closure.spaces:
            self.closures.erase_owner(space)
        self.closures.erase_owner(closure.user_id)

    def _elsewhere(self, closure: Closure) -> tuple[Membership, ...]:
        entries = self.closures.leftovers(closure.user_id, ("member",), 1000)
        spaces = [each.sk.partition("#")[2] for each in entries]
        return tuple(
            each
            for space in spaces
            if space not in closure.spaces
            for each in self.teams.members(space)
            if each.user_id == closure.user_id
        )

    def _settle(self, closure: Closure) -> Closure:
        """Once more over everything: a writer under way at the time may have left something."""
        finished = closure.finished_at or closure.requested_at
        if closure.status is ClosureStatus.SETTLED or self.clock.now() - finished < SETTLING:
            return closure
        while leftovers := self._next(closure):
            self._remove(leftovers)
        self._remove_rest(closure)
        return self.closures.advance_closure(closure, closure.moved(ClosureStatus.SETTLED, self.clock.now()))


def _counted(leftovers: tuple[Leftover, ...]) -> Gone:
    kinds = [each.kind for each in leftovers]
    return Gone(
        tokens=kinds.count("token"),
        memories=kinds.count("memory"),
        notes=sum(kinds.count(each) for each in ("todo", "project", "event", "state")),
        exports=kinds.count("taken"),
    )


@dataclass(frozen=True, slots=True)
class SweepClosures:
    """Wake closures that got stuck or wait for their purges, and finished ones that are due for their second pass."""

    closures: ClosureStore
    clock: Clock

    def __call__(self) -> tuple[Closure, ...]:
        """The closures that were woken: written once more, of which the worker is told."""
        now = self.clock.now()
        woken = []
        for closure in self.closures.open_closures():
            patience = STUCK if closure.status is ClosureStatus.RUNNING else SETTLING
            if now - closure.progressed_at < patience:
                continue
            with suppress(ConcurrentChange):
                woken.append(self.closures.advance_closure(closure, closure.touched(now)))
        return tuple(woken)
