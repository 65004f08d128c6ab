"""Accounts: made by whoever runs this Acervo, with a personal space each."""

from collections.abc import Iterable
from dataclasses import dataclass

from chalicelib.access.ports import Account, KeyStore
from chalicelib.access.profiles import Profile
from chalicelib.access.scopes import Scope
from chalicelib.domain.errors import NotFound
from chalicelib.domain.ids import Ids, Kind
from chalicelib.domain.spaces import Door, Membership, Principal, Role, Space, SpaceKind
from chalicelib.domain.time import Clock


@dataclass(frozen=True, slots=True)
class CreateAccount:
    """Make an account and its personal space."""

    keys: KeyStore
    ids: Ids
    clock: Clock

    def __call__(self, name: str) -> Account:
        """The new account."""
        account, space = new_account(name, self.ids, self.clock)
        self.keys.add_account(account, space)
        return account


def new_account(name: str, ids: Ids, clock: Clock) -> tuple[Account, Space]:
    """An account with its personal space, not written yet."""
    now = clock.now()
    space = Space(ids.new(Kind.SPACE), SpaceKind.PERSONAL, name, now)
    return Account(ids.new(Kind.USER), name, space.id, now), space


@dataclass(frozen=True, slots=True)
class ReadAccount:
    """Read one's own account."""

    keys: KeyStore

    def __call__(self, principal: Principal) -> Account:
        """The account. Raises NotFound if it is gone."""
        found = self.keys.account(principal.user_id)
        if found is None:
            raise NotFound
        return found[0]


def principal_of(account: Account, memberships: Iterable[Membership], scopes: frozenset[str], door: Door) -> Principal:
    """The person themselves, by no token of ours: in all of their spaces, with those scopes."""
    return Principal(
        user_id=account.user_id,
        roles={each.space_id: each.role for each in memberships},
        scopes=scopes,
        door=door,
        knowledge_enabled=account.knowledge_enabled,
        personal_space_id=account.personal_space_id,
        profile=Profile.ORDINARY_FULL,
    )


def operator_for(account: Account) -> Principal:
    """The account itself with every scope, for an operator who acts where no token exists yet."""
    return Principal(
        user_id=account.user_id,
        roles={account.personal_space_id: Role.OWNER},
        scopes=frozenset(Scope),
        door=Door.WORKER,
        personal_space_id=account.personal_space_id,
    )
