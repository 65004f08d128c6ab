"""Conversations in DynamoDB, in the table of what expires."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime

from chalicelib.adapters.dynamodb.knowledge import UNCHANGED, changed
from chalicelib.adapters.dynamodb.rows import maybe, moment, stamp
from chalicelib.adapters.dynamodb.tables import Key, Row, Tables
from chalicelib.answers.ports import Conversation, Exchange


@dataclass(frozen=True, slots=True)
class DynamoConversations:
    """The port `ConversationStore`. The row expires by itself, some time after the moment that it names."""

    tables: Tables

    def conversation(self, conversation_id: str) -> Conversation | None:
        """The conversation, or None; it may have expired."""
        row = self.tables.get(self.tables.ephemeral, _key(conversation_id))
        return _conversation(row) if row else None

    def hold(self, conversation: Conversation, until: datetime) -> Conversation:
        """Note that a turn of it is being answered."""
        after = replace(conversation, version=conversation.version + 1, held_until=until)
        self._change(conversation, "SET version = :next, held_until = :until", {":until": stamp(until)})
        return after

    def release(self, conversation: Conversation) -> None:
        """Take that note back."""
        self._change(conversation, "SET version = :next REMOVE held_until", {})

    def keep(self, before: Conversation, after: Conversation) -> Conversation:
        """Replace one that still is at `before`'s version; a new one, if that is 0."""
        change = (
            "SET version = :next, page_id = :page, session_id = :session, exchanges = :exchanges, "
            "valid_until = :valid, expires_at = :expires REMOVE held_until"
        )
        values = {
            ":page": after.page_id,
            ":session": after.session_id,
            ":exchanges": [_row(each) for each in after.exchanges],
            ":valid": stamp(after.expires_at),
            ":expires": int(after.expires_at.timestamp()),
        }
        self._change(before, change, values)
        return replace(after, version=before.version + 1, held_until=None)

    def _change(self, before: Conversation, change: str, values: Row) -> None:
        condition, seen = (
            (UNCHANGED, {":version": before.version}) if before.version else ("attribute_not_exists(pk)", {})
        )
        row = {**seen, **values, ":next": before.version + 1}
        tried = self.tables.attempt(self.tables.ephemeral, _key(before.id), change, condition, row)
        if not tried.done:
            raise changed(before.version)(tried.row)


def _key(conversation_id: str) -> Key:
    return {"pk": f"conversation#{conversation_id}"}


def _row(exchange: Exchange) -> Row:
    return {**asdict(exchange), "components": list(exchange.components), "image_ids": list(exchange.image_ids)}


def _conversation(row: Row) -> Conversation:
    return Conversation(
        id=row["pk"].removeprefix("conversation#"),
        page_id=row["page_id"],
        session_id=row["session_id"],
        exchanges=tuple(
            Exchange(
                each["question"], each["spoken"], tuple(each["components"]), tuple(each["image_ids"]), each["language"]
            )
            for each in row["exchanges"]
        ),
        version=row["version"],
        expires_at=moment(row["valid_until"]),
        held_until=maybe(row.get("held_until")),
    )
