"""Accounts, tokens, spaces and memberships in DynamoDB."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from chalicelib.access.ports import Account, Token
from chalicelib.adapters.dynamodb import lists, rows
from chalicelib.adapters.dynamodb.knowledge import clash, gone
from chalicelib.adapters.dynamodb.once import Outcome, recall, transact_once
from chalicelib.adapters.dynamodb.tables import Key, Refusal, Row, Tables, Write, check, delete, encode, new, put
from chalicelib.domain.errors import LastOwner, MembershipChanged, NotFound, UnknownUser
from chalicelib.domain.spaces import Membership, Role, Space, SpaceKind
from chalicelib.domain.writes import Once


@dataclass(frozen=True, slots=True)
class DynamoKeys:
    """The port `KeyStore` over the table `records`."""

    tables: Tables

    def add_account(self, account: Account, space: Space, subject_hash: str | None = None) -> None:
        """Write an account with its personal space, owned by it; for whom of an identity provider, if for one."""
        row = {
            **_account_key(account.user_id),
            "name": account.name,
            "personal_space_id": account.personal_space_id,
            "created_at": rows.stamp(account.created_at),
            "knowledge_enabled": account.knowledge_enabled,
            "plan": account.plan,
        }
        owner = Membership(space.id, account.user_id, Role.OWNER, account.created_at)
        records = self.tables.records
        known = _subject_rows(subject_hash, account.user_id) if subject_hash else ()
        writes = [new(records, each, clash) for each in (row, *known)]
        self.tables.transact([*writes, *_space_writes(self.tables, space, owner)])

    def user_of(self, subject_hash: str) -> str | None:
        """The account of somebody of an identity provider, or None."""
        row = self.tables.get(self.tables.records, _subject_key(subject_hash))
        return str(row["user_id"]) if row else None

    def account(self, user_id: str) -> tuple[Account, tuple[Membership, ...]] | None:
        """The account with all its memberships, or None: one query."""
        account = None
        memberships = []
        between = "pk = :pk AND sk BETWEEN :first AND :last"
        values = encode({":pk": user_id, ":first": "account", ":last": "member~"})
        for row in self.tables.query(
            self.tables.records, user_id, KeyConditionExpression=between, ExpressionAttributeValues=values
        ):
            if row["sk"] == "account":
                account = _account(row)
            elif row["sk"].startswith("member#"):
                memberships.append(_membership(row))
        return (account, tuple(memberships)) if account else None

    def set_knowledge(self, user_id: str, *, enabled: bool) -> None:
        """Switch knowledge on or off for an account."""
        row = self.tables.get(self.tables.records, _account_key(user_id))
        if row is None:
            raise NotFound
        changed_row = {**row, "knowledge_enabled": enabled}
        self.tables.transact([put(self.tables.records, changed_row, "attribute_exists(pk)", {}, gone)])

    def token(self, token_id: str) -> Token | None:
        """The token, or None."""
        row = self.tables.get(self.tables.records, _token_key(token_id))
        return _token(row) if row else None

    def tokens(self, user_id: str) -> tuple[Token, ...]:
        """The tokens of an account, newest first."""
        entries = list(self.tables.query(self.tables.records, user_id, "token#", ScanIndexForward=False))
        return lists.named(self.tables, entries, _token_key, _token)

    def add_token(self, token: Token) -> None:
        """Write a new token."""
        row = {
            **_token_key(token.id),
            "user_id": token.user_id,
            "name": token.name,
            "secret_hash": token.secret_hash,
            "scopes": sorted(token.scopes),
            "spaces": sorted(token.spaces) if token.spaces is not None else None,
            "created_at": rows.stamp(token.created_at),
            "profile": token.profile,
            "expires_at": rows.stamp(token.expires_at) if token.expires_at else None,
        }
        entry = {"pk": token.user_id, "sk": f"token#{token.id}", "listed": token.id}
        self.tables.transact([new(self.tables.records, each, clash) for each in (row, entry)])

    def revoke_token(self, token_id: str, now: datetime) -> Token:
        """Revoke a token, for good; the first moment counts."""
        self._note(token_id, "revoked_at = if_not_exists(revoked_at, :now)", now)
        token = self.token(token_id)
        if token is None:
            raise NotFound
        return token

    def used_token(self, token_id: str, now: datetime) -> None:
        """Note that a token was used."""
        self._note(token_id, "last_used_at = :now", now)

    def _note(self, token_id: str, change: str, now: datetime) -> None:
        key, values = _token_key(token_id), {":now": rows.stamp(now)}
        self.tables.update(self.tables.records, key, f"SET {change}", values, gone)


@dataclass(frozen=True, slots=True)
class DynamoTeams:
    """The port `TeamStore` over the table `records`."""

    tables: Tables

    def add_team(self, space: Space, owner: Membership, once: Once | None) -> Space:
        """Write a team with its first owner; a repeat returns the first result."""
        if once is not None and (seen := self._replayed(once)):
            return seen
        writes = _space_writes(self.tables, space, owner)
        return transact_once(self.tables, writes, (once, Outcome(space.id, {})), space, self._replayed)

    def _replayed(self, once: Once) -> Space | None:
        outcome = recall(self.tables, once)
        return self.space(outcome.record_id) if outcome else None

    def space(self, space_id: str) -> Space | None:
        """The space, or None."""
        row = self.tables.get(self.tables.records, _space_key(space_id))
        return _space(row) if row else None

    def spaces(self, space_ids: tuple[str, ...]) -> tuple[Space, ...]:
        """Those of the spaces that exist, in the order asked for."""
        found = {row["pk"]: row for row in self.tables.batch([_space_key(each) for each in space_ids])}
        return tuple(_space(found[each]) for each in space_ids if each in found)

    def members(self, space_id: str) -> tuple[Membership, ...]:
        """Everyone in a space, in the order of their ids."""
        return tuple(_membership(row) for row in self.tables.query(self.tables.records, space_id, "member#"))

    def names(self, people: Collection[tuple[str, str]]) -> Mapping[str, str]:
        """Names by user id of those of the people, each a space and a user id, who are in that space: one batch."""
        asked = sorted(set(people))
        users = sorted({user for _, user in asked})
        keys = [*map(_account_key, users), *(rows.member_key(space, user) for space, user in asked)]
        found = list(self.tables.batch(keys))
        present = {str(row["pk"]) for row in found if row["sk"] != "account"}
        return {row["pk"]: row["name"] for row in found if row["sk"] == "account" and row["pk"] in present}

    def put_member(self, before: Membership | None, after: Membership) -> Membership:
        """Let someone in, or change their role, if they still are what `before` says."""
        records = self.tables.records
        account = check(
            records,
            _account_key(after.user_id),
            "attribute_exists(pk)",
            {},
            lambda _: UnknownUser(user_id=after.user_id),
        )
        raced = _raced(after)
        writes = [account, *_owners(records, after.space_id, before, after)]
        for row in _member_rows(after):
            if before is None:
                writes.append(new(records, row, raced))
            else:
                writes.append(put(records, row, "#role = :role", {":role": before.role}, raced))
        self.tables.transact(writes)
        return after

    def remove_member(self, before: Membership) -> None:
        """Take someone out, if they still are what `before` says."""
        records = self.tables.records
        raced = _raced(before)
        writes = _owners(records, before.space_id, before, None)
        for row in _member_rows(before):
            key = {"pk": row["pk"], "sk": row["sk"]}
            writes.append(delete(records, key, "#role = :role", {":role": before.role}, raced))
        self.tables.transact(writes)


def _owners(records: str, space_id: str, before: Membership | None, after: Membership | None) -> list[Write]:
    """The change to a space's count of owners, which never reaches zero."""
    was, is_ = (each is not None and each.role is Role.OWNER for each in (before, after))
    if was == is_:
        return []
    step, condition = (1, "attribute_exists(pk)") if is_ else (-1, "owners > :one")
    update = {
        "TableName": records,
        "Key": encode(_space_key(space_id)),
        "UpdateExpression": "SET owners = owners + :step",
        "ConditionExpression": condition,
        "ExpressionAttributeValues": encode({":step": step, **({} if is_ else {":one": 1})}),
    }
    return [Write({"Update": update}, lambda _: NotFound() if is_ else LastOwner())]


