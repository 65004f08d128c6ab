"""Accounts, tokens and teams, in memory."""

import threading
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from chalicelib.access.ports import Account, DeviceLogin, Token
from chalicelib.access.provider_ports import Attempt
from chalicelib.access.session_ports import Session, SignInLink
from chalicelib.domain.errors import (
    ConcurrentChange,
    IdempotencyKeyReused,
    LastOwner,
    MembershipChanged,
    NotFound,
    StoreBusy,
    UnknownUser,
)
from chalicelib.domain.spaces import Membership, Role, Space
from chalicelib.domain.writes import KEPT, Once


class MemoryKeys:
    """The ports `KeyStore`, `TeamStore`, `DeviceStore`, `SessionStore`, `AttemptStore` and `LimitStore`."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.accounts: dict[str, Account] = {}
        self.tokens_: dict[str, Token] = {}
        self.spaces_: dict[str, Space] = {}
        self.members_: dict[tuple[str, str], Membership] = {}
        self.once: dict[str, tuple[Once, Space]] = {}
        self.logins: dict[str, DeviceLogin] = {}
        self.hits: dict[str, int] = {}
        self.sessions: dict[str, Session] = {}
        self.links: dict[str, SignInLink] = {}
        self.attempts: dict[str, Attempt] = {}
        self.subjects: dict[str, str] = {}

    def role_of(self, space_id: str, user_id: str) -> Role | None:
        found = self.members_.get((space_id, user_id))
        return found.role if found else None

    def user_of(self, subject_hash: str) -> str | None:
        return self.subjects.get(subject_hash)

    def add_account(self, account: Account, space: Space, subject_hash: str | None = None) -> None:
        if subject_hash is not None:
            if subject_hash in self.subjects:
                raise StoreBusy
            self.subjects[subject_hash] = account.user_id
        self.accounts[account.user_id] = account
        self.spaces_[space.id] = space
        owner = Membership(space.id, account.user_id, Role.OWNER, account.created_at)
        self.members_[space.id, account.user_id] = owner

    def account(self, user_id: str) -> tuple[Account, tuple[Membership, ...]] | None:
        if user_id not in self.accounts:
            return None
        with self._lock:
            found = sorted((each for each in self.members_.values() if each.user_id == user_id), key=_space_of)
        return self.accounts[user_id], tuple(found)

    def set_knowledge(self, user_id: str, *, enabled: bool) -> None:
        if user_id not in self.accounts:
            raise NotFound
        self.accounts[user_id] = replace(self.accounts[user_id], knowledge_enabled=enabled)

    def token(self, token_id: str) -> Token | None:
        return self.tokens_.get(token_id)

    def tokens(self, user_id: str) -> tuple[Token, ...]:
        found = [each for each in self.tokens_.values() if each.user_id == user_id]
        return tuple(sorted(found, key=lambda each: each.id, reverse=True))

    def add_token(self, token: Token) -> None:
        self.tokens_[token.id] = token

    def revoke_token(self, token_id: str, now: datetime) -> Token:
        if token_id not in self.tokens_:
            raise NotFound
        token = self.tokens_[token_id]
        self.tokens_[token_id] = replace(token, revoked_at=token.revoked_at or now)
        return self.tokens_[token_id]

    def used_token(self, token_id: str, now: datetime) -> None:
        if token_id not in self.tokens_:
            raise NotFound
        self.tokens_[token_id] = replace(self.tokens_[token_id], last_used_at=now)

    def add_team(self, space: Space, owner: Membership, once: Once | None) -> Space:
        with self._lock:
            if once and once.key in self.once and self.once[once.key][0].expires_at > once.expires_at - KEPT:
                first, seen = self.once[once.key]
                if first.fingerprint != once.fingerprint:
                    raise IdempotencyKeyReused
                return seen
            self.spaces_[space.id] = space
            self.members_[space.id, owner.user_id] = owner
            if once:
                self.once[once.key] = (once, space)
            return space

    def space(self, space_id: str) -> Space | None:
        return self.spaces_.get(space_id)

    def spaces(self, space_ids: tuple[str, ...]) -> tuple[Space, ...]:
        return tuple(self.spaces_[each] for each in space_ids if each in self.spaces_)

    def members(self, space_id: str) -> tuple[Membership, ...]:
        with self._lock:
            found = [each for each in self.members_.values() if each.space_id == space_id]
        return tuple(sorted(found, key=lambda each: each.user_id))

    def names(self, people: Collection[tuple[str, str]]) -> Mapping[str, str]:
        return {user: self.accounts[user].name for space, user in people if (space, user) in self.members_}

    def put_member(self, before: Membership | None, after: Membership) -> Membership:
        with self._lock:
            if after.user_id not in self.accounts:
                raise UnknownUser(user_id=after.user_id)
            self._demand_owner_left(before, after)
            self._expect(before, after)
            self.members_[after.space_id, after.user_id] = after
            return after

    def remove_member(self, before: Membership) -> None:
        with self._lock:
            self._demand_owner_left(before, None)
            self._expect(before, before)
            del self.members_[before.space_id, before.user_id]

    def add_login(self, login: DeviceLogin) -> None:
        with self._lock:
            if self.login_of(login.user_code) or login.device_hash in self.logins:
                raise StoreBusy
            self.logins[login.device_hash] = login

    def login(self, device_hash: str) -> DeviceLogin | None:
        return self.logins.get(device_hash)

    def login_of(self, user_code: str) -> DeviceLogin | None:
        return next((each for each in list(self.logins.values()) if each.user_code == user_code), None)

    def change_login(self, before: DeviceLogin, after: DeviceLogin) -> DeviceLogin:
        with self._lock:
            self._expect_login(before)
            self.logins[after.device_hash] = after
            return after

    def take_login(self, login: DeviceLogin) -> None:
        with self._lock:
            self._expect_login(login)
            del self.logins[login.device_hash]

    def _expect_login(self, before: DeviceLogin) -> None:
        actual = self.logins.get(before.device_hash)
        if actual is None:
            raise NotFound
        if actual.version != before.version:
            raise ConcurrentChange(expected=before.version, actual=actual.version)

    def add_session(self, session: Session) -> None:
        self.sessions[session.secret_hash] = session

    def session(self, secret_hash: str) -> Session | None:
        return self.sessions.get(secret_hash)

    def used_session(self, session: Session) -> None:
        with self._lock:
            if session.secret_hash in self.sessions:
                self.sessions[session.secret_hash] = session

    def end_session(self, secret_hash: str) -> None:
        self.sessions.pop(secret_hash, None)

    def add_link(self, link: SignInLink) -> None:
        self.links[link.secret_hash] = link

    def take_link(self, secret_hash: str) -> SignInLink:
        with self._lock:
            if secret_hash not in self.links:
                raise NotFound
            return self.links.pop(secret_hash)

    def add_attempt(self, attempt: Attempt) -> None:
        self.attempts[attempt.state_hash] = attempt

    def take_attempt(self, state_hash: str) -> Attempt:
        with self._lock:
            if state_hash not in self.attempts:
                raise NotFound
            return self.attempts.pop(state_hash)

    def hit(self, name: str, until: datetime) -> int:
        with self._lock:
            self.hits[name] = self.hits.get(name, 0) + 1
            return self.hits[name]

    def _expect(self, before: Membership | None, after: Membership) -> None:
        actual = self.members_.get((after.space_id, after.user_id))
        if (actual.role if actual else None) != (before.role if before else None):
            raise MembershipChanged(user_id=after.user_id)

    def _demand_owner_left(self, before: Membership | None, after: Membership | None) -> None:
        if before is None or before.role is not Role.OWNER or (after and after.role is Role.OWNER):
            return
        owners = [each for each in self.members(before.space_id) if each.role is Role.OWNER]
        if len(owners) == 1:
            raise LastOwner


def _space_of(member: Membership) -> str:
    return member.space_id