def _space_writes(tables: Tables, space: Space, owner: Membership) -> list[Write]:
    row = {
        **_space_key(space.id),
        "kind": space.kind,
        "name": space.name,
        "created_at": rows.stamp(space.created_at),
        "owners": 1,
    }
    return [new(tables.records, each, clash) for each in (row, *_member_rows(owner))]


def _member_rows(member: Membership) -> tuple[Row, Row]:
    """A membership lies twice: where the person's roles are read, and where the space's people are listed."""
    facts = {
        "space_id": member.space_id,
        "user_id": member.user_id,
        "role": member.role,
        "since": rows.stamp(member.since),
    }
    by_space = {"pk": member.space_id, "sk": f"member#{member.user_id}"}
    return {**rows.member_key(member.space_id, member.user_id), **facts}, {**by_space, **facts}


def _account_key(user_id: str) -> Key:
    return {"pk": user_id, "sk": "account"}


def _subject_key(subject_hash: str) -> Key:
    return {"pk": f"subject_{subject_hash}", "sk": "subject"}


def _subject_rows(subject_hash: str, user_id: str) -> tuple[Row, Row]:
    """Who somebody of an identity provider is, and the way back, for deletion."""
    key = _subject_key(subject_hash)
    return {**key, "user_id": user_id}, {"pk": user_id, "sk": f"subject#{subject_hash}", "listed": key["pk"]}


def _space_key(space_id: str) -> Key:
    return {"pk": space_id, "sk": "space"}


def _token_key(token_id: str) -> Key:
    return {"pk": token_id, "sk": "token"}


def _account(row: Row) -> Account:
    return Account(
        user_id=row["pk"],
        name=row["name"],
        personal_space_id=row["personal_space_id"],
        created_at=rows.moment(row["created_at"]),
        knowledge_enabled=row["knowledge_enabled"],
        plan=row["plan"],
    )


def _space(row: Row) -> Space:
    return Space(row["pk"], SpaceKind(row["kind"]), row["name"], rows.moment(row["created_at"]))


def _membership(row: Row) -> Membership:
    return Membership(row["space_id"], row["user_id"], Role(row["role"]), rows.moment(row["since"]))


def _token(row: Row) -> Token:
    spaces = row.get("spaces")
    return Token(
        id=row["pk"],
        user_id=row["user_id"],
        name=row["name"],
        secret_hash=row["secret_hash"],
        scopes=frozenset(row["scopes"]),
        spaces=frozenset(spaces) if spaces is not None else None,
        created_at=rows.moment(row["created_at"]),
        profile=row.get("profile", "ordinary-full"),
        expires_at=rows.maybe(row.get("expires_at")),
        last_used_at=rows.maybe(row.get("last_used_at")),
        revoked_at=rows.maybe(row.get("revoked_at")),
    )


def _raced(member: Membership) -> Refusal:
    return lambda _: MembershipChanged(user_id=member.user_id)
